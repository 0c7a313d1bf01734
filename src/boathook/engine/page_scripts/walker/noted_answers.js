// What a walk asks of the page that can change without a mutation: styles, boxes, shadow roots. Its answers are noted, so
// that the next walk can ask the same again and look only at what answers differently (walk_cache.js).

// Does a walk run whose answers are noted?
let noting = false;
const NOTED = [];
// How much of a subtree an answer is about: its element, or all of it.
const ELEMENT_ALONE = 1;
const SUBTREE = 2;

// A kind of question: its answers by element. `isSame` asks again.
/** @type {(isSame: (was: any, el: any) => boolean, reach?: number) => Map<any, any>} */
const noteAnswers = (isSame, reach = ELEMENT_ALONE) => {
  const answers = new Map();
  NOTED.push({ answers, isSame, reach });
  return answers;
};

// Elements whose rows depend on other parts of the page, or on values: each walk looks at them again.
let volatile = new Set();
const noteVolatile = (el) => {
  if (noting) volatile.add(el);
};

// Elements whose rows depend on labels elsewhere: they are looked at again when a label may have changed.
let labelUsers = new Set();
const noteLabelUse = (el) => {
  if (noting) labelUsers.add(el);
};

// Asks everything again, and forgets what is answered differently: whoever asks next notes the new answer.
const findOutdated = (report) => {
  for (const { answers, isSame, reach } of NOTED) {
    answers.forEach((was, el) => {
      if (isSame(was, el)) return;
      answers.delete(el);
      report(el, reach);
    });
  }
};

// What is gone from the page, and answers as before, would be kept for good.
const forgetRemoved = () => {
  for (const { answers } of NOTED) answers.forEach((_, el) => { if (!connected(el)) answers.delete(el); });
  for (const elements of [volatile, labelUsers]) for (const el of elements) if (!connected(el)) elements.delete(el);
};

const forgetAnswers = () => {
  for (const { answers } of NOTED) answers.clear();
};

const VISIBLE = noteAnswers((was, el) => checkVisibility.call(el) === was);
const isVisible = (el) => {
  const is = checkVisibility.call(el);
  if (noting) VISIBLE.set(el, is);
  return is;
};

// Not only rendered, but with visibility: visible as well.
const VISIBLE_TOO = { visibilityProperty: true };
const ALSO_SHOWN = noteAnswers((was, el) => checkVisibility.call(el, VISIBLE_TOO) === was);
const isShown = (el) => {
  const is = checkVisibility.call(el, VISIBLE_TOO);
  if (noting) ALSO_SHOWN.set(el, is);
  return is;
};

const styleQuestion = (property) => {
  const answers = noteAnswers((was, el) => getComputedStyle(el)[property] === was);
  return (el) => {
    const now = getComputedStyle(el)[property];
    if (noting) answers.set(el, now);
    return now;
  };
};
const displayAt = styleQuestion('display');
const visibilityAt = styleQuestion('visibility');
const cursorAt = styleQuestion('cursor');
const textTransformAt = styleQuestion('textTransform');

const isContents = (el) => displayAt(el) === 'contents';

// Is the element, or the nearest ancestor with a box, shown? (display: contents has no box.)
const isBoxed = (el) => {
  let box = el;
  while (box && !checkVisibility.call(box)) {
    if (getComputedStyle(box).display !== 'contents') return false;
    box = flatParent(box);
  }
  return Boolean(box);
};

// Has it no box itself, but stands in one that is shown?
const standsInBox = (el) => getComputedStyle(el).display === 'contents' && isBoxed(flatParent(el));
const IN_BOX = noteAnswers((was, el) => standsInBox(el) === was);
const showsThrough = (el) => {
  const is = standsInBox(el);
  if (noting) IN_BOX.set(el, is);
  return is;
};

