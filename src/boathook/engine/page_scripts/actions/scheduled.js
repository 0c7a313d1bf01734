// What the page has scheduled since a moment. A window numbers timers, animation frames and idle callbacks for all of its
// scripts, so that a number of our own tells how many the page has asked for, without a change to any function of the page.

const doNothing = () => {};
const own = { timers: 0, frames: 0, idles: 0 };
const later = (work, ms) => { own.timers++; return setTimeout(work, ms); };
const frameSoon = (work) => { own.frames++; return requestAnimationFrame(work); };
const whenIdle = (work) => { own.idles++; return requestIdleCallback(work); };

const scheduleMark = () => {
  const timer = later(doNothing, STALLED_MS);
  const frame = frameSoon(doNothing);
  const idle = whenIdle(doNothing);
  clearTimeout(timer);
  cancelAnimationFrame(frame);
  cancelIdleCallback(idle);
  return { timers: timer - own.timers, frames: frame - own.frames, idles: idle - own.idles };
};

const countSince = (mark, now) => now.timers - mark.timers + now.frames - mark.frames + now.idles - mark.idles;

// Whether something that was scheduled since may still change the page, or has done so: then the page gets time. A
// submit is on its way to the browser, and frames inside the page have numbers of their own.
const hasPending = ({ submits, before }, mark) => submits || before.roots.some((root) => kindOf(root) === DOCUMENT && root !== document)
  || countSince(mark, scheduleMark()) > 0;

// If the page waits for one thing only, its next change is the answer: the moment to count from, or null.
const onlyAwaited = ({ mark }) => {
  const now = scheduleMark();
  return countSince(mark, now) === 1 ? now : null;
};

// Whether the page has answered the input, and has nothing pending since `mark` that could change it again. What comes
// with new elements, such as observers of their size, needs a frame. A field that holds another value is an answer too.
const MESSAGES = 2;
const isDone = async (mark) => {
  // Messages that the page has sent to itself come first.
  for (let left = MESSAGES; left > 0; left--) await afterThisTask(doNothing);
  if (!watched) return false;
  noteChange(watched.observer.takeRecords());
  const { seen, mutated, added } = watched;
  const isPress = PRESSES.some((type) => seen[type]);
  return !added && (mutated || !isPress || Boolean(seen.change || seen.input)) && !hasPending(watched, mark);
};
