// Functions in the scope of scripts besides `tab`, named as agents know them from other programs that run code in a browser.
'use strict';
/* global document, window, Node, NodeFilter, CSS */

const LOAD_MILLISECONDS = 30000;
const MOST_LINES = 10;
const AROUND = 5;
const LINE = /^\s*(?<role>[a-z]+)(?: (?<name>"(?:[^"\\]|\\.)*"))?.*? @(?<ref>e\d+)\b/;

// Lines that match, with some around them.
const found = (text, search) => {
  if (!search) return text;
  const lines = text.split('\n');
  const fits = search instanceof RegExp ? (line) => new RegExp(search).test(line) : (line) => line.toLowerCase().includes(String(search).toLowerCase());
  const hits = lines.flatMap((line, number) => (fits(line) ? [number] : [])).slice(0, MOST_LINES);
  const near = lines.filter((_line, number) => hits.some((hit) => Math.abs(hit - number) <= AROUND));
  return near.length ? near.join('\n') : 'nothing matches';
};

// The functions below run in the page: they use nothing of this file.
const cleaned = (root, selector) => {
  const start = selector ? document.querySelector(selector) : root || document.body;
  if (!start) return null;
  const copy = start.cloneNode(true);
  for (const gone of copy.querySelectorAll('script, style, noscript, template, link, meta, svg > *')) gone.remove();
  const kept = /^(id|name|role|type|href|src|alt|title|value|placeholder|for|checked|disabled|selected|action|method|aria-.*|data-test.*|data-cy|data-qa)$/;
  for (const element of [copy, ...copy.querySelectorAll('*')]) {
    for (const { name, value } of [...element.attributes]) {
      if (!kept.test(name) || (name === 'value' && element.type === 'password')) element.removeAttribute(name);
      else if (value.length > 200) element.setAttribute(name, `${value.slice(0, 200)}…`);
    }
  }
  const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT);
  const all = [];
  while (texts.nextNode()) all.push(texts.currentNode);
  for (const node of all) {
    const text = node.nodeValue.replace(/\s+/g, ' ');
    if (node.nodeType === Node.COMMENT_NODE || !text.trim()) node.remove();
    else node.nodeValue = text.length > 500 ? `${text.slice(0, 500)}…` : text;
  }
  return copy.outerHTML;
};
const pathOf = (element) => {
  const steps = [];
  for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
    const same = at.parentNode ? [...at.parentNode.children].filter((one) => one.localName === at.localName) : [];
    const place = same.length > 1 ? `:nth-of-type(${same.indexOf(at) + 1})` : '';
    // A space enters a shadow root, as Playwright reads it.
    steps.unshift(`${at.parentElement ? '> ' : ''}${CSS.escape(at.localName)}${place}`);
  }
  return { path: steps.join(' ').replace(/^> /, ''), framed: window !== window.top };
};

const unavailable = (what) => () => { throw new Error(`${what} are not available yet`); };

// `on` gives the helpers of the tab that a page is; `playwright` its objects, or an error that says why there are none.
module.exports = ({ tab, on, display, playwright }) => {
  let seen = '';

  /** @param {any} [given] */
  const snapshot = async ({ page, search, selector, interactive, ...options } = {}) => {
    const root = selector ?? options.root;
    const asked = { ...options, mode: options.mode ?? (interactive === false ? 'full' : 'interactive') };
    seen = await (await on(page)).snapshot(root === undefined ? asked : { ...asked, root });
    return found(seen, search);
  };

  // A selector for a ref of the last snapshot: at once, so only if its role and name say which element it is.
  const refToLocator = (given) => {
    const ref = String(given?.ref ?? given).replace(/^@/, '');
    const lines = seen.split('\n').map((line) => LINE.exec(line)?.groups).filter(Boolean);
    const line = lines.find((one) => one.ref === ref);
    if (!line) throw new Error(`${ref} is not in the last snapshot of this script; call snapshot() first, or use await locatorForRef('${ref}')`);
    const same = lines.filter((one) => one.role === line.role && one.name === line.name);
    if (!line.name || same.length > 1) throw new Error(`${ref} has no unique name; use await locatorForRef('${ref}')`);
    return `role=${line.role}[name=${line.name}s]`;
  };

  const locatorForRef = async (given) => {
    const { page } = await playwright();
    const { path, framed } = await tab.ref(String(given?.ref ?? given)).evaluate(pathOf);
    if (framed) throw new Error('the element is in a frame; use page.frameLocator(…), or tab.ref(…)');
    return page.locator(`css=${path}`);
  };

  /** @param {any} [given] */
  const waitForPageLoad = async ({ page, timeout = LOAD_MILLISECONDS, waitUntil = 'networkidle2' } = {}) => {
    const helpers = await on(page);
    const began = Date.now();
    let timedOut = false;
    try {
      await helpers.waitForNavigation(waitUntil, { timeout });
    } catch (error) {
      if (error.code !== 'timed_out') throw error;
      timedOut = true;
    }
    const pending = (await helpers.requests({ current_page: true })).filter((request) => !request.finished);
    const pendingRequests = pending.map((request) => request.url);
    return { success: !timedOut, timedOut, pendingRequests, waitTimeMs: Date.now() - began };
  };

  /** @param {any} [given] */
  const getLogs = async ({ page, count, search } = {}) => {
    const lines = (await (await on(page)).console()).map(({ level, text }) => `[${level}] ${text}`);
    const matching = search ? lines.filter((line) => (search instanceof RegExp ? new RegExp(search).test(line) : line.includes(search))) : lines;
    return count ? matching.slice(-count) : matching;
  };
  /** @param {any} [given] */
  const clearLogs = async ({ page } = {}) => { await (await on(page)).console({ clear: true }); };

  /** @param {any} [given] */
  const getCleanHTML = async (given = {}) => {
    const { page, selector, search } = typeof given === 'string' ? { selector: given } : given;
    const html = await (await on(page)).evaluate(cleaned, null, selector ?? null);
    if (html === null) throw new Error(`nothing matches ${selector}`);
    return found(html.replace(/></g, '>\n<'), search);
  };
  /** @param {any} [given] */
  const pageMarkdown = async ({ page, search } = {}) => found((await (await on(page)).extract('markdown')) ?? '', search);

  /** @param {any} [given] */
  const getCDPSession = async ({ page } = {}) => {
    const own = await playwright();
    return own.context.newCDPSession(page ?? own.page);
  };

  /** @param {any} [given] */
  const screenshotWithAccessibilityLabels = async ({ page } = {}) => {
    const helpers = await on(page);
    const picture = await helpers.screenshot({ annotate: true });
    seen = await helpers.snapshot();
    display(seen);
    return picture;
  };

  return {
    snapshot, refToLocator, locatorForRef, waitForPageLoad, getLogs, getLatestLogs: getLogs, clearLogs, clearAllLogs: clearLogs,
    getCleanHTML, cleanHTML: getCleanHTML, pageMarkdown, getPageMarkdown: pageMarkdown, getCDPSession,
    screenshotWithAccessibilityLabels, pluginCatalog: unavailable('plugins'), pluginHelp: unavailable('plugins'),
  };
};
