// Tables: is it data or only layout, and what does each part of it mean? Follows Chromium's own guesses, so
// that a table drawn for looks is walked through and a table of facts keeps its rows and cells.

const MANY_ROWS = 20;
const ENOUGH_GOOD_CELLS = 10;
const STRIPES_LOOKED_AT = 5;

const tableKind = (table) => {
  let kind = tableKinds.get(table);
  if (kind === undefined) {
    kind = kindOfTable(table);
    tableKinds.set(table, kind);
    if (noting) TABLE_KINDS.set(table, kind);
  }
  return kind;
};
const kindOfTable = (table) => {
  const flags = flagsOf(table);
  const explicit = flags & HAS.ROLE ? explicitRole(table, 'TABLE', flags) : '';
  return explicit || (isDataTable(table) ? 'table' : 'layout');
};
const TABLE_KINDS = noteAnswers((was, table) => kindOfTable(table) === was, SUBTREE);

const CELL_ROLES = { table: 'cell', grid: 'gridcell', treegrid: 'gridcell' };

const tablePart = (el, part) => {
  const table = closest(el, 'table');
  const kind = table ? tableKind(table) : 'none';
  if (kind === 'layout') return part === 'cell' && attr(parentOf(el), 'role') === 'row' ? 'cell' : 'none';
  const cellRole = CELL_ROLES[kind];
  if (cellRole === undefined) return 'generic';
  if (part === 'cell') return cellRole;
  return part === 'header' ? headerRole(el) : part;
};

const headerRole = (th) => {
  const scope = (attr(th, 'scope') || '').toLowerCase();
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  const row = parentOf(th);
  if (row.parentNode && row.parentNode.tagName === 'THEAD') return 'columnheader';
  // An empty corner cell holds no data that the header could be for.
  for (let cell = row.firstElementChild; cell; cell = cell.nextElementSibling) {
    if (cell.tagName === 'TD' && cell.firstChild) return 'rowheader';
  }
  return 'columnheader';
};

const isDataTable = (table) => {
  if (hasAttr(table, 'role') || table.isContentEditable) return true;
  if (table.caption || table.tHead || table.tFoot) return true;
  if (attr(table, 'summary') || attr(table, 'rules')) return true;
  if (table.querySelector(':scope > col, :scope > colgroup')) return true;
  const rows = table.rows;
  if (rows.length >= MANY_ROWS) return true;
  if (rows.length === 0 || (rows.length === 1 && rows[0].cells.length === 1)) return false;
  for (const row of rows) if (rowSaysData(row)) return true;
  return looksLikeData(table, rows);
};

const rowSaysData = (row) => {
  for (const cell of row.cells) {
    if (cell.tagName === 'TH' || attr(cell, 'headers') || attr(cell, 'abbr')) return true;
    if (attr(cell, 'axis') || attr(cell, 'scope')) return true;
  }
  return false;
};

// Borders around half of the cells, or backgrounds that differ from the table's, speak for data.
const looksLikeData = (table, rows) => {
  const tableStyle = getComputedStyle(table);
  const spaced = tableStyle.borderSpacing.split(' ').every((gap) => parseFloat(gap) > 0);
  const seen = { cells: 0, framed: 0, top: 0, bottom: 0, left: 0, right: 0, coloured: 0 };
  for (const row of rows) {
    for (const cell of row.cells) {
      if (lookAtCell(seen, cell, spaced && tableStyle.backgroundColor)) return true;
    }
  }
  if (seen.cells <= 1) return false;
  const half = Math.floor(seen.cells / 2);
  const most = Math.max(seen.framed, seen.top, seen.bottom, seen.left, seen.right, seen.coloured);
  return most >= half || isStriped(rows);
};

const lookAtCell = (seen, cell, tableColour) => {
  const style = getComputedStyle(cell);
  if (style.emptyCells === 'hide') return true;
  if (cell.offsetWidth < 1 || cell.offsetHeight < 1) return false;
  const side = (name) => parseFloat(style['border' + name + 'Width']) > 0;
  const [top, bottom, left, right] = [side('Top'), side('Bottom'), side('Left'), side('Right')];
  seen.cells += 1;
  if ((top && bottom) || (left && right)) seen.framed += 1;
  if (top) seen.top += 1;
  if (bottom) seen.bottom += 1;
  if (left) seen.left += 1;
  if (right) seen.right += 1;
  const colour = style.backgroundColor;
  if (tableColour && colour !== tableColour && colour !== 'rgba(0, 0, 0, 0)') seen.coloured += 1;
  return seen.framed >= ENOUGH_GOOD_CELLS || seen.coloured >= ENOUGH_GOOD_CELLS;
};

const isStriped = (rows) => {
  const colours = [...rows].slice(0, STRIPES_LOOKED_AT).map((row) => getComputedStyle(row).backgroundColor);
  return colours.length > 2 && colours.every((colour, i) => (colour === colours[0]) === (i % 2 === 0));
};
