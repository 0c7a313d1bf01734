// What the user has decided: kept in local storage, filled up from pairing.json, which `boathook relay install` writes.

export const DEFAULTS = {
  relay: "ws://127.0.0.1:19377/extension",
  key: "",
  attach: "auto", // "auto": every tab that the lists allow; "manual": only tabs that were shared by hand
  allow: [],
  deny: [],
  lockUrl: false,
  noNewTabs: false,
  readOnly: false,
  detachMinutes: 0,
  closeMinutes: 0,
};
const FORBIDDEN = /^(?!https?:|about:blank|data:|blob:)/;

let reading = null; // and not what was read: a reading that a change overtook must not be kept

export function settings() {
  reading ??= read().catch((error) => {
    reading = null;
    throw error;
  });
  return reading;
}

async function read() {
  const [kept, paired] = await Promise.all([chrome.storage.local.get("settings"), pairing()]);
  return { ...DEFAULTS, ...paired, ...(kept.settings ?? {}) };
}

let changing = Promise.resolve();

// One after the other: two changes at once would each keep what the other changed as it was.
export function change(patch) {
  changing = changing.then(async () => {
    const kept = (await chrome.storage.local.get("settings")).settings ?? {};
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

// Why a tab at this address may not be driven; an empty string when it may.
export function whyNot(url, rules) {
  if (!url || FORBIDDEN.test(url)) return "pages of the browser itself cannot be driven";
  let host = "";
  try {
    host = new URL(url).hostname;
  } catch {
    return "the address cannot be read";
  }
  if (rules.deny.some((site) => matches(host, site))) return `the user has denied ${host}`;
  if (rules.allow.length && host && !rules.allow.some((site) => matches(host, site))) {
    return `the user has not allowed ${host}`;
  }
  return "";
}
