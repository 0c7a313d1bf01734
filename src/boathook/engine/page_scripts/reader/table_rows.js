// Tables of data: rows of cells, with the places that a wide or tall cell covers.

const MOST_COLUMNS = 200;

const isRow = (part) => part.tag === 'TR' || roleGiven(part) === 'row';
const CELL_ROLES = setOf('cell gridcell columnheader rowheader');
const isCell = (part) => part.tag === 'TD' || part.tag === 'TH' || CELL_ROLES.has(roleGiven(part));
const isHead = (part) => part.tag === 'TH' || roleGiven(part) === 'columnheader' || roleGiven(part) === 'rowheader';
const TABLE_ROLES = setOf('table grid treegrid');
const isTable = (part) => part.tag === 'TABLE' || TABLE_ROLES.has(roleGiven(part));

const rowsOf = (table) => {
  const rows = [];
  const collect = (part) => {
    for (const kid of part.kids) {
      if (!kid.el || isTable(kid)) continue;
      if (isRow(kid)) rows.push(kid);
      else if (!isCell(kid)) collect(kid);
    }
  };
  collect(table);
  return rows;
};

const cellsOf = (row) => {
  const cells = [];
  const collect = (part) => {
    for (const kid of part.kids) {
      if (!kid.el) continue;
      if (isCell(kid)) cells.push(kid);
      else if (!isTable(kid)) collect(kid);
    }
  };
  collect(row);
  return cells;
};

const isData = (table) => {
  if (table.knownData === null) table.knownData = looksLikeData(table);
  return table.knownData;
};

const looksLikeData = (table) => {
  const role = roleGiven(table);
  if (role === 'presentation' || role === 'none') return false;
  if (TABLE_ROLES.has(role)) return true;
  const rows = rowsOf(table).map(cellsOf).filter((cells) => cells.length);
  if (!rows.length || codeTable(table)) return false;
  const cells = rows.flat();
  if (cells.some((cell) => firstThat(cell, (at) => isTable(at) && isData(at)))) return cells.some(isHead);
  if (table.kids.some((kid) => kid.tag === 'CAPTION' || kid.tag === 'THEAD') || cells.some(isHead)) return true;
  // Without a head, most rows have to be rows: several cells with something in them.
  const full = rows.filter((row) => row.filter((cell) => cell.chars > 0).length > 1);
  if (rows.length < 2 || full.length < 0.6 * rows.length) return false;
  return !cells.some((cell) => cell.chars > 400 || firstThat(cell, (at) => isHeading(at) || at.tag === 'PRE'));
};

const spanOf = (cell, name, most) => Math.min(most, Math.max(1, parseInt(attr(cell.el, name) || attr(cell.el, `aria-${name}`), 10) || 1));

// The grid of a table: each place has its cell, and whether the cell begins there.
const gridOf = (table) => {
  const rows = rowsOf(table);
  const grid = rows.map(() => []);
  rows.forEach((row, y) => {
    let x = 0;
    for (const cell of cellsOf(row)) {
      while (grid[y][x]) x++;
      if (x >= MOST_COLUMNS) break;
      const wide = spanOf(cell, 'colspan', MOST_COLUMNS - x);
      const tall = attr(cell.el, 'rowspan') === '0' ? rows.length - y : spanOf(cell, 'rowspan', rows.length - y);
      for (let down = 0; down < tall; down++) {
        for (let right = 0; right < wide; right++) grid[y + down][x + right] = { cell, isFirst: !down && !right };
      }
      x += wide;
    }
  });
  return { grid: grid.filter((places) => places.length), rows };
};

const captionOf = (table) => {
  const caption = table.kids.find((kid) => kid.tag === 'CAPTION' || roleGiven(kid) === 'caption');
  return caption ? tidy(inlineOfKids(caption, { plain: true }), { oneLine: true }) : '';
};

const cellText = (cell, style) => tidy(inlineOfKids(cell, style), { oneLine: true }).replace(/(?<!\\)\|/g, '\\|');

// Is the first row the names of the columns?
const hasHeadRow = (grid) => {
  const first = grid[0].filter(Boolean).map((place) => place.cell);
  if (first.every((cell) => nearestAround(cell, (at) => at.tag === 'THEAD' || isTable(at)).tag === 'THEAD')) return true;
  const heads = first.filter(isHead).length;
  return heads === first.length || (heads > 1 && heads >= first.length - 1) ||
    !grid.some((places) => places.some((place) => place && isHead(place.cell)));
};

const widest = (grid) => grid.reduce((most, places) => Math.max(most, places.length), 0);

const tableLines = (table, style) => {
  const { grid } = gridOf(table);
  if (!grid.length) return '';
  const columns = widest(grid);
  const cells = grid.map((places) => Array.from({ length: columns }, (_, x) =>
    (places[x] && places[x].isFirst ? cellText(places[x].cell, style) : '')));
  if (style.plain) return cells.map((row) => row.join('\t').replace(/\\\|/g, '|')).join('\n');
  const line = (row) => `| ${row.join(' | ')} |`;
  if (!hasHeadRow(grid)) cells.unshift(Array(columns).fill(''));
  return [line(cells[0]), line(Array(columns).fill('---')), ...cells.slice(1).map(line)].join('\n');
};

// Rows as data: a cell that covers several places is in each of them.
const tableRows = (table) => {
  const { grid } = gridOf(table);
  const columns = widest(grid);
  return grid.map((places) => Array.from({ length: columns }, (_, x) =>
    (places[x] ? tidy(inlineOfKids(places[x].cell, { plain: true }), { plain: true }) : '')));
};
