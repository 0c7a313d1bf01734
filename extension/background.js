// The service worker: forwards calls of the relay to Chrome, and events of Chrome to the relay. It may be stopped at any time.

import * as activity from "./activity.js";
import { keepAwake } from "./awake.js";
import { Bridge } from "./bridge.js";
import * as cookies from "./cookies.js";
import * as dataDocuments from "./data_documents.js";
import * as debuggerSessions from "./debugger_sessions.js";
import * as focusGuard from "./focus_guard.js";
import * as gestures from "./gestures.js";
import { describeTabs } from "./page_state.js";
import * as permissions from "./permissions.js";
import * as placement from "./placement.js";
import { Event, Request } from "./protocol.js";
import { restored } from "./reload_state.js";
import * as settings from "./settings.js";
import * as siteGuard from "./site_guard.js";
import * as tabs from "./tabs.js";
import { showIcon } from "./toolbar_icon.js";

let drivers = {}; // tabId -> names of the programs that control it
let programs = []; // names of the connected programs
const adopted = new Set(); // tabs that the relay has attached since it connected: it decides what they load
let order = Promise.resolve(); // tab events are sent in order
const openers = new Map(); // tabId -> { known: a promise of the tab whose page opened it, or null; tell }
const OPENER_MS = 300;

const CALLS = {
  [Request.TABS_LIST]: async () => ({ tabs: await tabs.rows(), settings: await settings.shown(), stopped: await debuggerSessions.stopped() }),
  [Request.SETTINGS_GET]: () => settings.shown(),
  [Request.TAB_ATTACH]: async ({ tabId }) => {
    const attached = await debuggerSessions.attach(tabId);
    adopted.add(tabId);
    return attached;
  },
  [Request.TAB_DETACH]: ({ tabId }) => debuggerSessions.detach(tabId, { quiet: true }), // the relay knows
  [Request.TAB_CREATE]: create,
  [Request.TAB_CLOSE]: close,
  [Request.TAB_ACTIVATE]: activate,
  [Request.DEBUGGER_SEND]: send,
  [Request.TABS_DRIVERS]: (given) => void (drivers = given),
  [Request.PROGRAMS]: ({ names }) => void (programs = names),
  [Request.TABS_SETTLED]: () => order,
  [Request.COOKIES_LIST]: () => cookies.list(),
  [Request.COOKIES_CHANGE]: (given) => cookies.change(given),
  [Request.PERMISSIONS_APPLY]: (given) => permissions.apply(given),
  [Request.DOWNLOAD_CANCEL]: ({ id }) => chrome.downloads.cancel(id),
  [Request.EXTENSION_RELOAD]: () => void setTimeout(() => chrome.runtime.reload(), 50),
};

const bridge = new Bridge({
  onCall: (method, params) => {
    if (!Object.hasOwn(CALLS, method)) throw new Error(`unknown method: ${method}`);
    activity.noteCall(method, params).catch(() => {});
    return CALLS[method](params);
  },
  onOpen: async () => {
    showIcon(true);
    return { method: Event.READY, params: await CALLS[Request.TABS_LIST]() };
  },
  // Without a relay there is no client either: its debuggers are detached.
  onClose: async () => {
    [drivers, programs] = [{}, []];
    adopted.clear();
    showIcon(false);
    await Promise.all([debuggerSessions.letGo(), permissions.clear()]);
  },
});

debuggerSessions.heard.detached = (tabId) => bridge.send({ method: Event.TAB_DETACHED, params: { tabId, reason: "released" } });

focusGuard.asked.isProgram = async (tabId) => {
  await tabs.load();
  return tabs.facts(tabId).origin === "agent";
};

function send(command) {
  const { tabId, sessionId, method, params, passive } = command;
  const one = tabs.facts(tabId);
  if (!one.attached) throw new Error("the debugger is not attached to this tab");
  if (!passive) one.lastUsed = Date.now();
  const input = gestures.began(tabId, method);
  const sent = dataDocuments.isOne(command)
    ? Promise.resolve(dataDocuments.navigate(command))
    : chrome.debugger.sendCommand(sessionId ? { tabId, sessionId } : { tabId }, method, params);
  return input ? sent.finally(() => gestures.ended(input)) : sent;
}

