// The popup: whether a relay is connected, which programs control which tabs, limits, and the button to take over.

import { connection } from "./connection_text.js";
import { ask } from "./messaging.js";

const byId = (id) => document.getElementById(id);
const input = (name) => /** @type {HTMLInputElement} */ (document.querySelector(`[name=${name}]`));
const SWITCHES = ["readOnly", "lockUrl", "noNewTabs"];
const ENDS = { close: "closed", detach: "detached" };

function remaining(at) {
  const seconds = Math.max(0, Math.ceil((at - Date.now()) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function who({ drivers, attached, origin, why, url, withheld }) {
  if (withheld) return "stopped by you; programs cannot use it";
  if (attached && drivers.length) return `controlled by ${drivers.join(", ")}`;
  if (attached) return origin === "manual" ? "attached by you" : "attached";
  return why || url;
}

// A tab that a program uses is stopped: detached only, the program's next command would attach it again.
function actionOf({ attached, drivers }) {
  if (!attached) return ["share", "Attach"];
  return drivers.length ? ["withhold", "Stop"] : ["unshare", "Detach"];
}

function newRow() {
  const item = document.createElement("li");
  const text = document.createElement("div");
  for (const [kind, style] of [["b", "clip"], ["span", "clip faint"], ["span", "clip faint"]]) {
    const line = document.createElement(kind);
    line.className = style;
    text.append(line);
  }
  const button = document.createElement("button");
  button.type = "button";
  button.className = "small";
  item.append(text, button);
  return item;
}

// Titles come from pages: they are only ever text. Rows are kept, so that the keyboard's focus stays where it is.
function fill(item, tab, { attach, stopped }) {
  const [title, user, ends] = /** @type {NodeListOf<HTMLElement>} */ (item.querySelectorAll(".clip"));
  const button = item.querySelector("button");
  item.dataset.tab = String(tab.tabId);
  item.classList.toggle("attached", tab.attached);
  title.textContent = title.title = tab.title || tab.url;
  user.textContent = user.title = who(tab);
  ends.textContent = tab.ends ? `${ENDS[tab.ends.action]} in ${remaining(tab.ends.at)} if it stays idle` : "";
  ends.hidden = !tab.ends;
  const [action, name] = actionOf(tab);
  button.textContent = action === "share" ? attach : name;
  button.disabled = Boolean(tab.why || stopped) && !tab.attached;
  button.setAttribute("aria-label", `${button.textContent}: ${title.textContent}`);
  button.onclick = () => act(action, { tabId: tab.tabId });
}

function list(id, rows, words) {
  const place = byId(id);
  const known = new Map([...place.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.tab, item]));
  const items = rows.map((tab) => {
    const item = known.get(String(tab.tabId)) ?? newRow();
    fill(item, tab, words);
    return item;
  });
  const isSame = items.length === place.children.length && items.every((item, index) => item === place.children[index]);
  if (!isSame) place.replaceChildren(...items);
}

async function act(what, more = {}) {
  try {
    await ask(what, more);
    await show();
  } catch (error) {
    byId("advice").textContent = error.message;
    byId("advice").hidden = false;
  }
}

async function show() {
  const state = await ask("state");
  const { title, advice, kind } = connection(state);
  byId("state").textContent = title;
  byId("advice").textContent = advice;
  byId("advice").hidden = !advice;
  byId("dot").className = `dot ${kind === "connected" ? "on" : kind}`;
  byId("profile").textContent = state.profile ? `Profile: ${state.profile}` : "";
  byId("profile").title = state.settings.relay;
  const icon = /** @type {HTMLImageElement} */ (byId("icon"));
  icon.src = `icons/${["connected", "stopped"].includes(kind) ? kind : "offline"}-48.png`;
  const stop = byId("stop");
  stop.textContent = state.stopped ? "Hand back" : "Take over";
  stop.className = state.stopped ? "main" : "stop";
  stop.hidden = !state.stopped && !state.connected;
  stop.onclick = () => act("stop", { why: state.stopped ? "" : "paused" });
  byId("connect").hidden = state.connected || !state.paired;
  byId("setup").hidden = state.connected;
  showLimits(state.settings);
  showTabs(state, await currentTab());
  byId("programs").textContent = state.programs.length ? state.programs.join(", ") : "None.";
}

function showLimits(settings) {
  for (const name of SWITCHES) input(name).checked = settings[name];
  input("attach").checked = settings.attach === "manual";
}

async function currentTab() {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  return tab?.id;
}

function showTabs({ tabs, stopped }, current) {
  const used = tabs.filter((tab) => tab.attached || tab.withheld || tab.ends);
  const others = tabs.filter((tab) => !used.includes(tab) && tab.tabId !== current);
  list("this", tabs.filter((tab) => tab.tabId === current), { attach: "Attach this tab", stopped });
  list("driven", used, { attach: "Attach", stopped });
  list("tabs", others, { attach: "Attach", stopped });
  byId("this-title").parentElement.hidden = !byId("this").children.length;
  byId("idle").hidden = used.length > 0;
  byId("others").hidden = !others.length;
  byId("others-title").textContent = `Other tabs (${others.length})`;
}

byId("limits").addEventListener("change", (event) => {
  const { name, checked } = /** @type {HTMLInputElement} */ (event.target);
  act("change", { patch: name === "attach" ? { attach: checked ? "manual" : "auto" } : { [name]: checked } });
});
byId("options").onclick = () => chrome.runtime.openOptionsPage();
byId("connect").onclick = () => act("connect");
byId("setup").onclick = () => chrome.tabs.create({ url: "welcome.html" });
await show();
setInterval(() => show().catch(() => {}), 1000); // the worker may be restarting
