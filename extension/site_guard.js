// Which requests controlled tabs may make: session rules of Chrome, which decide before a request leaves.
//
// An attached tab is redirected to a host that does not exist, where the relay stops it (relay/rules/navigation_lock.py): blocked here, it
// would leave its page for an error. Pausing alone is not enough, since what is prefetched is not paused.
// A tab that a controlled one opens is requested before anyone knows whose it is: so every tab is limited that is not known to be the user's.

import { FIRST_RULE } from "./data_documents.js";
import { deniedSite, hasSites, settings, siteNames } from "./settings.js";
import * as tabs from "./tabs.js";

const NO_TAB = -1; // service workers and shared workers
const FRAMES_MS = 3_000;
const BLOCKED = "net::ERR_BLOCKED_BY_CLIENT";
const RESOURCES = ["stylesheet", "script", "image", "font", "object", "xmlhttprequest", "ping", "csp_report", "media", "websocket", "webtransport", "webbundle", "other"];
const BLOCK = { type: "block" };
const NOWHERE = "denied.boathook.invalid";
const AWAY = { type: "redirect", redirect: { url: `http://${NOWHERE}/` } };
const WITHOUT_COOKIES = {
  type: "modifyHeaders",
  requestHeaders: [{ header: "cookie", operation: "remove" }],
  responseHeaders: [{ header: "set-cookie", operation: "remove" }],
};

const DOCUMENTS = { patterns: [{ urlPattern: "*", resourceType: "Document", requestStage: "Request" }] };
const attaching = new Set(); // tabs that are about to be attached, and not paused yet
const unsettled = new Set(); // new tabs whose opener is not known yet
const retried = new Set(); // tabs of the user that were loaded again
let creating = 0;
let applying = Promise.resolve();
let applied = null; // the rules as text

// Resolves when Chrome has the rules; rejects if it does not accept them.
export function apply() {
  const mine = applying.catch(() => {}).then(applyOnce);
  applying = mine;
  return mine;
}

async function applyOnce() {
  const rules = await settings();
  const wanted = hasSites(rules) || rules.noNewTabs ? await rulesNow(rules) : [];
  const text = JSON.stringify(wanted);
  if (text === applied) return;
  const old = (await chrome.declarativeNetRequest.getSessionRules()).filter(({ id }) => id < FIRST_RULE);
  await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: old.map(({ id }) => id), addRules: wanted });
  applied = text;
}

async function rulesNow(rules) {
  await tabs.load();
  const all = (await chrome.tabs.query({})).map(({ id }) => id).sort((one, other) => one - other);
  const controlled = all.filter((tabId) => attaching.has(tabId) || tabs.facts(tabId).attached || tabs.facts(tabId).origin === "agent");
  if (!controlled.length && !creating) return [];
  const paused = controlled.filter((tabId) => tabs.facts(tabId).attached && !attaching.has(tabId));
  const free = all.filter((tabId) => !controlled.includes(tabId) && !unsettled.has(tabId));
  return numbered([
    ...sitesOf(rules).flatMap(({ site, ofWorkers, resources }) => [
      { action: BLOCK, condition: { ...site, excludedTabIds: [NO_TAB, ...free, ...paused], resourceTypes: ["main_frame"] } },
      ...(paused.length ? [{ action: AWAY, condition: { ...site, tabIds: paused, resourceTypes: ["main_frame"] } }] : []),
      { action: BLOCK, condition: { ...site, excludedTabIds: [NO_TAB, ...free], resourceTypes: ["sub_frame"] } },
      { action: resources, condition: { ...site, excludedTabIds: [NO_TAB, ...free], resourceTypes: RESOURCES } },
      { action: WITHOUT_COOKIES, condition: { ...site, ...ofWorkers, tabIds: [NO_TAB], resourceTypes: RESOURCES } },
    ]),
    ...(rules.noNewTabs ? [{ action: BLOCK, condition: { excludedTabIds: [NO_TAB, ...all.filter((tabId) => !unsettled.has(tabId))], resourceTypes: ["main_frame"] } }] : []),
  ]);
}

// A denied site is not requested at all; pages of an allowed site need resources of others, which then get no cookies.
function sitesOf(rules) {
  const deny = siteNames(rules.deny);
  const allow = siteNames(rules.allow);
  const sites = [];
  if (deny.length) sites.push({ site: { requestDomains: deny }, ofWorkers: { excludedInitiatorDomains: deny }, resources: BLOCK });
  if (allow.length) sites.push({ site: { excludedRequestDomains: [...allow, NOWHERE] }, ofWorkers: { initiatorDomains: allow }, resources: WITHOUT_COOKIES });
  return sites;
}

function numbered(rules) {
  return rules.map((rule, index) => ({ id: index + 1, ...rule }));
}

