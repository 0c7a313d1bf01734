// Ready to act: scrolled into view, shown, stable, enabled and not covered; with the reason when it is not.

const STABLE_PIXELS = 0.5;
const STALLED_MS = 100;
// A page that is not painted has no frames, and returns false; time still passes.
const nextFrame = () => new Promise((done) => {
  frameSoon(() => done(true));
  later(() => done(false), STALLED_MS);
});

const hasAnimation = (el, test) => {
  for (let at = el; at; at = flatParent(at)) if (at.getAnimations().some(test)) return true;
  return false;
};
const isAnimating = (el) => hasAnimation(el, (animation) => animation.playState === 'running');
// An animation that is about to start stands still for its first frames.
const isStarting = (el) => hasAnimation(el, (animation) => animation.pending);

const isOff = (el) => matches(el, ':disabled') || around(el, '[aria-disabled=true]') !== null
  || attr(el, 'aria-disabled') === 'true';

// The part of an element that a pointer can reach: its first box on screen, cut by the viewport of its frame.
const reachable = (el) => {
  const view = ownerDocumentOf(el).defaultView;
  for (const rect of el.getClientRects()) {
    const left = Math.max(rect.left, 0);
    const top = Math.max(rect.top, 0);
    const right = Math.min(rect.right, view.innerWidth);
    const bottom = Math.min(rect.bottom, view.innerHeight);
    if (right - left >= 1 && bottom - top >= 1) return { left, top, right, bottom };
  }
  return null;
};

// Where the document inside a frame begins, in the viewport that the frame stands in.
const contentCorner = (holder) => {
  const rect = holder.getBoundingClientRect();
  const style = getComputedStyle(holder);
  return [rect.x + holder.clientLeft + parseFloat(style.paddingLeft), rect.y + holder.clientTop + parseFloat(style.paddingTop)];
};

// The frames of this process that an element stands in, innermost first.
const holdersOf = (el) => {
  const holders = [];
  let view = ownerDocumentOf(el).defaultView;
  while (view && view !== globalThis && view.frameElement) {
    holders.push(view.frameElement);
    view = ownerDocumentOf(view.frameElement).defaultView;
  }
  return holders;
};

const frameOffset = (el) => holdersOf(el).map(contentCorner).reduce(([x, y], [left, top]) => [x + left, y + top], [0, 0]);

const deepestAt = (root, x, y) => {
  let hit = root.elementFromPoint(x, y);
  while (hit) {
    const shadow = shadowOf(hit);
    const inner = shadow && shadow.elementFromPoint(x, y);
    if (!inner || inner === hit) return hit;
    hit = inner;
  }
  return null;
};

const isWithin = (node, el) => {
  for (let at = node; at; at = flatParent(at)) if (at === el) return true;
  return false;
};

// A label stands for its control, and a hidden native input is pressed through whatever is drawn over it.
const standsFor = (hit, el) => {
  const label = closest(hit, 'label');
  return Boolean(label) && (label.control === el || label === bareLabelOf(el));
};

// A label without `for` right after a toggle: the page's own scripts make it stand for that.
const bareLabelOf = (el) => {
  const next = isToggle(el) ? el.nextElementSibling : null;
  return next && tagOf(next) === 'LABEL' && !next.control ? next : null;
};

// What lies over the element at a point of its own document or over one of the frames it stands in; null when nothing.
const coverAt = (el, x, y) => {
  const hit = deepestAt(ownerDocumentOf(el), x, y);
  if (!hit) return documentElementOf(ownerDocumentOf(el));
  if (!isWithin(hit, el) && !standsFor(hit, el)) return hit;
  let [atX, atY] = [x, y];
  for (const holder of holdersOf(el)) {
    const [left, top] = contentCorner(holder);
    [atX, atY] = [atX + left, atY + top];
    const outer = deepestAt(ownerDocumentOf(holder), atX, atY) || documentElementOf(ownerDocumentOf(holder));
    if (!isWithin(outer, holder)) return outer;
  }
  return null;
};

