// What may close an element that covers another one: the controls of the dialog around it, or of its outermost positioned box.

const OVERLAYS = 'dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]';
const PRESSED_TO_CLOSE = setOf('button link menuitem');
const MOST_CLOSERS = 30;

const isInside = (el, root) => {
  for (let at = el; at; at = flatParent(at)) if (at === root) return true;
  return false;
};

const overlayOf = (cover) => {
  let box = cover;
  for (let at = cover; at; at = flatParent(at)) {
    if (at.nodeType !== ELEMENT) continue;
    if (matches(at, OVERLAYS)) return at;
    if (/fixed|absolute|sticky/.test(getComputedStyle(at).position)) box = at;
  }
  return box;
};

const isPositioned = (el) => {
  for (let at = el; at; at = flatParent(at)) {
    if (at.nodeType === ELEMENT && (matches(at, ':modal') || /fixed|absolute|sticky/.test(getComputedStyle(at).position))) return true;
  }
  return false;
};

// Whether an element lies over the page: it is taken out of the flow, and its middle is on top and in view.
const isOnTop = (id) => {
  const el = elementOf(id);
  const part = el && isShown(el) && isPositioned(el) ? reachable(el) : null;
  if (!part) return false;
  const hit = document.elementFromPoint((part.left + part.right) / 2, (part.top + part.bottom) / 2);
  return hit !== null && (isInside(hit, el) || el.shadowRoot !== null);
};

const controlsOver = (id, base) => {
  raiseBase(base);
  const cover = elementOf(id);
  const rows = fullWalk().rows.filter((row) => row.el !== null && PRESSED_TO_CLOSE.has(row.role));
  const around = cover ? [overlayOf(cover), ...everywhere(OVERLAYS).filter(isShown)] : [];
  const inside = around.map((root) => rows.filter((row) => isInside(row.el, root))).find((found) => found.length) || [];
  const found = inside.slice(0, MOST_CLOSERS).map((row) => noted(row.el, row.role, row.name));
  forgetWalk();
  return { found, first: firstNewId, next: nextId };
};
