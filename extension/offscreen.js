// A document without a window that starts the service worker again when it was stopped: its port closes with the worker.

const ALIVE_MS = 1_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1_000;
let wait = 0;

function connect() {
  const began = Date.now();
  const port = chrome.runtime.connect({ name: "awake" });
  port.onDisconnect.addListener(() => {
    // A worker that fails while it starts is not started in a tight loop.
    wait = Date.now() - began > ALIVE_MS ? 0 : Math.min(Math.max(wait * 2, FIRST_WAIT_MS), LONGEST_WAIT_MS);
    setTimeout(connect, wait);
  });
}

connect();
