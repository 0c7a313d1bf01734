// Hints for controls without a name: what an icon, a class or a field's own name suggests. Guesses, and
// marked so.

const ICON_SETS = '(?:icons?|bi|fa[srb]?|mdi|glyphicon|ti|lucide|ri|la|octicon|codicon)';
const ICON_WORD = new RegExp(`(?:^|[\\s_-])${ICON_SETS}-([a-z][\\w-]*)`, 'i');
const ICON_CLASS = /^(?:(?:icon|bi|fa|mdi|glyphicon|lucide|ri|octicon|codicon)[-_])([a-z][\w-]*)$/i;
const PRIVATE_USE = /[\ue000-\uf8ff]/g;
const MEANINGLESS = setOf('lg sm xs md fw spin 2x 3x solid regular light icon icons btn button svg');

const asWords = (text) => {
  const spaced = text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\-.:[\]]+/g, ' ');
  return collapse(spaced).toLowerCase();
};

const classHint = (el) => {
  const given = attr(el, 'class');
  if (!given) return '';
  let hint = knownHints.get(given);
  if (hint === undefined) {
    hint = hintOfClasses(given);
    if (knownHints.size > MOST_HINTS) knownHints.clear();
    knownHints.set(given, hint);
  }
  return hint;
};
const knownHints = new Map();
const MOST_HINTS = 1000;

const hintOfClasses = (given) => {
  for (const name of given.split(/\s+/)) {
    const match = name.match(ICON_CLASS) || name.match(ICON_WORD);
    if (match && !MEANINGLESS.has(match[1].toLowerCase())) return asWords(match[1]) + ' icon';
  }
  return '';
};

const fileHint = (address) => {
  const match = address.match(/([\w-]+)\.(?:svg|png|gif|jpe?g|webp|avif)/i) ||
    address.match(/#(?:icon-)?([\w-]+)$/);
  return match ? asWords(match[1]) + ' icon' : '';
};

// Of a file with many symbols, the one that is used.
const symbolOf = (address) => fileHint(address.replace(/^[^#]+(?=#.)/, ''));

const iconHint = (el) => {
  const icon = attr(el, 'data-icon') || attr(el, 'icon') || attr(el, 'data-lucide');
  if (icon) return asWords(icon) + ' icon';
  const tag = tagOf(el);
  if (tag === 'use') return symbolOf(attr(el, 'href') || attr(el, 'xlink:href') || '');
  if (tag === 'IMG') {
    return collapse(attr(el, 'alt') || attr(el, 'title') || '') || fileHint(attr(el, 'src') || '');
  }
  if (tag === 'svg' && svgTitle(el)) return svgTitle(el);
  if (/\bmaterial-(?:icons|symbols)/.test(attr(el, 'class') || '')) return asWords(el.textContent) + ' icon';
  return classHint(el);
};

const LOOKED_INTO = 12;

const innerHint = (el, hintOf) => {
  const own = hintOf(el);
  if (own) return own;
  const inner = elementsInside(el, '*');
  for (let i = 0; i < inner.length && i < LOOKED_INTO; i++) {
    const hint = hintOf(inner[i]);
    if (hint) return hint;
  }
  return '';
};

const iconOrTitle = (el) => iconHint(el) || collapse(attr(el, 'title') || '');

const backgroundHint = (el) => {
  const image = getComputedStyle(el).backgroundImage;
  return image && image.startsWith('url') ? fileHint(image) : '';
};

const ordinal = (n) => n + (['th', 'st', 'nd', 'rd'][n % 100 > 10 && n % 100 < 14 ? 0 : n % 10] || 'th');

const positionHint = (el) => {
  const parent = parentOf(el);
  if (!parent || kindOf(parent) !== ELEMENT) return '';
  if (!places.has(parent)) places.set(parent, placesIn(parent));
  const { tag, at, counts } = { tag: tagOf(el), ...places.get(parent) };
  return counts.get(tag) > 1 ? `${ordinal(at.get(el))} of ${counts.get(tag)}` : '';
};

// Counted once per parent and walk, since a parent may have thousands of nameless children.
let places = new Map();

const placesIn = (parent) => {
  const counts = new Map();
  const at = new Map();
  for (const child of childrenOf(parent)) {
    const tag = tagOf(child);
    if (!isVisible(child)) continue;
    counts.set(tag, (counts.get(tag) || 0) + 1);
    at.set(child, counts.get(tag));
  }
  return { counts, at };
};

const FIELD_ROLES = setOf('textbox searchbox combobox listbox spinbutton slider checkbox radio switch ' +
  'Date DateTime InputTime ColorWell');

const fieldHint = (el) => collapse(attr(el, 'placeholder') || '') || collapse(attr(el, 'title') || '') || (isToggle(el) && labelAfter(el)) || labelBeside(el) ||
  asWords(attr(el, 'name') || attr(el, 'id') || attr(el, 'data-testid') || '');

const hintFor = (el, role) => {
  if (FIELD_ROLES.has(role)) return fieldHint(el) || positionHint(el);
  const shape = shapeWords(el);
  if (shape) return [innerHint(el, classWords) || asWords(attr(el, 'id') || ''), shape].filter(Boolean).join(', ');
  return innerHint(el, iconOrTitle) || backgroundHint(el) || asWords(attr(el, 'data-testid') || attr(el, 'id') || '') ||
    numberedHint(el, innerHint(el, classWords)) || positionHint(el);
};

// Alike siblings are told apart by their place.
const numberedHint = (el, hint) => {
  if (!hint) return '';
  const given = attr(el, 'class');
  const isAlike = (other) => other !== null && kindOf(other) === ELEMENT && tagOf(other) === tagOf(el) && attr(other, 'class') === given;
  if (!isAlike(nextElementOf(el)) && !isAlike(previousElementOf(el))) return hint;
  const place = positionHint(el);
  return place ? `${hint}, ${place}` : hint;
};
