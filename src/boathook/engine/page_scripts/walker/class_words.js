// Words that classes say to a person, and labels that only their place gives to fields. Guesses.

const LONGEST_GUESS = 40;
const nextElementOf = getterOf(Element.prototype, 'nextElementSibling');
const previousElementOf = getterOf(Element.prototype, 'previousElementSibling');
const previousSiblingOf = getterOf(Node.prototype, 'previousSibling');

// Classes of utility frameworks say how something looks: their first words, when more follows.
const LOOK_WORDS = setOf('bg text font border rounded items justify self place gap space overflow cursor transition ' +
  'duration ease shadow opacity z inset top left right bottom leading tracking ring fill stroke select pointer object sr ' +
  'min max flex grid col row order w h p m px py pt pb pl pr mx my mt mb ml mr size align d css sc jss emotion svelte ng ' +
  'data is has js');
// These alone say nothing about what an element does.
const EMPTY_WORDS = setOf('lg sm xs md fw solid regular light icon icons ico btn button svg img image item items wrapper wrap ' +
  'container inner outer content box block inline flex grid relative absolute fixed static hidden visible active inactive ' +
  'disabled enabled clickable pointer link row col column cell div span el element component root base default primary ' +
  'secondary first last odd even even ui group truncate transition rounded border shadow on off open closed selected ' +
  'hover focus small large medium clearfix');

// `x7Ab1c`, `1k2j3`: made by tools, changed with each build.
const isHashed = (word) => word.length >= 5 && (/\d[a-z]+\d|[a-z]\d+[a-z]/i.test(word) || /^[a-z]*[A-Z][a-z]*[A-Z]\w*\d/.test(word) ||
  !/[aeiouy]/i.test(word) || /^[a-f\d]{6,}$/.test(word));

const saidByClass = (name) => {
  let words = knownClasses.get(name);
  if (words === undefined) {
    words = wordsOfClass(name);
    if (knownClasses.size > MOST_HINTS) knownClasses.clear();
    knownClasses.set(name, words);
  }
  return words;
};
const knownClasses = new Map();

const wordsOfClass = (name) => {
  if (!/^[\w-]+$/.test(name) || name.length > LONGEST_GUESS) return '';
  const parts = name.split(/[-_]+/).filter(Boolean);
  if (parts.length > 1 && LOOK_WORDS.has(parts[0].toLowerCase())) return '';
  const words = asWords(parts.filter((part) => !isHashed(part)).join(' ')).split(' ').filter(Boolean);
  if (words.every((word) => EMPTY_WORDS.has(word) || word.length < 2 || /^\d+$/.test(word))) return '';
  return words.filter((word) => !/^(?:icons?|btn|button|ico|ui)$/.test(word)).join(' ');
};

const classesOf = (el) => (el ? (attr(el, 'class') || '').split(/\s+/) : []);

const classWords = (el) => {
  const given = attr(el, 'class');
  if (!given) return '';
  let best = '';
  let kind = '';
  let bestIsShared = true;
  const shared = [...classesOf(nextElementOf(el)), ...classesOf(previousElementOf(el))];
  for (const name of given.split(/\s+/)) {
    // `cell cell-5`: which of its kind.
    const which = kind && name.startsWith(kind + '-') ? asWords(name) : '';
    if (which && which.length <= LONGEST_GUESS && !isHashed(name.slice(kind.length + 1))) return which;
    if (!kind) kind = name;
    // What its neighbours have too tells less.
    const words = bestIsShared ? saidByClass(name) : '';
    if (words && (!best || !shared.includes(name))) {
      best = words;
      bestIsShared = shared.includes(name);
    }
  }
  return best;
};

const OTHER_FIELDS = 'input:not([type=hidden]), select, textarea, button, a[href]';
const FIELDS_OF_FORMS = 'input:not([type=hidden], [type=submit], [type=button]), select, textarea';
const LEVELS_LOOKED = 5;

