// What the stylesheets can do to names and to what one sees, and for which elements. Computed styles are slow
// to read, so one scan of the rules decides where they have to be read.

const RULE_IMPORT = 3;

// What a rule can do to an element that has to be known, one bit each.
const BEFORE = 1;             // words before its content
const AFTER = 2;              // words after its content
const POINTER = 4;            // a cursor that says: press me
const TRANSFORM = 8;          // upper or lower case
const VISIBILITY = 16;
const DISPLAY = 32;           // a box of another kind than the tag makes
const FADED = 64;             // no opacity
const BOXED = 128;            // a box that is tiny, clipped away or far outside
const INKED = 256;            // words in the colour of their background, or without any size
const GENERATED = BEFORE | AFTER;
const INHERITED = TRANSFORM | VISIBILITY;
const LOOKS = FADED | BOXED | INKED;

// Declarations that matter, as [property, value, bit]. Values narrow the search to what can matter.
const NOTHING = '0*(?:\\.0\\d*)?%?\\s*[;}!]';
const FAR = '[^;}]*-\\s*(?:\\d{3}|\\d\\d[\\d.]*(?:r?em|v[wh]))';
const NO_INK = 'transparent|white|#fff(?:fff)?(?![\\da-f])|rgb\\(255,? ?255,? ?255\\)|#[\\da-f]{3}0(?![\\da-f])|' +
  '#[\\da-f]{6}00|(?:rgba|hsla|rgb|hsl)\\([^)]*[,/]\\s*0?\\.?0*%?\\)';
/** @type {[string, string, number][]} */
const CONCERNS = [
  ['visibility|content-visibility', '', VISIBILITY],
  ['text-transform', '', TRANSFORM],
  ['cursor', 'pointer', POINTER],
  ['content', '(?!none|normal|(?:""|\'\')?\\s*[;}!])', GENERATED],
  ['display|float', '', DISPLAY],
  ['position', 'absolute|fixed', DISPLAY],
  ['opacity', `(?:${NOTHING}|var)`, FADED],
  ['clip|clip-path', '(?!none|auto)', BOXED],
  ['left|top|right|bottom|inset|translate|margin|margin-left|margin-top|inset-inline-start', FAR, BOXED],
  ['transform', `(?:${FAR}|[^;}]*(?:scale\\w*|matrix)\\(\\s*0*\\.?0*\\s*[,)])`, BOXED],
  ['scale', '0', BOXED],
  ['width|height|max-width|max-height', '[01](?:px)?\\s*[;}!]', BOXED],
  ['font|font-size', '(?:0|1px|\\.|var)', INKED],
  ['text-indent', '(?:-|var)', INKED],
  ['color|-webkit-text-fill-color', `(?:${NO_INK})`, INKED],
  ['background|background-color', '', INKED],
];
const CONCERN = new RegExp('(?<![\\w-])(?:' +
  CONCERNS.map(([property, value]) => `(?:${property})\\s*:\\s*${value && `(?:${value})`}`).join('|') + ')', 'gi');
const CONCERN_BITS = new Map(CONCERNS.flatMap(([properties, , bits]) =>
  properties.split('|').map((property) => [property, bits])));
const SETS_COLOUR = /(?<![\w-])color\s*:/i;

// Which elements the rules can apply to, by the last part of their selectors: bits by tag, class and id.
const emptyScan = () => ({
  all: 0, everywhere: 0, attributes: 0, tags: new Map(), classes: new Map(), ids: new Map(), known: new Map(),
});

const addKey = (keys, key, bits) => keys.set(key, keys.get(key) | bits);

