// Shaping rows into what a mode shows: which rows stay, and how deep they stand once others are gone.

const STRUCTURE = setOf('banner main navigation complementary contentinfo region search form dialog ' +
  'alertdialog alert status log group radiogroup table grid treegrid tree list toolbar menu menubar ' +
  'tablist tabpanel listbox article figure feed row listitem document application');
// Text in one of these belongs to the controls in the same one.
const COMPANY = setOf('row listitem paragraph LabelText group dialog alertdialog definition term figure ' +
  'article radiogroup toolbar Legend');
const ANNOUNCEMENTS = setOf('alert status log alertdialog');
const SHORT_TEXT = 80;

const isControl = (row) => row.clickable || (row.roleKind & CONTROL) !== 0;

// Marks, for each row, whether a marked row stands below it.
const withAncestors = (rows, marked) => {
  const above = new Uint8Array(rows.length);
  for (let i = rows.length - 1; i >= 0; i--) {
    const parent = rows[i].parent;
    if (parent >= 0 && (marked[i] || above[i])) above[parent] = 1;
  }
  return above;
};

const ancestorAmong = (rows, index, roles) => {
  let at = rows[index].parent;
  while (at >= 0 && !roles.has(rows[at].role)) at = rows[at].parent;
  return at;
};

const controlNear = (rows, index) => {
  const parent = rows[index].parent;
  const beside = [rows[index - 1], rows[index + 1]];
  return beside.find((row) => row && row.parent === parent && isControl(row));
};

const FIELDS = setOf('combobox textbox searchbox');
const MOST_CHIPS = 12;

// What is chosen already, where a field takes several values: texts in a row before the field itself.
const fieldAfter = (rows, index) => {
  const { parent } = rows[index];
  for (let i = index + 1; i < rows.length && i <= index + MOST_CHIPS && rows[i].parent === parent; i++) {
    if (FIELDS.has(rows[i].role)) return rows[i];
    if (rows[i].el !== null || rows[i].name.length > SHORT_TEXT) return null;
  }
  return null;
};

const keepsText = (rows, index, holdsControl) => {
  if (rows[index].visuallyHidden) return false;
  const text = collapse(rows[index].name);
  if (ancestorAmong(rows, index, ANNOUNCEMENTS) >= 0) return true;
  const parent = rows[rows[index].parent];
  if (parent && parent.name && parent.name === text) return false;
  if (isSaidByActor(rows, index, text)) return false;
  const near = controlNear(rows, index) || fieldAfter(rows, index);
  if (near && near.name.includes(text)) return false;
  const company = ancestorAmong(rows, index, COMPANY);
  if (company >= 0 && rows[company].role === 'Legend') return false;
  if (company >= 0 && rows[company].role === 'LabelText') return !labelNamesControl(rows[company].el, text);
  if (company >= 0 && holdsControl[company]) return rows[company].role !== 'row';
  return Boolean(near) && text.length <= SHORT_TEXT;
};

const labelNamesControl = (label, text) => {
  const control = label.control;
  return Boolean(control) && labelName(control).includes(text);
};

// A row of a table in one line: the words of its cells without the names of the controls in them.
const rowWords = (rows, index, holdsControl) => {
  const words = [];
  for (let i = index + 1; i < rows.length && rows[i].depth > rows[index].depth; i++) {
    const { role, name } = rows[i];
    if (isCell(role)) words.push(name);
    else if (isControl(rows[i]) && name && words.length && holdsControl[index]) {
      words.push(words.pop().replace(name, ''));
    }
  }
  return collapse(words.join(' '));
};

// Is the heading only the name of the place it heads, or part of the name of a control around it?
const isSaidAbove = (rows, index) => {
  const { name, parent } = rows[index];
  if (parent < 0) return false;
  return rows[parent].name === name || (isControl(rows[parent]) && rows[parent].name.includes(name));
};

const isHeaderRow = (rows, index) => {
  const next = rows[index + 1];
  return Boolean(next) && next.parent === index && next.role === 'columnheader';
};

const CELLS = setOf('cell gridcell rowheader columnheader');
const isCell = (role) => CELLS.has(role);

const keepsElement = (rows, index, holdsControl) => {
  const row = rows[index];
  if (isControl(row)) return !isCell(row.role) || row.clickable;
  if (row.role === 'heading') return !row.visuallyHidden && !isSaidAbove(rows, index);
  if (row.role === 'row') {
    const table = row.parent;
    return Boolean(holdsControl[index] || (table >= 0 && isHeaderRow(rows, index) && holdsControl[table]));
  }
  if (ANNOUNCEMENTS.has(row.role)) return true;
  return Boolean(STRUCTURE.has(row.role) && holdsControl[index]);
};

const controlsIn = (rows) => {
  const controls = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) if (rows[i].el !== null && isControl(rows[i])) controls[i] = 1;
  return withAncestors(rows, controls);
};