const textBeside = (node) => {
  if (kindOf(node) === TEXT) return collapse(node.data).slice(0, LONGEST_GUESS + 1);
  if (kindOf(node) !== ELEMENT || SKIPPED_TAGS.has(tagOf(node)) || matches(node, OTHER_FIELDS) || firstIn(node, OTHER_FIELDS)) return '';
  if (hasAttr(node, 'onclick') || actsAt(node) & ACTING) return '';
  return isVisible(node) ? collapse(renderedTextOf(node).slice(0, 200)) : '';
};
// Lists that are closed have texts too.
const renderedTextOf = (el) => (el.childElementCount > 0 && typeof el.innerText === 'string' ? el.innerText : textOf(el));
const textOf = getterOf(Node.prototype, 'textContent');
const firstIn = methodOf(Element.prototype, 'querySelector');
const comparePlaces = methodOf(Node.prototype, 'compareDocumentPosition');

// The text right after a toggle: most stand before their labels.
const labelAfter = (el) => {
  for (let node = nextSiblingOf(el); node; node = nextSiblingOf(node)) {
    const text = textBeside(node);
    if (text || kindOf(node) === ELEMENT) return text.length <= LONGEST_GUESS ? text : '';
  }
  return '';
};

// The text that stands before a field, in its row: what a person takes for its label.
const labelBeside = (el) => {
  let at = el;
  for (let level = 0; level < LEVELS_LOOKED && at && kindOf(at) === ELEMENT; level++) {
    // Text before several fields is the label of the first one, if of any.
    const first = level > 0 ? firstIn(at, FIELDS_OF_FORMS) : null;
    if (first !== null && first !== el && comparePlaces(first, el) & Node.DOCUMENT_POSITION_FOLLOWING) return '';
    for (let node = previousSiblingOf(at); node; node = previousSiblingOf(node)) {
      const text = textBeside(node);
      if (text) return text.length <= LONGEST_GUESS ? text.replace(/\s*[:*]+$/, '') : '';
      if (kindOf(node) === ELEMENT && firstIn(node, OTHER_FIELDS)) return '';
    }
    at = parentOf(at);
  }
  return '';
};

// Signs that stand for an action: a person reads them as words.
const SIGNS = { '\u00d7': 'close', '\u2715': 'close', '\u2716': 'close', '\u2717': 'close', '\u2630': 'menu', '\u2261': 'menu', '\u22ee': 'more',
  '\u22ef': 'more', '\u2026': 'more', '\u2713': 'check', '\u2714': 'check', '\u2605': 'star', '\u2606': 'star', '\u2665': 'heart', '\u2661': 'heart',
  '\u2699': 'settings', '\u270e': 'edit', '\u270f': 'edit', '\u{1f5d1}': 'delete', '\u{1f50d}': 'search', '\u2190': 'back', '\u2192': 'forward',
  '\u2191': 'up', '\u2193': 'down', '\u25b2': 'up', '\u25bc': 'down', '\u25b6': 'play', '\u23f8': 'pause', '\u21bb': 'reload',
  '\u27f3': 'reload', '\u2b07': 'download', '\u{1f514}': 'notifications', '\u{1f6d2}': 'cart', '\u{1f3e0}': 'home', '\u2302': 'home',
  '\u00ab': 'previous', '\u00bb': 'next', '\u2039': 'previous', '\u203a': 'next' };
const SYMBOL_LENGTH = 3;
const HAS_WORDS = /[\p{L}\p{N}]/u;

// For a name without a letter: what its title or the sign says.
const symbolHint = (el, name) => {
  // `B` and `I` of a toolbar.
  if (/^\p{L}$/u.test(name)) return collapse(attr(el, 'title') || '') || classWords(el);
  if (HAS_WORDS.test(name)) return '';
  return collapse(attr(el, 'title') || '') || SIGNS[name.replace('\ufe0f', '')] || '';
};
