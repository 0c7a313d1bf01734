// The user's settings: kept in local storage, completed from pairing.json, which `boathook relay install` writes.

export const DEFAULTS = {
  relay: "ws://127.0.0.1:19377/extension",
  key: "",
  attach: "auto", // "auto": every tab that the lists allow; "manual": only tabs that were shared manually
  allow: [],
  deny: [],
  lockUrl: false,
  noNewTabs: false,
  readOnly: false,
  detachMinutes: 0,
  closeMinutes: 0,
};
const FORBIDDEN = /^(?!https?:|about:blank|data:|blob:)/;

let reading = null; // the promise, not its value: a value read before a change must not be kept

export function settings() {
  reading ??= read().catch((error) => {
    reading = null;
    throw error;
  });
  return reading;
}

async function read() {
  const [kept, paired] = await Promise.all([chrome.storage.local.get("settings"), pairing()]);
  return { ...DEFAULTS, ...paired, .../** @type {Partial<typeof DEFAULTS>} */ (kept.settings ?? {}) };
}

let changing = Promise.resolve();

// One after the other: two changes at once would overwrite each other.
export function change(patch) {
  changing = changing.then(async () => {
    const kept = /** @type {Partial<typeof DEFAULTS>} */ ((await chrome.storage.local.get("settings")).settings ?? {});
    await chrome.storage.local.set({ settings: { ...kept, ...patch } });
  });
  return changing;
}

export function forget() {
  reading = null;
}

// What the relay may know: everything but the key.
export async function shown() {
  const { key: _key, ...rest } = await settings();
  return rest;
}

export async function installId() {
  const { installId: kept } = await chrome.storage.local.get("installId");
  if (kept) return kept;
  const made = crypto.randomUUID();
  await chrome.storage.local.set({ installId: made });
  return made;
}

async function pairing() {
  try {
    const { relay, key } = await (await fetch(chrome.runtime.getURL("pairing.json"))).json();
    return { ...(relay && { relay }), ...(key && { key }) };
  } catch {
    return {}; // installed from a store: the key is pasted on the options page
  }
}

function matches(host, site) {
  const name = site.trim().toLowerCase().replace(/^\*\./, "");
  return name !== "" && (host === name || host.endsWith(`.${name}`));
}

// Why a tab at this URL cannot be controlled; empty if it can.
export function whyNot(url, rules) {
  if (!url || FORBIDDEN.test(url)) return "internal pages of the browser cannot be controlled";
  let host = "";
  try {
    host = new URL(url).hostname;
  } catch {
    return "the URL is invalid";
  }
  if (rules.deny.some((site) => matches(host, site))) return `the user has denied ${host}`;
  if (rules.allow.length && host && !rules.allow.some((site) => matches(host, site))) {
    return `the user has not allowed ${host}`;
  }
  return "";
}