const TELLING = setOf('dialog alertdialog alert banner navigation region complementary status form menu listbox tooltip');

// The cover as a person would name it: the dialog or region that it belongs to, else the element itself.
const nameCover = (hit) => {
  let best = null;
  for (let at = hit; at && at !== documentElementOf(ownerDocumentOf(hit)); at = flatParent(at)) {
    const { role, name } = probe(at);
    if (!best && (name || (role !== 'generic' && role !== 'none'))) best = at;
    if (TELLING.has(role)) {
      best = at;
      break;
    }
  }
  const el = best || hit;
  const words = attr(el, 'id') ? `#${attr(el, 'id')}` : (attr(el, 'class') || '').trim().split(/\s+/).slice(0, 2)
    .map((word) => `.${word}`).join('').replace(/^\.$/, '');
  return { ...described(el), element: quote(`${tagOf(el).toLowerCase()}${words}`, 80).slice(1, -1) };
};

const SPOTS = [[0.5, 0.5], [0.5, 0.25], [0.5, 0.75], [0.2, 0.5], [0.8, 0.5]];

// A mouse reports whole pixels; with fractions Chromium selects no text while dragging.
const whole = (place, least) => (Math.floor(place) >= least ? Math.floor(place) : place);

const openSpot = (el, box, offset) => {
  let cover = null;
  const spots = offset ? [[0.5, 0.5]] : SPOTS;
  for (const [across, down] of spots) {
    const x = whole(offset ? box.left + offset[0] : box.left + (box.right - box.left) * across, box.left);
    const y = whole(offset ? box.top + offset[1] : box.top + (box.bottom - box.top) * down, box.top);
    const over = coverAt(el, x, y);
    if (over === null) return { x, y };
    cover = cover || over;
  }
  return { cover };
};

// The centre must be in sight in the element's own document, and in that of each frame around it.
const isInView = (el) => {
  const rect = el.getBoundingClientRect();
  let [x, y] = [rect.x + rect.width / 2, rect.y + rect.height / 2];
  let at = el;
  for (const holder of [...holdersOf(el), null]) {
    const view = ownerDocumentOf(at).defaultView;
    if (x < 0 || y < 0 || x >= view.innerWidth || y >= view.innerHeight || isClipped(at, x, y)) return false;
    if (!holder) break;
    const [left, top] = contentCorner(holder);
    [x, y, at] = [x + left, y + top, holder];
  }
  return true;
};

// Inside a scroller, the centre may be in the viewport and still be scrolled out of sight.
const isClipped = (el, x, y) => {
  for (let at = flatParent(el); at; at = flatParent(at)) {
    if (at.scrollHeight <= at.clientHeight && at.scrollWidth <= at.clientWidth) continue;
    const rect = at.getBoundingClientRect();
    if ((x < rect.left || y < rect.top || x > rect.right || y > rect.bottom)
      && getComputedStyle(at).overflow !== 'visible') return true;
  }
  return false;
};

const bringIntoView = (el) => {
  if (isInView(el)) return false;
  el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  for (const holder of isInView(el) ? [] : holdersOf(el)) holder.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  return true;
};

// An area of an image map has no box of its own: it is a part of the image that uses its map.
const imageOfArea = (area) => {
  const map = closest(area, 'map');
  const name = map && (attr(map, 'name') || attr(map, 'id'));
  return name ? [...queryAll(rootOf(area), 'img[usemap]')].find((image) => attr(image, 'usemap') === `#${name}`) || null : null;
};

// The box around the coordinates of an area, in the viewport.
const boxOfArea = (area, image) => {
  const [left, top] = contentCorner(image);
  const numbers = (attr(area, 'coords') || '').split(/[\s,]+/).filter(Boolean).map(Number);
  const shape = (attr(area, 'shape') || 'rect').toLowerCase();
  if (shape === 'default' || numbers.length < 3) return rectOf(image);
  const [x, y, radius] = numbers;
  const points = shape.startsWith('circ') ? [x - radius, y - radius, x + radius, y + radius] : numbers;
  const across = points.filter((_, at) => at % 2 === 0);
  const down = points.filter((_, at) => at % 2);
  return { left: left + Math.min(...across), right: left + Math.max(...across), top: top + Math.min(...down), bottom: top + Math.max(...down) };
};

