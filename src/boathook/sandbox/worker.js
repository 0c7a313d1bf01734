// One script in JavaScript: read the request, run it, send the result. The channel is descriptor 3.
'use strict';
const fs = require('fs');
const net = require('net');
const vm = require('vm');

const agentHelpers = require('./agent_helpers.js');
const client = require('./playwright_client.js');

const MOST_CHARACTERS = 1000000;
const MOST_ITEMS = 10000;
const DEEPEST = 20;
const POLL_MILLISECONDS = 100;
const SHORTEST_POLL_MILLISECONDS = 10;
const RESPONSE_MILLISECONDS = 30000;
const STOPPING_MILLISECONDS = 250;
const FILE = 'script';

const order = JSON.parse(fs.readFileSync('order.json', 'utf8'));
fs.unlinkSync('order.json');
// A report lists the environment, the command line and every library of this process.
if (order.jail) Object.defineProperty(process, 'report', { value: undefined });
const channel = new net.Socket({ fd: 3, readable: true, writable: true });
const waiting = new Map();
const stopping = new AbortController();
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
    if (refs.has(value)) return refs.get(value);
    if (tabFacts.has(value)) return of(tabFacts.get(value));
    if (typeof value === 'function' && typeof value.toJSON === 'function') return of(value.toJSON());
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
  // The stack is that of the call: the answer arrives when none of the script's lines is running.
  constructor(told, stack) {
    super(told.hint ? `${told.message} (${told.hint})` : told.message);
    this.name = 'HelperFailed';
    this.code = told.code;
    this.stack = `${this.name}: ${this.message}\n${stack.split('\n').slice(1).join('\n')}`;
  }
}

// Elements that scripts hold, with their refs.
const refs = new WeakMap();

const ask = (method, given, bound, inTab) => {
  const { stack } = new Error('called');
  const [args, options, element] = sorted(method, given, bound);
  last += 1;
  const number = last;
  const answer = new Promise((resolve, reject) => { waiting.set(number, { resolve, reject, stack }); });
  answer.catch(() => {}); // a call that is not awaited must not raise
  const plain = plainer();
  send({ type: 'call', id: number, method, args: plain.of(args), named: plain.of({ ...options, ...(element && { element }), ...(inTab && { in_tab: inTab }) }) });
  return answer;
};

// What was given without names, and what by name: an object at the end, unless it is a point or meant for the page.
const sorted = (method, given, bound) => {
  if (method === 'evaluate') {
    const held = bound ? undefined : refs.get(given[1]);
    return held ? [[given[0], ...given.slice(2)], {}, held] : [given, {}, bound];
  }
  const at = given.length - 1;
  const options = at >= 0 && isOptions(given[at]) ? given[at] : {};
  const args = options === given[at] ? given.slice(0, -1) : given;
  const named = Object.entries(options).map(([name, value]) => [name, sendable(method, value)]);
  // Times are in milliseconds here, as in every JavaScript.
  const timed = named.map(([name, value]) => [name, name === 'timeout' && typeof value === 'number' ? value / 1000 : value]);
  return [args.map((value) => sendable(method, value)), Object.fromEntries(timed), bound];
};
const isOptions = (value) => value !== null && typeof value === 'object' && !refs.has(value)
  && Object.getPrototypeOf(value) === Object.prototype
  && Object.keys(value).sort().join() !== 'x,y';

