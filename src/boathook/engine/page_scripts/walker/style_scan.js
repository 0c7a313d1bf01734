// What the stylesheets can do to names and to what one sees, and for which elements. Computed styles are slow
// to read, so one scan of the rules decides where they have to be read.

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
const MOVING = LOOKS | INHERITED | DISPLAY | POINTER;      // what an animation can do

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
  ['overflow|overflow-x|overflow-y', '(?:hidden|clip)', BOXED],
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

// Which elements the rules can apply to, by the last part of their selectors: bits by class and id, and rules to be
// matched for tags, for elements with attributes, and for all.
const emptyScan = () => ({
  all: 0, everywhere: 0, attributes: 0, classes: new Map(), ids: new Map(), known: new Map(),
  tags: new Map(), forAll: emptyRules(), forAttributes: emptyRules(),
});

// Bits that hold without a question, and selectors by bit; a list of them becomes one selector when it is first used.
// How many selectors are matched before the style is asked for: matching a long list takes longer.
const MOST_MATCHED = new Map([
  [BEFORE, 8], [AFTER, 8], [POINTER, 4], [TRANSFORM, 2], [VISIBILITY, 0], [DISPLAY, 4], [FADED, 4], [BOXED, 12], [INKED, 8],
]);
const emptyRules = () => ({ sure: 0, selectors: new Map(), joined: null });

const addKey = (keys, key, bits) => keys.set(key, keys.get(key) | bits);

const addRule = (rules, selector, bits) => {
  rules.joined = null;
  const known = rules.selectors.get(bits);
  if (known === undefined) rules.selectors.set(bits, new Set([selector]));
  else known.add(selector);
};

const rulesFor = (keys, key) => {
  let rules = keys.get(key);
  if (rules === undefined) keys.set(key, rules = emptyRules());
  return rules;
};

const isSelector = (text) => {
  try {
    NOWHERE.querySelector(text);
    return true;
  } catch {
    return false;
  }
};
const NOWHERE = document.createDocumentFragment();

const joinRules = (rules) => {
  rules.joined = [];
  for (const [bits, selectors] of rules.selectors) {
    const valid = selectors.size <= MOST_MATCHED.get(bits) ? [...selectors].filter((text) => isSelector(text)) : [];
    if (valid.length === selectors.size) rules.joined.push({ which: bits, selector: valid.join(',') });
    else rules.sure |= bits;
  }
};

const matchRules = (rules, el, known) => {
  if (rules.joined === null) joinRules(rules);
  let bits = known | rules.sure;
  for (let i = 0; i < rules.joined.length; i++) {
    const { which, selector } = rules.joined[i];
    if ((bits & which) !== which && matches(el, selector)) bits |= which;
  }
  return bits;
};

// The parts of a selector that look into other trees, or depend on the rule around: not to be matched.
const UNMATCHABLE = /&|:(?:host|scope)|::(?:slotted|part)|^[>+~]/;
const PSEUDO_BOX = /::?(?:before|after)\b/gi;