// Whatever the relay decided: a tab that the user opened is not closed or brought to the front from here.
async function close({ tabId }) {
  await ourOwn(tabId);
  await chrome.tabs.remove(tabId);
}

async function activate({ tabId }) {
  await ourOwn(tabId);
  await focusGuard.show(await chrome.tabs.get(tabId));
}

async function ourOwn(tabId) {
  await tabs.load();
  if (tabs.facts(tabId).origin !== "agent") throw new Error("this tab is the user's: programs close and show only tabs that they opened");
}

function inOrder(work) {
  order = order.then(work).catch(() => {}); // the tab was closed meanwhile, which has its own event
}

// A tab is reported after its earlier events: a later event about its blank page would
// look as if it interrupted what a program loads in it by then.
async function create(wanted) {
  const row = await debuggerSessions.create(wanted);
  await order;
  return row;
}

function tellTab(tabId, changed, created = null) {
  inOrder(async () => {
    await tabs.load();
    await debuggerSessions.created();
    const tab = await chrome.tabs.get(tabId).catch(() => created);
    if (tab === null) return undefined;
    if (tab === created) return tellClosed(tab);
    const why = await tabs.refusal(tab);
    if (why) {
      if (tabs.facts(tabId).attached) await debuggerSessions.detach(tabId);
      return bridge.send({ method: Event.TAB_GONE, params: { tabId, why } });
    }
    bridge.send({ method: Event.TAB_CHANGED, params: { tab: await tabs.row(tab), changed } });
  });
}

// A tab that a controlled page opened and closed at once: programs wait for it.
async function tellClosed(tab) {
  const rules = await settings.settings();
  const row = await tabs.row(tab);
  if (!tabs.facts(row.openerTabId).attached || rules.noNewTabs || settings.whyNot(row.url || "about:blank", rules)) return;
  const closed = { ...row, url: row.url || "about:blank", targetId: row.targetId || `closed-${tab.id}`, origin: "agent" };
  bridge.send({ method: Event.TAB_CHANGED, params: { tab: closed, changed: { created: true } } });
}

chrome.debugger.onEvent.addListener((source, method, told) => {
  const params = dataDocuments.shown(source, method, told);
  if (params === null) return;
  bridge.send({ method: Event.DEBUGGER_EVENT, params: { tabId: source.tabId, sessionId: source.sessionId, method, params } });
  if (!bridge.open) bridge.connect();
  if (!bridge.open || !adopted.has(source.tabId)) siteGuard.proceed(source, method, params);
  siteGuard.onDebuggerEvent(source.tabId, method, params);
});

chrome.debugger.onDetach.addListener((source, reason) => {
  inOrder(async () => {
    await tabs.load();
    tabs.facts(source.tabId).attached = false;
    bridge.send({ method: Event.TAB_DETACHED, params: { tabId: source.tabId, reason } });
    await debuggerSessions.forgotten(source.tabId);
    if (reason !== "canceled_by_user") return;
    await debuggerSessions.stop("cancelled");
    bridge.send({ method: Event.STOPPED, params: { why: "cancelled" } });
    await showIcon(bridge.open);
  });
});

chrome.tabs.onCreated.addListener((tab) => {
  // A tab that the user opens has the active tab as its opener too, and shows an internal page.
  const isOfAPage = !/^chrome:/.test(tab.pendingUrl || tab.url || "");
  if (tab.openerTabId !== undefined && isOfAPage) {
    siteGuard.onCreated(tab.id);
    const opener = openerOf(tab.id);
    inOrder(async () => opened(tab.id, await opener));
  } else siteGuard.apply().catch(() => {});
  inOrder(async () => {
    await tabs.load();
    await debuggerSessions.created();
    await placement.onCreated(await chrome.tabs.get(tab.id));
  });
  tellTab(tab.id, { created: true }, tab);
});

// The tab whose page opened this one. Chrome's `openerTabId` is not enough: it is the active tab for a link of a tab behind others, and for
// tabs that the user duplicates or opens from bookmarks. Waited for a moment, since a tab is reported once, with its opener.
function openerOf(tabId) {
  let entry = openers.get(tabId);
  if (!entry) {
    let tell;
    const known = new Promise((done) => void (tell = done));
    openers.set(tabId, (entry = { known, tell }));
    setTimeout(() => entry.tell(null), OPENER_MS);
  }
  return entry.known;
}

