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

const says = (text, wanted, exact) => {
  const found = collapse(text || '');
  return exact ? found === wanted : found.toLowerCase().includes(wanted.toLowerCase());
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
  .filter((row) => row.el !== null && (!value || row.role === value || (value === 'image' && row.role === 'img'))
    && (name === null || name === undefined || says(row.name, name, exact)))
  .map((row) => row.el);

const LABELLED = setOf('textbox searchbox combobox listbox checkbox radio switch slider spinbutton ' +
  'Date DateTime InputTime ColorWell button meter progressbar');
const byLabel = ({ value, exact }) => fullWalk().rows
  .filter((row) => row.el !== null && (LABELLED.has(row.role) || row.clickable) && row.role !== 'link'
    && says(row.name, value, exact))
  .map((row) => row.el);

const PRESSED_BY_TEXT = 'a, button, summary, label, [role=button], [role=link], [role=tab], [role=menuitem], ' +
  '[role=option], [onclick], input[type=button], input[type=submit]';

// The smallest elements whose text says it, lifted to the control that they stand in.
const byText = ({ value, exact }) => {
  const found = new Set();
  const descend = (node) => {
    let held = false;
    for (const child of node.children) {
      if (SILENT.has(tagOf(child)) || !says(child.textContent, value, false)) continue;
      held = held || says(child.textContent, value, exact);
      descend(child);
    }
    if (!held && node.nodeType === ELEMENT && says(node.textContent, value, exact)) {
      found.add(closest(node, PRESSED_BY_TEXT) || node);
    }
  };
  for (const root of allRoots()) descend(root.nodeType === DOCUMENT ? documentElementOf(root) : root);
  for (const button of everywhere('input[type=button], input[type=submit], input[type=reset]')) {
    if (says(button.value, value, exact)) found.add(button);
  }
  return [...found];
};
const SILENT = setOf('SCRIPT STYLE TEMPLATE NOSCRIPT HEAD');

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
};

// Of several matches, those that say exactly this, then those that can be seen.
const preferred = (found, { kind, value, name }) => {
  const words = kind === 'role' ? name : value;
  const shown = found.filter((el) => isShown(el) && !closest(el, '[aria-hidden=true], [inert]'));
  const visible = shown.length ? shown : found;
  if (!words || kind === 'css' || kind === 'xpath') return visible;
  const equal = visible.filter((el) => collapse(el.textContent || '') === words || probe(el).name === words);
  return equal.length ? equal : visible;
};

const nearMisses = ({ kind, value, name }) => {
  const wanted = (kind === 'role' ? name || '' : value).toLowerCase().split(/\s+/).filter((word) => word.length > 2);
  const rows = fullWalk().rows.filter((row) => row.el !== null && row.name && (isControl(row) || row.role === 'heading'));
  const scored = rows.map((row) => {
    const said = row.name.toLowerCase();
    const shared = wanted.filter((word) => said.includes(word.slice(0, Math.max(3, word.length - 2)))).length;
    return [shared * 2 + (kind === 'role' && row.role === value ? 1 : 0), row];
  });
  return scored.filter(([score]) => score > 0).sort((a, b) => b[0] - a[0]).slice(0, MOST_NEAR)
    .map(([, row]) => noted(row.el, row.role, row.name));
};

const noted = (el, role, name) => {
  const id = idOf(el);
  remember(id, role, name);
  return { id, role, name: quote(name, 80).slice(1, -1) };
};

const described = (el) => {
  const { role, name } = probe(el);
  return noted(el, role, name);
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

const find = (wanted, base) => {
  raiseBase(base);
  let found;
  try {
    found = [...new Set(FINDERS[wanted.kind](wanted))].filter((el) => !wanted.here || ownerDocumentOf(el) === document);
  } catch (error) {
    return { error: String(error.message || error), found: [], near: [], count: 0, first: firstNewId, next: nextId };
  }
  const best = wanted.all ? found : preferred(found, wanted);
  const near = best.length ? [] : nearMisses(wanted);
  const listed = best.slice(wanted.nth || 0, (wanted.nth || 0) + MOST_FOUND).map(described);
  forgetWalk();
  return { found: listed, near, count: best.length, hidden: found.length - best.length, first: firstNewId, next: nextId };
};
