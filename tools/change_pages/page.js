// Runs in the pages of the stress test. `__mutate(kind, seed, when)` arms one mutation for the next click on #go;
// `__truth()` reads what a person or a screen reader finds on the page, without any code of Boathook.

const chance = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
};

const WORDS = 'amber birch cedar delta ember fjord grove haven inlet jetty karst lagoon mesa north oasis pine'.split(' ');
const isShown = (el) => el.checkVisibility({ visibilityProperty: true });

const roots = (shownOnly) => {
  const found = [];
  const enter = (root) => {
    found.push(root);
    for (const el of root.querySelectorAll('*')) {
      if (el.shadowRoot && (!shownOnly || isShown(el))) enter(el.shadowRoot);
      if (el.tagName === 'IFRAME' && el.contentDocument && el.contentDocument.body && (!shownOnly || isShown(el))) enter(el.contentDocument);
    }
  };
  enter(document);
  return found;
};

const lines = (text) => text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim()).filter(Boolean);

const textOf = (root) => {
  if (root.body) return lines(root.body.innerText);
  return [...root.children].filter((el) => !/^(STYLE|SCRIPT)$/.test(el.tagName) && isShown(el)).flatMap((el) => lines(el.innerText));
};

const FIELDS = 'input, textarea, select, button, fieldset, details, dialog, progress, meter, option';
const PROPERTIES = ['type', 'value', 'checked', 'indeterminate', 'disabled', 'readOnly', 'required', 'open', 'placeholder', 'max'];
const PICTURES = 'img, svg, canvas, video, hr';

const fieldOf = (el) => [
  el.tagName, ...PROPERTIES.map((name) => el[name]),
  el.selectedOptions ? [...el.selectedOptions].map((option) => option.label) : null,
];

globalThis.__truth = () => {
  const all = roots(true);
  const shown = (selector) => all.flatMap((root) => [...root.querySelectorAll(selector)].filter(isShown));
  const aria = shown('*').map((el) => [...el.attributes]
    .filter(({ name }) => name === 'role' || name.startsWith('aria-')).map(({ name, value }) => `${name}=${value}`).sort().join(' '));
  return {
    text: all.flatMap(textOf),
    fields: shown(FIELDS).map(fieldOf),
    aria: aria.filter(Boolean),
    pictures: shown(PICTURES).map((el) => `${el.tagName} ${el.getAttribute('alt') || ''}`),
    order: shown('a, button, input, select, textarea, img, svg, hr, [role], [aria-label], [contenteditable]').map((el) => `${el.tagName} ${el.id || el.getAttribute('alt') || lines(el.innerText || '').join(' ')}`),
    title: document.title.trim(), url: location.href,
  };
};

const isFree = (el) => !el.closest('#bar') && !/^(SCRIPT|STYLE|HEAD|HTML|BODY|TITLE|META|LINK|BR)$/.test(el.tagName);
const places = (selector, shown = true) => roots(shown)
  .flatMap((root) => [...(root.body || root).querySelectorAll(selector)]).filter((el) => isFree(el) && (!shown || isShown(el)));
const isLeaf = (el) => el.children.length === 0 && el.textContent.trim() !== '' && !/^(TEXTAREA|OPTION|SCRIPT|STYLE)$/.test(el.tagName);
const leaves = () => places('*').filter(isLeaf);
const hiddenLeaves = () => places('*', false).filter((el) => isLeaf(el) && !isShown(el));
const siblings = () => places('*').filter((el) => el.parentElement && isFree(el.parentElement) && el.textContent.trim() && el.innerText);
const holder = (el) => el.ownerDocument;
const setOrRemove = (el, name, value) => (el.getAttribute(name) === value ? el.removeAttribute(name) : el.setAttribute(name, value));

const ownRules = new CSSStyleSheet();
document.adoptedStyleSheets.push(ownRules);

const ARIA = {
  'aria-expanded': ['true', 'false'], 'aria-pressed': ['true', 'false', 'mixed'], 'aria-checked': ['true', 'false'],
  'aria-selected': ['true', 'false'], 'aria-current': ['page', 'step'], 'aria-sort': ['ascending', 'descending'],
  'aria-busy': ['true', 'false'], 'aria-invalid': ['true', 'false'], 'aria-disabled': ['true', 'false'], 'aria-level': ['2', '4'],
  'aria-valuenow': ['12', '57', '80'], 'aria-valuetext': ['low', 'high'], 'aria-label': ['Amber label', 'Birch label'],
  'aria-description': ['Cedar note'], 'aria-haspopup': ['menu', 'dialog'], 'aria-hidden': ['true'], 'aria-live': ['polite'],
  'aria-required': ['true'], 'aria-readonly': ['true'], 'aria-roledescription': ['slide'],
};

