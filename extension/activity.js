// The latest actions of programs, for the user to look at; kept until the browser is closed, and never sent anywhere.

import { Request } from "./protocol.js";
import * as tabs from "./tabs.js";

const MOST = 200;
const TOGETHER_MS = 2_000; // the same action again within this time is counted, not listed
const NAMES = {
  [Request.TAB_ATTACH]: "attached the tab",
  [Request.TAB_DETACH]: "detached the tab",
  [Request.TAB_CREATE]: "opened a tab",
  [Request.TAB_CLOSE]: "closed the tab",
};
const COMMANDS = [
  [/^Input\.dispatch(Mouse|Drag|Touch)|^Input\.(synthesize|emulate)/, "used the mouse"],
  [/^Input\./, "typed"],
  [/^Page\.(navigate|reload)/, "navigated"],
  [/^Page\.(captureScreenshot|startScreencast)/, "took a screenshot"],
  [/^Page\.printToPDF/, "saved as PDF"],
  [/^Runtime\.(evaluate|callFunctionOn)/, "ran a script"],
  [/^(Accessibility\.get|DOM\.get|DOMSnapshot)/, "read the page"],
  [/^(Network|Storage)\.(get|set|delete|clear).*Cookie/, "used cookies"],
  [/^DOM\.set/, "changed the page"],
];

let entries = null;
let saving = 0;

export async function recent() {
  entries ??= /** @type {any[]} */ ((await chrome.storage.session.get("activity")).activity ?? []);
  return entries;
}

function actionOf(method, params) {
  if (method === Request.DEBUGGER_SEND) return params.passive ? "" : COMMANDS.find(([pattern]) => /** @type {RegExp} */ (pattern).test(params.method))?.[1];
  if (method === Request.TAB_DETACH && !tabs.attachedTabs().includes(params.tabId)) return "";
  return NAMES[method];
}

// A call of the relay; only those that do something, or read a page.
export async function noteCall(method, params) {
  const what = actionOf(method, params);
  if (what) await note(what, params?.tabId);
}

export async function note(what, tabId = null) {
  const all = await recent();
  const last = all.at(-1);
  const now = Date.now();
  if (last && last.what === what && last.tabId === tabId && now - last.at < TOGETHER_MS) Object.assign(last, { at: now, count: last.count + 1 });
  else all.push({ at: now, what, tabId, count: 1, title: await titleOf(tabId) });
  all.splice(0, all.length - MOST);
  save();
}

async function titleOf(tabId) {
  if (tabId === null || tabId === undefined) return "";
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  return (tab?.title || tab?.url || "").slice(0, 120);
}

// Seldom: a program may send hundreds of commands in a second.
function save() {
  if (saving) return;
  saving = setTimeout(() => {
    saving = 0;
    void chrome.storage.session.set({ activity: entries });
  }, 500);
}
