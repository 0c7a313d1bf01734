// Every method of Playwright's Page, Frame, Locator and BrowserContext, once.
import { fixture, given, limited, plain, require, scrubbed, walk } from "./common.mjs";
import { context } from "./playwright_context.mjs";
import { frame, locator } from "./playwright_elements.mjs";
import { page } from "./playwright_page.mjs";

const { chromium } = require("playwright-core");
const browser = await chromium.connectOverCDP(given.endpoint);
const { contexts: [shared] } = { contexts: browser.contexts() };

function watch(one, events) {
  const add = (text) => events.push(scrubbed(text));
  one.on("console", (message) => message.text() === "barrier" || add(`console ${message.text()}`));
  one.on("dialog", (dialog) => {
    add(`dialog ${dialog.type()} ${dialog.message()}`);
    dialog.accept().catch(() => {});
  });
  one.on("pageerror", (error) => add(`pageerror ${error.message}`));
  one.on("popup", () => add("popup"));
  one.on("download", (download) => add(`download ${download.suggestedFilename()}`));
  one.on("worker", () => add("worker"));
  one.on("websocket", () => add("websocket"));
  one.on("close", () => add("close"));
  one.on("crash", () => add("crash"));
  one.on("request", (request) => add(`request ${request.method()} ${request.url()}`));
  one.on("requestfinished", (request) => add(`finished ${request.url()}`));
  one.on("requestfailed", (request) => add(`failed ${request.url()} ${request.failure()?.errorText}`));
  one.on("response", (response) => add(`response ${response.status()} ${response.url()}`));
  for (const name of ["frameattached", "framedetached", "framenavigated"]) one.on(name, (frame) => add(`${name} ${frame.url()}`));
  for (const name of ["load", "domcontentloaded"]) one.on(name, () => add(name));
}

// All earlier events have arrived when this one has.
async function barrier(one) {
  if (one.isClosed()) return;
  const heard = one.waitForEvent("console", { predicate: (message) => message.text() === "barrier", timeout: 3000 });
  await Promise.all([heard, one.evaluate(() => console.log("barrier"))]).catch(() => {});
}

async function run(kind, test) {
  const events = [];
  const one = await shared.newPage();
  const t = { browser, context: shared, page: one, close: [] };
  let value;
  try {
    one.setDefaultTimeout(8_000);
    await one.goto(fixture);
    t.frame = one.frame("inner");
    await t.frame.waitForLoadState();
    t.scope = kind === "Frame" ? t.frame : one;
    t.barrier = () => barrier(one);
    watch(one, events);
    value = plain(await limited(test(t)));
  } catch (error) {
    value = plain(error);
  }
  await barrier(one);
  const log = await limited(t.scope?.evaluate("window.log") ?? Promise.resolve(null), 3000).catch(() => null);
  const seen = [...events].sort();
  for (const ended of t.close) await ended().catch(() => {});
  for (const left of shared.pages()) if (left === one || left.url() !== "about:blank") await limited(left.close(), 5000).catch(() => {});
  return { value, log: plain(log), events: seen };
}

await walk({ Page: page, Frame: frame, Locator: locator, BrowserContext: context }, run);
await limited(browser.close(), 3000).catch(() => {});
process.exit(0);