// The part of a compound selector that an element can be looked up by.
const addCompound = (scan, compound, bits, selector) => {
  scan.all |= bits;
  const plain = compound.replace(/:[\w-]+(\([^()]*\))?/g, '');
  const unclear = /[\\()&]/.test(plain) || /:(is|where|host|has)\b/.test(compound);
  const key = unclear ? null : plain.match(/\.([\w-]+)/) || plain.match(/#([\w-]+)/);
  if (key) addKey(key[0][0] === '.' ? scan.classes : scan.ids, key[1], bits);
  else if (UNMATCHABLE.test(selector)) scan.everywhere |= bits;
  else if (!unclear && plain.includes('[')) addRule(scan.forAttributes, selector, bits);
  else if (!unclear && /^[a-zA-Z]/.test(plain)) {
    for (const tag of new Set([plain, plain.toUpperCase()])) {
      // A tag alone needs no match.
      if (selector === compound && plain === compound) rulesFor(scan.tags, tag).sure |= bits;
      else addRule(rulesFor(scan.tags, tag), selector, bits);
    }
  } else addRule(scan.forAll, selector, bits);
};

const PSEUDO_COMPOUND = /([^\s>+~,{}]*?)::?(before|after)\b/gi;
const LAST_COMPOUND = /([^\s>+~,]+)\s*(?:,|$)/g;
const UNPLACED = /^@|^$/;
const STEP = /^(?:from|to|[\d.]+%)(?:\s*,|$)/i;

// Most rules are for a single class.
const PLAIN_CLASS = /^\.([\w-]+)(?:::?(before|after))?$/;

const addSelector = (scan, selector, bits) => {
  const only = PLAIN_CLASS.exec(selector);
  if (only && (only[2] === undefined) !== (bits === GENERATED)) {
    const which = only[2] === undefined ? bits : only[2] === 'before' ? BEFORE : AFTER;
    scan.all |= which;
    addKey(scan.classes, only[1], which);
  } else if (bits === GENERATED) {
    const boxes = selector.replace(PSEUDO_BOX, '');
    for (const [, compound, which] of selector.matchAll(PSEUDO_COMPOUND)) {
      addCompound(scan, compound, which.toLowerCase() === 'before' ? BEFORE : AFTER, boxes);
    }
  } else if (UNPLACED.test(selector)) {
    // A nested at-rule: whom it is for stands elsewhere.
    scan.everywhere |= bits;
    scan.all |= bits;
  } else if (!STEP.test(selector)) {
    // Steps of animations are found at the elements that are animated (animatedIn).
    for (const match of selector.matchAll(LAST_COMPOUND)) addCompound(scan, match[1], bits, selector);
  }
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
  const size = TINY.test(attr(el, 'width')) || TINY.test(attr(el, 'height')) ? BOXED : 0;
  if (style === null) return size | (hasLookAttribute(el) ? VISIBILITY | FADED | INKED : 0);
  let bits = knownInline.get(style);
  if (bits === undefined) {
    bits = SETS_COLOUR.test(style) ? INKED : 0;
    const text = style.includes('\\') || style.includes('/*') ? el.style.cssText : style;
    for (const [declaration] of (text + ';').matchAll(CONCERN)) bits |= bitOf(declaration);
    if (knownInline.size > MOST_KNOWN) knownInline.clear();
    knownInline.set(style, bits);
  }
  return size | (hasAttr(el, 'visibility') ? bits | VISIBILITY : bits);
};
const TINY = /^\s*[01](?:px)?\s*$/;
const hasLookAttribute = (el) => hasAttr(el, 'visibility') || hasAttr(el, 'opacity') || hasAttr(el, 'color');

// What the rules can do to this element: a superset of what they really do.
const bitsOf = (scan, el, tag, flags) => {
  const bits = scan.all === 0 ? 0 : ruleBits(scan, el, tag, flags);
  return flags & HAS.STYLE ? bits | inlineBits(el) : bits;
};

const ruleBits = (scan, el, tag, flags) => {
  let bits = scan.everywhere;
  if (flags !== 0) {
    bits |= scan.attributes;
    if (flags & HAS.CLASS) {
      const names = attr(el, 'class');
      const known = scan.known.get(names);
      bits |= known === undefined ? classBits(scan, names) : known;
    }
    if (flags & HAS.ID && scan.ids.size !== 0) bits |= scan.ids.get(attr(el, 'id'));
  }
  const rules = scan.tags.get(tag);
  if (rules !== undefined) bits |= rules.sure;
  return hasSelectors(scan, flags, rules) ? matchedBits(scan, el, tag, flags, bits) : bits;
};

const hasSelectors = (scan, flags, rules) => scan.forAll.selectors.size !== 0 ||
  (rules !== undefined && rules.selectors.size !== 0) || (flags !== 0 && scan.forAttributes.selectors.size !== 0);

// What rules do to an element depends on all that their selectors name.
const matchedBits = (scan, el, tag, flags, known) => {
  const now = matchAll(scan, el, tag, flags, known);
  if (noting) MATCHED.set(el, { scan, tag, flags, known, now });
  return now;
};
const MATCHED = noteAnswers(({ scan, tag, flags, known, now }, el) => matchAll(scan, el, tag, flags, known) === now);

const matchAll = (scan, el, tag, flags, known) => {
  let bits = known;
  if (flags !== 0 && scan.forAttributes.selectors.size !== 0) bits = matchRules(scan.forAttributes, el, bits);
  if (scan.forAll.selectors.size !== 0) bits = matchRules(scan.forAll, el, bits);
  const rules = scan.tags.get(tag);
  return rules === undefined ? bits : matchRules(rules, el, bits);
};
