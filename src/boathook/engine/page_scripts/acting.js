// One action, watched from before it starts until the page is quiet again.

const WATCHED = ['pointerdown', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'auxclick', 'mouseover',
  'pointerover', 'mousemove', 'keydown', 'beforeinput', 'input', 'change', 'touchstart', 'pointerup',
  'dragstart', 'drop', 'dragend'];
const WATCHED_MS = 3000;
let watched = null;

const RELEASES = setOf('mouseup pointerup drop dragend');

const afterThisTask = (work) => new Promise((done) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { channel.port1.close(); work(); done(); };
  channel.port2.postMessage(null);
});

// A press that is answered at once, by a list that closes on mousedown or a select that opens, is not followed by a click.
const isTaken = (el, event) => tagOf(el) === 'SELECT' || !connected(el) || !isShown(el) || isOff(el)
  || !hasHit(el, event.view === ownerDocumentOf(el).defaultView ? event : null);

const hasHit = (el, event) => {
  const hit = event && deepestAt(ownerDocumentOf(el), event.clientX, event.clientY);
  return !event || (hit !== null && (isWithin(hit, el) || standsFor(hit, el)));
};

// A key that should write: what is struck must be written somewhere, unless the page has other plans for the key.
const isWriting = (event, field) => event.type === 'keydown' && event.key.length === 1 && !event.ctrlKey && !event.metaKey
  && !event.altKey && fieldKind(field) === 'text' && !field.readOnly;

// From outside a closed shadow root, the path of an event ends at its host.
const closedRootAround = (el) => {
  for (let root = rootOf(el); hostOf(root); root = rootOf(hostOf(root))) if (root.mode === 'closed') return [root];
  return [];
};

const startWatching = (el, quietly) => {
  stopWatching();
  const seen = {};
  const astray = [];
  const afterwards = [];
  const field = fieldIn(el);
  const count = (type) => {
    seen[type] = (seen[type] || 0) + 1;
    if (watched && watched.expects === type) watched.met();
  };
  const notice = (event) => {
    if (!event.isTrusted) return;
    const path = event.composedPath();
    if (RELEASES.has(event.type) && seen.mousedown && !dropped && connected(el)) count('carried');
    if (event.type === 'beforeinput') count('written');
    if (event.type === 'dragstart' && watched) watched.drag = event;
    if (path.includes(el) || path.includes(field)
      || path.some((node) => node.nodeType === ELEMENT && node.shadowRoot === null && standsFor(node, el))) {
      count(event.type);
      if (event.type === 'mousedown') afterwards.push(afterThisTask(() => { if (isTaken(el, event)) count('taken'); }));
      if (event.type === 'click' && closest(el, 'a[download]')) {
        afterwards.push(afterThisTask(() => { if (!event.defaultPrevented) count('download'); }));
      }
      if (isWriting(event, field)) afterwards.push(afterThisTask(() => count(event.defaultPrevented ? 'held' : 'struck')));
    } else if (event.type === 'mousedown' && path[0].nodeType === ELEMENT) astray.push(path[0]);
    // Some fields hand the focus on while one types, such as those for the digits of a code.
    else if (event.type === 'keydown' && seen.keydown && fieldKind(path[0])) count('keydown');
  };
  const views = new Set([globalThis, ownerDocumentOf(el).defaultView, ...closedRootAround(el)]);
  for (const view of views) for (const type of WATCHED) view.addEventListener(type, notice, { capture: true, passive: true });
  // What is taken off the page and put back later, not merely moved, has lost the pointer that carried it.
  let dropped = false;
  const observer = new MutationObserver((records) => {
    dropped = dropped || !connected(el);
    noteChange(records);
  });
  for (const root of quietly ? [] : allRoots()) {
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }
  watched = { el, seen, astray, afterwards, observer, views, notice, frame: null, fresh: new Set(), before: quietly ? null : linesNow(), url: location.href };
};

// Whether the page has let a drag of HTML's own begin.
const dragBegan = () => ({ began: Boolean(watched && watched.drag && !watched.drag.defaultPrevented) });

const stopWatching = () => {
  if (!watched) return;
  clearTimeout(watched.ending);
  watched.observer.disconnect();
  for (const view of watched.views) for (const type of WATCHED) view.removeEventListener(type, watched.notice, { capture: true });
  watched = null;
};

const CHANGE_VIEW = optionsFor({ mode: 'interactive', maxLines: 20000 });

// The whole page, also what a modal dialog has put aside: opening one changes nothing but the dialog.
const linesNow = () => {
  const tree = walkTree({ root: documentElementOf(document), nameLimit: LIMITS.interactive.name, wantsOptions: false });
  const { lines } = linesOf(tree, CHANGE_VIEW);
  forgetWalk();
  return lines.join('\n');
};

