// What a walk of the whole page keeps for the next one: which rows each subtree gave. A subtree is walked again if it has
// mutated, if something that was asked in it is answered differently, or if it stands in another state than before.

const MOST_KEPT_NODES = 60000;
// Pages that change more than this between two walks are walked as a whole.
const MOST_MUTATIONS = 3000;
const KEPT_MS = 60000;

// How an element affects the words around it.
const LEAVES_WORDS = 0;       // not at all
const ENDS_WORDS = 1;         // words before and after it are not in the same line
const UNKEPT = 2;             // nothing is kept: its words continue those before it, or it only wraps another

// The state of the walk that decides what an element and those below it give.
const entryOf = (level) => level.bits | (handedDown(level.hiding) << 10) | (level.mute ? 1 << 14 : 0) |
  (level.unboxed ? 1 << 15 : 0) | (level.pointer ? 1 << 16 : 0);

// The rows of one element and all below it, and the state that the walk was in when it met the element.
class Slice {
  constructor(entry, trusts, flow) {
    this.entry = entry;
    this.trusts = trusts;       // that it shows was known from the element around it
    this.flow = flow;
    this.first = null;          // its first row
    this.count = this.nodes = this.hidden = 0;
  }

  begin(rows, nodes, hidden) {
    this.count = rows;
    this.nodes = nodes;
    this.hidden = hidden;
  }

  end(walk) {
    const began = this.count;
    this.count = walk.rows.length - began;
    if (this.count !== 0) this.first = walk.rows[began];
    this.nodes = walk.nodes - this.nodes;
    this.hidden = walk.hidden - this.hidden;
  }
}

class WalkCache {
  constructor() {
    this.forget();
  }

  forget() {
    this.slices = new WeakMap();
    // Elements below which no slice holds any more; those below are not looked for.
    this.stale = new WeakSet();
    // Elements whose slices are gone since the last walk, and those of all around them.
    this.marked = new Set();
    this.rows = [];
    this.isEmpty = true;
    this.unused = 0;
  }

  // An element and everything around it is looked at again.
  mark(el, reach) {
    if (this.isEmpty) return;
    if (reach === SUBTREE) this.stale.add(el);
    for (let at = el; at !== null && !this.marked.has(at); at = holderOf(at)) {
      this.marked.add(at);
      this.slices.delete(at);
    }
  }

  // Did no slice below it hold? It is walked anew now, unless nothing below it is visited.
  takeStale(el, isEntered) {
    if (!this.stale.has(el)) return false;
    if (isEntered) this.stale.delete(el);
    return true;
  }

  keep(rows) {
    this.rows = rows;
    this.marked.clear();
    this.isEmpty = false;
    this.unused = 0;
  }
}

// By what is walked: the limit of names that stand for their content, and whether options are listed.
const caches = new Map();
// Labels that may say something else; and: labels or what they are for may be others.
let changedLabels = new Set();
let labelsChanged = false;
// Roots of the page, with the scan of their rules and their animated elements at the last walk.
let keptRoots = new Map();
let keptFocus = new Set();
let keptActors = null;
let keptMutations = 0;
let expiry = 0;
let walksKept = 0;
const WALKS_BETWEEN_SWEEPS = 8;

const MOST_UNUSED = 3;
const cacheFor = (key) => {
  let cache = caches.get(key);
  if (cache === undefined) caches.set(key, cache = new WalkCache());
  for (const other of caches.values()) if (other !== cache && !other.isEmpty && ++other.unused > MOST_UNUSED) other.forget();
  return cache;
};

const forgetCaches = () => {
  for (const cache of caches.values()) cache.forget();
  forgetAnswers();
  treeChanges.disconnect();
  volatile = new Set();
  labelUsers = new Set();
  keptRoots = new Map();
  keptActors = null;
  keptMutations = 0;
  changedLabels = new Set();
  labelsChanged = false;
};

const markOutdated = (el, reach) => {
  for (const cache of caches.values()) cache.mark(el, reach);
};

// The element around it in the flat tree. Children of a host whose slots are hidden from us can be anywhere in it.
const holderOf = (el) => {
  if (el.tagName === 'LABEL') changedLabels.add(el);
  const parent = flatParent(el);
  if (parent !== null && parent === parentOf(el) && shadowOf(parent) !== null) markOutdated(parent, SUBTREE);
  return parent || frameAround(el);
};
const frameAround = (el) => {
  const view = windowOf(ownerDocumentOf(el));
  return view && view !== globalThis ? view.frameElement : null;
};

const treeChanges = new MutationObserver((records) => noteMutations(records));
const EVERY_CHANGE = { subtree: true, childList: true, attributes: true, characterData: true };

const noteMutations = (records) => {
  keptMutations += records.length;
  if (keptMutations > MOST_MUTATIONS) forgetCaches();
  else for (const record of records) MUTATIONS[record.type](record);
};

// What these hold means something only in its place among the others.
const ORDERED_TAGS = setOf('TABLE THEAD TBODY TFOOT TR TD TH CAPTION COL COLGROUP');
const isOrdered = (el) => ORDERED_TAGS.has(el.tagName);
const markTable = (el) => {
  const table = closest(el, 'table');
  if (table) markOutdated(table, SUBTREE);
};