// Before a debugger is attached: rules, and no frame of a denied site in the page.
export async function prepare(tabId) {
  attaching.add(tabId);
  await apply();
  await unloadFrames(tabId);
}

// Once a debugger is attached: from now on documents are paused, and the relay decides.
export async function pause(tabId) {
  if (hasSites(await settings())) await chrome.debugger.sendCommand({ tabId }, "Fetch.enable", DOCUMENTS);
  attaching.delete(tabId);
  await apply();
}

export function failed(tabId) {
  if (attaching.delete(tabId)) apply().catch(() => {});
}

// While the relay is not connected, as after a restart of this worker: attached tabs go on within the limits.
export async function proceed(source, method, params) {
  if (method !== "Fetch.requestPaused") return;
  const [verb, more] = (await isElsewhere(source.tabId, params)) ? ["failRequest", { errorReason: "Aborted" }] : ["continueRequest", {}];
  await chrome.debugger.sendCommand(source, `Fetch.${verb}`, { requestId: params.requestId, ...more }).catch(() => {});
}

async function isElsewhere(tabId, { request: { url }, frameId, resourceType }) {
  const rules = await settings();
  if (resourceType !== "Document") return false;
  if (new URL(url).hostname === NOWHERE || deniedSite(url, rules)) return true;
  await tabs.load();
  if (!rules.lockUrl || frameId !== tabs.targetOf(tabId)) return false;
  return url.split("#")[0] !== ((await chrome.tabs.get(tabId)).url ?? "").split("#")[0];
}

// Rules are in force before the tab exists, so that its first request is decided too.
export async function whileCreating(work) {
  creating += 1;
  try {
    await apply();
    return await work();
  } finally {
    creating -= 1;
  }
}

// Frames of denied sites in a page that is controlled: they can be seen and clicked, so they are emptied.
export async function unloadFrames(tabId) {
  const rules = await settings();
  if (!hasSites(rules)) return;
  for (const end = Date.now() + FRAMES_MS; ; await new Promise((done) => void setTimeout(done, 30))) {
    const frames = (await chrome.webNavigation.getAllFrames({ tabId })) ?? [];
    const denied = frames.filter((one) => one.frameId !== 0 && !one.errorOccurred && deniedSite(one.url, rules));
    if (!denied.length) return;
    if (Date.now() > end) throw new Error(`${deniedSite(denied[0].url, rules)}: its frame in this page could not be unloaded`);
    await Promise.all(denied.map((one) => empty(tabId, one.frameId)));
  }
}

// A blank page would keep the site's origin, and with it its storage; data has none.
async function empty(tabId, frameId) {
  const work = { target: { tabId, frameIds: [frameId] }, injectImmediately: true, func: () => location.replace("data:,") };
  await chrome.scripting.executeScript(work).catch(() => {}); // it is gone, or loading: looked at again
}

chrome.webNavigation.onCommitted.addListener(async ({ tabId, frameId, url }) => {
  if (frameId === 0) return;
  const rules = await settings();
  if (!hasSites(rules) || !deniedSite(url, rules)) return;
  await tabs.load();
  if (tabs.facts(tabId).attached) await unloadFrames(tabId).catch(() => {});
});

// A tab that a page opened: limited until it is known which page.
export function onCreated(tabId) {
  unsettled.add(tabId);
}

export async function settle(tabId) {
  if (unsettled.delete(tabId)) await apply().catch(() => {});
}

export function onRemoved(tabId) {
  for (const known of [attaching, unsettled, retried]) known.delete(tabId);
}

// A tab that the user opened from a page was limited too for a moment: it is loaded again. One that a program opened is closed.
export async function onBlocked(tabId, url) {
  unsettled.delete(tabId);
  await tabs.load();
  const { attached, origin } = tabs.facts(tabId);
  if (origin === "agent" && !attached && deniedSite(url, await settings())) return chrome.tabs.remove(tabId);
  if (origin === "agent") return;
  if (attached || retried.has(tabId)) return;
  retried.add(tabId);
  await apply();
  await chrome.tabs.update(tabId, { url });
}

export function isBlocked({ frameId, error }) {
  return frameId === 0 && error === BLOCKED;
}

// A document without a request, such as a blob, cannot be intercepted. It is stopped; if that is too late, the relay navigates back.
export async function onDebuggerEvent(tabId, method, params) {
  if ((method !== "Page.frameStartedNavigating" && method !== "Page.frameRequestedNavigation") || /^https?:/.test(params.url)) return;
  const rules = await settings();
  if (params.navigationType?.endsWith("sameDocument")) return;
  if (!(rules.lockUrl && params.frameId === tabs.targetOf(tabId))) return;
  await chrome.debugger.sendCommand({ tabId }, "Page.stopLoading").catch(() => {});
}