// Each takes `pick` (one of a list, or null) and `word` (a few new words), and says what it did, or null.
const KINDS = {
  text: (pick, word) => { const el = pick(leaves()); if (el) el.textContent = word(); return el; },
  number: (pick, word, random) => { const el = pick(leaves()); if (el) el.textContent = String(Math.floor(random() * 10)); return el; },
  data: (pick, word) => {
    const el = pick(leaves());
    if (el && el.firstChild) el.firstChild.data = `${el.firstChild.data} ${word()}`;
    return el;
  },
  letters: (pick) => { const el = pick(leaves()); if (el) el.textContent = el.textContent.trim().slice(0, -1) || 'z'; return el; },
  known: (pick) => { const el = pick(leaves()); const other = pick(leaves()); if (el && other) el.textContent = other.textContent; return el; },
  swapWords: (pick) => { const el = pick(leaves().filter((one) => /\S\s+\S/.test(one.textContent.trim()))); if (el) el.textContent = el.textContent.trim().split(/\s+/).reverse().join(' '); return el; },
  add: (pick, word) => { const el = pick(siblings()); if (!el) return null; const made = holder(el).createElement(el.tagName === 'LI' ? 'li' : 'div'); made.textContent = word(); el.after(made); return el; },
  duplicate: (pick) => { const el = pick(siblings()); if (el) el.after(el.cloneNode(true)); return el; },
  button: (pick, word) => { const el = pick(siblings()); if (!el) return null; const made = holder(el).createElement('button'); made.textContent = word(); el.before(made); return el; },
  remove: (pick) => { const el = pick(siblings().filter((one) => one.textContent.length < 400)); if (el) el.remove(); return el; },
  move: (pick) => { const el = pick(siblings().filter((one) => one.nextElementSibling)); if (el) el.nextElementSibling.after(el); return el; },
  reorder: (pick) => { const el = pick(siblings().filter((one) => one.parentElement.children.length > 3)); if (el) el.parentElement.append(...[...el.parentElement.children].reverse()); return el; },
  hideStyle: (pick) => { const el = pick(siblings()); if (el) el.style.display = 'none'; return el; },
  hideVisibility: (pick) => { const el = pick(siblings()); if (el) el.style.visibility = 'hidden'; return el; },
  hideAttribute: (pick) => { const el = pick(siblings()); if (el) el.hidden = true; return el; },
  hideClass: (pick) => { const el = pick(siblings()); if (el) el.classList.add('off'); return el; },
  show: (pick) => {
    const el = pick(places('[hidden], .off, [style*=none], [style*=hidden]', false));
    if (el) { el.hidden = false; el.classList.remove('off'); el.style.display = ''; el.style.visibility = ''; }
    return el;
  },
  rule: (pick) => {
    const el = pick(places('[class]').filter((one) => one.textContent.trim() && one.getRootNode() === document));
    if (el) ownRules.insertRule(`.${CSS.escape(el.classList[0])} { display: none }`, 0);
    return el;
  },
  open: (pick) => { const el = pick(places('details, dialog:not(:modal)', false)); if (el) el.open = !el.open; return el; },
  popover: (pick) => { const el = pick(places('[popover]', false)); if (el) el.togglePopover(); return el; },
  check: (pick) => { const el = pick(places('input[type=checkbox], input[type=radio]')); if (el) el.checked = !el.checked; return el; },
  mixed: (pick) => { const el = pick(places('input[type=checkbox]')); if (el) el.indeterminate = !el.indeterminate; return el; },
  value: (pick, word, random) => {
    const el = pick(places('input:not([type=checkbox], [type=radio], [type=file], [type=button]), textarea'));
    if (!el) return null;
    const number = String(Math.floor(random() * 90) + 10);
    const given = { number, range: number, date: `2031-03-${number.slice(0, 1)}1`, color: `#${number}${number}${number}`, time: '11:25' };
    el.value = given[el.type] || word();
    return el;
  },
  longValue: (pick, word) => { const el = pick(places('textarea')); if (el) el.value = `${el.value.padEnd(150, 'x ')}${word()}`; return el; },
  select: (pick, word, random) => { const el = pick(places('select:not([multiple])')); if (el) el.selectedIndex = Math.floor(random() * el.options.length); return el; },
  selectMany: (pick, word, random) => { const el = pick(places('select[multiple]')); if (el) { const option = el.options[Math.floor(random() * el.options.length)]; option.selected = !option.selected; } return el; },
  addOption: (pick, word) => { const el = pick(places('select')); if (el) el.add(new Option(word())); return el; },
  disable: (pick) => { const el = pick(places('input, button, select, textarea, fieldset')); if (el) el.disabled = !el.disabled; return el; },
  readOnly: (pick) => { const el = pick(places('input:not([type]), input[type=text], textarea')); if (el) el.readOnly = !el.readOnly; return el; },
  require: (pick) => { const el = pick(places('input, select, textarea')); if (el) el.required = !el.required; return el; },
  placeholder: (pick, word) => { const el = pick(places('input:not([type]), input[type=text], input[type=email], textarea')); if (el) el.placeholder = word(); return el; },
  progress: (pick, word, random) => { const el = pick(places('progress, meter')); if (el) el.value = Math.floor(random() * 90); return el; },
  aria: (pick) => { const el = pick(places('*').filter((one) => one.innerText || one.value !== undefined)); if (!el) return null; const name = pick(Object.keys(ARIA)); setOrRemove(el, name, pick(ARIA[name])); return el; },
  ariaKnown: (pick) => { const el = pick(places('[aria-expanded], [aria-pressed], [aria-checked], [aria-selected], [aria-valuenow], [aria-sort], [aria-current], [aria-busy]')); if (!el) return null; const name = pick([...el.attributes].map((one) => one.name).filter((one) => ARIA[one])); if (name) el.setAttribute(name, pick(ARIA[name].filter((one) => one !== el.getAttribute(name)))); return name && el; },
  alt: (pick, word) => { const el = pick(places('img')); if (el) el.alt = word(); return el; },
  picture: (pick, word) => { const el = pick(siblings()); if (!el) return null; const made = holder(el).createElement('img'); made.alt = word(); made.width = made.height = 20; el.after(made); return el; },
  title: (pick, word) => { document.title = word(); return document.body; },
  hash: (pick, word) => { history.pushState(null, '', `#${word().replace(/ /g, '-')}`); return document.body; },
  svg: (pick, word) => { const el = pick(places('svg text')); if (el) el.textContent = word(); return el; },
  wholeList: (pick, word) => { const el = pick(places('ul, ol, tbody').filter((one) => one.children.length > 1)); if (!el) return null; for (const child of el.children) { const leaf = isLeaf(child) ? child : [...child.querySelectorAll('*')].find(isLeaf); if (leaf) leaf.textContent = word(); } return el; },
  // From here on, nothing that anybody sees.
  dataset: (pick, word) => { const el = pick(places('*')); if (el) el.dataset.state = word(); return el; },
  plainClass: (pick, word) => { const el = pick(places('*')); if (el) el.classList.add(`x-${word().split(' ')[0]}`); return el; },
  comment: (pick, word) => { const el = pick(places('*')); if (el) el.append(holder(el).createComment(word())); return el; },
  hiddenText: (pick, word) => { const el = pick(hiddenLeaves()); if (el) el.textContent = word(); return el; },
  hiddenNode: (pick, word) => { const el = pick(siblings()); if (!el) return null; const made = holder(el).createElement('div'); made.style.display = 'none'; made.textContent = word(); el.after(made); return el; },
  hiddenField: (pick, word) => { const el = pick(siblings()); if (!el) return null; const made = holder(el).createElement('input'); made.type = 'hidden'; made.value = word(); el.after(made); return el; },
  sameText: (pick) => { const el = pick(leaves()); if (el) el.textContent = String(el.textContent); return el; },
  split: (pick) => { const el = pick(leaves().filter((one) => one.textContent.length > 3)); if (el && el.firstChild.splitText) el.firstChild.splitText(2); return el; },
  wrap: (pick) => { const el = pick(leaves().filter((one) => !one.closest('svg'))); if (!el) return null; const made = holder(el).createElement('span'); made.append(...el.childNodes); el.append(made); return el; },
  blank: (pick) => { const el = pick(places('div, li, p, section, td')); if (el) el.append(holder(el).createTextNode(' ')); return el; },
  template: (pick, word) => { const el = pick(siblings()); if (!el) return null; const made = holder(el).createElement('template'); made.innerHTML = `<p>${word()}</p>`; el.after(made); return el; },
  focus: (pick) => { const el = pick(places('input, button, select, textarea, a[href]').filter((one) => !one.disabled)); if (el) el.focus(); return el; },
  nothing: () => document.body,
};

globalThis.__kinds = Object.keys(KINDS);
globalThis.__mutate = (kind, seed, when) => {
  const random = chance(seed);
  const pick = (list) => (list.length ? list[Math.floor(random() * list.length)] : null);
  const word = () => `${pick(WORDS)} ${pick(WORDS)} ${Math.floor(random() * 1000)}`;
  const act = () => {
    const el = KINDS[kind](pick, word, random);
    globalThis.__did = el ? `${kind} ${el.tagName.toLowerCase()}${el.id ? `#${el.id}` : ''}` : 'none';
  };
  globalThis.__did = '';
  const later = { now: act, microtask: () => queueMicrotask(act), task: () => setTimeout(act), frame: () => requestAnimationFrame(act) };
  globalThis.__go = later[when];
};
if (!document.querySelector('#go')) {
  document.body.insertAdjacentHTML('afterbegin', '<div id=bar style="position:fixed;top:0;left:0;z-index:2147483647;background:#fff"><button id=go type=button>Go</button></div>');
}
document.querySelector('#go').onclick = () => { const go = globalThis.__go; globalThis.__go = null; if (go) go(); };
