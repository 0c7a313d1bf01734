// Methods of Playwright's BrowserContext: the default one of the browser, with its other pages.
import { given, other } from "./common.mjs";
import { har, heard, socketReply } from "./playwright_page.mjs";

const site = given.site;
const cookie = { name: "walk", value: "1", url: site };
const names = (cookies) => cookies.map((one) => one.name).sort();
const without = (t, work) => t.close.push(work);

export const context = {
  addCookies: async (t) => { without(t, () => t.context.clearCookies()); await t.context.addCookies([{ ...cookie, httpOnly: true, sameSite: "Strict" }]); return t.context.cookies(site); },
  addInitScript: async (t) => { await t.context.addInitScript(() => { window.early = 8; }); const page = await t.context.newPage(); await page.goto(other); return page.evaluate("early"); },
  addListener: ({ context, page }) => heard(context, page, "addListener", "removeListener"),
  backgroundPages: async ({ context }) => context.backgroundPages().length,
  browser: async ({ context, browser }) => context.browser() === browser,
  clearCookies: async (t) => { await t.context.addCookies([cookie, { ...cookie, name: "other" }]); await t.context.clearCookies({ name: "other" }); const seen = names(await t.context.cookies(site)); await t.context.clearCookies(); return [seen, names(await t.context.cookies(site))]; },
  clearPermissions: async (t) => { await t.context.grantPermissions(["geolocation"]); await t.context.clearPermissions(); return t.page.evaluate("navigator.permissions.query({name: 'geolocation'}).then((found) => found.state)"); },
  clock: async ({ context, page }) => { await context.clock.setFixedTime(1000); return page.evaluate("Date.now()"); },
  cookies: async (t) => { without(t, () => t.context.clearCookies()); await t.page.evaluate("document.cookie = 'made=here; path=/'"); return t.context.cookies(site); },
  credentials: async ({ context }) => { await context.credentials.install(); return (await context.credentials.get()).length; },
  debugger: async ({ context }) => context.debugger.pausedDetails(),
  exposeBinding: async ({ context, page }) => { await context.exposeBinding("boundAll", ({ page: from }, more) => from.url() + more); return page.evaluate("boundAll('!')"); },
  exposeFunction: async ({ context, page }) => { await context.exposeFunction("twiceAll", (one) => one * 2); return page.evaluate("twiceAll(4)"); },
  grantPermissions: async (t) => { without(t, () => t.context.clearPermissions()); await t.context.grantPermissions(["geolocation", "notifications"], { origin: site }); return t.page.evaluate("Promise.all(['geolocation', 'notifications'].map((name) => navigator.permissions.query({name}))).then((all) => all.map((found) => found.state))"); },
  isClosed: async ({ context }) => context.isClosed(),
  newCDPSession: async ({ context, page }) => { const session = await context.newCDPSession(page); const { result } = await session.send("Runtime.evaluate", { expression: "6 * 7" }); await session.detach(); return result; },
  newPage: async ({ context }) => { const page = await context.newPage(); const url = page.url(); await page.close(); return url; },
  off: ({ context, page }) => heard(context, page, "on", "off"),
  on: ({ context, page }) => heard(context, page, "on", "off"),
  once: ({ context, page }) => heard(context, page, "once", "off"),
  pages: async ({ context }) => context.pages().map((one) => one.url()),
  prependListener: ({ context, page }) => heard(context, page, "prependListener", "off"),
  removeAllListeners: async ({ context, page }) => { const seen = []; context.on("console", () => seen.push(1)); await context.removeAllListeners("console"); await page.evaluate("console.log('unheard')"); return seen; },
  removeListener: ({ context, page }) => heard(context, page, "on", "removeListener"),
  request: async (t) => { without(t, () => t.context.clearCookies()); await t.context.addCookies([cookie]); const answer = await t.context.request.get(other); return [answer.status(), answer.headers()["content-type"]]; },
  route: async (t) => { without(t, () => t.context.unrouteAll()); await t.context.route("**/other", (route) => route.fulfill({ contentType: "text/html", body: "<h1>all</h1>" })); await t.page.goto(other); return t.page.innerText("h1"); },
  routeFromHAR: async (t) => { without(t, () => t.context.unrouteAll()); await t.context.routeFromHAR(har, { notFound: "fallback" }); await t.page.goto(other); return t.page.innerText("h1"); },
  routeWebSocket: async (t) => { await t.context.routeWebSocket(/routed/, (socket) => socket.onMessage((text) => socket.send(`${text} all`))); await t.page.goto(other); return socketReply(t.page); },
  serviceWorkers: async ({ context }) => context.serviceWorkers().length,
  setDefaultNavigationTimeout: async (t) => { without(t, async () => t.context.setDefaultNavigationTimeout(8000)); t.context.setDefaultNavigationTimeout(8000); return (await t.page.goto(other)).status(); },
  setDefaultTimeout: async (t) => { without(t, async () => t.context.setDefaultTimeout(8000)); t.context.setDefaultTimeout(1); const page = await t.context.newPage(); return page.click("#none").catch((error) => error.message.split("\n")[0]); },
  setExtraHTTPHeaders: async (t) => { without(t, () => t.context.setExtraHTTPHeaders({})); await t.context.setExtraHTTPHeaders({ "x-all": "yes" }); const [request] = await Promise.all([t.page.waitForRequest(other), t.page.goto(other)]); return (await request.allHeaders())["x-all"]; },
  setGeolocation: async (t) => { without(t, () => t.context.clearPermissions()); await t.context.grantPermissions(["geolocation"]); await t.context.setGeolocation({ latitude: 1, longitude: 2 }); return t.page.evaluate("new Promise((done) => navigator.geolocation.getCurrentPosition(({coords}) => done([coords.latitude, coords.longitude]), (error) => done(error.message)))"); },
  setHTTPCredentials: async (t) => { without(t, () => t.context.setHTTPCredentials(null)); await t.context.setHTTPCredentials({ username: "u", password: "p" }); return (await t.page.goto(other)).status(); },
  setOffline: async (t) => { without(t, () => t.context.setOffline(false)); await t.context.setOffline(true); const seen = await t.page.evaluate("[navigator.onLine]"); const failed = await t.page.goto(other).catch((error) => error.message.split("\n")[0]); await t.context.setOffline(false); return [seen, failed, (await t.page.goto(other)).status()]; },
  setStorageState: async (t) => { without(t, () => t.context.clearCookies()); await t.context.setStorageState({ cookies: [], origins: [{ origin: site, localStorage: [{ name: "a", value: "1" }] }] }); await t.page.goto(other); const seen = await t.page.evaluate("localStorage.a"); await t.page.evaluate("localStorage.clear()"); return seen; },
  storageState: async (t) => { without(t, () => t.context.clearCookies()); await t.context.addCookies([cookie]); await t.page.evaluate("localStorage.b = 2"); const state = await t.context.storageState(); await t.page.evaluate("localStorage.clear()"); return { cookies: names(state.cookies), origins: state.origins.filter(({ origin }) => origin === site) }; },
  tracing: async ({ context, page }) => { await context.tracing.start({ screenshots: false }); await page.click("#b"); await context.tracing.stop(); },
  unroute: async (t) => { const answer = (route) => route.abort(); await t.context.route("**/other", answer); await t.context.unroute("**/other", answer); return (await t.page.goto(other)).status(); },
  unrouteAll: async (t) => { await t.context.route("**/other", (route) => route.abort()); await t.context.unrouteAll(); return (await t.page.goto(other)).status(); },
  waitForEvent: async (t) => { const [popup] = await Promise.all([t.context.waitForEvent("page"), t.page.click("#pop")]); await popup.waitForLoadState(); return popup.url(); },
  // The last one: it ends the default context, and on a bare Chromium the browser.
  close: async ({ context, browser }) => [await context.close(), context.isClosed(), browser.isConnected()],
};
