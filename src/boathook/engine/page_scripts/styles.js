// What the stylesheets can do to names: which properties that matter appear at all, and for which elements.
// Computed styles are slow to read, so one scan of the rules decides where they have to be read.

const RULE_STYLE = 1;
const RULE_IMPORT = 3;

// Which elements the rules for one purpose can apply to, by the last part of their selectors.
const emptyKeys = () => ({
  any: false, everywhere: false, attributes: false, tags: new Set(), classes: new Set(), ids: new Set(),
});
const emptyScan = () => ({
  visibility: false, transform: false, cursor: false, generates: false,
  before: emptyKeys(), after: emptyKeys(), pointers: emptyKeys(),
});

const PSEUDO_COMPOUND = /([^\s>+~,{}]*?)::?(before|after)\b/g;
const LAST_COMPOUND = /([^\s>+~,]+)\s*(?:,|$)/g;

// The part of a compound selector that an element can be looked up by.
const addCompound = (keys, compound) => {
  keys.any = true;
  const plain = compound.replace(/:[\w-]+(\([^()]*\))?/g, '');
  const unclear = /[\\()&]/.test(plain) || /:(is|where|host|has)\b/.test(compound);
  const key = unclear ? null : plain.match(/\.([\w-]+)/) || plain.match(/#([\w-]+)/);
  if (key) (key[0][0] === '.' ? keys.classes : keys.ids).add(key[1]);
  else if (!unclear && plain.includes('[')) keys.attributes = true;
  else if (!unclear && /^[a-zA-Z]/.test(plain)) keys.tags.add(plain.toUpperCase()).add(plain);
  else keys.everywhere = true;
};

const addGenerator = (scan, selector) => {
  for (const [, compound, which] of selector.matchAll(PSEUDO_COMPOUND)) {
    scan.generates = true;
    addCompound(which === 'before' ? scan.before : scan.after, compound);
  }
};

const addPointer = (scan, selector) => {
  scan.cursor = true;
  for (const match of selector.matchAll(LAST_COMPOUND)) addCompound(scan.pointers, match[1]);
};

const NO_CONTENT = /^\s*(?:none|normal|""|''|)\s*$/;

const addStyleRule = (scan, rule) => {
  const style = rule.style;
  if (style.visibility) scan.visibility = true;
  if (style.textTransform) scan.transform = true;
  if (style.cursor === 'pointer') addPointer(scan, rule.selectorText);
  if (!NO_CONTENT.test(style.content)) addGenerator(scan, rule.selectorText);
};

// The text of a style element is far quicker to search than its rules. Calls act(selector, value) for each
// declaration of the property; what it finds in comments only makes the scan a little wider.
const eachDeclaration = (text, property, act) => {
  for (let at = text.indexOf(property); at >= 0; at = text.indexOf(property, at + property.length)) {
    const value = /^\s*:([^;}]*)/.exec(text.slice(at + property.length, at + property.length + 200));
    const open = text.lastIndexOf('{', at);
    if (!value || open < 0 || /[\w-]/.test(text[at - 1])) continue;
    const start = Math.max(...['}', '{', ';'].map((mark) => text.lastIndexOf(mark, open - 1)));
    act(text.slice(start + 1, open).trim(), value[1]);
  }
};

const scanText = (scan, text) => {
  if (text.includes('visibility')) scan.visibility = true;
  if (text.includes('text-transform')) scan.transform = true;
  eachDeclaration(text, 'cursor', (selector, value) => {
    if (value.includes('pointer')) addPointer(scan, selector);
  });
  eachDeclaration(text, 'content', (selector, value) => {
    if (!NO_CONTENT.test(value)) addGenerator(scan, selector);
  });
};

// The text of a sheet, when all of its rules can be in it: scripts may have inserted rules that no text
// shows.
const textOf = (sheet, rules) => {
  const owner = sheet.ownerNode;
  const text = owner && owner.nodeName === 'STYLE' ? owner.textContent : '';
  if (!text || text.includes('@import') || text.includes('&')) return '';
  let braces = 0;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) braces++;
  return braces >= rules.length ? text : '';
};

const scanRules = (scan, rules) => {
  for (let i = 0; i < rules.length; i++) {
    const rule = rules[i];
    if (rule.type === RULE_STYLE) addStyleRule(scan, rule);
    else if (rule.type === RULE_IMPORT && rule.styleSheet) scanSheet(scan, rule.styleSheet);
    if (rule.cssRules && rule.cssRules.length && rule.type !== RULE_IMPORT) scanRules(scan, rule.cssRules);
  }
};

// A sheet of another origin cannot be read: assume that it can do everything to elements with attributes.
const scanSheet = (scan, sheet) => {
  let rules = null;
  try {
    rules = sheet.cssRules;
  } catch {
    scan.visibility = scan.transform = scan.cursor = true;
    scan.generates = true;
    for (const keys of [scan.before, scan.after, scan.pointers]) keys.any = keys.attributes = true;
  }
  const text = rules && textOf(sheet, rules);
  if (text) scanText(scan, text);
  else if (rules) scanRules(scan, rules);
};

const INLINE_CONCERNS = '[style*="visibility"],[visibility],[style*="text-transform"],[style*="cursor"]';

const addInlineStyles = (scan, root) => {
  const found = queryAll(root, INLINE_CONCERNS);
  for (let i = 0; i < found.length && !(scan.visibility && scan.transform && scan.cursor); i++) {
    const style = attr(found[i], 'style') || '';
    if (style.includes('visibility') || hasAttr(found[i], 'visibility')) scan.visibility = true;
    if (style.includes('text-transform')) scan.transform = true;
    if (style.includes('cursor')) scan.cursor = scan.pointers.inline = scan.pointers.any = true;
  }
};