const lookAtArea = (area, wants) => {
  const image = imageOfArea(area);
  if (!image || !isShown(image)) return { problem: 'hidden' };
  if (!wants.pointer) return { ok: true };
  bringIntoView(image);
  const view = ownerDocumentOf(area).defaultView;
  const { left, right, top, bottom } = boxOfArea(area, image);
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  // Of a large image, the middle may be in view and the area not.
  if (x < 0 || y < 0 || x >= view.innerWidth || y >= view.innerHeight) {
    view.scrollBy({ left: x - view.innerWidth / 2, top: y - view.innerHeight / 2, behavior: 'instant' });
  }
  const spot = openSpot(area, boxOfArea(area, image), wants.offset);
  return spot.cover ? { problem: 'covered', cover: spot.cover } : { ok: true, ...spot };
};

const OUT_OF_REACH = setOf('hidden outside untouchable covered');
const isToggle = (el) => tagOf(el) === 'INPUT' && (el.type === 'checkbox' || el.type === 'radio');

// One look: the point to press, or what is in the way. A toggle that is drawn by its label is pressed there.
/** @returns {{ ok?: boolean, x?: number, y?: number, problem?: string, cover?: Element }} */
const lookAt = (el, wants) => {
  const look = lookAtBox(el, wants);
  if (look.ok || !wants.pointer || !OUT_OF_REACH.has(look.problem) || !isToggle(el)) return look;
  for (const label of [...el.labels, bareLabelOf(el)]) {
    const other = label ? lookAtBox(label, wants) : look;
    if (other.ok) return other;
  }
  return look;
};

/** @returns {{ ok?: boolean, x?: number, y?: number, problem?: string, cover?: Element }} */
const lookAtBox = (el, wants) => {
  if (!connected(el)) return { problem: 'gone' };
  if (tagOf(el) === 'AREA') return lookAtArea(el, wants);
  if (!isShown(el)) return { problem: 'hidden' };
  if (wants.enabled && isOff(el)) return { problem: 'disabled' };
  if (wants.editable && (el.readOnly || attr(el, 'aria-readonly') === 'true')) return { problem: 'readonly' };
  if (!wants.pointer) return { ok: true };
  bringIntoView(el);
  const box = reachable(el);
  if (!box) return { problem: el.getClientRects().length ? 'outside' : 'hidden' };
  if (getComputedStyle(el).pointerEvents === 'none') return { problem: 'untouchable' };
  const spot = openSpot(el, box, wants.offset);
  return spot.cover ? { problem: 'covered', cover: spot.cover } : { ok: true, ...spot };
};

// By its middle, wherever the point to press is: what turns in its place, half out of view, does not move away.
const hasMoved = (before, after) => Math.abs(before.x - after.x) > STABLE_PIXELS || Math.abs(before.y - after.y) > STABLE_PIXELS;

const middleOf = (el) => {
  const rect = el.getBoundingClientRect();
  return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
};

// Looks until the element is ready, or says why it is not; covers get a moment to go away by themselves.
const becomeReady = async (el, wants) => {
  const until = performance.now() + wants.patience;
  for (;;) {
    const look = lookAt(el, wants);
    if (look.ok && (!wants.pointer || !isAnimating(el))) return look;
    if (look.ok) {
      const before = middleOf(el);
      const painted = await nextFrame() && await nextFrame();
      const again = lookAt(el, wants);
      if (again.ok && !hasMoved(before, middleOf(el)) && !(painted && isStarting(el))) return again;
    }
    if (look.problem === 'gone' || performance.now() > until) {
      return look.ok ? { problem: 'moving' } : look;
    }
    await nextFrame();
  }
};

const explained = (look) => (look.cover ? { problem: 'covered', cover: nameCover(look.cover) } : { problem: look.problem });
