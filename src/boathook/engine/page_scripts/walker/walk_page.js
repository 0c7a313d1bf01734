// Walking the page: as a whole, with what is kept from the last walk, or below one element.

// A walk of the whole page that looks only at what may have changed since the last one of its kind.
const walkKept = (start, options) => {
  const cache = cacheFor(`${options.nameLimit} ${options.wantsOptions}`);
  let isDone = false;
  try {
    updateCaches();
    noting = true;
    const walk = new TreeWalk(options, cache).run(start);
    noting = false;
    keepWalk(cache, walk);
    isDone = true;
    return walk;
  } finally {
    noting = false;
    if (!isDone) forgetCaches();
  }
};

const keepWalk = (cache, walk) => {
  const hasOwned = [...contexts.values()].some(hasOwners);
  if (hasOwned || walk.nodes > MOST_KEPT_NODES || walk.hosts.length >= HOSTS_NAMED) {
    forgetCaches();
    return;
  }
  cache.keep(walk.rows);
  keepRoots();
  keptFocus = focusPath;
  keptActors = actors;
  keptMutations = 0;
  clearTimeout(expiry);
  expiry = later(forgetCaches, KEPT_MS);
};

// While a modal dialog is open everything outside of it is inert.
const modalIn = (doc) => {
  const dialogs = dialogsIn.call(doc, 'dialog');
  let last = null;
  for (let i = 0; i < dialogs.length; i++) if (matches(dialogs[i], ':modal')) last = dialogs[i];
  return last;
};

// Live: Chromium knows without a search that a document has none.
const dialogsIn = Document.prototype.getElementsByTagName;

const walkTree = (options) => {
  forgetWalk();
  // A document that has only just been committed has no element yet.
  const top = documentElementOf(document);
  if (!top) return { rows: [], frames: [], hosts: [], nodes: 0, hidden: 0 };
  findFocus();
  const start = options.root || modalIn(document) || top;
  const walk = start === top && !options.isFresh ? walkKept(start, options) : new TreeWalk(options, null).run(start);
  settleRows(walk);
  here = knownFor = null;
  return walk;
};
