// Scrolls grids that have only some of their rows in the document, until a cell is among them.
// Evaluates to a function (row, column, milliseconds); needs the walker's API.

(async (row, column, milliseconds) => {
  const GRIDS = '[role=grid], [role=treegrid], [role=table], table';
  const CELLS = '[role=gridcell], [role=cell], td';
  const FRAMES_TO_RENDER = 10;
  const until = performance.now() + milliseconds;
  const matching = () => __boathook.matching({ kind: 'cell', value: row, name: column });
  const isFound = () => matching().length > 0;
  const frame = () => new Promise((done) => {
    requestAnimationFrame(done);
    setTimeout(done, 100);
  });

  const scrolls = (el) => el.scrollHeight > el.clientHeight + 2 && el.clientHeight > 20 && /auto|scroll/.test(getComputedStyle(el).overflowY);
  const scrollerOf = (grid) => {
    const inside = [grid, ...grid.querySelectorAll('*')].filter(scrolls);
    if (inside.length) return inside.sort((a, b) => b.scrollHeight - a.scrollHeight)[0];
    for (let at = grid.parentElement; at; at = at.parentElement) if (scrolls(at)) return at;
    return null;
  };
  // A row stands at the lower edge as soon as the grid has rendered what is scrolled to.
  const isRendered = (box) => {
    const rect = box.getBoundingClientRect();
    return [...box.querySelectorAll(CELLS)].some((cell) => {
      const { top, bottom } = cell.getBoundingClientRect();
      return top <= rect.top + box.clientHeight - 2 && bottom >= rect.top + box.clientHeight - 40;
    });
  };
  const scrollTo = async (box, top) => {
    box.scrollTop = top;
    await frame();
    for (let left = FRAMES_TO_RENDER; left > 0 && !isRendered(box); left--) await frame();
  };
  const search = async (box) => {
    const start = box.scrollTop;
    await scrollTo(box, 0);
    for (let last = -1; box.scrollTop !== last && performance.now() < until;) {
      if (isFound()) return true;
      last = box.scrollTop;
      await scrollTo(box, last + box.clientHeight * 0.8);
    }
    if (isFound()) return true;
    await scrollTo(box, start);
    return false;
  };

  // Grids give the elements of rows that leave to others: the cell must be in view before anything acts on it.
  const show = async () => {
    for (let left = FRAMES_TO_RENDER; left > 0; left--) {
      const cells = matching();
      if (cells.length !== 1 || __boathook.isInView(cells[0])) return;
      cells[0].scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      await frame();
      await frame();
    }
  };

  if (isFound()) {
    await show();
    return { found: true };
  }
  const boxes = new Set([...document.querySelectorAll(GRIDS)].map(scrollerOf).filter(Boolean));
  for (const box of boxes) if (await search(box)) {
    await show();
    return { found: true };
  }
  return { found: false, late: performance.now() >= until };
})
