// One action, watched from before it starts until the page is quiet again.

const WATCHED = ['pointerdown', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'auxclick', 'mouseover',
  'pointerover', 'keydown', 'input', 'change', 'touchstart'];
const WATCHED_MS = 3000;
let watched = null;

const startWatching = (el, quietly) => {
  stopWatching();
  const seen = {};
  const astray = [];
  const notice = (event) => {
    if (!event.isTrusted) return;
    const path = event.composedPath();
    if (path.includes(el) || path.some((node) => node.nodeType === ELEMENT && node.shadowRoot === null && standsFor(node, el))) {
      seen[event.type] = (seen[event.type] || 0) + 1;
    } else if (event.type === 'mousedown' && path[0].nodeType === ELEMENT) astray.push(path[0]);
  };
  const views = new Set([globalThis, ownerDocumentOf(el).defaultView]);
  for (const view of views) for (const type of WATCHED) view.addEventListener(type, notice, { capture: true, passive: true });
  const observer = new MutationObserver(() => { watched && (watched.changedAt = performance.now()); });
  for (const root of quietly ? [] : allRoots()) {
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  }
  watched = { el, seen, astray, observer, views, notice, changedAt: 0, before: quietly ? null : linesNow(), url: location.href };
};

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
  if (!look.ok) return { ...explained(look), ...described(el), first: firstNewId, next: nextId };
  startWatching(el, wants.quietly);
  const [left, top] = frameOffset(el);
  return { ok: true, x: look.x + left, y: look.y + top, ...described(el), kind: fieldKind(el), first: firstNewId, next: nextId };
};

const quietFor = (ms) => performance.now() - watched.changedAt >= ms;

// Waits until nothing has changed for a frame (or the cap), then tells what was seen and what is different.
const conclude = async (cap, frames, base) => {
  raiseBase(base);
  const until = performance.now() + cap;
  for (let left = frames; left > 0; left--) await nextFrame();
  if (!watched) return { lost: true, first: firstNewId, next: nextId };
  if (watched.changedAt || watched.observer.takeRecords().length) {
    do {
      const before = watched.changedAt;
      await nextFrame();
      if (!watched) return { lost: true, first: firstNewId, next: nextId };
      if (watched.observer.takeRecords().length) watched.changedAt = performance.now();
      if (watched.changedAt === before) break;
    } while (performance.now() < until);
  }
  const { el, seen, astray, before, url } = watched;
  const after = before === null ? null : linesNow();
  const result = {
    seen, astray: astray.slice(0, 1).map(nameCover), connected: connected(el), url, title: wellFormed(documentTitle(document)),
    value: connected(el) ? readField(el) : null, before: before === after ? null : before, after: before === after ? null : after,
    settled: performance.now() < until, first: firstNewId, next: nextId,
  };
  clearTimeout(watched.ending);
  watched.ending = setTimeout(stopWatching, WATCHED_MS);
  return result;
};
