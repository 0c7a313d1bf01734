// Keeps the offscreen document, which starts this worker again within a second after it was stopped.

import { settings } from "./settings.js";

const PAGE = "offscreen.html";
const JUSTIFICATION = "Restarts the connection to the relay on this machine after the service worker was stopped.";

export async function keepAwake() {
  const { key } = await settings();
  if (!key || (await chrome.offscreen.hasDocument())) return; // nothing to connect to before pairing
  await chrome.offscreen
    .createDocument({ url: PAGE, reasons: [chrome.offscreen.Reason.WORKERS], justification: JUSTIFICATION })
    .catch(() => {}); // another event of this worker was faster
}

// The port only has to exist.
chrome.runtime.onConnect.addListener(() => {});