const ruleCount = (sheet) => {
  try {
    return sheet.cssRules.length;
  } catch {
    return -1;
  }
};

const scansByRoot = new WeakMap();
const sheetNumbers = new WeakMap();
let sheetsSeen = 0;

const sheetsOf = (root) => {
  const sheets = kindOf(root) === DOCUMENT ? DOCUMENT_SHEETS(root) : root.styleSheets;
  const adopted = kindOf(root) === DOCUMENT ? ADOPTED_SHEETS(root) : root.adoptedStyleSheets;
  return adopted && adopted.length ? [...sheets, ...adopted] : [...sheets];
};
const DOCUMENT_SHEETS = getterOf(Document.prototype, 'styleSheets');
const ADOPTED_SHEETS = getterOf(Document.prototype, 'adoptedStyleSheets');

// The scan is kept while the list of sheets and their rule counts stay the same.
const scanOf = (root) => {
  const sheets = sheetsOf(root);
  let key = '';
  for (const sheet of sheets) {
    if (!sheetNumbers.has(sheet)) sheetNumbers.set(sheet, ++sheetsSeen);
    key += sheetNumbers.get(sheet) + ':' + ruleCount(sheet) + (sheet.disabled ? 'd ' : ' ');
  }
  const known = scansByRoot.get(root);
  let base = known && known.key === key ? known.scan : null;
  if (!base) {
    base = emptyScan();
    for (const sheet of sheets) if (!sheet.disabled) scanSheet(base, sheet);
    scansByRoot.set(root, { key, scan: base });
  }
  const scan = { ...base, pointers: { ...base.pointers } };
  addInlineStyles(scan, root);
  return scan;
};

// Could one of the rules behind these keys apply to this element?
const matchesKeys = (keys, el, tag, flags) => {
  if (!keys.any) return false;
  if (keys.everywhere || keys.tags.has(tag)) return true;
  if (flags === 0) return false;
  if (keys.attributes || (keys.inline && flags & HAS.STYLE)) return true;
  if (flags & HAS.ID && keys.ids.size && keys.ids.has(attr(el, 'id'))) return true;
  if (!(flags & HAS.CLASS) || !keys.classes.size) return false;
  const names = attr(el, 'class');
  if (!/\s/.test(names)) return keys.classes.has(names);
  for (const name of names.split(/\s+/)) if (keys.classes.has(name)) return true;
  return false;
};

const matchesGenerators = (scan, el, tag, flags) =>
  matchesKeys(scan.before, el, tag, flags) || matchesKeys(scan.after, el, tag, flags);

const beforeText = (scan, el, tag, flags) =>
  (matchesKeys(scan.before, el, tag, flags) ? generatedText(el, '::before', scan) : '');

const afterText = (scan, el, tag, flags) =>
  (matchesKeys(scan.after, el, tag, flags) ? generatedText(el, '::after', scan) : '');

const QUOTES = {
  en: '\u201c\u201d\u2018\u2019', fr: '\u00ab\u00bb\u00ab\u00bb', de: '\u201e\u201c\u201a\u2018',
  ja: '\u300c\u300d\u300e\u300f', es: '\u00ab\u00bb\u201c\u201d', ru: '\u00ab\u00bb\u201e\u201c',
};

// The marks that the browser draws around a q element: [opening, closing].
const quoteMarks = (el) => {
  const speaker = around(el, '[lang]');
  const language = speaker ? attr(speaker, 'lang').slice(0, 2).toLowerCase() : 'en';
  const marks = QUOTES[language] || QUOTES.en;
  const at = around(el, 'q') && !around(around(el, 'q'), 'q') ? 2 : 0;
  return [marks[at], marks[at + 1]];
};

const CONTENT_PART = /"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)|open-quote|close-quote|\/|[\w-]+\([^)]*\)/g;
const unescapeCss = (text) => text.replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g,
  (_, hex, plain) => (hex ? String.fromCodePoint(parseInt(hex, 16) || 0xfffd) : plain));

const partsText = (el, parts) => parts.map((part) => {
  if (part[1] !== undefined) return unescapeCss(part[1]);
  if (part[2]) return attr(el, part[2]) || '';
  if (part[0] === 'open-quote') return '\u201c';
  return part[0] === 'close-quote' ? '\u201d' : '';
}).join('');

// The words of a ::before or ::after box; the text after a slash is meant for us and replaces the rest.
const generatedText = (el, which, scan) => {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (!content || content === 'none' || content === 'normal' || style.display === 'none') return '';
  if (scan.visibility && style.visibility !== 'visible') return '';
  const parts = [...content.matchAll(CONTENT_PART)];
  const slash = parts.findIndex((part) => part[0] === '/');
  if (slash >= 0) {
    const alternative = partsText(el, parts.slice(slash + 1));
    return alternative && ` ${alternative} `;
  }
  const text = partsText(el, parts);
  if (!text) return '';
  const words = scan.transform ? transformText(text, style.textTransform) : text;
  return style.display.startsWith('inline') && style.display !== 'inline-block' ? words : ` ${words} `;
};

const WORD_START = /(^|[^\p{L}\p{N}'\u2019_])(\p{L})/gu;

const transformText = (text, how) => {
  if (how === 'uppercase') return text.toUpperCase();
  if (how === 'lowercase') return text.toLowerCase();
  if (how === 'capitalize') return text.replace(WORD_START, (_, gap, letter) => gap + letter.toUpperCase());
  return text;
};