chrome.webNavigation.onCreatedNavigationTarget.addListener(({ tabId, sourceTabId, timeStamp }) => {
  openerOf(tabId);
  openers.get(tabId).tell({ tabId: sourceTabId, at: timeStamp });
  inOrder(() => opened(tabId, { tabId: sourceTabId, at: timeStamp }));
  inOrder(() => siteGuard.settle(tabId));
  tellTab(tabId, {});
});

chrome.webNavigation.onErrorOccurred.addListener((failed) => {
  if (siteGuard.isBlocked(failed)) inOrder(() => siteGuard.onBlocked(failed.tabId, failed.url));
});

// A tab opened by a controlled tab belongs to the program, and the user's tab stays in front; unless the user's own click opened it.
async function opened(tabId, opener) {
  await tabs.load();
  if (!opener || tabs.facts(tabId).settled || !tabs.facts(opener.tabId).attached) return;
  tabs.facts(tabId).settled = true;
  if (await gestures.byUser(opener.tabId, opener.at)) return;
  const tab = await chrome.tabs.get(tabId);
  const rules = await settings.settings();
  if (rules.noNewTabs || settings.deniedSite(tab.pendingUrl || tab.url || "", rules)) {
    await chrome.tabs.remove(tabId);
    return;
  }
  Object.assign(tabs.facts(tabId), { origin: "agent", opener: opener.tabId, lastUsed: Date.now() });
  await tabs.save();
  await focusGuard.openedByProgram(tab, (await chrome.tabs.get(opener.tabId)).windowId);
}

chrome.webNavigation.onCommitted.addListener(async ({ tabId, frameId }) => {
  if (frameId === 0) inOrder(() => siteGuard.settle(tabId)); // after it is known whose it is
  await tabs.load();
  if (tabs.facts(tabId).attached) await gestures.watch(tabId, [frameId]);
});

chrome.tabs.onActivated.addListener(({ tabId, windowId }) => inOrder(() => focusGuard.activated(tabId, windowId)));
chrome.windows.onFocusChanged.addListener((windowId) => inOrder(() => focusGuard.focused(windowId)));

chrome.tabs.onUpdated.addListener((tabId, changed) => {
  if ("url" in changed || "title" in changed || "status" in changed || "discarded" in changed) tellTab(tabId, changed);
});

chrome.tabs.onRemoved.addListener((tabId, { windowId, isWindowClosing }) => {
  openers.delete(tabId);
  gestures.forget(tabId);
  inOrder(async () => {
    await tabs.load();
    const wasOurs = tabs.facts(tabId).origin === "agent";
    tabs.drop(tabId);
    if (!isWindowClosing) await focusGuard.removed(tabId, windowId, wasOurs);
    if (!isWindowClosing && !wasOurs) placement.onRemoved(windowId);
    siteGuard.onRemoved(tabId);
    bridge.send({ method: Event.TAB_GONE, params: { tabId, why: "the tab was closed" } });
    await tabs.save();
    await debuggerSessions.showBadge();
  });
});

chrome.tabs.onReplaced.addListener((added, removed) => {
  inOrder(async () => {
    await tabs.load();
    tabs.drop(removed);
    bridge.send({ method: Event.TAB_GONE, params: { tabId: removed, why: "the tab was replaced" } });
  });
  tellTab(added, { created: true });
});

chrome.downloads.onCreated.addListener((item) => tellDownload(item));
chrome.downloads.onChanged.addListener(async ({ id }) => {
  const [item] = await chrome.downloads.search({ id });
  if (item) tellDownload(item);
});

function tellDownload({ id, url, finalUrl, referrer, filename, state, bytesReceived, totalBytes, error = "" }) {
  bridge.send({
    method: Event.DOWNLOAD,
    params: { id, url, finalUrl, referrer, filename, state, bytesReceived, totalBytes, error },
  });
}

