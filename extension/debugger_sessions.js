// Attaching and detaching: the debugger, the badge, and the timers of idle tabs.

import * as gestures from "./gestures.js";
import { arrange, openTab } from "./placement.js";
import { deniedSite, settings, whyNot } from "./settings.js";
import * as siteGuard from "./site_guard.js";
import * as tabs from "./tabs.js";

const VERSION = "1.3";
const MINUTE = 60_000;
const LONGEST_WAKING = 8_000;
const BLANK_MS = 5_000;
let creations = Promise.resolve(); // until it is known of each new tab that it is the program's
const turns = new Map(); // tabId -> the end of its pending operation
export const heard = { detached: (_tabId) => {} }; // called when we detach: Chrome reports only its own detaching

export async function stopped() {
  return (await chrome.storage.session.get("stopped")).stopped ?? "";
}

// "paused": the user pressed the button; "cancelled": the user closed the debugging bar. Only the user can resume.
export async function stop(why) {
  await chrome.storage.session.set({ stopped: why });
  if (why) await letGo({ manual: true });
  await showBadge();
}

// Attaching and detaching of one tab happen one after the other, in the order in which they were asked for.
function inTurn(tabId, work) {
  const mine = (turns.get(tabId) ?? Promise.resolve()).catch(() => {}).then(work);
  turns.set(tabId, mine);
  const over = () => turns.get(tabId) === mine && turns.delete(tabId);
  mine.then(over, over);
  return mine;
}

export function attach(tabId) {
  return inTurn(tabId, () => attachOnce(tabId));
}

async function attachOnce(tabId) {
  await tabs.load();
  const tab = await chrome.tabs.get(tabId);
  const why = (await stopped()) ? "the user has taken over" : (await tabs.refusal(tab)) || deniedSite(tab.pendingUrl ?? "", await settings());
  if (why) throw new Error(why);
  if (tab.discarded) await wake(tabId);
  const one = tabs.facts(tabId);
  one.lastUsed = Date.now();
  if (one.attached) return { fresh: false };
  try {
    await siteGuard.prepare(tabId);
    await chrome.debugger.attach({ tabId }, VERSION);
    one.attached = true;
    await siteGuard.pause(tabId);
    await gestures.watch(tabId);
  } catch (error) {
    siteGuard.failed(tabId);
    if (one.attached) await detachOnce(tabId, true);
    throw error;
  }
  await Promise.all([tabs.save(), showBadge()]);
  arrange(tabId);
  return { fresh: true };
}

// A discarded tab has no page; it is loaded, as if the user had activated it.
async function wake(tabId) {
  await chrome.tabs.reload(tabId);
  for (const end = Date.now() + LONGEST_WAKING; Date.now() < end; await new Promise((done) => void setTimeout(done, 50))) {
    if ((await chrome.tabs.get(tabId)).status === "complete") return;
  }
}

export function detach(tabId, { quiet = false } = {}) {
  return inTurn(tabId, () => detachOnce(tabId, quiet));
}

async function detachOnce(tabId, quiet) {
  await tabs.load();
  const one = tabs.facts(tabId);
  if (!one.attached) return {};
  one.attached = false;
  await chrome.debugger.detach({ tabId }).catch(() => {});
  if (!quiet) heard.detached(tabId);
  await forgotten(tabId);
  return {};
}

// After an attachment ended, by us or by the browser.
export async function forgotten(tabId) {
  await Promise.all([tabs.save(), showBadge(), siteGuard.apply().catch(() => {})]);
  await arrange(tabId);
}

// Detach every debugger; those of tabs that the user shared manually only on request.
export async function letGo({ manual = false } = {}) {
  await tabs.load();
  for (const tabId of tabs.attachedTabs()) {
    if (manual || tabs.facts(tabId).origin !== "manual") await detach(tabId);
  }
}

export async function share(tabId) {
  await tabs.load();
  const one = tabs.facts(tabId);
  if (one.origin !== "agent") one.origin = "manual";
  await tabs.save();
  return attach(tabId);
}

export async function unshare(tabId) {
  await tabs.load();
  await detach(tabId);
  const one = tabs.facts(tabId);
  if (one.origin === "manual") one.origin = "user";
  await tabs.save();
}

// Resolves when every tab of `chrome.tabs` has its origin.
export function created() {
  return creations;
}

export async function create({ url, creator = "" }) {
  const rules = await settings();
  if (rules.noNewTabs) throw new Error("the user does not allow new tabs");
  if (await stopped()) throw new Error("the user has taken over");
  await tabs.load();
  const denied = whyNot(url, rules);
  if (denied) throw new Error(denied);
  const tab = await siteGuard.whileCreating(() => createTab({ url, active: false }, creator, rules.ownWindow));
  await Promise.all([tabs.save(), siteGuard.apply()]);
  const why = await tabs.refusal({ ...tab, url: tab.url || tab.pendingUrl || url });
  if (why) {
    await chrome.tabs.remove(tab.id);
    throw new Error(why);
  }
  return tabs.row(url === "about:blank" ? await loaded(tab) : tab);
}

function createTab(wanted, creator, isApart) {
  const made = openTab(wanted, isApart).then((tab) => {
    Object.assign(tabs.facts(tab.id), { origin: "agent", creator, lastUsed: Date.now() });
    return tab;
  });
  creations = Promise.allSettled([creations, made]).then(() => {});
  return made;
}

// A blank page loads a moment after its tab, and would then replace what a program has started to load.
function loaded(tab) {
  return new Promise((resolve) => {
    const end = (now) => {
      clearTimeout(timer);
      chrome.tabs.onUpdated.removeListener(look);
      resolve(now ?? tab);
    };
    const look = (tabId, _change, now) => {
      if (tabId === tab.id && now.status === "complete") end(now);
    };
    const timer = setTimeout(end, BLANK_MS);
    chrome.tabs.onUpdated.addListener(look);
    chrome.tabs.get(tab.id).then((now) => look(tab.id, {}, now), () => end());
  });
}

export async function showBadge() {
  const count = tabs.attachedTabs().length;
  const why = await stopped();
  await chrome.action.setBadgeText({ text: why ? "II" : count ? String(count) : "" });
  await chrome.action.setBadgeBackgroundColor({ color: why ? "#9a3412" : "#0e7490" });
}

// Run by the alarm: tabs that were idle for as long as the user has set.
export async function sweep() {
  const rules = await settings();
  await tabs.load();
  for (const tabId of [...(await tabs.load()).keys()]) {
    const one = tabs.facts(tabId);
    const idle = Date.now() - one.lastUsed;
    if (!one.lastUsed) continue;
    if (rules.closeMinutes && one.origin === "agent" && idle >= rules.closeMinutes * MINUTE) {
      await chrome.tabs.remove(tabId).catch(() => {});
    } else if (rules.detachMinutes && one.attached && one.origin !== "manual" && idle >= rules.detachMinutes * MINUTE) {
      await detach(tabId);
    }
  }
  await tabs.save();
}
