// What the popup, the options page and the first-run page show.

import * as settings from "./settings.js";
import * as tabs from "./tabs.js";

const MINUTE = 60_000;

// When an idle tab is detached or closed, as debugger_sessions.js does it; null if it is not.
function idleEnd(facts, rules) {
  if (!facts?.lastUsed) return null;
  const ends = [];
  if (rules.closeMinutes && facts.origin === "agent") ends.push({ action: "close", at: facts.lastUsed + rules.closeMinutes * MINUTE });
  if (rules.detachMinutes && facts.attached && facts.origin !== "manual") ends.push({ action: "detach", at: facts.lastUsed + rules.detachMinutes * MINUTE });
  ends.sort((one, other) => one.at - other.at);
  return ends[0] ?? null;
}

async function describe(tab, rules, drivers) {
  const { tabId, windowId, title, url, origin, attached, active } = await tabs.row(tab);
  const why = tab.incognito ? "tabs in private windows are not controlled" : settings.whyNot(url, rules);
  const facts = (await tabs.load()).get(tabId);
  const [ends, withheld] = [idleEnd(facts, rules), Boolean(facts?.withheld)];
  return { tabId, windowId, title, url, origin, attached, active, why, ends, withheld, drivers: drivers[tabId] ?? [] };
}

export async function describeTabs(drivers) {
  await tabs.load();
  const rules = await settings.settings();
  const own = chrome.runtime.getURL("");
  const shown = (await chrome.tabs.query({})).filter((tab) => !(tab.url || tab.pendingUrl || "").startsWith(own));
  return Promise.all(shown.map((tab) => describe(tab, rules, drivers)));
}