chrome.storage.local.onChanged.addListener(async (changes) => {
  if (!("settings" in changes)) return;
  settings.forget();
  await settings.settings(); // a change that is read slowly does not hold up the next one
  await tabs.load();
  await siteGuard.apply().catch(() => debuggerSessions.letGo({ manual: true }));
  bridge.send({ method: Event.SETTINGS, params: await settings.shown() });
  for (const tabId of tabs.attachedTabs()) siteGuard.unloadFrames(tabId).catch(() => debuggerSessions.detach(tabId));
  for (const tab of await chrome.tabs.query({})) tellTab(tab.id, {});
  await bridge.apply();
  await keepAwake();
});

// Messages from the popup and the options page; web pages and other extensions cannot send here.
const ASKED = {
  state: async () => ({
    tabs: await tabsNow(),
    connected: bridge.open,
    why: bridge.why,
    stopped: await debuggerSessions.stopped(),
    settings: await settings.shown(),
    paired: Boolean((await settings.settings()).key),
    profile: (await settings.settings()).profileName || bridge.profile,
    programs,
  }),
  activity: () => activity.recent(),
  share: async ({ tabId }) => {
    await tabs.withhold(tabId, false);
    await debuggerSessions.share(tabId);
    tellTab(tabId, {});
  },
  withhold: async ({ tabId }) => {
    await tabs.withhold(tabId, true);
    await debuggerSessions.unshare(tabId);
    tellTab(tabId, {});
    await activity.note("you stopped programs in this tab", tabId);
  },
  unshare: async ({ tabId }) => {
    await debuggerSessions.unshare(tabId);
    tellTab(tabId, {});
  },
  stop: async ({ why }) => {
    await debuggerSessions.stop(why);
    bridge.send({ method: Event.STOPPED, params: { why } });
    await Promise.all([showIcon(bridge.open), activity.note(why ? "you took over" : "you handed back")]);
  },
  change: ({ patch }) => settings.change(patch),
  connect: () => bridge.restart(),
};

// A tab whose time is over is not shown with no time left until the next alarm.
async function tabsNow() {
  const shown = await describeTabs(drivers);
  if (!shown.some(({ ends }) => ends && ends.at <= Date.now())) return shown;
  await debuggerSessions.sweep();
  return describeTabs(drivers);
}

chrome.runtime.onMessage.addListener((message, sender, reply) => {
  const ours = sender.id === chrome.runtime.id && sender.url?.startsWith(chrome.runtime.getURL(""));
  if (!ours || !Object.hasOwn(ASKED, message?.ask)) return false;
  Promise.resolve(ASKED[message.ask](message)).then(
    (result) => reply({ ok: true, result }),
    (error) => reply({ ok: false, error: String(error.message ?? error) }),
  );
  return true;
});

chrome.alarms.onAlarm.addListener(async () => {
  await debuggerSessions.sweep();
  await keepAwake();
  if (bridge.open) bridge.send({ method: Event.PONG });
  else await bridge.connect();
});
chrome.alarms.create("wake", { periodInMinutes: 0.5 });
chrome.runtime.onStartup.addListener(() => bridge.connect());
chrome.runtime.onInstalled.addListener(async ({ reason }) => {
  bridge.connect();
  if (reason === chrome.runtime.OnInstalledReason.INSTALL && (await settings.isFirstRun())) await chrome.tabs.create({ url: "welcome.html" });
});

// After a reload: tabs that the user attached are attached again, and others leave the group.
async function resume() {
  for (const { tabId, manual } of await restored()) {
    const work = manual && !(await debuggerSessions.stopped()) ? debuggerSessions.share : debuggerSessions.forgotten;
    await work(tabId).catch(() => {}); // closed meanwhile, or no longer allowed
  }
}

// Out of reach for the world that the extension has in pages: a program with a debugger there could change the user's settings.
chrome.storage.local.setAccessLevel({ accessLevel: chrome.storage.AccessLevel.TRUSTED_CONTEXTS });

inOrder(async () => {
  await tabs.load();
  await resume();
  await Promise.all([debuggerSessions.showBadge(), showIcon(bridge.open)]);
  await focusGuard.begin();
  await siteGuard.apply().catch(() => {});
  await permissions.clear();
  await bridge.connect();
  await keepAwake();
});
