// Calendars that pages draw: which months they show, where a day and the ways to other months are.
// Evaluates to a function (question, field, details); needs the walker's API.

((question, field, details) => {
  const roots = [...new Set([document, field.getRootNode()])];
  const isShown = (el) => __boathook.isShown(el) && el.getClientRects().length > 0;
  const languages = [document.documentElement.lang, ...navigator.languages, 'en'].filter(Boolean);
  const monthNames = (style) => languages.flatMap((language) => {
    try {
      const format = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, at) => ({ month: at + 1, name: format.format(Date.UTC(2024, at, 15)).toLowerCase().replace('.', '') }));
    } catch {
      return [];
    }
  });
  const months = [...monthNames('long'), ...monthNames('short')];
  const escaped = (text) => text.replace(/[^\p{L}\p{N}]/gu, '\\$&');

  // The month and year that a text names, and the day if it names one.
  const readDate = (text) => {
    const iso = /\b(\d{4})-(\d{1,2})(?:-(\d{1,2}))?\b/.exec(text);
    if (iso) return { year: Number(iso[1]), month: Number(iso[2]), day: iso[3] ? Number(iso[3]) : null };
    const lower = text.toLowerCase();
    const named = months.find(({ name }) => new RegExp(`(?<![\\p{L}])${escaped(name)}(?![\\p{L}])`, 'u').test(lower));
    const year = /(?<!\d)(\d{4})(?!\d)/.exec(text) || /(\d{4})年/.exec(text);
    if (!named || !year) return null;
    const day = /(?<!\d)(\d{1,2})(?!\d)/.exec(text.replace(year[0], ' '));
    return { year: Number(year[1]), month: named.month, day: day ? Number(day[1]) : null };
  };

  const CELL = 'td, [role=gridcell], [role=option], button, [data-date], [data-day]';
  const cellOf = (leaf) => leaf.closest(CELL) || leaf;
  const markedDate = (leaf) => {
    for (let at = leaf, level = 0; at && level < 3; at = at.parentElement, level++) {
      const { pikaYear, pikaMonth, pikaDay, year, month } = at.dataset;
      if (pikaYear) return { year: Number(pikaYear), month: Number(pikaMonth) + 1, day: Number(pikaDay) };
      if (year && month) return { year: Number(year), month: Number(month) + 1, day: null };
      for (const name of ['data-date', 'data-day', 'data-value', 'datetime', 'title', 'aria-label']) {
        const found = readDate(at.getAttribute(name) || '');
        if (found) return found;
      }
    }
    return null;
  };

  // Text of one or two digits, in the order of the document.
  const leavesIn = (root) => {
    const found = [];
    const texts = document.createTreeWalker(root === document ? document.body : root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = /** @type {Text} */ (texts.currentNode).data.trim();
      const el = texts.currentNode.parentElement;
      if (!/^\d{1,2}$/.test(text) || !el || el.closest('[class*=week-number], [class*=weeknumber], [class*=week-col], .cw, option, script, style')) continue;
      if (isShown(el)) found.push({ el, day: Number(text) });
    }
    return found;
  };

  const commonAncestor = (one, other) => {
    let at = one;
    while (at && !at.contains(other)) at = at.parentElement;
    return at;
  };

  const titleAround = (grid) => {
    for (let at = grid, level = 0; at && at !== document.body && level < 4; at = at.parentElement, level++) {
      const chosen = [...at.querySelectorAll('select')].map((select) => (select.selectedOptions[0] || { text: '' }).text);
      const typed = [...at.querySelectorAll('input')].filter((input) => input !== field).map((input) => input.value);
      const head = at.cloneNode(true);
      for (const select of head.querySelectorAll('select, script, style')) select.remove();
      const found = readDate([...chosen, ...typed, head.textContent.slice(0, 400)].join(' '));
      if (found) return found;
    }
    return null;
  };

  const isFloating = (el) => {
    for (let at = el; at && at !== document.body; at = at.parentElement || (at.getRootNode()).host) {
      if (/fixed|absolute/.test(getComputedStyle(at).position) && at.offsetHeight > 100) return true;
    }
    return false;
  };

  // A month is a run 1, 2, 3, … of 28 to 31 days that the page shows.
  const shownMonths = () => {
    const found = [];
    for (const root of roots) {
      const leaves = leavesIn(root);
      for (let at = 0; at < leaves.length; at++) {
        if (leaves[at].day !== 1) continue;
        let end = at;
        while (end + 1 < leaves.length && leaves[end + 1].day === leaves[end].day + 1) end++;
        const count = end - at + 1;
        if (count < 28 || count > 31) continue;
        const days = leaves.slice(at, end + 1).map(({ el }) => el);
        const grid = commonAncestor(days[0], days[count - 1]);
        const title = markedDate(days[0]) || titleAround(grid);
        if (title) found.push({ year: title.year, month: title.month, days, grid, floats: isFloating(grid) });
      }
    }
    const floating = found.filter(({ floats }) => floats);
    return floating.length ? floating : found;
  };

  const STEP = { back: /(^|[^a-z])(prev|previous|back|earlier|left)([^a-z]|$)|^[‹<«]$/i, on: /(^|[^a-z])(next|forward|later|right)([^a-z]|$)|^[›>»]$/i };
  const WIDE = /year|super|double|decade/i;
  const wordsOf = (el) => `${el.getAttribute('aria-label') || ''} ${el.getAttribute('title') || ''} ${(el.getAttribute('class') || '').replace(/[A-Z]/g, ' $&')} ${el.textContent.trim().slice(0, 20)}`;
  const isOff = (el) => el.matches(':disabled, [aria-disabled=true]') || /(^|[\s_-])(disabled|unavailable)([\s_-]|$)/i.test(el.getAttribute('class') || '');

  // The elements around the days of the first month, from the inside.
  const around = () => {
    const found = [];
    const [month] = shownMonths();
    for (let at = month && month.grid; at && at !== document.body && found.length < 6; at = at.parentElement) found.push(at);
    return found;
  };

  const stepper = ({ direction, wide }) => {
    for (const box of around()) {
      const found = [...box.querySelectorAll('button, a, th, span, div, [role=button]')].filter((el) => isShown(el) && !isOff(el)
        && STEP[direction].test(wordsOf(el)) && WIDE.test(wordsOf(el)) === wide && el.getBoundingClientRect().width < 120
        && !/\d/.test(el.textContent) && !el.contains(around()[0]));
      const button = found.find((el) => el.matches('button, a, [role=button]')) || found[0];
      if (button) return { point: __boathook.centreInView(button) };
    }
    return {};
  };

  // The field for the year, focused, with its text selected.
  const focusYear = () => {
    const [month] = shownMonths();
    for (const box of around()) {
      const input = [...box.querySelectorAll('input')].find((el) => isShown(el) && el !== field && Number(el.value) === month.year);
      if (input) {
        input.focus({ preventScroll: true });
        input.select();
        return { found: true };
      }
    }
    return { found: false };
  };

  const dayCell = ({ year, month, day }) => {
    const found = shownMonths().find((one) => one.year === year && one.month === month);
    const leaf = found && found.days[day - 1];
    if (!leaf) return {};
    const cell = cellOf(leaf);
    if ([leaf, cell, cell.parentElement].some((el) => el && isOff(el))) return { off: true };
    return { point: __boathook.centreInView(leaf) };
  };

  if (question === 'months') return { months: shownMonths().map(({ year, month, floats }) => ({ year, month, floats })) };
  if (question === 'step') return stepper(details);
  if (question === 'focusYear') return focusYear();
  if (question === 'day') return dayCell(details);
  return {};
})
