// The options page: every change is saved at once.

import { connection } from "./connection_text.js";
import { ask } from "./messaging.js";

const byId = (id) => document.getElementById(id);
const form = /** @type {HTMLFormElement} */ (byId("form"));
const said = byId("saved");
const LISTS = new Set(["allow", "deny"]);
const MINUTES = [0, 5, 10, 15, 30, 60];
const MOST_SHOWN = 50;
const RELAY = /^ws:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+\/extension$/;

for (const name of ["detachMinutes", "closeMinutes"]) {
  form.elements[name].append(...MINUTES.map((count) => new Option(count ? `${count} minutes` : "never", String(count))));
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  if (LISTS.has(field.name)) return field.value.split(/\s+/).filter(Boolean);
  return field.name.endsWith("Minutes") ? Number(field.value) : field.value.trim();
}

function fill(settings) {
  for (const [name, value] of Object.entries(settings)) {
    const field = form.elements[name];
    if (!field || field === document.activeElement) continue;
    if (field.type === "checkbox") field.checked = value;
    else field.value = LISTS.has(name) ? value.join("\n") : value;
  }
}

function cells(entry) {
  const row = document.createElement("tr");
  const action = entry.count > 1 ? `${entry.what} (${entry.count} times)` : entry.what;
  for (const text of [new Date(entry.at).toLocaleTimeString(), action, entry.title]) {
    const cell = document.createElement("td");
    cell.textContent = text; // titles come from pages: they are only ever text
    row.append(cell);
  }
  return row;
}

async function showState() {
  const state = await ask("state");
  byId("connection").textContent = connection(state).title;
  form.elements["profileName"].placeholder = state.profile;
  const latest = (await ask("activity")).slice(-MOST_SHOWN).reverse();
  byId("activity").replaceChildren(...latest.map(cells));
  byId("activity").parentElement.hidden = !latest.length;
  byId("no-activity").hidden = latest.length > 0;
  return state;
}

form.addEventListener("change", async (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const value = valueOf(target);
  if (target.name === "key" && !value) return;
  if (target.name === "relay" && !RELAY.test(value)) {
    target.setAttribute("aria-invalid", "true");
    said.textContent = "Not saved: the relay must be on this machine: ws://127.0.0.1:PORT/extension";
    return;
  }
  target.removeAttribute("aria-invalid");
  await ask("change", { patch: { [target.name]: value } });
  said.textContent = "Saved.";
});
form.addEventListener("submit", (event) => event.preventDefault());
byId("setup").onclick = () => void chrome.tabs.create({ url: "welcome.html" });
fill((await showState()).settings);
setInterval(() => showState().catch(() => {}), 2000); // the worker may be restarting
