// The API that the engine calls: walk the page into text, look up refs, find twins, describe single elements.

const MOST_TWINS = 10;
const LONGEST_TITLE = 1000;
// Pages with more to list are not mainly drawings.
const FEW_LINES = 60;

const optionsFor = (given) => ({
  mode: LIMITS[given.mode] ? given.mode : 'interactive', base: given.base || 0, rootId: given.root || 0,
  depth: given.depth || 0, viewport: Boolean(given.viewport),
  urls: Boolean(given.urls), contentRefs: Boolean(given.contentRefs), boxes: Boolean(given.boxes),
  search: given.search || '', role: given.role || '', maxLines: given.maxLines || 0,
  scroll: Boolean(given.scroll), compareTexts: Boolean(given.compareTexts),
  isWhole: !given.root && !given.search && !given.role && !given.viewport,
  fresh: Boolean(given.fresh), lineKey: '',
});

const fullWalk = (root = null) => walkTree({ root, nameLimit: LIMITS.full.name, wantsOptions: true });

const walkPage = (options) => {
  const root = options.rootId ? elementOf(options.rootId) : null;
  if (options.rootId && !root) return null;
  return walkTree({ root, nameLimit: LIMITS[options.mode].name, wantsOptions: options.mode === 'full', isFresh: options.fresh });
};

const linesOf = (walk, options) => {
  const rows = walk.rows;
  options.lineKey = lineKeyOf(options);
  const keep = chooseRows(walk, options);
  const depths = depthsOf(rows, keep, options);
  countTitled(rows, keep);
  const waiting = walk.frames.length ? new Set(walk.frames) : null;
  const result = { lines: [], frames: [], cut: 0, kept: keep };
  for (let i = 0; i < rows.length; i++) {
    if (!keep[i] || (options.depth && depths[i] >= options.depth)) continue;
    if (options.maxLines && result.lines.length >= options.maxLines) {
      result.cut++;
      continue;
    }
    if (waiting !== null && waiting.has(i)) result.frames.push([result.lines.length, depths[i] + 1, idOf(rows[i].el)]);
    result.lines.push(lineOf(rows[i], depths[i], options, LIMITS[options.mode]));
  }
  return result;
};

// Asking for scroll offsets forces layout, which can cost more than the whole walk: only on request.
const scrollFacts = (options) => {
  if (!options.scroll && !options.viewport && !options.boxes) return null;
  const top = documentElementOf(document);
  const offset = [Math.round(scrollX), Math.round(scrollY)];
  return [...offset, innerWidth, innerHeight, top.scrollWidth, top.scrollHeight];
};

let unlistedTexts = null;      // what the last walk of the whole page left out, to be compared with later
const TEXTS_COMPARED = 50;

const textsLeftOut = (rows, keep) => {
  const texts = [];
  for (let i = 0; i < rows.length; i++) {
    if (rows[i].el === null && !keep[i] && !rows[i].visuallyHidden) texts.push(rows[i].name);
  }
  return texts;
};

const onlyIn = (texts, others) => {
  const count = new Map();
  for (const text of others) count.set(text, (count.get(text) || 0) + 1);
  const left = [];
  for (const text of texts) {
    const known = count.get(text) || 0;
    if (known) count.set(text, known - 1);
    else if (left.length < TEXTS_COMPARED) left.push(quote(text, LIMITS.interactive.name));
  }
  return left;
};

const compareTexts = (rows, keep, wanted) => {
  const before = unlistedTexts;
  unlistedTexts = textsLeftOut(rows, keep);
  if (!wanted || !before) return null;
  const [old, now] = [before.map(collapse), unlistedTexts.map(collapse)];
  return { added: onlyIn(now, old), removed: onlyIn(old, now) };
};

// A possible host of a closed root: it is asked about once, and has none unless `closed` says so.
const hostToAsk = (el) => {
  closedRoots.set(el, null);
  return idOf(el);
};

const pageTitle = () => cut(wellFormed(documentTitle(document)), LONGEST_TITLE);

