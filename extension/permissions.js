// Permissions that programs have been granted for sites in tabs that they opened: settings of this extension, removed with the program.

// Setting -> what Chrome calls it. Others cannot be set by an extension.
const TYPES = { location: "location", notifications: "notifications", camera: "camera", microphone: "microphone", clipboard: "clipboard" };
let applied = "[]";
let applying = /** @type {Promise<any>} */ (Promise.resolve());

// All settings from now on: [{ origin, type, setting }]. What the user has blocked stays blocked, and is reported.
export function apply({ grants }) {
  const mine = applying.catch(() => {}).then(() => applyOnce(grants));
  applying = mine;
  return mine;
}

async function applyOnce(grants) {
  const text = JSON.stringify(grants);
  if (text === applied) return { blocked: [] };
  const blocked = await blockedByUser(grants);
  if (blocked.length) return { blocked }; // nothing is changed
  await clear();
  for (const { origin, type, setting } of grants) await chrome.contentSettings[TYPES[type]].set({ primaryPattern: `${origin}/*`, setting });
  applied = text;
  return { blocked };
}

async function blockedByUser(grants) {
  const ours = JSON.parse(applied);
  const blocked = [];
  for (const { origin, type, setting } of grants) {
    if (setting !== "allow" || ours.some((one) => one.origin === origin && one.type === type)) continue;
    const { setting: users } = await chrome.contentSettings[TYPES[type]].get({ primaryUrl: `${origin}/` });
    if (users === "block") blocked.push({ origin, type });
  }
  return blocked;
}

// Also when this worker starts: the settings of an extension outlive it, and the browser.
export async function clear() {
  applied = "[]";
  for (const type of Object.values(TYPES)) await chrome.contentSettings[type].clear({});
}
