// Whose click it was: input of the user in a controlled page, told apart from input that a program sends.
//
// Both are trusted events for the page. A listener in the extension's own world notes when they arrive, and the worker knows when programs
// sent theirs. Only positive evidence counts, since limits on new tabs depend on it: what cannot be told apart is the program's.

const NEAR_MS = 3_000; // a page may open a tab a while after a click
const MENU_MS = 15_000; // "Open link in new tab": the menu is read first
const ECHO_MS = 250; // an event of a program's command may arrive after its answer
const ANSWER_MS = 500;
const WATCH_MS = 500;
const MOST = 32;
const nonce = crypto.randomUUID(); // answers of the page's world are recognized by it
const commands = new Map(); // tabId -> [{ begin, end }] of the program's latest input

// In the page. Values are in a closure, out of reach for scripts that run in the same world.
function listen(secret) {
  const now = Date.now;
  const times = [];
  let count = 0;
  let menu = 0;
  const note = (event) => {
    if (!event.isTrusted) return;
    times[count++ % 8] = now();
    if (event.type === "contextmenu") menu = now();
  };
  for (const type of ["mousedown", "mouseup", "click", "auxclick", "keydown", "keyup", "touchend", "contextmenu"]) {
    addEventListener(type, note, { capture: true, passive: true });
  }
  chrome.runtime.onMessage.addListener((message, _sender, reply) => {
    if (message?.gestures === secret) reply({ secret, times, menu });
  });
}

// From the attachment on, in every frame and document of the tab.
export async function watch(tabId, frameIds) {
  const target = frameIds ? { tabId, frameIds } : { tabId, allFrames: true };
  const work = { target, injectImmediately: true, func: listen, args: [nonce] };
  const watching = chrome.scripting.executeScript(work).catch(() => {}); // a page that allows none: what it opens is the program's
  await Promise.race([watching, new Promise((done) => void setTimeout(done, WATCH_MS))]); // a page that is stuck is watched later
}

export function began(tabId, method) {
  if (!method.startsWith("Input.")) return null;
  const command = { begin: Date.now(), end: Infinity };
  commands.set(tabId, [...(commands.get(tabId) ?? []), command].slice(-MOST));
  return command;
}

export function ended(command) {
  if (command) command.end = Date.now();
}

export function forget(tabId) {
  commands.delete(tabId);
}

// Whether the user's own input in this tab has just opened another one.
export async function byUser(tabId, at) {
  const frames = (await chrome.webNavigation.getAllFrames({ tabId })) ?? [];
  const seen = await Promise.all(frames.map(({ frameId }) => ask(tabId, frameId)));
  const isProgram = (time) => (commands.get(tabId) ?? []).some(({ begin, end }) => begin - ECHO_MS <= time && time <= end + ECHO_MS);
  return seen.some(
    (one) => one && (one.times.some((time) => time > at - NEAR_MS && !isProgram(time)) || (one.menu > at - MENU_MS && !isProgram(one.menu))),
  );
}

async function ask(tabId, frameId) {
  const late = new Promise((done) => void setTimeout(done, ANSWER_MS));
  const answer = await Promise.race([chrome.tabs.sendMessage(tabId, { gestures: nonce }, { frameId }).catch(() => null), late]);
  return answer?.secret === nonce ? answer : null;
}
