// One script in JavaScript: read the request, run it, send the result. The channel is descriptor 3.
'use strict';
const fs = require('fs');
const net = require('net');
const vm = require('vm');

const MOST_CHARACTERS = 1000000;
const MOST_ITEMS = 10000;
const DEEPEST = 20;
const POLL_MILLISECONDS = 100;
const FILE = 'script';

const order = JSON.parse(fs.readFileSync('order.json', 'utf8'));
const channel = new net.Socket({ fd: 3, readable: true, writable: true });
const waiting = new Map();
let last = 0;

const send = (message) => {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  channel.write(Buffer.concat([head, body]));
};

// A value as JSON can hold it: bounded, without cycles.
const plainer = (characters = MOST_CHARACTERS) => {
  const around = [];
  const made = { cut: false };
  let left = characters;
  const text = (value) => {
    if (value.length > left) {
      made.cut = true;
      value = value.slice(0, Math.max(0, left)) + '…';
    }
    left -= value.length;
    return value;
  };
  const first = (parts) => {
    const kept = [];
    for (const part of parts) {
      if (kept.length >= MOST_ITEMS || left <= 0) { made.cut = true; break; }
      left -= 1;
      kept.push(part);
    }
    return kept;
  };
  const inside = (value) => {
    if (Array.isArray(value) || value instanceof Set) return first(value).map(of);
    if (value instanceof Map) return Object.fromEntries(first(value).map(([name, part]) => [text(String(name)), of(part)]));
    if (value instanceof Error) return text(`${value.name}: ${value.message}`);
    if (value instanceof Date || value instanceof RegExp || value instanceof URL) return text(String(value));
    if (Buffer.isBuffer(value) || ArrayBuffer.isView(value)) return text(`<${value.byteLength} bytes>`);
    return Object.fromEntries(first(Object.entries(value)).map(([name, part]) => [text(name), of(part)]));
  };
  const of = (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'function') return text(Function.prototype.toString.call(value));
    if (typeof value !== 'object') return text(String(value));
    if (around.includes(value) || around.length >= DEEPEST) { made.cut = true; return '…'; }
    around.push(value);
    try { return inside(value); } catch { return '…'; } finally { around.pop(); }
  };
  made.of = of;
  return made;
};

class HelperFailed extends Error {
  constructor(told) {
    super(told.hint ? `${told.message} (${told.hint})` : told.message);
    this.name = 'HelperFailed';
    this.code = told.code;
  }
}

const ask = (method, given, element) => {
  const [args, options] = sorted(method, given);
  last += 1;
  const number = last;
  const answer = new Promise((resolve, reject) => { waiting.set(number, { resolve, reject }); });
  answer.catch(() => {}); // a call that is not awaited must not raise
  const plain = plainer();
  send({ type: 'call', id: number, method, args: plain.of(args), named: plain.of(element ? { ...options, element } : options) });
  return answer;
};

// What was given without names, and what by name: an object at the end, unless it is a point or meant for the page.
const sorted = (method, given) => {
  if (method === 'evaluate') return [given, {}];
  const at = given.length - 1;
  const options = at >= 0 && isOptions(given[at]) ? given[at] : {};
  const args = options === given[at] ? given.slice(0, -1) : given;
  const named = Object.entries(options).map(([name, value]) => [name, sendable(method, value)]);
  // Times are in milliseconds here, as in every JavaScript.
  const timed = named.map(([name, value]) => [name, name === 'timeout' && typeof value === 'number' ? value / 1000 : value]);
  return [args.map((value) => sendable(method, value)), Object.fromEntries(timed)];
};
const isOptions = (value) => value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
  && Object.keys(value).sort().join() !== 'x,y';

