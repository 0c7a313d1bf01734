// Where tabs of programs are: in our group at the end of a window, so that the user's tabs keep their places. Tabs of the user are never moved.

import * as focusGuard from "./focus_guard.js";
import * as tabs from "./tabs.js";

const TITLE = "Boathook";
const NO_GROUP = chrome.tabGroups.TAB_GROUP_ID_NONE;
let arranging = Promise.resolve();

// One after the other, by the state at that time: a tab detached while it is put into the group would stay there,
// and two tabs at once would create two groups.
function inTurn(work) {
  arranging = arranging.then(work).catch(() => {}); // the tab or window was closed meanwhile
  return arranging;
}

export function arrange(tabId) {
  if (tabs.facts(tabId).origin !== "agent") return Promise.resolve();
  return inTurn(() => (tabs.facts(tabId).attached ? group(tabId) : ungroup(tabId)));
}

// By id: the user may have a group of the same name.
async function ourGroups() {
  return /** @type {number[]} */ ((await chrome.storage.session.get("groups")).groups ?? []);
}

async function group(tabId) {
  const tab = await chrome.tabs.get(tabId);
  const facts = tabs.facts(tabId);
  if (tab.pinned || facts.grouped) return; // the user has pinned or moved it
  facts.grouped = true;
  const known = await ourGroups();
  const [ours] = (await chrome.tabGroups.query({ windowId: tab.windowId })).filter(({ id }) => known.includes(id));
  const place = ours ? { groupId: ours.id } : { createProperties: { windowId: tab.windowId } };
  const groupId = await chrome.tabs.group({ tabIds: [tabId], ...place });
  if (ours) return;
  await chrome.storage.session.set({ groups: [...known, groupId] });
  await chrome.tabGroups.update(groupId, { title: TITLE, color: "cyan" });
}

async function ungroup(tabId) {
  const { groupId } = await chrome.tabs.get(tabId);
  tabs.facts(tabId).grouped = false;
  if (groupId !== NO_GROUP && (await ourGroups()).includes(groupId)) await chrome.tabs.ungroup(tabId);
}

let opening = Promise.resolve(); // one after the other: two tabs at once would create two windows

// A new tab of a program, behind what the user looks at; in the programs' own window if the user wants that.
export function openTab(wanted, isApart) {
  if (!isApart) return chrome.tabs.create(wanted);
  const made = opening.then(() => openApart(wanted));
  opening = made.then(
    () => {},
    () => {},
  );
  return made;
}

async function openApart(wanted) {
  const { ownWindow } = /** @type {{ ownWindow?: number }} */ (await chrome.storage.session.get("ownWindow"));
  const isOpen = ownWindow !== undefined && (await chrome.windows.get(ownWindow).catch(() => null));
  if (isOpen) return chrome.tabs.create({ ...wanted, windowId: ownWindow });
  const made = await chrome.windows.create({ url: wanted.url, focused: false });
  await chrome.storage.session.set({ ownWindow: made.id });
  await focusGuard.openedByProgram(made.tabs[0], chrome.windows.WINDOW_ID_NONE);
  return made.tabs[0];
}

// A tab that the user opened behind those of programs: they make room for it.
export function onCreated(tab) {
  return inTurn(async () => {
    const { id, windowId, index } = tab;
    if (tabs.facts(id).origin === "agent") return;
    const all = await chrome.tabs.query({ windowId });
    const before = all.find((one) => one.index === index - 1);
    if (!before || tabs.facts(before.id).origin !== "agent") return;
    const ours = all.filter((one) => one.index < index && tabs.facts(one.id).origin === "agent");
    const groups = new Set(ours.map(({ groupId }) => groupId));
    for (const groupId of groups) if (groupId !== NO_GROUP) await chrome.tabGroups.move(groupId, { index: -1 });
    const single = ours.filter(({ groupId }) => groupId === NO_GROUP).map((one) => one.id);
    if (single.length) await chrome.tabs.move(single, { index: -1 });
  });
}

// A window of which the user has closed the last tab closes: tabs of programs move to another one, if there is one.
export function onRemoved(windowId) {
  return inTurn(async () => {
    const left = await chrome.tabs.query({ windowId });
    if (!left.length || left.some((one) => tabs.facts(one.id).origin !== "agent")) return;
    if ((await chrome.windows.get(windowId)).type !== "normal") return;
    const others = await chrome.windows.getAll({ windowTypes: ["normal"] });
    const next = others.find((one) => one.id !== windowId && !one.incognito);
    if (!next) return;
    for (const one of left) tabs.facts(one.id).grouped = false;
    await chrome.tabs.move(left.map((one) => one.id), { windowId: next.id, index: -1 });
    for (const one of left) if (tabs.facts(one.id).attached) await group(one.id);
  });
}
