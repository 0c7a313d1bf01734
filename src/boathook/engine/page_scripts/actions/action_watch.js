// One action, watched from before it starts until the page is quiet again.

const WATCHED = ['pointerdown', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'auxclick', 'mouseover',
  'pointerover', 'mousemove', 'keydown', 'beforeinput', 'input', 'change', 'touchstart', 'pointerup',
  'dragstart', 'drop', 'dragend', 'gotpointercapture'];
const FORM_EVENTS = ['invalid', 'submit'];
const PRESSES = ['mousedown', 'keydown', 'touchstart'];
const WATCHED_MS = 3000;
let watched = null;

const RELEASES = setOf('mouseup pointerup drop dragend');

const afterThisTask = (work) => new Promise((done) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => { channel.port1.close(); work(); done(undefined); };
  channel.port2.postMessage(null);
});

// When the page's listeners of an event have run, and what they left to microtasks; only if they stop the event, after this
// task: a timer of the page may have run before then.
const MICROTASKS = 20;
const afterDispatch = (event, work) => new Promise((done) => {
  let isOver = false;
  const end = () => {
    if (!isOver) work();
    isOver = true;
    done(undefined);
  };
  event.currentTarget.addEventListener(event.type, async () => {
    for (let left = MICROTASKS; left > 0; left--) await null;
    end();
  }, { once: true });
  afterThisTask(end);
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

// A page that prevents the default of pointerdown gets no mouse events.
const wasPressed = (seen) => Boolean(seen.mousedown || seen.pointerdown);

// A press whose release also reached the element, to which the page responds by replacing it, or which moves the focus into
// a field, has been received, although the click that follows goes to another element. An element that was replaced before
// the release may be gone for another reason, and one that gets no mouse events was disabled.
const isPressReceived = (el, seen) => wasPressed(seen) && !seen.click
  && ((!connected(el) && Boolean(seen.mousedown && (seen.pointerup || seen.mouseup))) || (fieldKind(fieldIn(el)) === 'text' && isFocusWithin(fieldIn(el))));

const isFocusWithin = (el) => matches(el, ':focus-within');

// The view after the last action, if no node has changed since.
const viewSinceLast = () => {
  if (watched) noteChange(watched.observer.takeRecords());
  return watched && watched.after;
};
const dropView = () => { if (watched) watched.after = null; };

const startWatching = (el) => {
  const known = viewSinceLast();
  stopWatching();
  const seen = {};
  const astray = [];
  const afterwards = [];
  const field = fieldIn(el);
  // What captures the pointer that pressed the element is given the click.
  let captor = null;
  const count = (type) => {
    seen[type] = (seen[type] || 0) + 1;
    if (watched && watched.expects === type) watched.met();
  };
  const notice = (event) => {
    if (!event.isTrusted) return;
    const path = event.composedPath();
    if (RELEASES.has(event.type) && wasPressed(seen) && !dropped && connected(el)) count('carried');
    if (event.type === 'beforeinput') count('written');
    if (event.type === 'dragstart' && watched) watched.drag = event;
    if (path.includes(el) || path.includes(field)
      || path.some((node) => node.nodeType === ELEMENT && node.shadowRoot === null && standsFor(node, el))) {
      count(event.type);
      if (event.type === 'mousedown') afterwards.push(afterDispatch(event, () => { if (isTaken(el, event)) count('taken'); }));
      if (event.type === 'click' && closest(el, 'a[download]')) {
        afterwards.push(afterThisTask(() => { if (!event.defaultPrevented) count('download'); }));
      }
      if (isWriting(event, field)) afterwards.push(afterThisTask(() => count(event.defaultPrevented ? 'held' : 'struck')));
    } else if (event.type === 'gotpointercapture') captor = path[0];
    else if (event.type === 'click' && captor === path[0] && wasPressed(seen) && isWithin(el, captor)) count('click');
    else if (event.type === 'mousedown' && path[0].nodeType === ELEMENT) astray.push(path[0]);
    // Some fields hand the focus on while one types, such as those for the digits of a code.
    else if (event.type === 'keydown' && seen.keydown && fieldKind(path[0])) count('keydown');
  };
  const stopped = [];
  const noticeForm = (event) => {
    if (event.type === 'submit') {
      stopped.length = 0;
      afterwards.push(afterThisTask(() => { if (watched && !event.defaultPrevented) watched.submits = true; }));
    }
    else if (event.isTrusted) stopped.push({ event, field: event.composedPath()[0] });
  };
  const views = new Set([globalThis, ownerDocumentOf(el).defaultView, ...closedRootAround(el)]);
  for (const view of views) {
    for (const type of WATCHED) view.addEventListener(type, notice, { capture: true, passive: true });
    for (const type of FORM_EVENTS) view.addEventListener(type, noticeForm, { capture: true });
  }
  // What is taken off the page and put back later, not merely moved, has lost the pointer that carried it.
  let dropped = false;
  const observer = new MutationObserver((records) => {
    dropped = dropped || !connected(el);
    noteChange(records);
  });
  const view = pageView(known);
  for (const root of view.roots) {
    observer.observe(root, { subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true });
  }
  watched = {
    el, seen, astray, afterwards, observer, views, notice, noticeForm, stopped, isFresh: false, mutated: false, added: false, submits: false, mark: scheduleMark(), attributes: new Map(), before: view, after: null,
    url: location.href, since: document.timeline.currentTime || 0, box: rectOf(el), held: connected(el) ? readField(el) : null,
  };
};

// Whether the page has started an HTML drag.
const dragBegan = () => ({ began: Boolean(watched && watched.drag && !watched.drag.defaultPrevented) });

// For widgets that take a value through other elements: it was read back from them.
const confirmed = (times) => {
  if (watched) watched.seen.assigned = times;
  return {};
};

const stopWatching = () => {
  if (!watched) return;
  clearTimeout(watched.ending);
  watched.observer.disconnect();
  for (const view of watched.views) {
    for (const type of WATCHED) view.removeEventListener(type, watched.notice, { capture: true });
    for (const type of FORM_EVENTS) view.removeEventListener(type, watched.noticeForm, { capture: true });
  }
  watched = null;
};

// What is typed at the page as a whole goes to the field that has the focus.
const receiverOf = (el) => {
  if (tagOf(el) !== 'BODY' && tagOf(el) !== 'HTML') return fieldIn(el);
  findFocus();
  const [focused] = focusPath;
  return focused || el;
};

// The last answer of `prepare`, for what is sent right behind its question.
let readying = null;
const prepare = (id, wants, base) => {
  readying = becomePrepared(id, wants, base);
  return readying;
};

// The same for the only match of a search; `skipped`: there was another number of matches.
const prepareFound = (search, wants, base) => {
  const el = sole.search === search ? sole.el : null;
  sole.el = readying = null;
  return el ? prepare(idOf(el), wants, base) : { skipped: true };
};

// Checks an element and starts to watch it. Returns the point to press in the viewport of this world's top document.
const becomePrepared = async (id, wants, base) => {
  raiseBase(base);
  const el = elementOf(id);
  if (!el) return { problem: 'gone', first: firstNewId, next: nextId };
  const look = await becomeReady(el, wants);
  if (!connected(el)) return { problem: 'gone', first: firstNewId, next: nextId };
  if (!look.ok) return { ...explained(look), ...described(el), first: firstNewId, next: nextId };
  startWatching(el);
  const focused = wants.focus ? focusAndSelect(id) : null;
  const [left, top] = frameOffset(el);
  return { ok: true, focused, x: look.x + left, y: look.y + top, ...described(el), kind: fieldKind(el), state: wants.state ? checkedIn(el) : null, secret: isSecret(receiverOf(el)), first: firstNewId, next: nextId };
};

// From each change on, the page has one frame to change again: `isFresh` until it has begun.
const noteChange = (records) => {
  if (!watched || !records.length) return;
  const mine = watched;
  for (const record of records) {
    if (record.type === 'attributes') noteAttribute(mine.attributes, record);
    else mine.added = mine.added || [...record.addedNodes].some((node) => node.nodeType === ELEMENT);
  }
  mine.isFresh = true;
  mine.mutated = true;
  mine.after = null;
  if (mine.wake) mine.wake(true);
};

// Until the page changes.
const changed = (mine) => new Promise((wake) => { mine.wake = wake; });

// Pending input arrives through the browser; its sender queries its effect at the same time, and calls `arrived` if the
// browser is done with input that caused no such event.
const meeting = async (type) => {
  if (watched.seen[type]) return;
  watched.expects = type;
  await new Promise((met) => { watched.met = met; });
  // The page's own listeners come after ours.
  await afterThisTask(() => {});
};

const arrived = () => { if (watched && watched.met) watched.met(); };

const MOST_INVALID = 3;

// Fields whose validation has stopped a submit: the browser shows the message at the first one and gives it the focus,
// unless it is hidden. A script that only asks whether a form is valid does neither.
const invalidFields = (events) => {
  const fields = [...new Set(events.filter(({ event }) => !event.defaultPrevented).map(({ field }) => field))];
  const [first] = fields.filter(connected);
  if (!first || (rootOf(first).activeElement !== first && isShown(first))) return '';
  return fields.filter((el) => connected(el) && el.validationMessage).slice(0, MOST_INVALID)
    .map((el) => `${subjectOf(el).slice(2)}: ${quote(collapse(el.validationMessage), TEXT_SHOWN)}`).join('\n');
};

// Those of secret fields are marked, and so no plain values.
const isSameValue = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const shiftSince = (el, box) => {
  if (!connected(el)) return null;
  const now = rectOf(el);
  return [Math.round(now.x - box.x), Math.round(now.y - box.y)];
};

// A page that has not changed yet may do so in its next frame, by a short timer, or when a worker or the browser has
// answered it. A field whose value changed or that got the focus shows that the press had its effect: then a frame or two
// are enough, if nothing is pending.
const LATE_MS = 120;
const LATE_FRAMES = 7;
const FRAMES_AFTER_EFFECT = 2;
const hasTakenEffect = ({ el, seen }) => Boolean(seen.input || seen.change)
  || (fieldKind(fieldIn(el)) === 'text' && isFocusWithin(fieldIn(el)));
const lateChange = async (quick) => {
  const end = performance.now() + LATE_MS;
  const awaited = quick && !watched.mutated ? onlyAwaited(watched) : null;
  // On a busy machine frames take longer, and so does what the page waits for.
  for (let frames = 0, painted = true; watched && !watched.mutated && (performance.now() < end || (painted && frames < LATE_FRAMES)); frames++) {
    if (quick && frames >= FRAMES_AFTER_EFFECT && hasTakenEffect(watched) && !hasPending(watched, watched.mark)) return;
    painted = await Promise.race([nextFrame(), changed(watched)]);
    if (watched) noteChange(watched.observer.takeRecords());
  }
  if (awaited && watched && watched.mutated && await isDone(awaited)) watched.isFresh = false;
};

// A field that suggests what to type lists it after a pause in typing.
const SUGGESTED_MS = 450;
const SUGGESTING = '[role=combobox], [aria-autocomplete], [aria-haspopup=listbox], [autocomplete=off]';
const suggestionsListed = async () => {
  const end = performance.now() + SUGGESTED_MS;
  while (watched && !watched.added && hasPending(watched, watched.mark) && performance.now() < end) {
    await nextFrame();
    if (watched) noteChange(watched.observer.takeRecords());
  }
};

const LONGEST_ANIMATION = 1000;
const SHOWING = /^(?:opacity|visibility|display|transform|translate|scale|clip-path|grid-template-.*|(?:max-|min-)?(?:height|width|block-size|inline-size)|top|left|right|bottom|inset.*|margin.*)$/;

// Animations that show, hide or move something because of the action: not those of colours, of the pressed element itself,
// and those that never end.
const isShowing = (animation) => {
  const { effect, transitionProperty, startTime, playState } = animation;
  const target = effect && effect.target;
  if (playState !== 'running' || !target || isWithin(target, watched.el)) return false;
  if (startTime !== null && startTime < watched.since) return false;
  return effect.getComputedTiming().endTime <= LONGEST_ANIMATION && (!transitionProperty || SHOWING.test(transitionProperty));
};
const showingNow = () => watched.before.roots.flatMap((root) => (root.getAnimations ? root.getAnimations() : [])).filter(isShowing);

// What fades in or out is seen as it ends up.
const animationsEnd = async (until) => {
  for (let left = MOST_ROUNDS; left > 0 && watched && performance.now() < until; left--) {
    const running = showingNow();
    if (!running.length) return;
    const late = new Promise((done) => { later(done, until - performance.now()); });
    await Promise.race([Promise.allSettled(running.map((one) => one.finished)), late]);
    await nextFrame();
    if (watched) noteChange(watched.observer.takeRecords());
  }
};
const MOST_ROUNDS = 5;

const quietFrames = async (until) => {
  while (watched && watched.isFresh && performance.now() < until) {
    watched.isFresh = false;
    await nextFrame();
    if (watched) noteChange(watched.observer.takeRecords());
  }
};

// Waits until the page is quiet: until nothing is pending after the input, or nothing has changed for a frame, or the cap.
const quietened = async (cap, until, quick) => {
  noteChange(watched.observer.takeRecords());
  if (cap > 0 && quick && await isDone(watched.mark)) watched.isFresh = false;
  else if (watched && cap > 0 && PRESSES.some((type) => watched.seen[type])) await lateChange(quick);
  if (watched && cap > 0 && watched.seen.input && matches(fieldIn(watched.el), SUGGESTING)) await suggestionsListed();
  if (!watched) return;
  noteChange(watched.observer.takeRecords());
  await quietFrames(until);
  if (watched && cap > 0) await animationsEnd(until);
  await quietFrames(until);
  if (watched) await Promise.all(watched.afterwards);
};

let conclusions = 0;

// Waits until the page is quiet, then tells what was seen and what is different. `quick`: nothing else than this document
// can change the page. A conclusion that was given up, because a dialog opened, ends when the next one begins.
const conclude = async (cap, frames, base, { expects, quick, wanted }) => {
  raiseBase(base);
  const mine = ++conclusions;
  const isOver = () => !watched || mine !== conclusions;
  if (expects && watched) await meeting(expects);
  const state = watched && wanted !== null ? await stateOnceIs(() => (watched && connected(watched.el) ? watched.el : null), wanted) : null;
  const until = performance.now() + cap;
  for (let left = frames; left > 0; left--) await nextFrame();
  if (!isOver()) await quietened(cap, until, quick && !frames && (!expects || Boolean(watched.seen[expects])));
  if (isOver()) return { lost: true, first: firstNewId, next: nextId };
  noteChange(watched.observer.takeRecords());
  const { el, seen, astray, before, url } = watched;
  const { told, after } = differencesFrom(before, watched);
  // Only the roots from before are observed.
  if (areSame(after.roots, before.roots)) watched.after = after;
  if (isPressReceived(el, seen)) seen.taken = (seen.taken || 0) + 1;
  const value = connected(el) ? readField(el) : null;
  const result = {
    seen, frame: /^I?FRAME$/.test(tagOf(el)), astray: astray.filter(connected).slice(0, 1).map(nameCover), connected: connected(el), url,
    title: wellFormed(documentTitle(document)), value, valueChanged: !isSameValue(value, watched.held),
    held: connected(el) ? readField(fieldIn(el)) : null, checked: state && state.checked, chosen: connected(el) ? chosenIn(fieldIn(el)) : null, closing: globalThis.closed,
    ...told, invalid: invalidFields(watched.stopped), shift: shiftSince(el, watched.box), settled: performance.now() < until, first: 0, next: 0,
  };
  result.first = firstNewId;
  result.next = nextId;
  clearTimeout(watched.ending);
  watched.ending = later(stopWatching, WATCHED_MS);
  return result;
};

// Selects options as soon as the element is prepared; `skipped`: it has to be done in another way.
const chooseAhead = async (wanted) => {
  const ready = await readying;
  return ready && ready.ok && ready.kind === 'select' ? choose(ready.id, wanted) : { skipped: true };
};

let choosing = null;
const selectAhead = (wanted) => {
  choosing = chooseAhead(wanted);
  return choosing;
};

const concludeAhead = async (cap, frames, base, options) => {
  const choice = await choosing;
  return choice && choice.selected ? conclude(cap, frames, base, options) : { skipped: true };
};
