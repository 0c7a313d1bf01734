// What the user looks at stays in front: Chrome activates a tab or window that a controlled tab opens, and we activate the previous one again.

// Milliseconds; later activations are by the user.
const AFTER_OPENING = 10_000; // first time: a busy machine shows a window seconds after it was created
const AFTER_SHOWING = 1_500; // once more: window managers insist
const opened = new Map(); // "tab 3" or "window 4", opened by a controlled tab -> until when its activation is the browser's
const looked = new Map(); // windowId -> [the tab that the user looks at, the one before]
export const asked = { isProgram: async (_tabId) => false }; // whether a program opened a tab
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
  if (isNew(`tab ${tabId}`)) {
    if (known.length) await chrome.tabs.update(known[0], { active: true });
    return;
  }
  if (known.length && (await asked.isProgram(tabId)) && !(await isOpen(known[0]))) {
    const next = await nextOfUser(tabId, windowId);
    if (next) return void (await chrome.tabs.update(next, { active: true }));
  }
  looked.set(windowId, after(tabId, known));
}

async function isOpen(tabId) {
  return chrome.tabs.get(tabId).then(
    () => true,
    () => false,
  );
}

// The user has closed the active tab, and Chrome has chosen one of a program's: instead the one that it would have chosen without it.
async function nextOfUser(tabId, windowId) {
  const all = await chrome.tabs.query({ windowId });
  const { index } = all.find((one) => one.id === tabId);
  const isOurs = await Promise.all(all.map((one) => asked.isProgram(one.id)));
  const theirs = all.filter((_one, place) => !isOurs[place]);
  return (theirs.find((one) => one.index > index) ?? theirs.findLast((one) => one.index < index))?.id;
}

// A program shows its own tab: in its window, which is not raised.
export async function show(tab) {
  opened.delete(`tab ${tab.id}`);
  await chrome.tabs.update(tab.id, { active: true });
}

// After a program's tab that was in front, the one that the user looked at before it.
export async function removed(tabId, windowId, wasOurs) {
  const known = looked.get(windowId) ?? [];
  if (!wasOurs) return; // `activated` sees that it is gone
  const [before] = known.filter((one) => one !== tabId);
  looked.set(windowId, known.filter((one) => one !== tabId));
  if (known[0] === tabId && before && (await isOpen(before))) await chrome.tabs.update(before, { active: true });
}

export async function focused(windowId) {
  if (windowId === chrome.windows.WINDOW_ID_NONE) return;
  if (!isNew(`window ${windowId}`)) worked = after(windowId, worked);
  else if (worked.length) await chrome.windows.update(worked[0], { focused: true });
}