const LOOK_ATTRIBUTES = /^(?:class|style|data-.*)$/;
const DEEP_ATTRIBUTES = setOf('role contenteditable lang xml:lang');
const LABEL_ATTRIBUTES = setOf('id for type');

const noteAttributeChange = ({ target, attributeName }) => {
  markOutdated(target, DEEP_ATTRIBUTES.has(attributeName) ? SUBTREE : ELEMENT_ALONE);
  if (LOOK_ATTRIBUTES.test(attributeName)) return;
  if (LABEL_ATTRIBUTES.has(attributeName)) labelsChanged = true;
  if (isOrdered(target)) markTable(target);
  if (attributeName === 'slot' || attributeName === 'name') markSlots(target);
};

// Slots may hold others than before.
const markSlots = (el) => {
  const parent = parentOf(el);
  if (parent && kindOf(parent) === ELEMENT && shadowOf(parent)) markOutdated(parent, SUBTREE);
  if (el.tagName === 'SLOT') markHost(el);
};
const markHost = (el) => {
  const host = hostOf(rootOf(el));
  if (host) markOutdated(host, SUBTREE);
};

const noteTextChange = ({ target }) => {
  const parent = target.assignedSlot || parentOf(target);
  if (parent && kindOf(parent) === ELEMENT) markOutdated(parent, shadowOf(parent) ? SUBTREE : ELEMENT_ALONE);
  else if (parent && hostOf(parent)) markOutdated(hostOf(parent), ELEMENT_ALONE);
};

const noteChildren = ({ target, addedNodes, removedNodes }) => {
  const kind = kindOf(target);
  const holder = kind === ELEMENT ? target : hostOf(target);
  const isDeep = kind === ELEMENT && (shadowOf(target) || target.tagName === 'DETAILS');
  if (holder) markOutdated(holder, isDeep ? SUBTREE : ELEMENT_ALONE);
  if (kind === ELEMENT && isOrdered(target)) markTable(target);
  for (const node of removedNodes) if (kindOf(node) === ELEMENT) noteParts(node, target);
  for (const node of addedNodes) {
    if (kindOf(node) !== ELEMENT) continue;
    noteParts(node, target);
    markOutdated(node, SUBTREE);
  }
};

// What came or went may be, or hold, a label or a slot.
const noteParts = (node, target) => {
  if (!labelsChanged && (node.tagName === 'LABEL' || elementsInside(node, 'label').length)) labelsChanged = true;
  const root = rootOf(target);
  if (kindOf(root) === FRAGMENT && (node.tagName === 'SLOT' || elementsInside(node, 'slot').length)) markHost(target);
};

const MUTATIONS = { attributes: noteAttributeChange, characterData: noteTextChange, childList: noteChildren };

const markDifference = (one, other) => {
  for (const el of one) if (el && !other.has(el)) markOutdated(el, ELEMENT_ALONE);
  for (const el of other) if (el && !one.has(el)) markOutdated(el, ELEMENT_ALONE);
};

const markActors = () => {
  if (keptActors === actors) return;
  const [before, now] = [keptActors || NO_ACTORS, actors || NO_ACTORS];
  before.forEach((kinds, el) => { if (now.get(el) !== kinds) markOutdated(el, ELEMENT_ALONE); });
  now.forEach((_, el) => { if (!before.has(el)) markOutdated(el, ELEMENT_ALONE); });
  keptActors = actors;
};
const NO_ACTORS = new Map();

// What is looked at again is noted again.
const markAll = (elements) => {
  for (const el of elements) if (connected(el)) markOutdated(el, ELEMENT_ALONE);
};
const markUsers = () => {
  const before = volatile;
  volatile = new Set();
  markAll(before);
  const again = new Set([...changedLabels].map((label) => label.control).filter(Boolean));
  if (labelsChanged) {
    for (const el of labelUsers) again.add(el);
    labelUsers = new Set();
  }
  markAll(again);
  changedLabels = new Set();
  labelsChanged = false;
};

// Are all stylesheets as they were? Animated elements are looked at again when they start and when they end.
const haveSameStyles = () => {
  for (const [root, { scan, animated }] of keptRoots) {
    if (!isInPage(root)) {
      keptRoots.delete(root);
      continue;
    }
    const context = contextOf(root);
    if (context.scan !== scan || hasOwners(context)) return false;
    if (context.animated !== animated) markDifference(animated, context.animated);
  }
  return true;
};
const isInPage = (root) => (kindOf(root) === DOCUMENT ? windowOf(root) !== null : connected(root));

// Finds everything that has to be looked at again; without an answer to that, everything is.
const updateCaches = () => {
  noteMutations(treeChanges.takeRecords());
  if (!keptRoots.size) return;
  if (!haveSameStyles()) {
    forgetCaches();
    return;
  }
  markDifference(keptFocus, focusPath);
  markActors();
  findOutdated(markOutdated);
  markUsers();
  if (++walksKept % WALKS_BETWEEN_SWEEPS === 0) forgetRemoved();
};

// Every root that a walk meets is watched from then on.
const keepRoots = () => {
  for (const [root, context] of contexts) {
    if (!keptRoots.has(root)) treeChanges.observe(root, EVERY_CHANGE);
    keptRoots.set(root, { scan: context.scan, animated: context.animated });
  }
};
