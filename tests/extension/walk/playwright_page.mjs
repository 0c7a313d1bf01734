// Methods of Playwright's Page beyond those that it shares with Frame.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixture, folder, isPending, other } from "./common.mjs";
import { shared } from "./playwright_elements.mjs";

const say = (page, text) => page.evaluate((given) => console.log(given), text);
const har = join(folder, "replies.har");
const entry = {
  startedDateTime: "2024-01-01T00:00:00.000Z", time: 1, cache: {}, timings: { send: 0, wait: 1, receive: 0 },
  request: { method: "GET", url: other, httpVersion: "HTTP/1.1", cookies: [], headers: [], queryString: [], headersSize: -1, bodySize: 0 },
  response: { status: 200, statusText: "OK", httpVersion: "HTTP/1.1", cookies: [], headers: [{ name: "content-type", value: "text/html" }], content: { size: 4, mimeType: "text/html", text: "<h1>from a file</h1>" }, redirectURL: "", headersSize: -1, bodySize: 4 },
};
writeFileSync(har, JSON.stringify({ log: { version: "1.2", creator: { name: "walk", version: "1" }, entries: [entry] } }));
export { har };

// What listeners hear between adding and removing them.
export async function heard(emitter, page, add, remove) {
  const seen = [];
  const listener = (message) => message.text() !== "barrier" && seen.push(message.text());
  emitter[add]("console", listener);
  await say(page, "first");
  await say(page, "second");
  await page.evaluate(() => new Promise((done) => setTimeout(done, 0)));
  emitter[remove]("console", listener);
  await say(page, "third");
  return seen;
}

export async function socketReply(page) {
  return page.evaluate(() => new Promise((done) => {
    const socket = new WebSocket("ws://127.0.0.1:1/routed");
    socket.onopen = () => socket.send("hello");
    socket.onmessage = (event) => done(event.data);
    socket.onerror = () => done("error");
  }));
}

