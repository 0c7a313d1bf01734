// Choices made of other elements than select: listboxes, comboboxes, radio groups, switches.

const MOST_OPTIONS = 200;

const pointTo = (id) => {
  const el = elementOf(id);
  if (!el) throw failure('gone');
  return centreInView(el);
};

const centreInView = (el) => {
  bringIntoView(el);
  return centreOf(el);
};

// Where to drop: on the element, or just before or after it in the direction that its list runs.
const dropPoint = (id, where) => {
  const el = elementOf(id);
  const box = reachable(el);
  if (!box) return {};
  const middle = centreOf(el);
  if (where === 'onto') return middle;
  const beside = el.nextElementSibling || el.previousElementSibling;
  const sideways = beside && Math.abs(beside.getBoundingClientRect().top - el.getBoundingClientRect().top) < 2;
  const share = where === 'before' ? 0.15 : 0.85;
  const [left, top] = frameOffset(el);
  return sideways ? { x: box.left + (box.right - box.left) * share + left, y: middle.y }
    : { x: middle.x, y: box.top + (box.bottom - box.top) * share + top };
};

const HANDLES = '[class*=handle i], [class*=grip i], [data-drag-handle]';
const OTHER_HANDLES = /resiz|rotat|connect|split|scroll/i;

const handleIn = (el) => {
  const all = [...el.querySelectorAll(HANDLES)].filter((one) => isShown(one) && isBig(one) && !OTHER_HANDLES.test(attr(one, 'class') || '')
    && !/resize$|crosshair/.test(getComputedStyle(one).cursor));
  const outermost = all.filter((one) => !all.some((other) => other !== one && other.contains(one)));
  return outermost.length === 1 && reachable(outermost[0]) ? outermost[0] : null;
};

// Where an item that is carried by its handle is pressed.
const dragHandle = (id) => {
  const el = elementOf(id);
  const handle = el && !closest(el, HANDLES) ? handleIn(el) : null;
  return handle ? centreOf(handle) : {};
};

const elementAt = (x, y, base) => {
  raiseBase(base);
  const el = deepestAt(document, x, y);
  return el ? { ...described(el), first: firstNewId, next: nextId } : { first: firstNewId, next: nextId };
};

const centreOf = (el) => {
  const box = reachable(el) || el.getBoundingClientRect();
  const [left, top] = frameOffset(el);
  return { x: (box.left + box.right) / 2 + left, y: (box.top + box.bottom) / 2 + top };
};

// Pages may need a moment to show what a press did.
const MOST_STATE_FRAMES = 30;
const stateOnceIs = async (find, wanted) => {
  let state = checkedIn(find());
  for (let tries = 0; state.checked !== null && state.checked !== wanted && tries < MOST_STATE_FRAMES; tries++) {
    await nextFrame();
    state = checkedIn(find());
  }
  return state;
};

const checkedState = (id, wanted) => stateOnceIs(() => elementOf(id), wanted);

const checkedIn = (el) => {
  if (!el) return { checked: null };
  const field = fieldIn(el);
  const native = tagOf(field) === 'INPUT' && (field.type === 'checkbox' || field.type === 'radio');
  const state = native ? null : attr(el, 'aria-checked') || attr(el, 'aria-pressed');
  const radio = native ? field.type === 'radio' : attr(el, 'role') === 'radio';
  if (native) return { checked: isTicked(field), radio };
  return { checked: state === null ? null : state === 'true', radio };
};
