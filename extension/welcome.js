// The first-run page: which of the steps are done, and what to do next.

import { extensionsPage } from "./browser_name.js";
import { connection } from "./connection_text.js";
import { ask } from "./messaging.js";

const byId = (id) => document.getElementById(id);
const STEPS = ["pair", "start", "use"];
const COPIED_MS = 2_000;

function mark(id, state) {
  const step = byId(id);
  step.className = state;
  if (state === "now") step.setAttribute("aria-current", "step");
  else step.removeAttribute("aria-current");
  for (const [kind, isShown] of [["done-text", state === "done"], ["todo-text", state !== "done"]]) {
    for (const part of step.getElementsByClassName(String(kind))) /** @type {HTMLElement} */ (part).hidden = !isShown;
  }
}

async function show() {
  const state = await ask("state");
  const { kind, title, advice } = connection(state);
  const isReady = state.connected;
  const now = !state.paired ? 0 : isReady ? 2 : 1;
  STEPS.forEach((id, index) => mark(id, index < now ? "done" : index === now ? "now" : "later"));
  byId("state").textContent = title;
  byId("advice").textContent = kind === "unpaired" ? "Follow the first step." : advice;
  byId("advice").hidden = !byId("advice").textContent;
  byId("dot").className = `dot ${isReady ? "on" : ""}`;
  byId("title").textContent = isReady ? "Boathook is ready" : "Set up Boathook";
  byId("as").textContent = state.profile ? ` as “${state.profile}”` : "";
}

async function copy(button) {
  await navigator.clipboard.writeText(button.previousElementSibling.textContent);
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = "Copy"), COPIED_MS);
}

for (const button of document.querySelectorAll(".copy")) {
  button.setAttribute("aria-label", `Copy: ${button.previousElementSibling.textContent}`);
  button.addEventListener("click", () => copy(button));
}
byId("paste").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (byId("key"));
  const key = field.value.trim();
  if (!key) return;
  await ask("change", { patch: { key } });
  field.value = "";
  await show();
});
byId("options").onclick = () => chrome.runtime.openOptionsPage();
for (const place of document.querySelectorAll(".page")) {
  const page = document.createElement("code");
  page.textContent = extensionsPage();
  place.replaceChildren(page);
}
await show();
setInterval(() => show().catch(() => {}), 500); // the worker may be restarting
