// Finding elements by what people call them: role and name, text, label, placeholder, test id, CSS, XPath.

const MOST_FOUND = 10;
const MOST_NEAR = 5;

// Every document and shadow root that this world can reach, in tree order.
const allRoots = () => {
  const roots = [];
  const enter = (root) => {
    roots.push(root);
    const all = queryAll(root, '*');
    for (let i = 0; i < all.length; i++) {
      const el = all[i];
      const shadow = shadowOf(el);
      if (shadow) enter(shadow);
      if (el.tagName !== 'IFRAME' && el.tagName !== 'FRAME') continue;
      const inside = documentInside(el);
      if (inside && documentElementOf(inside)) enter(inside);
    }
  };
  enter(document);
  return roots;
};

const everywhere = (selector) => allRoots().flatMap((root) => [...queryAll(root, selector)]);

// Exactly this text; `anyCase` ignores case and the amount of space.
const sameText = (found, wanted, exact) => exact === 'anyCase'
  ? found.toLowerCase() === collapse(wanted).toLowerCase()
  : found === wanted;

const says = (text, wanted, exact) => {
  const found = collapse(text || '');
  return exact ? sameText(found, wanted, exact) : found.toLowerCase().includes(wanted.toLowerCase());
};

const byAttribute = (names) => ({ value, exact }) => everywhere(names.map((name) => `[${name}]`).join(','))
  .filter((el) => names.some((name) => says(attr(el, name), value, exact)));

const byXPath = ({ value }) => {
  const found = [];
  for (const root of allRoots().filter((one) => one.nodeType === DOCUMENT)) {
    const result = Document.prototype.evaluate.call(root, value, root, null, 7, null);
    for (let i = 0; i < result.snapshotLength; i++) {
      const node = result.snapshotItem(i);
      found.push(node.nodeType === ELEMENT ? node : parentOf(node));
    }
  }
  return found.filter((node) => node && node.nodeType === ELEMENT);
};

const byRole = ({ value, name, exact }) => fullWalk().rows
  .filter((row) => row.el !== null && (!value || row.role === value || shownRole(row) === value || (value === 'image' && row.role === 'img'))
    && (name === null || name === undefined || says(row.name, name, exact)))
  .map((row) => row.el);

const LABELLED = setOf('textbox searchbox combobox listbox checkbox radio switch slider spinbutton ' +
  'Date DateTime InputTime ColorWell button meter progressbar');
const byLabel = ({ value, exact }) => {
  const rows = fullWalk().rows.filter((row) => row.el !== null && (LABELLED.has(row.role) || row.clickable) && row.role !== 'link'
    && says(row.name, value, exact));
  // What only acts is meant if no field has that label.
  const fields = rows.filter((row) => LABELLED.has(row.role));
  return (fields.length ? fields : rows).map((row) => row.el);
};

const PRESSED_BY_TEXT = 'a, button, summary, label, [role=button], [role=link], [role=tab], [role=menuitem], ' +
  '[role=option], [onclick], input[type=button], input[type=submit]';

const BUTTON_INPUTS = 'input[type=button], input[type=submit], input[type=reset]';

const buttonsLabelled = (value, exact, includeHidden) => everywhere(BUTTON_INPUTS)
  .filter((button) => says(button.value, value, exact) && (includeHidden || isShown(button)));

// Names that no text on the page shows, such as those of icons.
const namedElements = (value, exact) => fullWalk().rows
  .filter((row) => row.el !== null && row.name && says(row.name, value, exact)).map((row) => row.el);

// The smallest elements that show the text, lifted to the control that they are in; else accessible names; else hidden text.
const byText = ({ value, exact }) => {
  for (const includeHidden of [false, true]) {
    const texts = elementsWithText(value, exact, includeHidden).map((el) => closest(el, PRESSED_BY_TEXT) || el);
    const found = [...texts, ...buttonsLabelled(value, exact, includeHidden)];
    if (found.length) return found;
    const named = includeHidden ? [] : namedElements(value, exact);
    if (named.length) return innermost(new Set(named));
  }
  return [];
};

const FINDERS = {
  css: ({ value }) => everywhere(value),
  xpath: byXPath,
  role: byRole,
  label: byLabel,
  text: byText,
  placeholder: byAttribute(['placeholder', 'aria-placeholder']),
  testid: byAttribute(['data-testid', 'data-test-id', 'data-test']),
  alt: byAttribute(['alt']),
  title: byAttribute(['title']),
  name: byAttribute(['name']),
  cell: byCell,
};

// Of several matches, those that say exactly this, then those that can be seen.
const preferred = (found, { kind, value, name, exact }) => {
  const words = kind === 'role' ? name : value;
  const shown = found.filter((el) => isShown(el) && !closest(el, '[aria-hidden=true], [inert]'));
  const visible = shown.length ? shown : found;
  if (!words || exact === 'anyCase' || kind === 'css' || kind === 'xpath' || kind === 'cell') return visible;
  const equal = visible.filter((el) => collapse(el.textContent || '') === words || probe(el).name === words);
  return equal.length ? equal : visible;
};