// Checks an element and starts to watch it. Gives the point to press in the viewport of this world's top document.
const prepare = async (id, wants, base) => {
  raiseBase(base);
  const el = elementOf(id);
  if (!el) return { problem: 'gone', first: firstNewId, next: nextId };
  const look = await becomeReady(el, wants);
  if (!connected(el)) return { problem: 'gone', first: firstNewId, next: nextId };
  if (!look.ok) return { ...explained(look), ...described(el), first: firstNewId, next: nextId };
  startWatching(el, wants.quietly);
  watched.reads = wants.focus;
  const focused = wants.focus ? focusAndSelect(id) : null;
  const [left, top] = frameOffset(el);
  return { ok: true, focused, x: look.x + left, y: look.y + top, ...described(el), kind: fieldKind(el), first: firstNewId, next: nextId };
};

// From each change on, the page has one frame to change again; `frame` is that frame while it lasts.
const noteChange = (records) => {
  if (!watched || !records.length) return;
  const mine = watched;
  for (const { type, target, addedNodes, attributeName } of records) {
    if (mine.fresh.size >= MOST_FRESH) break;
    if (type === 'characterData') mine.fresh.add(target);
    else if (type === 'childList') for (const node of addedNodes) mine.fresh.add(node);
    else if (GAUGE_VALUES.has(attributeName)) mine.fresh.add(target);
  }
  const frame = nextFrame().then(() => { if (mine.frame === frame) mine.frame = null; });
  mine.frame = frame;
};

const MOST_FRESH = 200;
const MOST_TEXTS = 4;
const TEXT_SHOWN = 120;
const HAS_LINES = 'a[href], button, input, select, textarea, summary, [role], [tabindex], [contenteditable]';

const GAUGES = setOf('meter progressbar');
const GAUGE_TAGS = setOf('METER PROGRESS');
const GAUGE_VALUES = setOf('value aria-valuenow aria-valuetext');

// The words of an element that stand in no control; of a gauge, what it shows.
const plainWords = (el) => {
  if (GAUGE_TAGS.has(tagOf(el)) || GAUGES.has(attr(el, 'role'))) {
    const { role, name, states } = probe(el);
    return `${name || role}: ${states.value || ''}`;
  }
  if (matches(el, HAS_LINES)) return '';
  if (!firstInside(el, HAS_LINES)) return collapse(el.innerText || '');
  const words = [];
  const nodes = ownerDocumentOf(el).createTreeWalker(el, NodeFilter.SHOW_TEXT);
  while (nodes.nextNode() && words.length < MOST_FRESH) {
    const around = parentOf(nodes.currentNode);
    if (!closest(around, HAS_LINES) && !SILENT.has(tagOf(around)) && isShown(around)) words.push(nodes.currentNode.data);
  }
  return collapse(words.join(' '));
};

// What came onto the page as mere words, which the lines of controls do not show.
const freshTexts = (fresh, lines) => {
  const told = new Set();
  for (const node of fresh) {
    if (told.size >= MOST_TEXTS) break;
    const el = node.nodeType === ELEMENT ? node : parentOf(node);
    if (!el || el.nodeType !== ELEMENT || !connected(el) || SILENT.has(tagOf(el)) || !isShown(el)) continue;
    const whole = plainWords(el);
    const text = node === el || whole.length <= TEXT_SHOWN ? whole : collapse(node.data || '');
    if (text && !lines.includes(quote(text, TEXT_SHOWN).slice(1, -1))) told.add(cut(text, TEXT_SHOWN));
  }
  return [...told].filter((text) => ![...told].some((other) => other !== text && other.includes(text)));
};

const MEETING_MS = 300;

// Input that is still on its way comes past the browser; whoever asked for it asks us what it did at the same time.
const meeting = async (type) => {
  if (!watched.seen[type]) {
    watched.expects = type;
    await new Promise((met) => { watched.met = met; setTimeout(met, MEETING_MS); });
  }
  // The page's own listeners come after ours.
  await afterThisTask(() => {});
};

// Waits until nothing has changed for a frame (or the cap), then tells what was seen and what is different.
const conclude = async (cap, frames, base, expects) => {
  raiseBase(base);
  if (expects && watched) await meeting(expects);
  const until = performance.now() + cap;
  for (let left = frames; left > 0; left--) await nextFrame();
  if (!watched) return { lost: true, first: firstNewId, next: nextId };
  noteChange(watched.observer.takeRecords());
  while (watched && watched.frame && performance.now() < until) {
    await watched.frame;
    if (watched) noteChange(watched.observer.takeRecords());
  }
  if (!watched) return { lost: true, first: firstNewId, next: nextId };
  await Promise.all(watched.afterwards);
  if (!watched) return { lost: true, first: firstNewId, next: nextId };
  const { el, seen, astray, before, fresh, url } = watched;
  const after = before === null ? null : linesNow();
  const result = {
    seen, frame: /^I?FRAME$/.test(tagOf(el)), astray: astray.filter(connected).slice(0, 1).map(nameCover), connected: connected(el), url, title: wellFormed(documentTitle(document)),
    value: connected(el) ? readField(el) : null, before: before === after ? null : before, after: before === after ? null : after,
    held: watched.reads && connected(el) ? readField(fieldIn(el)) : null, closing: globalThis.closed, texts: after === null ? [] : freshTexts(fresh, after), settled: performance.now() < until, first: firstNewId, next: nextId,
  };
  clearTimeout(watched.ending);
  watched.ending = setTimeout(stopWatching, WATCHED_MS);
  return result;
};
