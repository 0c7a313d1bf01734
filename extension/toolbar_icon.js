// The icon in the toolbar: connected, offline, or stopped by the user.

const SIZES = [16, 32];
let shown = "";

export async function showIcon(isConnected) {
  const { stopped } = await chrome.storage.session.get("stopped");
  const state = stopped ? "stopped" : isConnected ? "connected" : "offline";
  if (state === shown) return;
  shown = state;
  const path = Object.fromEntries(SIZES.map((size) => [size, `icons/${state}-${size}.png`]));
  await chrome.action.setIcon({ path }).catch(() => (shown = "")); // shown at the next change
}
