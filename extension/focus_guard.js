// What the user looks at stays in front: Chrome activates a tab or window that a controlled tab opens, and we activate the previous one again.

// Milliseconds; later activations are by the user.
const AFTER_OPENING = 10_000; // first time: a busy machine shows a window seconds after it was created
const AFTER_SHOWING = 1_500; // once more: window managers insist
const opened = new Map(); // "tab 3" or "window 4", opened by a controlled tab -> until when its activation is the browser's
const looked = new Map(); // windowId -> [the tab that the user looks at, the one before]
let worked = []; // [the window that the user works in, the one before]

function isNew(name) {
  const now = Date.now();
  if (now > (opened.get(name) ?? 0)) return false;
  opened.set(name, Math.min(opened.get(name), now + AFTER_SHOWING));
  return true;
}

// The newest two; the opener of a tab or window may be reported after it was activated.
function after(id, known = []) {
  return [id, ...known.filter((one) => one !== id)].slice(0, 2);
}

export async function begin() {
  for (const tab of await chrome.tabs.query({ active: true })) looked.set(tab.windowId, [tab.id]);
  worked = [(await chrome.windows.getLastFocused()).id];
}

// A controlled tab has opened this one; it may already be active, or become so.
export async function openedByProgram(tab, openerWindowId) {
  for (const [name, end] of opened) if (Date.now() > end) opened.delete(name);
  if (tab.windowId === openerWindowId) {
    opened.set(`tab ${tab.id}`, Date.now() + AFTER_OPENING);
    looked.set(tab.windowId, (looked.get(tab.windowId) ?? []).filter((one) => one !== tab.id));
    if ((await chrome.tabs.get(tab.id)).active) await activated(tab.id, tab.windowId);
  } else {
    opened.set(`window ${tab.windowId}`, Date.now() + AFTER_OPENING);
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