const LONGEST_COMPARED = 60;
const NEAR_ENOUGH = 0.65;

// How many letters differ; two that changed places count once.
const lettersApart = (a, b) => {
  let [before, last] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
};

// From 0 to 1: by their letters, or by the words that one has in common with the other.
const likeness = (said, wanted) => {
  const text = collapse(said || '').toLowerCase();
  if (!text || !wanted) return 0;
  const words = wanted.split(/\s+/).filter((word) => word.length > 2);
  const shared = words.filter((word) => text.includes(word.slice(0, Math.max(3, word.length - 2)))).length;
  const byWords = shared ? 0.5 + 0.2 * (shared / words.length) : 0;
  if (Math.max(text.length, wanted.length) > LONGEST_COMPARED) return byWords;
  const byLetters = 1 - lettersApart(text, wanted) / Math.max(text.length, wanted.length);
  return Math.max(byWords, byLetters >= NEAR_ENOUGH ? byLetters : 0);
};

// What else than its name may be meant, and how that is written.
const otherMarks = (el, kind) => {
  if (kind === 'css') return [attr(el, 'id') && `#${attr(el, 'id')}`, ...(attr(el, 'class') || '').split(/\s+/).filter(Boolean).map((one) => `.${one}`)];
  const named = { placeholder: 'placeholder', testid: 'data-testid', alt: 'alt', title: 'title', name: 'name' }[kind];
  return named ? [attr(el, named)] : [];
};

const nearMisses = ({ kind, value, name }) => {
  const wanted = collapse(kind === 'role' ? name || '' : value).toLowerCase();
  const rows = fullWalk().rows.filter((row) => row.el !== null && (isControl(row) || row.role === 'heading' || row.role === 'img'));
  const scored = rows.map((row) => {
    const marks = otherMarks(row.el, kind).filter(Boolean).map((mark) => ({ mark, like: likeness(mark, wanted) }));
    const { like, mark } = marks.reduce((best, one) => (one.like > best.like ? one : best), { mark: '', like: likeness(row.name, wanted) });
    return { score: like && like + (kind === 'role' && row.role === value ? 0.1 : 0), row, mark };
  });
  return scored.filter(({ score }) => score >= 0.5).sort((a, b) => b.score - a.score).slice(0, MOST_NEAR)
    .map(({ row, mark }) => ({ ...noted(row.el, row.role, row.name), mark: mark && quote(mark, 80).slice(1, -1) }));
};

const noted = (el, role, name) => {
  const id = idOf(el);
  remember(id, role, name);
  return { id, role, name: quote(name, 80).slice(1, -1) };
};

// A glyph of an icon font says nothing: its hint does, as in snapshots.
const described = (el) => {
  const { role, name } = probe(el);
  const entry = noted(el, role, name);
  const hint = name !== '' && isWordless(name) ? hintFor(el, role) : '';
  return hint ? { ...entry, name: quote(`~${hint}`, 80).slice(1, -1) } : entry;
};

const wholeTextOf = getterOf(Node.prototype, 'textContent');

// As errors list it: an element without a name by the beginning of its text.
const listedMatch = (el) => {
  const entry = described(el);
  return { ...entry, text: entry.name ? '' : quote(collapse(wholeTextOf(el) || '').slice(0, 200), 60).slice(1, -1), hidden: !isShown(el) };
};

// All that match, shown or not.
const matching = (wanted) => {
  const found = [...new Set(FINDERS[wanted.kind](wanted))];
  forgetWalk();
  return found;
};

const number = (els, base) => {
  raiseBase(base);
  const ids = els.map((el) => described(el).id);
  forgetWalk();
  return { ids, first: firstNewId, next: nextId };
};

// The only match of the search with this number, for what is sent right behind its question.
let sole = { search: 0, el: null };

const find = (wanted, base) => {
  raiseBase(base);
  sole = { search: wanted.search || 0, el: null };
  let found;
  try {
    found = [...new Set(FINDERS[wanted.kind](wanted))].filter((el) => !wanted.here || ownerDocumentOf(el) === document);
  } catch (error) {
    return { error: String(error.message || error), found: [], near: [], count: 0, hidden: 0, first: firstNewId, next: nextId };
  }
  // An index counts all that match, as a count does.
  const counts = wanted.nth !== null && wanted.nth !== undefined;
  const best = counts || wanted.all ? found : preferred(found, wanted);
  const at = counts ? wanted.nth : 0;
  if (counts || best.length === 1) sole.el = best[at] || null;
  const near = best.length || !wanted.near ? [] : nearMisses(wanted);
  const listed = best.slice(at, at + MOST_FOUND).map(listedMatch);
  forgetWalk();
  return { found: listed, near, count: best.length, hidden: found.length - best.length, first: firstNewId, next: nextId };
};
