// Prints the names of all cases.
import { context } from "./playwright_context.mjs";
import { frame, locator } from "./playwright_elements.mjs";
import { page } from "./playwright_page.mjs";
import * as puppeteer from "./puppeteer_cases.mjs";

const names = (kinds) => Object.entries(kinds).flatMap(([kind, methods]) => Object.keys(methods).map((method) => `${kind}.${method}`));
const playwright = names({ Page: page, Frame: frame, Locator: locator, BrowserContext: context });
console.log(JSON.stringify({ playwright, puppeteer: names({ Page: puppeteer.page, Browser: puppeteer.browser }) }));
