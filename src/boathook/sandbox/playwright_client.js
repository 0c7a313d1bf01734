// Playwright in a script: loaded from its package and connected to the CDP endpoint of the run. In a jail the connection is a
// descriptor that the process was given, since it cannot open any.
'use strict';
const fs = require('fs');
const net = require('net');

const LINE = 4;
const UNSAFE_PACKAGES = ['playwright-core', 'playwright', 'puppeteer-core', 'puppeteer'];

// What a script may not see does not exist for its libraries: they look at files of the system and do without them.
const hideFiles = () => {
  const hidden = (error) => error.code === 'ERR_ACCESS_DENIED' || error.code === 'EACCES';
  for (const name of ['readFileSync', 'statSync', 'lstatSync', 'readdirSync', 'accessSync']) {
    const real = fs[name];
    fs[name] = (...given) => {
      try { return real(...given); } catch (error) {
        if (!hidden(error)) throw error;
        throw Object.assign(new Error(`ENOENT: no such file or directory, ${name} '${given[0]}'`), { code: 'ENOENT' });
      }
    };
  }
  Object.assign(process.env, { HOME: process.cwd(), TMPDIR: process.cwd() });
  const exists = fs.existsSync;
  fs.existsSync = (path) => { try { return exists(path); } catch { return false; } };
};

// The one connection there is.
const giveLine = (url) => {
  const port = Number(new URL(url).port);
  const connect = net.connect;
  let used = false;
  /** @param {[any, ...any]} words */
  const given = (...words) => {
    if (used || Number(words[0]?.port) !== port) return connect(...words);
    used = true;
    return new net.Socket({ fd: LINE, readable: true, writable: true });
  };
  Object.assign(net, { connect: given, createConnection: given });
};

const installed = (folder) => {
  const find = require('module').createRequire(`${folder}/`);
  for (const name of UNSAFE_PACKAGES) {
    try { return [name, find(name)]; } catch (error) { if (error.code !== 'MODULE_NOT_FOUND') throw error; }
  }
  throw new Error(`page, context and browser require Playwright or Puppeteer in the engine unsafe, and none of ${UNSAFE_PACKAGES.join(', ')} is installed in ${folder}; npm install playwright-core`);
};

const targetOf = async (page) => {
  const session = page.createCDPSession ? await page.createCDPSession() : await page.context().newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await session.detach();
  return targetInfo.targetId;
};

// The objects for the tab of the script: `page`, its `context` and its `browser`.
const connect = async (order, ask) => {
  const jailed = order.jail !== false;
  if (jailed) hideFiles();
  const [name, library] = jailed ? ['playwright-core', require(order.package)] : installed(order.folder);
  const where = await ask('cdp_endpoint', []);
  if (jailed) giveLine(where.url);
  const ofPlaywright = name.startsWith('playwright');
  const browser = ofPlaywright
    ? await library.chromium.connectOverCDP(where.url)
    : await library.connect({ browserWSEndpoint: where.url, defaultViewport: null });
  const pages = ofPlaywright ? browser.contexts()[0].pages() : await browser.pages();
  for (const page of pages) {
    if (await targetOf(page) === where.target) {
      return { page, browser, context: ofPlaywright ? page.context() : page.browserContext() };
    }
  }
  throw new Error('cannot find the tab of the script');
};

module.exports = { connect, targetOf };