// The part of a compound selector that an element can be looked up by.
const addCompound = (scan, compound, bits) => {
  scan.all |= bits;
  const plain = compound.replace(/:[\w-]+(\([^()]*\))?/g, '');
  const unclear = /[\\()&]/.test(plain) || /:(is|where|host|has)\b/.test(compound);
  const key = unclear ? null : plain.match(/\.([\w-]+)/) || plain.match(/#([\w-]+)/);
  if (key) addKey(key[0][0] === '.' ? scan.classes : scan.ids, key[1], bits);
  else if (!unclear && plain.includes('[')) scan.attributes |= bits;
  else if (!unclear && /^[a-zA-Z]/.test(plain)) {
    addKey(scan.tags, plain, bits);
    if (plain !== plain.toUpperCase()) addKey(scan.tags, plain.toUpperCase(), bits);
  } else scan.everywhere |= bits;
};

const PSEUDO_COMPOUND = /([^\s>+~,{}]*?)::?(before|after)\b/gi;
const LAST_COMPOUND = /([^\s>+~,]+)\s*(?:,|$)/g;
const UNPLACED = /^(?:@|from\b|to\b|[\d.]+%)|^$/i;

// Most rules are for a single class.
const PLAIN_CLASS = /^\.([\w-]+)(?:::?(before|after))?$/;

const addSelector = (scan, selector, bits) => {
  const only = PLAIN_CLASS.exec(selector);
  if (only && (only[2] === undefined) !== (bits === GENERATED)) {
    const which = only[2] === undefined ? bits : only[2] === 'before' ? BEFORE : AFTER;
    scan.all |= which;
    addKey(scan.classes, only[1], which);
  } else if (bits === GENERATED) {
    for (const [, compound, which] of selector.matchAll(PSEUDO_COMPOUND)) {
      addCompound(scan, compound, which.toLowerCase() === 'before' ? BEFORE : AFTER);
    }
  } else if (UNPLACED.test(selector)) {
    // A step of an animation, or a nested at-rule: whom it is for stands elsewhere.
    scan.everywhere |= bits;
    scan.all |= bits;
  } else for (const match of selector.matchAll(LAST_COMPOUND)) addCompound(scan, match[1], bits);
};

const bitOf = (declaration) => {
  const property = declaration.slice(0, declaration.indexOf(':'));
  return CONCERN_BITS.get(property) || CONCERN_BITS.get(property.trim().toLowerCase());
};

// A background matters only beside a colour of the words.
const isIdleBackground = (declaration, text, open) => /^background/i.test(declaration) &&
  !SETS_COLOUR.test(text.slice(open, text.indexOf('}', open) >>> 0));

// One search of the whole text is far quicker than reading the properties of every rule.
const scanText = (scan, text) => {
  CONCERN.lastIndex = 0;
  for (let found = CONCERN.exec(text); found; found = CONCERN.exec(text)) {
    const open = text.lastIndexOf('{', found.index);
    const bits = bitOf(found[0]);
    if (open < 0 || (bits === INKED && isIdleBackground(found[0], text, open))) continue;
    let start = open - 1;
    while (start >= 0 && !isEdge(text.charCodeAt(start))) start--;
    addSelector(scan, text.slice(start + 1, open).trim(), bits);
  }
};

// Is it one of { } ; where a selector begins?
const isEdge = (code) => code === 0x7b || code === 0x7d || code === 0x3b;

const ESCAPED_PROPERTY = /[{;]\s*[\w-]*\\/;

// The text of a style element, when all of its rules can be in it (scripts may have inserted rules that no
// text shows) and it reads as it is meant.
const writtenText = (sheet, rules) => {
  const owner = sheet.ownerNode;
  const text = owner && owner.nodeName === 'STYLE' ? owner.textContent : '';
  if (!text || text.includes('@import')) return '';
  if (text.includes('\\') && ESCAPED_PROPERTY.test(text)) return '';
  if (text.split('{').length <= rules.length) return '';
  return text.includes('/*') ? text.replace(/\/\*[^]*?\*\//g, ' ') : text;
};

const scanRules = (scan, rules) => {
  const texts = [];
  for (let i = 0; i < rules.length; i++) {
    const rule = rules[i];
    if (rule.type !== RULE_IMPORT) texts.push(rule.cssText);
    else if (rule.styleSheet) scanSheet(scan, rule.styleSheet);
  }
  scanText(scan, texts.join('\n'));
};

// A sheet of another origin cannot be read: assume that it can do everything to elements with attributes.
const scanSheet = (scan, sheet) => {
  let rules = null;
  try {
    rules = sheet.cssRules;
  } catch {
    scan.all = -1;
    scan.everywhere |= INHERITED | DISPLAY;
    scan.attributes = -1;
  }
  if (!rules) return;
  const text = writtenText(sheet, rules);
  if (text) scanText(scan, text);
  else scanRules(scan, rules);
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
  if (known && known.key === key) return known.scan;
  const scan = emptyScan();
  for (const sheet of sheets) if (!sheet.disabled) scanSheet(scan, sheet);
  scansByRoot.set(root, { key, scan });
  return scan;
};

const MOST_KNOWN = 20000;

const classBits = (scan, names) => {
  let bits = 0;
  const parts = names.split(/[\t\n\f\r]/.test(names) ? /\s+/ : ' ');
  for (let i = 0; i < parts.length; i++) bits |= scan.classes.get(parts[i]);
  if (scan.known.size > MOST_KNOWN) scan.known.clear();
  scan.known.set(names, bits);
  return bits;
};

const knownInline = new Map();

// What a style attribute does; attributes of drawings can set the same.
const inlineBits = (el) => {
  const style = attr(el, 'style');
  if (style === null) return VISIBILITY | FADED | INKED;
  let bits = knownInline.get(style);
  if (bits === undefined) {
    bits = SETS_COLOUR.test(style) ? INKED : 0;
    const text = style.includes('\\') || style.includes('/*') ? el.style.cssText : style;
    for (const [declaration] of (text + ';').matchAll(CONCERN)) bits |= bitOf(declaration);
    if (knownInline.size > MOST_KNOWN) knownInline.clear();
    knownInline.set(style, bits);
  }
  return hasAttr(el, 'visibility') ? bits | VISIBILITY : bits;
};

// What the rules can do to this element: a superset of what they really do.
const bitsOf = (scan, el, tag, flags) => {
  let bits = 0;
  if (scan.all !== 0) {
    bits = scan.everywhere | scan.tags.get(tag);
    if (flags === 0) return bits;
    bits |= scan.attributes;
    if (flags & HAS.CLASS) {
      const names = attr(el, 'class');
      const known = scan.known.get(names);
      bits |= known === undefined ? classBits(scan, names) : known;
    }
    if (flags & HAS.ID && scan.ids.size !== 0) bits |= scan.ids.get(attr(el, 'id'));
  }
  return flags & HAS.STYLE ? bits | inlineBits(el) : bits;
};

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
// `bits` says what else the rules around can do to them. Chromium's names contain counters only from such a text.
const generatedText = (el, which, bits, inName = false) => {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (!content || content === 'none' || content === 'normal') return '';
  const display = style.display;
  if (display === 'none' || (bits & VISIBILITY && style.visibility !== 'visible')) return '';
  const isInline = display.startsWith('inline') && display !== 'inline-block';
  const simple = PLAIN_CONTENT.exec(content);
  if (simple && isInline && !(bits & TRANSFORM)) return simple[1];
  const parts = [...content.matchAll(CONTENT_PART)];
  const slash = parts.findIndex((part) => part[0] === '/');
  if (slash >= 0) {
    const shown = parts.slice(slash + 1);
    const alternative = (shown.some(isCounter) && countedText(el, which)) || partsText(el, shown);
    return alternative && ` ${alternative} `;
  }
  const counted = !inName && parts.some(isCounter) && countedText(el, which);
  if (counted) return isInline ? counted : ` ${counted} `;
  const text = partsText(el, parts);
  if (!text) return '';
  const words = bits & TRANSFORM ? transformText(text, style.textTransform) : text;
  return isInline ? words : ` ${words} `;
};
const isCounter = (part) => /^counters?\(/.test(part[0]);
const PLAIN_CONTENT = /^"([^"\\]*)"$/;

const PLAIN_LETTERS = /^[\x20-\x7e]*$/;
const PLAIN_WORD_START = /(^|[^a-zA-Z0-9'_])([a-z])/g;
const WORD_START = /(^|[^\p{L}\p{N}'\u2019_])(\p{L})/gu;

const transformText = (text, how) => {
  if (how === 'uppercase') return text.toUpperCase();
  if (how === 'lowercase') return text.toLowerCase();
  if (how === 'capitalize') {
    const start = PLAIN_LETTERS.test(text) ? PLAIN_WORD_START : WORD_START;
    return text.replace(start, (_, gap, letter) => gap + letter.toUpperCase());
  }
  return text;
};
