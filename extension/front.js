// What the user looks at stays in front: Chrome shows a tab or window that a driven tab opens, and we show the former one again.

const JUST_OPENED = 1_500; // milliseconds; what comes to the front later was brought there by the user
const opened = new Map(); // "tab 3" or "window 4" -> when a driven tab opened it
const looked = new Map(); // windowId -> [the tab that the user looks at, the one before]
let worked = []; // [the window that the user works in, the one before]

function isNew(name) {
  return Date.now() - (opened.get(name) ?? 0) < JUST_OPENED;
}

// The newest two; whose a tab or window is may be told after it came to the front.
function after(id, known = []) {
  return [id, ...known.filter((one) => one !== id)].slice(0, 2);
}

export async function begin() {
  for (const tab of await chrome.tabs.query({ active: true })) looked.set(tab.windowId, [tab.id]);
  worked = [(await chrome.windows.getLastFocused()).id];
}

// A driven tab has opened this one; it may be in front already, or come there yet.
export async function openedByProgram(tab, openerWindowId) {
  for (const [name, when] of opened) if (Date.now() - when > JUST_OPENED) opened.delete(name);
  if (tab.windowId === openerWindowId) {
    opened.set(`tab ${tab.id}`, Date.now());
    looked.set(tab.windowId, (looked.get(tab.windowId) ?? []).filter((one) => one !== tab.id));
    if ((await chrome.tabs.get(tab.id)).active) await activated(tab.id, tab.windowId);
  } else {
    opened.set(`window ${tab.windowId}`, Date.now());
    worked = worked.filter((one) => one !== tab.windowId);
    if ((await chrome.windows.get(tab.windowId)).focused) await focused(tab.windowId);
  }
}

export async function activated(tabId, windowId) {
  const known = looked.get(windowId) ?? [];
  if (!isNew(`tab ${tabId}`)) looked.set(windowId, after(tabId, known));
  else if (known.length) await chrome.tabs.update(known[0], { active: true });
}

export async function focused(windowId) {
  if (windowId === chrome.windows.WINDOW_ID_NONE) return;
  if (!isNew(`window ${windowId}`)) worked = after(windowId, worked);
  else if (worked.length) await chrome.windows.update(worked[0], { focused: true });
}
