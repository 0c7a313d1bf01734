// What the style rules around an element and on it hide, from the bits of `styles.js` to how it looks.

const PLAIN = 0;
const INKLESS = 1;            // words may be invisible: look when there are some
const READABLE = 2;           // looked, and they are not
const HIDDEN_TEXT = 3;       // looked, and they are
const VISUALLY_HIDDEN = 4;             // nothing below shows

// What an element hands down to the words and elements in it: the colour can be overridden, the rest cannot.
const handedDown = (hiding) => (hiding === PLAIN || hiding === VISUALLY_HIDDEN ? hiding : INKLESS);

const hidingOf = (el, tag, bits, above) => {
  const now = howHidden(el, tag, bits, above);
  if (noting) HIDING.set(el, { tag, bits, above, now });
  return now;
};
const HIDING = noteAnswers(({ tag, bits, above, now }, el) => howHidden(el, tag, bits, above) === now);

const howHidden = (el, tag, bits, above) => {
  if (bits & (FADED | BOXED)) {
    const style = getComputedStyle(el);
    if (bits & FADED && Number(style.opacity) < FAINT) return VISUALLY_HIDDEN;
    if (bits & BOXED && style.display !== 'contents' && isOutOfSight(el, tag, style)) return VISUALLY_HIDDEN;
  }
  return bits & INKED ? INKLESS : above;
};

// Does a thing that is only words show none of them? Images in it or behind it would show.
const showsNoWords = (el, bits) => {
  if (bits & GENERATED || el.firstElementChild || !isInkless(el)) return false;
  return backgroundImageAt(el) === 'none';
};
const backgroundImageAt = styleQuestion('backgroundImage');

// What rules around an element in the middle of a page do to it.
const surroundings = (start) => {
  let hiding = PLAIN;
  for (let at = flatParent(start); at && hiding !== VISUALLY_HIDDEN; at = flatParent(at)) {
    const tag = tagOf(at);
    const { scan, animated } = contextOf(rootOf(at));
    const bits = bitsOf(scan, at, tag, flagsOf(at)) | (animated.has(at) ? MOVING : 0);
    if (bits & LOOKS) hiding = hidingOf(at, tag, bits, hiding);
  }
  return { bits: INHERITED, hiding };
};
