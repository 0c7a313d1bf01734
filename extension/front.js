// What the user looks at stays in front: Chrome shows a tab or window that a driven tab opens, and we show the former one again.

const JUST_OPENED = 1_500; // milliseconds; what comes to the front later was brought there by the user
const opened = new Map(); // "tab 3" or "window 4" -> when a driven tab opened it
const tabs = new Map(); // windowId -> the tab that the user looked at
let window;

function isNew(name) {
  return Date.now() - (opened.get(name) ?? 0) < JUST_OPENED;
}

export async function begin() {
  for (const tab of await chrome.tabs.query({ active: true })) tabs.set(tab.windowId, tab.id);
  window = (await chrome.windows.getLastFocused()).id;
}

// A driven tab has opened this one; it may be in front already, or come there yet.
export async function openedByProgram(tab, openerWindowId) {
  for (const [name, when] of opened) if (Date.now() - when > JUST_OPENED) opened.delete(name);
  if (tab.windowId === openerWindowId) {
    opened.set(`tab ${tab.id}`, Date.now());
    if ((await chrome.tabs.get(tab.id)).active) await activated(tab.id, tab.windowId);
  } else {
    opened.set(`window ${tab.windowId}`, Date.now());
    if ((await chrome.windows.get(tab.windowId)).focused) await focused(tab.windowId);
  }
}

export async function activated(tabId, windowId) {
  if (!isNew(`tab ${tabId}`)) tabs.set(windowId, tabId);
  else if (tabs.has(windowId)) await chrome.tabs.update(tabs.get(windowId), { active: true });
}

export async function focused(windowId) {
  if (windowId === chrome.windows.WINDOW_ID_NONE) return;
  if (!isNew(`window ${windowId}`)) window = windowId;
  else if (window !== undefined) await chrome.windows.update(window, { focused: true });
}
