// What the tests have Puppeteer do: reads {url, page, inner} from the command line, prints what it saw as JSON.
import puppeteer from "puppeteer-core";

const { relay, page: wanted, inner, count } = JSON.parse(process.argv[2]);
const browser = await puppeteer.connect({ browserWSEndpoint: relay, defaultViewport: null });
const seen = {};
const began = performance.now();
const pages = await browser.pages();
seen.pages = pages.map((page) => page.url());
if (count) seen.milliseconds = performance.now() - began;
const page = pages.find((one) => one.url() === wanted);
if (page) {
  page.setDefaultTimeout(20_000);
  seen.title = await page.title();
  seen.sum = await page.evaluate(() => 6 * 7);
  await page.click("button");
  seen.clicked = await page.title();
  await page.type("input", "Ada");
  seen.typed = await page.$eval("input", (input) => input.value);
  const frame = await page.waitForFrame((one) => one.url() === inner);
  seen.inner = await frame.$eval("p", (p) => p.innerText);
  await (await frame.$("button")).click();
  seen.innerClicked = await frame.evaluate(() => document.title);
  const session = await page.createCDPSession();
  seen.session = (await session.send("Target.getTargetInfo")).targetInfo.url === page.url();
  seen.sessionSum = (await session.send("Runtime.evaluate", { expression: "6 * 9" })).result.value;
  await session.detach();
  await page.reload();
  seen.reloaded = await page.title();
  const made = await browser.newPage();
  await made.goto(inner);
  seen.made = await made.$eval("p", (p) => p.innerText);
  await made.click("button");
  seen.madeClicked = await made.title();
  await made.close();
}
await browser.disconnect();
console.log(JSON.stringify(seen));
