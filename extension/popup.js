// The popup: whether a relay is connected, which clients control which tabs, and the button to take over.

import { ask } from "./messaging.js";

const STOPPED = { paused: "You have taken over", cancelled: "You cancelled debugging" };
const byId = (id) => document.getElementById(id);

function words({ connected, why, stopped, paired }) {
  if (stopped) return `${STOPPED[stopped]}: programs wait until you hand back`;
  if (connected) return "Connected to the relay";
  return paired ? `Not connected: ${why || "looking for the relay"}` : "Not paired: see the options";
}

function tabRow(tab) {
  const item = document.createElement("li");
  item.classList.toggle("attached", tab.attached);
  const text = document.createElement("div");
  const title = document.createElement("b");
  title.textContent = tab.title || tab.url;
  const who = document.createElement("span");
  who.textContent = tab.drivers.length ? `controlled by ${tab.drivers.join(", ")}` : tab.why || tab.url;
  text.append(title, who);
  const button = document.createElement("button");
  button.textContent = tab.attached ? "Detach" : "Attach";
  button.disabled = Boolean(tab.why) && !tab.attached;
  button.setAttribute("aria-label", `${button.textContent} ${title.textContent}`);
  button.onclick = () => act(tab.attached ? "unshare" : "share", { tabId: tab.tabId });
  item.append(text, button);
  return item;
}

async function act(what, more) {
  try {
    await ask(what, more);
    await show();
  } catch (error) {
    byId("state").textContent = error.message;
  }
}

async function show() {
  const state = await ask("state");
  byId("state").textContent = words(state);
  byId("dot").className = `dot ${state.stopped ? "stopped" : state.connected ? "on" : ""}`;
  byId("relay").textContent = state.settings.relay;
  const stop = byId("stop");
  stop.textContent = state.stopped ? "Hand back" : "Take over";
  stop.className = state.stopped ? "main" : "stop";
  stop.onclick = () => act("stop", { why: state.stopped ? "" : "paused" });
  const own = chrome.runtime.getURL("");
  const rows = state.tabs.filter((tab) => !tab.url.startsWith(own));
  rows.sort((one, other) => Number(other.attached) - Number(one.attached) || Number(other.active) - Number(one.active));
  byId("tabs").replaceChildren(...rows.map(tabRow));
}

byId("options").onclick = () => chrome.runtime.openOptionsPage();
byId("connect").onclick = () => act("connect");
await show();
setInterval(show, 1000);