// What stands for a value on the way to the daemon, which can call nothing of a script's. Names of groups are spelt as it spells them.
const sendable = (method, value) => {
  if (refs.has(value)) return refs.get(value);
  if (value instanceof RegExp) return { regexp: value.source.replace(/\(\?<(?![=!])/g, '(?P<'), flags: value.flags };
  if (typeof value === 'function') throw new TypeError(`${method} does not accept a function; use wait(…) to call one until it returns a truthy value`);
  return value;
};

const missing = (names, what, name) => {
  const listed = `${what} has no ${name}; use ${names.slice(0, 60).join(', ')}`;
  return order.no_package && what === 'tab' ? `${listed}; other methods of page require Playwright: ${order.no_package}` : listed;
};

// An object whose methods are helpers of the daemon's.
const helpers = (names, what, bound = '', own = {}, inTab = '') => new Proxy(own, {
  get(target, name) {
    if (typeof name === 'symbol' || name in target) return target[name];
    if (name === 'then') return undefined; // it is not a promise
    if (!names.includes(name)) throw new TypeError(missing(names, what, name));
    const begin = (...given) => ask(name, given, bound, inTab);
    if (order.element_helpers.includes(name)) return (...given) => held(begin(...given), inTab);
    if (order.helpers_giving_tabs.includes(name)) return (...given) => quiet(begin(...given).then(tabOf));
    return order.response_helpers.includes(name) ? (...given) => responded(name, given, inTab) : begin;
  },
});

// A promise that may be left alone: one that is not awaited must not raise.
const quiet = (promise) => { promise.catch(() => {}); return promise; };

const held = (waited, inTab) => quiet(waited.then((ref) => (ref ? element(ref, inTab) : null)));

// A value that is called in some programs, and read in others: `status()` and `status`.
const callable = (value) => {
  const call = () => value;
  Object.setPrototypeOf(call, Object.getPrototypeOf(Object(value)));
  for (const name of ['name', 'length']) Reflect.deleteProperty(call, name);
  const as = { toJSON: call, valueOf: call, toString: () => String(value), [Symbol.toPrimitive]: call };
  for (const name of Reflect.ownKeys(as)) Object.defineProperty(call, name, { value: as[name] });
  const parts = typeof value === 'string' ? { length: value.length } : value;
  for (const name of Object.keys(Object(parts))) Object.defineProperty(call, name, { value: parts[name], enumerable: true });
  return call;
};

// A response whose body can be asked for, as elsewhere.
const responseOf = ({ mark: _mark, ...found }) => {
  const text = async () => (await ask('response_body', [found.number])).text;
  const json = async () => JSON.parse(await text());
  const called = { status: found.status, url: found.url, headers: found.headers };
  for (const [name, value] of Object.entries(called)) found[name] = callable(value);
  const request = () => Object.fromEntries(['method', 'url'].map((name) => [name, () => String(found[name])]));
  const { status } = called;
  const methods = { text, json, request, ok: () => status >= 200 && status < 300 };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(found, name, { value });
  return found;
};

const responded = (method, given, inTab) => {
  const [pattern, options = {}] = given;
  if (typeof pattern !== 'function') return quiet(ask(method, given, '', inTab).then(responseOf));
  return quiet(matching(method, pattern, options, inTab));
};

// The first response for which a function of the script returns a truthy value.
const matching = async (method, fits, { timeout = RESPONSE_MILLISECONDS, ...options }, inTab) => {
  const until = Date.now() + timeout;
  const skip = [];
  for (let since; ;) {
    const left = Math.max(1, until - Date.now());
    const found = await ask(method, ['re:', { ...options, timeout: left, skip, since: since ?? options.since }], '', inTab);
    const response = responseOf(found);
    if (await fits(response)) return response;
    skip.push(String(found.number));
    since = found.mark;
  }
};

const element = (given, inTab = '') => {
  const ref = String(given).startsWith('@') ? String(given) : `@${given}`;
  const bound = helpers(order.tab_helpers, `element ${ref}`, ref, { ref }, inTab);
  refs.set(bound, ref);
  return bound;
};
const tab = helpers(order.tab_helpers, 'tab', '', {
  name: order.tab,
  signal: stopping.signal,
  id: (number) => element(/^\d+$/.test(String(number)) ? `e${number}` : number),
  ref: (given) => element(given),
});

// Another tab of the session: the tab's helpers, and what was known about it when it was opened or found.
const tabFacts = new WeakMap();
const tabOf = (facts) => {
  const both = (name) => new Proxy(callable(facts[name] ?? ''), { apply: () => ask(name, [], '', facts.id) });
  const ref = (given) => element(given, facts.id);
  const own = { name: facts.label || facts.id, signal: stopping.signal, ref, id: facts.id, url: both('url'), title: both('title') };
  const opened = helpers(order.tab_helpers, 'tab', '', own, facts.id);
  tabFacts.set(opened, facts);
  return opened;
};
const on = async (page) => {
  if (page === undefined || page === tab) return tab;
  if (tabFacts.has(page)) return page;
  return tabOf({ id: await client.targetOf(page) });
};
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
const wait = async (what, { timeout = Infinity, interval = POLL_MILLISECONDS } = {}) => {
  if (typeof what === 'number') return pause(what);
  const until = Date.now() + (timeout || Infinity);
  for (;;) {
    const found = await what();
    if (found) return found;
    if (Date.now() >= until) throw new Error(`wait: the function returned nothing truthy within ${timeout} ms`);
    await pause(Math.min(Math.max(interval, SHORTEST_POLL_MILLISECONDS), Math.max(0, until - Date.now())));
  }
};

// Playwright's or Puppeteer's own objects, if the code uses what only they have; without a jail also instead of the helpers.
const owns = (name) => new RegExp(`(?<![.\\w$])${name}\\s*\\.\\s*(\\w+)`, 'g');
const isOther = (name, known) => [...order.code.matchAll(owns(name))].some(([, method]) => !known.includes(method));
const isUsed = () => (order.jail === false
  ? /(?<![.\w$])(page|context|browser|tab\s*\.\s*page)(?=\s*\.)/.test(order.code)
  : /(?<![.\w$])(context|refToLocator|locatorForRef|getCDPSession)\b/.test(order.code)
    || isOther('page', order.tab_helpers.concat(OWN)) || isOther('tab\\s*\\.\\s*page', order.tab_helpers.concat(OWN))
    || isOther('browser', order.browser_helpers));
const OWN = ['name', 'signal', 'id', 'ref', 'page', 'then'];
const without = (reason) => new Proxy({}, {
  get(_target, name) {
    if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
    throw new Error(`context.${name} requires Playwright: ${reason}`);
  },
});
let connecting;
const playwright = () => {
  if (order.jail !== false && !order.package) return Promise.reject(new Error(`this requires Playwright: ${order.no_package}`));
  connecting ??= client.connect(order, ask);
  return connecting;
};
// Our helpers, and the methods of Playwright's browser: none of its names is one of ours.
const bothBrowsers = (other) => new Proxy(other, {
  get(target, name) {
    if (order.browser_helpers.includes(name)) return browser[name];
    const found = Reflect.get(target, name, target);
    return typeof found === 'function' ? found.bind(target) : found;
  },
});
const objects = async () => {
  const has = isUsed() && (order.jail === false || order.package);
  if (!has) return { page: tab, browser, context: without(order.no_package) };
  const own = await playwright();
  return order.jail === false ? own : { ...own, browser: bothBrowsers(own.browser) };
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

const functions = agentHelpers({ tab, on, display, playwright });

const run = async () => {
  let main;
  try {
    const names = ['tab', 'page', 'browser', 'context', 'display', 'assert', 'wait', 'log', 'console', 'state', ...Object.keys(functions)].join(', ');
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
    const value = await main(tab, own.page, own.browser, own.context, display, assert, wait, log, spoken, state, ...Object.values(functions));
    const plain = plainer();
    end({
      type: 'done', value: plain.of(value), gives: value !== undefined, cut: plain.cut, state: plainer().of(state),
    });
  } catch (error) {
    failed(error);
  }
};

// The time is up: what the script awaits fails, so that it can clean up for a moment.
const stop = () => {
  const error = new Error('the run was stopped');
  stopping.abort(error);
  for (const { reject } of waiting.values()) reject(error);
  setTimeout(() => process.exit(1), STOPPING_MILLISECONDS);
};

let pending = Buffer.alloc(0);
channel.on('data', (data) => {
  pending = Buffer.concat([pending, data]);
  while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE(0)) {
    const size = pending.readUInt32BE(0);
    const message = JSON.parse(pending.subarray(4, 4 + size).toString());
    pending = pending.subarray(4 + size);
    const asked = waiting.get(message.id);
    if (message.type === 'stop') stop();
    if (message.type === 'answer' && asked) {
      waiting.delete(message.id);
      if (message.error) asked.reject(new HelperFailed(message.error, asked.stack)); else asked.resolve(message.value);
    }
  }
});
channel.on('close', () => process.exit(0));
process.on('unhandledRejection', (error) => failed(error));
process.on('uncaughtException', (error) => failed(error));
run();
