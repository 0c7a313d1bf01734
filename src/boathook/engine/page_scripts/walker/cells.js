// Cells of tables and grids, by a text of their row and the header of their column. Headers and cells belong together by
// where they are shown: grids often keep them, or pinned columns, in other tables.

const HEADERS_OF_COLUMNS = '[role=columnheader], th';
const CELLS_OF_ROWS = '[role=gridcell], [role=cell], [role=rowheader], td, th';
const ARIA_GRIDS = '[role=grid], [role=treegrid], [role=table]';

const cellSays = (el, wanted) => collapse(el.innerText || '').toLowerCase() === collapse(wanted).toLowerCase();
const isCrossing = (start, end, place) => start <= place && place <= end;

const byCell = ({ value: row, name: column }) => everywhere(HEADERS_OF_COLUMNS)
  .filter((header) => isShown(header) && cellSays(header, column))
  .flatMap((header) => cellsUnder(header, row));

const cellsUnder = (header, row) => {
  const grid = closest(header, ARIA_GRIDS) || closest(header, 'table');
  if (!grid) return [];
  const across = rectOf(header);
  const middle = across.left + across.width / 2;
  const cells = [...grid.querySelectorAll(CELLS_OF_ROWS)].filter((cell) => cell !== header && attr(cell, 'role') !== 'columnheader' && isShown(cell))
    .map((cell) => ({ cell, rect: rectOf(cell) })).filter(({ rect }) => rect.width > 1 && rect.height > 1);
  const inColumn = cells.filter(({ rect }) => isCrossing(rect.left, rect.right, middle) && rect.top >= across.bottom - 1);
  return cells.filter(({ cell, rect }) => rect.top >= across.bottom - 1 && cellSays(cell, row)).flatMap(({ rect }) => {
    const height = rect.top + rect.height / 2;
    const found = inColumn.find((one) => isCrossing(one.rect.top, one.rect.bottom, height));
    return found ? [found.cell] : [];
  });
};
