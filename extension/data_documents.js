// Documents of data: URLs. Chrome stops a tab that a debugger navigates there, since pages may not do so;
// it follows a redirect of our own, so the tab is navigated to a URL that does not exist and redirected from it.

import * as tabs from "./tabs.js";

export const FIRST_RULE = 1_000_000; // above those of site_guard.js, which replaces only its own
const HOST = "data.boathook.invalid";
const FIRST = 10; // the priority: before what site_guard.js decides about unknown hosts
const pending = new Map(); // the URL that does not exist -> the data: URL
let count = 0;

export function isOne({ tabId, sessionId, method, params }) {
  if (method !== "Page.navigate" || sessionId || !/^\s*data:/i.test(params?.url ?? "")) return false;
  return !params.frameId || params.frameId === tabs.targetOf(tabId);
}

export async function navigate({ tabId, params }) {
  const id = FIRST_RULE + (count += 1);
  const url = `http://${HOST}/${crypto.randomUUID()}`;
  pending.set(url, params.url);
  try {
    await chrome.declarativeNetRequest.updateSessionRules({
      addRules: [
        {
          id,
          priority: FIRST,
          action: { type: "redirect", redirect: { url: params.url } },
          condition: { tabIds: [tabId], urlFilter: `|${url}|`, resourceTypes: ["main_frame"] },
        },
      ],
    });
    return await chrome.debugger.sendCommand({ tabId }, "Page.navigate", { ...params, url });
  } finally {
    pending.delete(url);
    await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: [id] });
  }
}

// An event's parameters as if there had been no redirect; nothing for events about the first request.
export function shown(source, method, params) {
  if (!pending.size) return params;
  if (pending.has(params?.url)) return { ...params, url: pending.get(params.url) };
  if (method === "Fetch.requestPaused" && pending.has(params.request.url)) {
    chrome.debugger.sendCommand(source, "Fetch.continueRequest", { requestId: params.requestId }).catch(() => {});
    return null;
  }
  if (method !== "Network.requestWillBeSent") return params;
  if (pending.has(params.request.url)) return null;
  const { redirectResponse, ...rest } = params;
  return pending.has(redirectResponse?.url) ? { ...rest, redirectHasExtraInfo: false } : params;
}
