// The known tabs: their origin, which have our debugger, when they were last used. Survives a restart of the worker.

import { restored } from "./reload_state.js";
import { settings, whyNot } from "./settings.js";

let known = null; // tabId -> {origin: "user" | "manual" | "agent", attached, lastUsed, opener: the controlled tab that opened it, creator: the client that did}
let targets = new Map(); // tabId -> target id
let loading = null;

// The stored state, corrected by Chrome's: an attachment survives this worker, stored data may be outdated.
export async function load() {
  if (known) return known;
  loading ??= (async () => {
    await restored();
    const kept = (await chrome.storage.session.get("tabs")).tabs ?? {};
    const open = await refreshTargets();
    const map = new Map();
    for (const [id, facts] of Object.entries(kept)) {
      const target = open.find((one) => one.tabId === Number(id));
      if (target) map.set(Number(id), { ...facts, attached: facts.attached && target.attached });
    }
    known = map;
  })();
  await loading;
  return known;
}

export async function save() {
  await chrome.storage.session.set({ tabs: Object.fromEntries(known) });
}

export function facts(tabId) {
  let one = known.get(tabId);
  if (!one) known.set(tabId, (one = { origin: "user", attached: false, lastUsed: 0 }));
  return one;
}

export function drop(tabId) {
  known?.delete(tabId);
  targets.delete(tabId);
}

export function attachedTabs() {
  return [...known].filter(([, one]) => one.attached).map(([tabId]) => tabId);
}

async function refreshTargets() {
  const open = await chrome.debugger.getTargets();
  targets = new Map(open.filter((one) => one.tabId !== undefined).map((one) => [one.tabId, one.id]));
  return open;
}

// Why this tab cannot be controlled; empty if it can.
export async function refusal(tab) {
  const rules = await settings();
  const why = whyNot(tab.url || tab.pendingUrl || "", rules);
  if (why) return why;
  if (tab.incognito) return "tabs in private windows are not controlled";
  if (facts(tab.id).withheld) return "the user has stopped programs in this tab";
  if (rules.attach === "manual" && facts(tab.id).origin === "user") return "the user has not shared this tab";
  return "";
}

// Programs cannot use a tab that the user has stopped, until the user attaches it.
export async function withhold(tabId, isWithheld) {
  await load();
  facts(tabId).withheld = isWithheld;
  await save();
}

export function targetOf(tabId) {
  return targets.get(tabId) ?? "";
}

export async function row(tab) {
  const map = await load();
  if (!targets.has(tab.id)) await refreshTargets();
  const one = map.get(tab.id);
  return {
    tabId: tab.id,
    windowId: tab.windowId,
    targetId: targets.get(tab.id) ?? "",
    url: tab.url || tab.pendingUrl || "",
    title: tab.title ?? "",
    status: tab.status ?? "complete",
    active: tab.active,
    discarded: Boolean(tab.discarded || tab.frozen),
    openerTabId: one?.opener ?? null, // a tab that the user opened has none, so that no program takes it for its own
    creator: one?.creator ?? "",
    origin: one?.origin ?? "user",
    attached: Boolean(one?.attached),
    idleMs: one?.lastUsed ? Date.now() - one.lastUsed : null,
  };
}

export async function rows() {
  await load();
  const [all] = await Promise.all([chrome.tabs.query({}), refreshTargets()]);
  const seen = [];
  for (const tab of all) {
    if (!(await refusal(tab))) seen.push(await row(tab));
  }
  return seen;
}
