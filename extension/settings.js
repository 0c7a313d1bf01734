// The user's settings: kept in local storage, completed from pairing.json, which `boathook relay install` writes.

export const DEFAULTS = {
  relay: "ws://127.0.0.1:19377/extension",
  key: "",
  profileName: "", // empty: the relay gives it the browser's name and a number
  instructions: "", // what programs are told when they connect
  attach: "auto", // "auto": every tab that the lists allow; "manual": only tabs that were shared manually
  allow: [],
  deny: [],
  lockUrl: false,
  noNewTabs: false,
  readOnly: false,
  oneProgram: false, // programs work one after the other
  ownWindow: false, // tabs of programs open in a window of their own
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
  return { ...rest, allow: siteNames(rest.allow), deny: siteNames(rest.deny) };
}

export async function installId() {
  const { installId: kept } = await chrome.storage.local.get("installId");
  if (kept) return kept;
  const made = crypto.randomUUID();
  await chrome.storage.local.set({ installId: made });
  return made;
}

async function pairing() {
  const { relay, key } = await pairingFile();
  return { ...(relay && { relay }), ...(key && { key }) };
}

/** @returns {Promise<{ relay?: string, key?: string, welcome?: boolean }>} */
async function pairingFile() {
  try {
    return await (await fetch(chrome.runtime.getURL("pairing.json"))).json();
  } catch {
    return {}; // installed from a store: the key is pasted on the first-run page or the options page
  }
}

// Once, since an extension that a switch of the browser loads is installed at every start; and not where it is installed for automated runs.
export async function isFirstRun() {
  const { welcomed } = await chrome.storage.local.get("welcomed");
  if (welcomed || (await pairingFile()).welcome === false) return false;
  await chrome.storage.local.set({ welcomed: true });
  return true;
}

// Names of hosts, whatever form the user has written them in: `*.example.com`, `https://example.com/`, `EXAMPLE.com:443`.
export function siteNames(sites) {
  return [...new Set(sites.map(siteName).filter((name) => name !== ""))];
}

function siteName(site) {
  const bare = site.trim().replace(/^\*\./, "");
  try {
    return new URL(bare.includes("://") ? bare : `http://${bare}`).hostname.replace(/^\*\./, "").replace(/\.$/, "");
  } catch {
    return bare.toLowerCase();
  }
}

function matches(host, name) {
  return host === name || host.endsWith(`.${name}`);
}

export function hasSites({ allow, deny }) {
  return allow.length > 0 || deny.length > 0;
}

// The host of a page; that of its creator for a blob, and none for pages without a site.
function hostOf(url) {
  const { protocol, pathname, hostname } = new URL(url);
  return (protocol === "blob:" || protocol === "filesystem:" ? (URL.canParse(pathname) ? new URL(pathname).hostname : "") : hostname).replace(/\.$/, "");
}

// Why the user's lists do not allow a URL; empty if they do.
export function deniedSite(url, { allow, deny }) {
  if (!URL.canParse(url)) return "";
  const host = hostOf(url);
  if (!host) return "";
  if (siteNames(deny).some((name) => matches(host, name))) return `the user has denied ${host}`;
  const allowed = siteNames(allow);
  if (allowed.length && !allowed.some((name) => matches(host, name))) return `the user has not allowed ${host}`;
  return "";
}

// Why a tab at this URL cannot be controlled; empty if it can.
export function whyNot(url, rules) {
  if (!url || FORBIDDEN.test(url)) return "internal pages of the browser cannot be controlled";
  if (!URL.canParse(url)) return "the URL is invalid";
  return deniedSite(url, rules);
}
