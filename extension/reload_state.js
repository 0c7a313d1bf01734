// What a reload of the extension would lose with its session storage: a copy in local storage, used only in the same run of the browser.

const KEPT = ["tabs", "stopped", "groups"];
let writing = Promise.resolve();
let restoring = null;

async function targetIds() {
  const open = await chrome.debugger.getTargets();
  return Object.fromEntries(open.filter((one) => one.tabId !== undefined).map((one) => [one.tabId, one.id]));
}

chrome.storage.session.onChanged.addListener((changes) => {
  if (!KEPT.some((name) => name in changes)) return;
  writing = writing.then(copy).catch(() => {}); // the next change is copied again
});

async function copy() {
  const { tabs = {}, stopped = "", groups = [] } = await chrome.storage.session.get(KEPT);
  await chrome.storage.local.set({ session: { tabs, stopped, groups, targets: await targetIds() } });
}

// Resolves once session storage is complete, with the tabs that had a debugger before a reload: Chrome has detached it.
export function restored() {
  restoring ??= restore();
  return restoring;
}

async function restore() {
  /** @type {{ isComplete?: boolean, tabs?: Record<string, any> }} */
  const { isComplete, tabs: present } = await chrome.storage.session.get(["isComplete", "tabs"]);
  if (isComplete) return [];
  /** @type {{ tabs?: Record<string, any>, stopped?: string, groups?: number[], targets?: Record<string, string> }} */
  const kept = (await chrome.storage.local.get("session")).session ?? {};
  const now = await targetIds();
  // Ids of tabs are used again by the next run of the browser, those of targets are not.
  const same = Object.keys(now).filter((tabId) => kept.targets?.[tabId] === now[tabId]);
  const rows = same.filter((tabId) => kept.tabs?.[tabId]).map((tabId) => [tabId, { ...kept.tabs[tabId], attached: false }]);
  await chrome.storage.session.set({
    isComplete: true,
    tabs: { ...Object.fromEntries(rows), ...(present ?? {}) },
    ...(same.length && { stopped: kept.stopped ?? "", groups: kept.groups ?? [] }),
  });
  return same.filter((tabId) => kept.tabs?.[tabId]?.attached).map((tabId) => ({ tabId: Number(tabId), manual: kept.tabs[tabId].origin === "manual" }));
}
