// The known tabs: their origin, which have our debugger, when they were last used. Survives a restart of the worker.

import { settings, whyNot } from "./settings.js";

let known = null; // tabId -> {origin: "user" | "manual" | "agent", attached, lastUsed, opener: the controlled tab that opened it}
let targets = new Map(); // tabId -> target id
const sources = new Map(); // tabId -> the tab whose link or script opened it
let loading = null;

// The stored state, corrected by Chrome's: an attachment survives this worker, stored data may be outdated.
export async function load() {
  if (known) return known;
  loading ??= (async () => {
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
  sources.delete(tabId);
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
  if (rules.attach === "manual" && facts(tab.id).origin === "user") return "the user has not shared this tab";
  return "";
}

// The real opener of a tab, recorded as soon as Chrome reports it: a tab is reported once, with its opener.
export function openedBy(tabId, sourceTabId) {
  sources.set(tabId, sourceTabId);
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
    openerTabId: sources.get(tab.id) ?? one?.opener ?? tab.openerTabId ?? null,
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