const walk = (given) => {
  const options = optionsFor(given || {});
  const unknown = given && given.failedSheets ? sheetsToAsk(given.failedSheets) : [];
  if (unknown.length) return JSON.stringify({ sheets: unknown });
  raiseBase(options.base);
  dropView();  // what was learned for this walk may change lines
  const tree = walkPage(options) || { rows: [], frames: [], hosts: [], nodes: 0, hidden: 0 };
  const { lines, frames, cut, kept } = linesOf(tree, options);
  const hosts = tree.hosts.map(hostToAsk);
  const meta = {
    first: firstNewId, next: nextId, lines: lines.length, frames, hosts, url: location.href,
    title: pageTitle(), cut, scroll: scrollFacts(options),
    nodes: tree.nodes, hidden: tree.hidden, reused: tree.reused, questions: questionsFor(tree.nodes),
    loading: document.readyState === 'loading',
    graphic: options.isWhole && lines.length < FEW_LINES && isMainlyGraphic() ? true : undefined,
    sheets: unknownSheets.size ? unknownUrls() : undefined,
    texts: options.isWhole ? compareTexts(tree.rows, kept, options.compareTexts) : null,
  };
  forgetWalk();
  return JSON.stringify(meta) + '\n' + lines.join('\n');
};

const GRID_CELLS = setOf('gridcell columnheader rowheader');

// The bare number of a range, where a line shows what aria-valuetext says.
const numberOf = (el, tag, role) => {
  if (!RANGES.has(role) || tag === 'PROGRESS' || tag === 'METER') return '';
  const given = VALUED_TAGS.has(tag) ? el.value : attr(el, 'aria-valuenow');
  return given ? String(Number(given) || 0) : '';
};

const factsOf = (row) => {
  const { el, tag, role, name, flags, source } = row;
  here = null;
  /** @type {Record<string, any>} */
  const states = { ...statesOf(el, tag, role, flags) };
  const value = numberOf(el, tag, role) || valueOf(el, tag, role, flags);
  if (value) states.value = value;
  if (GRID_CELLS.has(role) && inheritsReadonly(el)) states.readonly = true;
  put(states, 'level', levelOf(el, tag, role));
  return { description: descriptionOf(el, tag, role, flags, name, source), states };
};

// A presentational frame keeps its line, so that one can step into it, but says nothing itself.
const isTransparentFrame = (row) => row.role === 'iframe' && row.flags & HAS.ROLE &&
  /^(none|presentation)$/.test(attr(row.el, 'role').trim());

const dump = () => {
  const rows = fullWalk().rows;
  const described = rows.map((row) => {
    if (row.el === null) return [row.depth, '', collapse(row.name), '', {}];
    const { description, states } = factsOf(row);
    return [row.depth, isTransparentFrame(row) ? 'none' : row.role, row.name, description, states];
  });
  return { elements: rows.map((row) => row.el), rows: described };
};

const isExposed = (el, role, name) => {
  if (role === 'none' || (role === 'generic' && !name)) return false;
  if (!isShown(el) && !isBoxed(el)) return false;
  for (let at = el; at; at = flatParent(at)) {
    if (attr(at, 'aria-hidden') === 'true' || hasAttr(at, 'inert')) return false;
  }
  return true;
};

const probe = (el) => {
  forgetWalk();
  findFocus();
  const tag = tagOf(el);
  const flags = flagsOf(el);
  const role = roleOf(el, tag, flags);
  const name = nameOf(el, tag, role, flags);
  const { description, states } = factsOf({ el, tag, role, name, flags, source: nameSource });
  const id = numbered(el, role, name);
  return { role, name, description, states, exposed: isExposed(el, role, name), id };
};

// Elements that could stand in for one that is gone: the same role and the same name.
const twins = (role, name, base) => {
  raiseBase(base);
  const same = fullWalk().rows.filter((row) => row.el !== null && row.role === role && row.name === name);
  const ids = same.slice(0, MOST_TWINS).map((row) => numbered(row.el, role, name));
  forgetWalk();
  return { ids, count: same.length, first: firstNewId, next: nextId };
};

const boxes = (ids) => ids.map((id) => [id, elementOf(id)])
  .filter(([, el]) => el)
  .map(([id, el]) => [id, ...rectangleOf(el)]);

const closed = (host, root) => {
  closedRoots.set(host, root);
  knowsClosedRoots = true;
};