export const page = {
  ...shared,
  addInitScript: async ({ page }) => { await page.addInitScript(() => { window.early = 7; }); await page.reload(); return page.evaluate("early"); },
  addListener: ({ page }) => heard(page, page, "addListener", "removeListener"),
  addLocatorHandler: async ({ page }) => {
    await page.addLocatorHandler(page.locator("#cover"), () => page.evaluate("document.querySelector('#cover').remove()"));
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div id=cover style=\"position:fixed;inset:0;background:#fff\">cover</div>')");
    await page.click("#b");
    return page.locator("#cover").count();
  },
  ariaSnapshot: ({ page }) => page.ariaSnapshot(),
  ariaSnapshotJSON: ({ page }) => page.ariaSnapshotJSON(),
  bringToFront: async ({ page }) => [await page.bringToFront(), await page.evaluate("document.visibilityState")],
  cancelPickLocator: async ({ page }) => { const picking = page.pickLocator().catch((error) => error.message.split("\n")[0]); await page.evaluate("1"); await page.cancelPickLocator(); return picking; },
  clearConsoleMessages: async (t) => { await say(t.page, "kept"); await t.barrier(); await t.page.clearConsoleMessages(); return (await t.page.consoleMessages()).length; },
  clearPageErrors: async (t) => { await Promise.all([t.page.waitForEvent("pageerror"), t.page.evaluate("void setTimeout(() => { throw new Error('late') })")]); await t.page.clearPageErrors(); return (await t.page.pageErrors()).length; },
  clock: async ({ page }) => { await page.clock.install({ time: 0 }); await page.clock.fastForward(5000); return page.evaluate("Date.now() < 60000"); },
  close: async ({ page }) => [await page.close(), page.isClosed()],
  consoleMessages: async (t) => { await say(t.page, "kept"); await t.barrier(); return (await t.page.consoleMessages()).map((one) => one.text()); },
  context: async ({ page, context }) => page.context() === context,
  coverage: async ({ page }) => { await page.coverage.startJSCoverage(); await page.goto(other); return (await page.coverage.stopJSCoverage()).length; },
  emulateMedia: async ({ page }) => [await page.emulateMedia({ media: "print", colorScheme: "dark" }), await page.evaluate("[matchMedia('print').matches, matchMedia('(prefers-color-scheme: dark)').matches]")],
  exposeBinding: async ({ page }) => { await page.exposeBinding("bound", ({ frame }, given) => frame.url() + given); return page.evaluate("bound('!')"); },
  exposeFunction: async ({ page }) => { await page.exposeFunction("twice", (given) => given * 2); return page.evaluate("twice(21)"); },
  frame: async ({ page }) => page.frame("inner").url(),
  frames: async ({ page }) => page.frames().map((one) => one.url()),
  getByRef: async ({ page }) => { const text = await page.ariaSnapshot({ mode: "ai" }); return page.getByRef(/button "Press" \[ref=(\w+)\]/.exec(text)[1]).innerText(); },
  goBack: async ({ page }) => { await page.goto(other); return [(await page.goBack()).url(), await page.title()]; },
  goForward: async ({ page }) => { await page.goto(other); await page.goBack(); return [(await page.goForward()).url(), await page.title()]; },
  hideHighlight: ({ page }) => page.hideHighlight(),
  isClosed: async ({ page }) => page.isClosed(),
  keyboard: async ({ page }) => { await page.focus("#t"); await page.keyboard.press("End"); await page.keyboard.type(" more"); await page.keyboard.insertText("ü"); return page.inputValue("#t"); },
  localStorage: async ({ page }) => { await page.localStorage.setItem("a", "1"); const seen = await page.localStorage.items(); await page.localStorage.clear(); return seen; },
  mainFrame: async ({ page }) => page.mainFrame().url(),
  mouse: async ({ page }) => { const { x, y } = await page.locator("#b").boundingBox(); await page.mouse.move(x + 3, y + 3); await page.mouse.down(); await page.mouse.up(); await page.mouse.wheel(0, 500); await page.waitForFunction("scrollY > 0"); },
  off: ({ page }) => heard(page, page, "on", "off"),
  on: ({ page }) => heard(page, page, "on", "off"),
  once: ({ page }) => heard(page, page, "once", "off"),
  opener: async ({ page }) => { const [popup] = await Promise.all([page.waitForEvent("popup"), page.click("#pop")]); await popup.waitForLoadState(); return [(await popup.opener()) === page, await page.opener(), popup.url()]; },
  pageErrors: async ({ page }) => { await Promise.all([page.waitForEvent("pageerror"), page.evaluate("void setTimeout(() => { throw new Error('late') })")]); return (await page.pageErrors()).map((one) => one.message); },
  pause: async (t) => isPending(t.page.pause(), t.barrier),
  pdf: ({ page }) => page.pdf(),
  pickLocator: async ({ page }) => { const picking = page.pickLocator(); await page.evaluate("1"); await page.mouse.move(5, 5); await page.locator("#b").hover({ force: true }); await page.mouse.down(); await page.mouse.up(); return String(await picking); },
  prependListener: ({ page }) => heard(page, page, "prependListener", "off"),
  reload: async ({ page }) => (await page.reload()).status(),
  removeAllListeners: async ({ page }) => { const seen = []; page.on("console", () => seen.push(1)); await page.removeAllListeners("console"); await say(page, "unheard"); return seen; },
  removeListener: ({ page }) => heard(page, page, "on", "removeListener"),
  removeLocatorHandler: async ({ page }) => [await page.addLocatorHandler(page.locator("#no"), () => {}), await page.removeLocatorHandler(page.locator("#no"))],
  request: async ({ page }) => { const answer = await page.request.get(other); return [answer.status(), (await answer.text()).includes("Other")]; },
  requestGC: ({ page }) => page.requestGC(),
  requests: async ({ page }) => { await page.goto(other); return (await page.requests()).map((one) => one.url()); },
  route: async ({ page }) => { await page.route("**/other", (route) => route.fulfill({ contentType: "text/html", body: "<h1>routed</h1>" })); await page.goto(other); return page.innerText("h1"); },
  routeFromHAR: async ({ page }) => { await page.routeFromHAR(har, { notFound: "fallback" }); await page.goto(other); return page.innerText("h1"); },
  routeWebSocket: async ({ page }) => { await page.routeWebSocket(/routed/, (socket) => socket.onMessage((text) => socket.send(`${text} back`))); await page.goto(fixture); return socketReply(page); },
  screencast: async ({ page }) => { let frames = 0; await page.screencast.start({ onFrame: () => { frames += 1; } }); await page.evaluate("document.body.style.background = 'red'"); await page.screenshot(); await page.screencast.stop(); return frames > 0; },
  screenshot: ({ page }) => page.screenshot({ fullPage: true }),
  sessionStorage: async ({ page }) => { await page.sessionStorage.setItem("a", "1"); return page.sessionStorage.items(); },
  setDefaultNavigationTimeout: async ({ page }) => { page.setDefaultNavigationTimeout(1); return page.goto(other).then(() => "loaded", (error) => error.message.split("\n")[0]).then((seen) => /1ms|loaded/.test(seen)); },
  setDefaultTimeout: async ({ page }) => { page.setDefaultTimeout(1); return page.click("#none").catch((error) => error.message.split("\n")[0]); },
  setExtraHTTPHeaders: async ({ page }) => { await page.setExtraHTTPHeaders({ "x-walk": "yes" }); const [request] = await Promise.all([page.waitForRequest(other), page.goto(other)]); return (await request.allHeaders())["x-walk"]; },
  setViewportSize: async ({ page }) => [await page.setViewportSize({ width: 640, height: 480 }), await page.evaluate("[innerWidth, innerHeight]")],
  touchscreen: ({ page }) => page.touchscreen.tap(5, 5),
  unroute: async ({ page }) => { const answer = (route) => route.abort(); await page.route("**/other", answer); await page.unroute("**/other", answer); return (await page.goto(other)).status(); },
  unrouteAll: async ({ page }) => { await page.route("**/other", (route) => route.abort()); await page.unrouteAll(); return (await page.goto(other)).status(); },
  video: async ({ page }) => page.video(),
  viewportSize: async ({ page }) => page.viewportSize(),
  waitForEvent: async ({ page }) => { const [download] = await Promise.all([page.waitForEvent("download"), page.click("#get")]); return [download.suggestedFilename(), (await download.path()) !== null, await download.failure()]; },
  waitForRequest: async ({ page }) => { const [request] = await Promise.all([page.waitForRequest(other), page.click("#link")]); return [request.url(), request.isNavigationRequest()]; },
  waitForResponse: async ({ page }) => { const [answer] = await Promise.all([page.waitForResponse(other), page.click("#link")]); return [answer.status(), (await answer.text()).includes("Other")]; },
  workers: async ({ page }) => { const [worker] = await Promise.all([page.waitForEvent("worker"), page.evaluate("void new Worker(URL.createObjectURL(new Blob(['self.known = 5'])))")]); return [page.workers().length, await worker.evaluate("typeof postMessage")]; },
};
