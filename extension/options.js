// The options page: every change is saved at once.

import { ask } from "./messaging.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("form"));
const said = document.getElementById("saved");
const LISTS = new Set(["allow", "deny"]);
const MINUTES = [0, 5, 10, 15, 30, 60];
const RELAY = /^ws:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+\/extension$/;

for (const name of ["detachMinutes", "closeMinutes"]) {
  form.elements[name].append(...MINUTES.map((count) => new Option(count ? `${count} minutes` : "never", String(count))));
}

function valueOf(field) {
  if (field.type === "checkbox") return field.checked;
  if (LISTS.has(field.name)) return field.value.split(/\s+/).filter(Boolean);
  return field.name.endsWith("Minutes") ? Number(field.value) : field.value.trim();
}

function show(settings) {
  for (const [name, value] of Object.entries(settings)) {
    const field = form.elements[name];
    if (!field) continue;
    if (field.type === "checkbox") field.checked = value;
    else field.value = LISTS.has(name) ? value.join("\n") : value;
  }
}

form.addEventListener("change", async (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const value = valueOf(target);
  if (target.name === "key" && !value) return;
  if (target.name === "relay" && !RELAY.test(value)) {
    said.textContent = "the relay must be on this machine: ws://127.0.0.1:PORT/extension";
    return;
  }
  await ask("change", { patch: { [target.name]: value } });
  said.textContent = "saved";
});
form.addEventListener("submit", (event) => event.preventDefault());
show((await ask("state")).settings);