// A page without controls is there to be read: its headings, texts, rows of tables and named images.
const keepReadable = (rows) => {
  const keep = new Uint8Array(rows.length);
  const none = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row.visuallyHidden || ancestorAmong(rows, i, TABLE_ROWS) >= 0) continue;
    if (row.role === 'row') row.rename(rowWords(rows, i, none));
    if (row.el === null) keep[i] = ancestorAmong(rows, i, TITLES) < 0 ? 1 : 0;
    else keep[i] = TITLES.has(row.role) ? Number(!isSaidAbove(rows, i)) : Number(READ_ROLES.has(row.role) && row.name !== '');
  }
  return keep;
};
const TITLES = setOf('heading');
const TABLE_ROWS = setOf('row');
const READ_ROLES = setOf('row img figure');

const keepInteractive = (rows) => {
  if (!rows.some(isControl)) return keepReadable(rows);
  let holdsControl = controlsIn(rows);
  if (nameActors(rows, holdsControl)) holdsControl = controlsIn(rows);
  const keep = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const keeps = rows[i].el === null ? keepsText : keepsElement;
    const stays = keeps(rows, i, holdsControl);
    keep[i] = stays ? 1 : 0;
    if (stays && rows[i].role === 'row') rows[i].rename(rowWords(rows, i, holdsControl));
  }
  dropIdleWrappers(rows, keep);
  return keep;
};

const WRAPPERS = setOf('listitem list group article');

// A nameless list, item or group around a single thing adds nothing.
const dropIdleWrappers = (rows, keep) => {
  const held = new Uint32Array(rows.length);
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i];
    if (keep[i] && WRAPPERS.has(row.role) && !row.name && !row.clickable && held[i] <= 1) keep[i] = 0;
    if (row.parent >= 0) held[row.parent] += keep[i] ? 1 : held[i];
  }
};

const keepCompact = (rows) => {
  nameActors(rows, controlsIn(rows));
  const keep = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row.el === null) continue;
    const isHeading = row.role === 'heading' && !row.visuallyHidden && !isSaidAbove(rows, i);
    keep[i] = isHeading || (isControl(row) && (!isCell(row.role) || row.clickable)) ? 1 : 0;
  }
  return keep;
};

// Everything but phrases whose words stand in the name above them.
const keepAll = (rows) => {
  const keep = new Uint8Array(rows.length);
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i];
    if (row.parent >= 0 && handsUpWords(row)) rows[row.parent].holdsWords = true;
    if (keep[i] === 0) keep[i] = row.name || !PHRASES.has(row.role) || row.clickable ? 1 : 0;
    if (keep[i] && row.parent >= 0) keep[row.parent] = 1;
    if (row.role === 'LabelText' && !row.name && !row.clickable) keep[i] = 0;
  }
  return keep;
};
// Are there words in the row that what it stands in shows as its own? Those of a control are the control's.
const handsUpWords = (row) => {
  if (row.el === null) return !row.visuallyHidden;
  return !isControl(row) && (row.holdsWords || (row.source === 'content' && row.name !== ''));
};
const KEEPERS = { full: keepAll, interactive: keepInteractive, compact: keepCompact };

const narrow = (rows, keep, test) => {
  const marked = new Uint8Array(rows.length);
  for (let i = 0; i < rows.length; i++) if (test(rows[i], i) && keep[i]) marked[i] = 1;
  const above = withAncestors(rows, marked);
  for (let i = 0; i < rows.length; i++) if (!marked[i] && !above[i]) keep[i] = 0;
};

// A test for rows that pass another test, or stand in one that does.
const belongsTo = (rows, test) => {
  const inside = new Uint8Array(rows.length);
  return (row, i) => {
    inside[i] = test(row) || (row.parent >= 0 && inside[row.parent]) ? 1 : 0;
    return inside[i] === 1;
  };
};

const matchesSearch = (row, wanted) => {
  if (row.name.toLowerCase().includes(wanted)) return true;
  here = row.context;
  return row.el !== null && valueOf(row.el, row.tag, row.role, row.flags).toLowerCase().includes(wanted);
};

const isInViewport = (row) => {
  if (!row) return false;
  const [x, y, width, height] = rectangleOf(row.el);
  return x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0;
};

// The rows to show, as a keep mark per row.
const chooseRows = (walk, options) => {
  const rows = walk.rows;
  const keep = (KEEPERS[options.mode] || keepInteractive)(rows);
  for (const index of walk.frames) keep[index] = 1;
  if (options.search) {
    const wanted = options.search.toLowerCase();
    narrow(rows, keep, (row) => matchesSearch(row, wanted));
  }
  // What stands in a row or a dialog that was asked for belongs to it.
  if (options.role) narrow(rows, keep, belongsTo(rows, (row) => row.role === options.role || shownRole(row) === options.role));
  if (options.viewport) {
    narrow(rows, keep, (row) => isInViewport(row.el === null ? rows[row.parent] : row));
  }
  for (const index of walk.frames) keep[index] = 1;
  return keep;
};

// Depths once the dropped rows are gone.
const depthsOf = (rows, keep, options) => {
  const depths = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const parent = rows[i].parent;
    if (parent < 0) continue;
    const deeper = options.mode === 'compact' ? rows[parent].role === 'iframe' : keep[parent];
    depths[i] = depths[parent] + (deeper ? 1 : 0);
  }
  return depths;
};
