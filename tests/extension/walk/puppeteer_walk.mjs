// Every method of Puppeteer's Page and Browser, once.
import { fixture, given, limited, plain, require, scrubbed, walk } from "./common.mjs";
import { browser as browserCases, page as pageCases } from "./puppeteer_cases.mjs";

const puppeteer = require("puppeteer-core");
const connect = () => puppeteer.connect({ ...given.connect, defaultViewport: null });
let browser = await connect();

function watch(one, events) {
  const add = (text) => events.push(scrubbed(text));
  one.on("console", (message) => message.text() === "barrier" || add(`console ${message.text()}`));
  one.on("dialog", (dialog) => {
    add(`dialog ${dialog.type()} ${dialog.message()}`);
    dialog.accept().catch(() => {});
  });
  one.on("pageerror", (error) => add(`pageerror ${error.message}`));
  one.on("popup", () => add("popup"));
  one.on("close", () => add("close"));
  one.on("request", (request) => add(`request ${request.method()} ${request.url()}`));
  one.on("requestfinished", (request) => add(`finished ${request.url()}`));
  one.on("requestfailed", (request) => add(`failed ${request.url()} ${request.failure()?.errorText}`));
  one.on("response", (response) => add(`response ${response.status()} ${response.url()}`));
  for (const name of ["frameattached", "framedetached", "framenavigated"]) one.on(name, (frame) => add(`${name} ${frame.url()}`));
  for (const name of ["load", "domcontentloaded", "workercreated"]) one.on(name, () => add(name));
}

function barrier(one) {
  if (one.isClosed()) return Promise.resolve();
  const heard = new Promise((done) => one.on("console", (message) => message.text() === "barrier" && done()));
  return limited(Promise.all([heard, one.evaluate(() => console.log("barrier"))]), 3000).catch(() => {});
}

function isBlank(one) {
  try {
    return one.url() === "about:blank";
  } catch {
    return false; // closed before it had a frame
  }
}

async function run(_kind, test) {
  const events = [];
  if (!browser.connected) browser = await connect();
  const one = await browser.newPage();
  const t = { browser, page: one, close: [], barrier: () => barrier(one) };
  let value;
  try {
    one.setDefaultTimeout(8_000);
    await one.goto(fixture);
    await one.waitForFrame((frame) => frame.url().includes("localhost"));
    await one.waitForNetworkIdle({ idleTime: 50 });
    watch(one, events);
    value = plain(await limited(test(t)));
  } catch (error) {
    value = plain(error);
  }
  await barrier(one);
  const log = await limited(one.evaluate("window.log"), 3000).catch(() => null);
  const seen = [...events].sort();
  for (const ended of t.close) await ended().catch(() => {});
  for (const left of await limited(browser.pages(), 5000).catch(() => [])) if (left === one || !isBlank(left)) await limited(left.close(), 5000).catch(() => {});
  return { value, log: plain(log), events: seen };
}

await walk({ Page: pageCases, Browser: browserCases }, run);
process.exit(0);
