// Choices made of other elements than select: listboxes, comboboxes, radio groups, switches.

const MOST_OPTIONS = 200;

const pointTo = (id) => {
  const el = elementOf(id);
  if (!el) throw failure('gone');
  bringIntoView(el);
  return centreOf(el);
};

// Where to drop: on the element, or just before or after it in the direction that its list runs.
const dropPoint = (id, where) => {
  const el = elementOf(id);
  const box = reachable(el);
  if (!box) return {};
  const middle = centreOf(el);
  if (where === 'onto') return middle;
  const beside = el.nextElementSibling || el.previousElementSibling;
  const sideways = beside && Math.abs(beside.getBoundingClientRect().top - el.getBoundingClientRect().top) < 2;
  const share = where === 'before' ? 0.15 : 0.85;
  const [left, top] = frameOffset(el);
  return sideways ? { x: box.left + (box.right - box.left) * share + left, y: middle.y }
    : { x: middle.x, y: box.top + (box.bottom - box.top) * share + top };
};

const elementAt = (x, y, base) => {
  raiseBase(base);
  const el = deepestAt(document, x, y);
  return el ? { ...described(el), first: firstNewId, next: nextId } : { first: firstNewId, next: nextId };
};

const centreOf = (el) => {
  const box = reachable(el) || el.getBoundingClientRect();
  const [left, top] = frameOffset(el);
  return { x: (box.left + box.right) / 2 + left, y: (box.top + box.bottom) / 2 + top };
};

// The list that belongs to a control: inside it, the one it names, or the only open one on the page.
const listOf = (el) => {
  const named = (attr(el, 'aria-controls') || attr(el, 'aria-owns') || '').split(/\s+/).filter(Boolean)
    .map((id) => byId(rootOf(el), id)).find(Boolean);
  if (named) return named;
  const inside = (shadowOf(el) || el).querySelector('[role=option], [role=menuitemradio], [role=treeitem]');
  if (inside) return el;
  const open = everywhere('[role=listbox], [role=menu], [role=tree]').filter(isShown);
  return open.length === 1 ? open[0] : null;
};

const optionsIn = (list) => [...(shadowOf(list) || list).querySelectorAll('[role=option], [role=menuitemradio], [role=menuitem], [role=treeitem]')]
  .filter(isShown).slice(0, MOST_OPTIONS);

const optionFor = (options, wanted) => {
  const named = (option) => collapse(probe(option).name || option.textContent);
  return options.find((option) => named(option) === wanted)
    || options.find((option) => named(option).toLowerCase() === wanted.toLowerCase())
    || options.find((option) => attr(option, 'data-value') === wanted || attr(option, 'value') === wanted)
    || (/^#\d+$/.test(wanted) ? options[Number(wanted.slice(1))] : null) || null;
};

const listed = async (id, wanted, wait) => {
  if (wait) await nextFrame();
  const list = listOf(elementOf(id));
  const options = list ? optionsIn(list) : [];
  if (!options.length) return { options: [] };
  const names = options.map((option) => collapse(probe(option).name || option.textContent));
  const picks = wanted.map((one) => optionFor(options, one));
  const missing = wanted.find((_, index) => !picks[index]);
  if (missing !== undefined) return { options: names, missing };
  const picked = picks.map((option) => names[options.indexOf(option)]);
  const unselected = picks.filter((option) => attr(option, 'aria-selected') !== 'true');
  return { options: names, picked, points: unselected.map((option) => { bringIntoView(option); return centreOf(option); }) };
};

const nameOfOption = (option) => collapse(probe(option).name || option.textContent);

const selectedIn = (list) => optionsIn(list)
  .filter((option) => attr(option, 'aria-selected') === 'true' || attr(option, 'aria-checked') === 'true').map(nameOfOption);

// What is selected now: options marked so, or the text that the control itself shows. Pages may need a moment, and mark
// what was selected before until then.
const listedSelection = async (id, wanted) => {
  let marked = [];
  for (let tries = 0; tries < 30; tries++) {
    const el = elementOf(id);
    const list = el && listOf(el);
    const now = list ? selectedIn(list) : [];
    if (wanted.every((one) => now.includes(one))) return { selected: now };
    if (now.length) marked = now;
    const shown = el ? collapse(String(readField(fieldIn(el)) || el.textContent || '')) : '';
    if (wanted.every((one) => shown.toLowerCase().includes(one.toLowerCase()))) return { selected: [shown] };
    await nextFrame();
  }
  return { selected: marked };
};

// Pages may need a moment to show what a press did.
const checkedState = async (id, wanted) => {
  if (wanted === null && !elementOf(id)) throw failure('gone');
  let state = checkedNow(id);
  for (let tries = 0; wanted !== null && state.checked !== null && state.checked !== wanted && tries < 30; tries++) {
    await nextFrame();
    state = checkedNow(id);
  }
  return state;
};

const checkedNow = (id) => {
  const el = elementOf(id);
  if (!el) return { checked: null };
  const field = fieldIn(el);
  const native = tagOf(field) === 'INPUT' && (field.type === 'checkbox' || field.type === 'radio');
  const state = native ? null : attr(el, 'aria-checked') || attr(el, 'aria-pressed');
  const radio = native ? field.type === 'radio' : attr(el, 'role') === 'radio';
  if (native) return { checked: field.checked, radio };
  return { checked: state === null ? null : state === 'true', radio };
};