// What stands for a value on the way to the daemon, which can call nothing of a script's. Names of groups are spelt as it spells them.
const sendable = (method, value) => {
  if (value instanceof RegExp) return { regexp: value.source.replace(/\(\?<(?![=!])/g, '(?P<'), flags: value.flags };
  if (typeof value === 'function') throw new TypeError(`${method} does not accept a function; use wait(…) to call one until it returns a truthy value`);
  return value;
};

// An object whose methods are helpers of the daemon's.
const helpers = (names, what, bound = '', own = {}) => new Proxy(own, {
  get(target, name) {
    if (typeof name === 'symbol' || name in target) return target[name];
    if (name === 'then') return undefined; // it is not a promise
    if (!names.includes(name)) throw new TypeError(`${what} has no ${name}; use ${names.slice(0, 60).join(', ')}`);
    const begin = (...given) => ask(name, given, bound);
    return name === 'waitForResponse' || name === 'wait_for_response' ? (...given) => readable(begin(...given)) : begin;
  },
});

// A response whose body can be asked for, as elsewhere.
const readable = (waited) => {
  const answer = waited.then((found) => {
    const text = async () => (await ask('response_body', [found.number])).text;
    const json = async () => JSON.parse(await text());
    return Object.defineProperties(found, { text: { value: text }, json: { value: json } });
  });
  answer.catch(() => {}); // as above
  return answer;
};

const element = (ref) => helpers(order.tab_helpers, `element ${ref}`, String(ref).startsWith('@') ? ref : `@${ref}`);
const tab = helpers(order.tab_helpers, 'tab', '', {
  name: order.tab,
  id: (number) => element(/^\d+$/.test(String(number)) ? `e${number}` : number),
  ref: element,
});
const browser = helpers(order.browser_helpers, 'browser');
const state = order.state || {};

const display = (value) => {
  const plain = plainer();
  send({ type: 'display', value: plain.of(value), cut: plain.cut });
};
const log = (...values) => {
  const text = values.map((one) => (typeof one === 'string' ? one : JSON.stringify(plainer(10000).of(one)))).join(' ');
  send({ type: 'log', text: text.slice(0, 10000) });
};
const assert = (condition, message) => { if (!condition) throw new Error(message || 'assert failed'); };
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
const wait = async (what) => {
  if (typeof what === 'number') return pause(what);
  for (;;) {
    const found = await what();
    if (found) return found;
    await pause(POLL_MILLISECONDS);
  }
};

// Playwright's or Puppeteer's own objects, from the user's project; only where there is no jail.
const PACKAGES = ['playwright-core', 'playwright', 'puppeteer-core', 'puppeteer'];
const installed = () => {
  const find = require('module').createRequire(`${order.folder}/`);
  for (const name of PACKAGES) {
    try { return [name, find(name)]; } catch (error) { if (error.code !== 'MODULE_NOT_FOUND') throw error; }
  }
  throw new Error(`page, context and browser require Playwright or Puppeteer in the engine unsafe, and none of ${PACKAGES.join(', ')} is installed in ${order.folder}; npm install playwright-core`);
};
const targetOf = async (session) => (await session.send('Target.getTargetInfo')).targetInfo.targetId;
const connected = async () => {
  const [name, found] = installed();
  const where = await ask('cdp_endpoint', []);
  const ofPlaywright = name.startsWith('playwright');
  const other = ofPlaywright
    ? await found.chromium.connectOverCDP(where.url)
    : await found.connect({ browserWSEndpoint: where.url, defaultViewport: null });
  const pages = ofPlaywright ? other.contexts()[0].pages() : await other.pages();
  for (const page of pages) {
    const session = ofPlaywright ? await page.context().newCDPSession(page) : await page.createCDPSession();
    if (await targetOf(session) === where.target) {
      return { page, browser: other, context: ofPlaywright ? page.context() : page.browserContext() };
    }
  }
  throw new Error('cannot find the tab of the script');
};
const objects = async () => {
  const wanted = order.jail === false && /(?<![.\w$])(page|context|browser|tab\s*\.\s*page)(?=\s*\.)/.test(order.code);
  return wanted ? connected() : { page: tab, browser, context: undefined };
};

const end = (message) => {
  send(message);
  channel.end(() => process.exit(0));
};

const where = (error) => String(error.stack || '').split('\n')
  .map((line) => /script:(\d+)(?::(\d+))?/.exec(line)).filter(Boolean).slice(0, 5)
  .map((found) => `line ${found[1]}: ${(order.code.split('\n')[Number(found[1]) - 1] || '').trim()}`).join('\n');

const failed = (error) => {
  const known = error instanceof Error || (error && typeof error.message === 'string');
  const said = known ? `${error.name}: ${error.message}` : String(plainer(4000).of(error));
  end({
    type: 'failed', kind: 'error', message: said.slice(0, 4000),
    where: known ? where(error).slice(0, 4000) : '', code: (error && typeof error.code === 'string' && error.code) || '',
  });
};

const run = async () => {
  let main;
  try {
    const names = 'tab, page, browser, context, display, assert, wait, log, console, state';
    const script = new vm.Script(`(async (${names}) => {\n${order.code}\n})`, { filename: FILE, lineOffset: -1 });
    main = script.runInThisContext();
  } catch (error) {
    const place = /script:(\d+)\n([^\n]*)\n( *\^*)/.exec(String(error.stack));
    end({
      type: 'failed', kind: 'syntax', message: `line ${place ? place[1] : '?'}: ${error.message}`,
      where: place ? `${place[2]}\n${place[3]}` : '',
    });
    return;
  }
  const spoken = { log, info: log, warn: log, error: log, debug: log, dir: log };
  try {
    const own = await objects();
    tab.page = own.page;
    const value = await main(tab, own.page, own.browser, own.context, display, assert, wait, log, spoken, state);
    const plain = plainer();
    end({
      type: 'done', value: plain.of(value), gives: value !== undefined, cut: plain.cut, state: plainer().of(state),
    });
  } catch (error) {
    failed(error);
  }
};

let pending = Buffer.alloc(0);
channel.on('data', (data) => {
  pending = Buffer.concat([pending, data]);
  while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE(0)) {
    const size = pending.readUInt32BE(0);
    const message = JSON.parse(pending.subarray(4, 4 + size).toString());
    pending = pending.subarray(4 + size);
    const asked = waiting.get(message.id);
    if (message.type === 'stop') process.exit(1);
    if (message.type === 'answer' && asked) {
      waiting.delete(message.id);
      if (message.error) asked.reject(new HelperFailed(message.error)); else asked.resolve(message.value);
    }
  }
});
channel.on('close', () => process.exit(0));
process.on('unhandledRejection', (error) => failed(error));
process.on('uncaughtException', (error) => failed(error));
run();
