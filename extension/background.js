// The service worker: forwards calls of the relay to Chrome, and events of Chrome to the relay. It may be stopped at any time.

import { Bridge } from "./bridge.js";
import * as debuggerSessions from "./debugger_sessions.js";
import * as focusGuard from "./focus_guard.js";
import { Event, Request } from "./protocol.js";
import * as settings from "./settings.js";
import * as tabs from "./tabs.js";

let drivers = {}; // tabId -> names of the programs that control it
let order = Promise.resolve(); // tab events are sent in order

const CALLS = {
  [Request.TABS_LIST]: async () => ({ tabs: await tabs.rows(), settings: await settings.shown(), stopped: await debuggerSessions.stopped() }),
  [Request.SETTINGS_GET]: () => settings.shown(),
  [Request.TAB_ATTACH]: ({ tabId }) => debuggerSessions.attach(tabId),
  [Request.TAB_DETACH]: ({ tabId }) => debuggerSessions.detach(tabId, { quiet: true }), // the relay knows
  [Request.TAB_CREATE]: create,
  [Request.TAB_CLOSE]: async ({ tabId }) => chrome.tabs.remove(tabId),
  [Request.DEBUGGER_SEND]: send,
  [Request.TABS_DRIVERS]: (given) => void (drivers = given),
  [Request.EXTENSION_RELOAD]: () => void setTimeout(() => chrome.runtime.reload(), 50),
};

const bridge = new Bridge({
  onCall: (method, params) => {
    if (!Object.hasOwn(CALLS, method)) throw new Error(`unknown method: ${method}`);
    return CALLS[method](params);
  },
  onOpen: async () => ({ method: Event.READY, params: await CALLS[Request.TABS_LIST]() }),
  // Without a relay there is no client either: its debuggers are detached.
  onClose: () => debuggerSessions.letGo(),
});

debuggerSessions.heard.detached = (tabId) => bridge.send({ method: Event.TAB_DETACHED, params: { tabId, reason: "released" } });

function send({ tabId, sessionId, method, params, passive }) {
  const one = tabs.facts(tabId);
  if (!one.attached) throw new Error("the debugger is not attached to this tab");
  if (!passive) one.lastUsed = Date.now();
  return chrome.debugger.sendCommand(sessionId ? { tabId, sessionId } : { tabId }, method, params);
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

function tellTab(tabId, changed) {
  inOrder(async () => {
    await tabs.load();
    const tab = await chrome.tabs.get(tabId);
    const why = await tabs.refusal(tab);
    if (why) {
      if (tabs.facts(tabId).attached) await debuggerSessions.detach(tabId);
      return bridge.send({ method: Event.TAB_GONE, params: { tabId, why } });
    }
    bridge.send({ method: Event.TAB_CHANGED, params: { tab: await tabs.row(tab), changed } });
  });
}

chrome.debugger.onEvent.addListener((source, method, params) => {
  bridge.send({ method: Event.DEBUGGER_EVENT, params: { tabId: source.tabId, sessionId: source.sessionId, method, params } });
  if (!bridge.open) bridge.connect();
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
  });
});

chrome.tabs.onCreated.addListener((tab) => {
  // A tab that the user opens has the active tab as its opener too, and shows an internal page.
  const isOfAPage = !/^chrome:/.test(tab.pendingUrl || tab.url || "");
  if (tab.openerTabId !== undefined && isOfAPage) inOrder(() => opened(tab.id, tab.openerTabId));
  tellTab(tab.id, { created: true });
});

// A link of a tab behind others: Chrome reports the active tab as its opener, and the real one here.
chrome.webNavigation.onCreatedNavigationTarget.addListener(({ tabId, sourceTabId }) => {
  tabs.openedBy(tabId, sourceTabId);
  inOrder(() => opened(tabId, sourceTabId));
  tellTab(tabId, {});
});

// A tab opened by a controlled tab belongs to the program, and the user's tab stays in front.
async function opened(tabId, openerTabId) {
  await tabs.load();
  if (!tabs.facts(openerTabId).attached || tabs.facts(tabId).opener === openerTabId) return;
  const tab = await chrome.tabs.get(tabId);
  if ((await settings.settings()).noNewTabs) {
    await chrome.tabs.remove(tabId);
    return;
  }
  Object.assign(tabs.facts(tabId), { origin: "agent", opener: openerTabId, lastUsed: Date.now() });
  await tabs.save();
  await focusGuard.openedByProgram(tab, (await chrome.tabs.get(openerTabId)).windowId);
}

chrome.tabs.onActivated.addListener(({ tabId, windowId }) => inOrder(() => focusGuard.activated(tabId, windowId)));
chrome.windows.onFocusChanged.addListener((windowId) => inOrder(() => focusGuard.focused(windowId)));

chrome.tabs.onUpdated.addListener((tabId, changed) => {
  if ("url" in changed || "title" in changed || "status" in changed || "discarded" in changed) tellTab(tabId, changed);
});

chrome.tabs.onRemoved.addListener((tabId) => {
  inOrder(async () => {
    await tabs.load();
    tabs.drop(tabId);
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

function tellDownload({ id, url, referrer, filename, state, bytesReceived, totalBytes, error = "" }) {
  bridge.send({
    method: Event.DOWNLOAD,
    params: { id, url, referrer, filename, state, bytesReceived, totalBytes, error },
  });
}

chrome.storage.local.onChanged.addListener(async (changes) => {
  if (!("settings" in changes)) return;
  /** @type {{ relay?: string, key?: string }} */
  const before = changes.settings.oldValue ?? {};
  settings.forget();
  const now = await settings.settings();
  await tabs.load();
  bridge.send({ method: Event.SETTINGS, params: await settings.shown() });
  for (const tab of await chrome.tabs.query({})) tellTab(tab.id, {});
  if (now.relay !== (before.relay ?? now.relay) || now.key !== (before.key ?? now.key)) await bridge.restart();
});

// Messages from the popup and the options page; web pages and other extensions cannot send here.
const ASKED = {
  state: async () => ({
    connected: bridge.open,
    why: bridge.why,
    stopped: await debuggerSessions.stopped(),
    settings: await settings.shown(),
    paired: Boolean((await settings.settings()).key),
    tabs: await Promise.all((await chrome.tabs.query({})).map(describe)),
  }),
  share: async ({ tabId }) => {
    await debuggerSessions.share(tabId);
    tellTab(tabId, {});
  },
  unshare: async ({ tabId }) => {
    await debuggerSessions.unshare(tabId);
    tellTab(tabId, {});
  },
  stop: async ({ why }) => {
    await debuggerSessions.stop(why);
    bridge.send({ method: Event.STOPPED, params: { why } });
  },
  change: ({ patch }) => settings.change(patch),
  connect: () => bridge.restart(),
};

async function describe(tab) {
  await tabs.load();
  const { tabId, title, url, origin, attached, active } = await tabs.row(tab);
  const why = settings.whyNot(url, await settings.settings());
  return { tabId, title, url, origin, attached, active, why, drivers: drivers[tabId] ?? [] };
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
  if (bridge.open) bridge.send({ method: Event.PONG });
  else await bridge.connect();
});
chrome.alarms.create("wake", { periodInMinutes: 0.5 });
chrome.runtime.onStartup.addListener(() => bridge.connect());
chrome.runtime.onInstalled.addListener(() => bridge.connect());

inOrder(async () => {
  await tabs.load();
  await debuggerSessions.showBadge();
  await focusGuard.begin();
  await bridge.connect();
});
