// Looks: what a person cannot see although it is there for programs: faded out, clipped away, moved far
// outside, without size or ink. Asked only about elements whose rules can do that, since it may need layout.

const FAINT = 0.1;

const isOutOfSight = (el, tag, style) => {
  if (isClippedAway(style)) return true;
  if (givesOverflowAway(el, tag)) return false;
  const rect = rectOf(el);
  if (rect.width <= 1 || rect.height <= 1) {
    if (style.overflow !== 'visible' || LEAF_TAGS.has(tag)) return true;
    if ((style.transform !== 'none' || style.scale !== 'none') && el.offsetWidth > 1) return true;
  }
  return isFarOutside(el, rect, style);
};

// The overflow of the root element, or else that of the body, applies to the viewport and not to its own box.
const givesOverflowAway = (el, tag) => {
  const root = documentElementOf(ownerDocumentOf(el));
  return el === root || (tag === 'BODY' && getComputedStyle(root).overflow === 'visible');
};

const LENGTH = /-?[\d.]+(?:px|%)?/g;

const isClippedAway = (style) => {
  const { clip, clipPath } = style;
  if (clip !== 'auto' && (style.position === 'absolute' || style.position === 'fixed')) {
    const [top, right, bottom, left] = (clip.match(LENGTH) || []).map(parseFloat);
    if (bottom - top <= 1 || right - left <= 1) return true;
  }
  if (clipPath.startsWith('inset')) return isInsetAway(clipPath);
  if (/^(?:circle|ellipse)\(0(?:px|%)?[ )]/.test(clipPath)) return true;
  return clipPath.startsWith('polygon') && new Set(clipPath.slice(8, -1).split(/,\s*/)).size < 3;
};

const isInsetAway = (clipPath) => {
  const edges = clipPath.split('round')[0].match(LENGTH) || [];
  const [top, right = top, bottom = top, left = right] = edges;
  const covers = (a, b) => a.endsWith('%') && b.endsWith('%') && parseFloat(a) + parseFloat(b) >= 100;
  return covers(top, bottom) || covers(left, right);
};

// Outside of everything that one can scroll to. Boxes below and right of the viewport can be scrolled to, unless they are
// fixed; only for those above and left of it the offsets of everything around them have to be known.
const isFarOutside = (el, rect, style) => {
  const isAfterOrigin = rect.right > 0 && rect.bottom > 0;
  if (style.position === 'fixed') return !isAfterOrigin || isBeyondViewport(el, rect);
  if (isAfterOrigin) return false;
  let [right, bottom] = [rect.right, rect.bottom];
  for (let at = flatParent(el); at; at = flatParent(at)) {
    right += Math.abs(at.scrollLeft);
    bottom += at.scrollTop;
  }
  const page = documentElementOf(ownerDocumentOf(el));
  const leftmost = getComputedStyle(page).direction === 'rtl' ? page.clientWidth - page.scrollWidth : 0;
  return right <= leftmost || bottom <= 0;
};

const isBeyondViewport = (el, rect) => {
  const view = windowOf(ownerDocumentOf(el));
  return rect.left >= view.innerWidth || rect.top >= view.innerHeight;
};

const SMALLEST_FONT = 2;
const FARTHEST_INDENT = -200;

// Are the words directly in this element without size, out of their box, or in an invisible colour?
const isInkless = (el) => {
  const is = hasNoInk(el);
  if (noting) INKLESS_TEXT.set(el, is);
  return is;
};
const INKLESS_TEXT = noteAnswers((was, el) => hasNoInk(el) === was);

const hasNoInk = (el) => {
  const style = getComputedStyle(el);
  if (parseFloat(style.fontSize) < SMALLEST_FONT) return true;
  const indent = parseFloat(style.textIndent);
  if (indent <= (style.textIndent.endsWith('%') ? -100 : FARTHEST_INDENT)) return true;
  if (style.textShadow !== 'none') return false;
  const ink = colourOf(style.webkitTextFillColor);
  return ink !== null && (ink[3] < FAINT ? !isClippedToWords(el) : isOnItsOwnColour(el, ink));
};

// Pages use few colours, and many elements of each.
const colourOf = (text) => {
  let colour = knownColours.get(text);
  if (colour === undefined) {
    colour = text.startsWith('rgb') ? text.match(/[\d.]+/g).map(Number) : null;
    if (colour && colour.length === 3) colour.push(1);
    if (knownColours.size > MOST_COLOURS) knownColours.clear();
    knownColours.set(text, colour);
  }
  return colour;
};
const knownColours = new Map();
const MOST_COLOURS = 1000;

// Words cut out of a background: their colour is the background's.
const isClippedToWords = (el) => {
  for (let at = el; at; at = flatParent(at)) {
    if (getComputedStyle(at).webkitBackgroundClip.includes('text')) return true;
  }
  return false;
};

const SAME_SHADE = 8;
const WHITE = [255, 255, 255, 1];
const isSameShade = (one, other) => [0, 1, 2].every((i) => Math.abs(one[i] - other[i]) <= SAME_SHADE);

// The nearest background behind the words; null when it cannot be told, so that nothing is left out by mistake.
const backgroundOf = (el) => {
  const seen = [];
  let background;
  for (let at = el; at && background === undefined; at = flatParent(at)) {
    background = backgrounds.get(at);
    if (background === undefined) {
      seen.push(at);
      background = ownBackground(getComputedStyle(at));
    }
  }
  if (background === undefined) background = pageBackground(el);
  for (const at of seen) backgrounds.set(at, background);
  return background;
};
// Of one walk: what stands behind an element stands behind all in it.
let backgrounds = new Map();

// undefined: what is behind it shows through.
const ownBackground = (style) => {
  const colour = colourOf(style.backgroundColor);
  if (style.backgroundImage !== 'none' || !colour) return null;
  if (colour[3] > 1 - FAINT) return colour;
  const { position } = style;
  return colour[3] > FAINT || (position !== 'static' && position !== 'relative') ? null : undefined;
};

const pageBackground = (el) => {
  const page = documentElementOf(ownerDocumentOf(el));
  return getComputedStyle(page).colorScheme.includes('dark') ? null : WHITE;
};

const isOnItsOwnColour = (el, ink) => {
  const background = backgroundOf(el);
  if (background === null || !isSameShade(background, ink)) return false;
  return !standsOnPicture(el);
};

const PICTURE_TAGS = setOf('IMG VIDEO CANVAS svg IFRAME PICTURE');

// White text on an image that only lies behind it.
const standsOnPicture = (el) => {
  const rect = rectOf(el);
  const doc = ownerDocumentOf(el);
  const stack = elementsAt.call(doc, rect.x + rect.width / 2, rect.y + rect.height / 2);
  return stack.some((other) => !other.contains(el) && !el.contains(other) &&
    (PICTURE_TAGS.has(tagOf(other)) || getComputedStyle(other).backgroundImage !== 'none' ||
      (colourOf(getComputedStyle(other).backgroundColor) || WHITE)[3] > FAINT));
};
const elementsAt = Document.prototype.elementsFromPoint;
