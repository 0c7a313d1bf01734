// Lists of options made of other elements than select: which one belongs to a control, what it offers, what is chosen.

const LISTS = '[role=listbox], [role=menu], [role=tree]';
const OPTIONS = '[role=option], [role=menuitemradio], [role=menuitemcheckbox], [role=menuitem], [role=treeitem]';
const DIALOG_ROLES = '[role=dialog], [role=alertdialog], dialog[open]';
const CONFIRMING = /^(ok|okay|apply|done|set|confirm|accept|übernehmen)$/i;
const MOST_NEAR_TEXT = 300;
const LEVELS_AROUND = 4;

// What was shown before a control was pressed: lists and texts that are new then are its own.
let shownBefore = new WeakSet();
const rememberLists = (id, wanted) => {
  shownBefore = new WeakSet();
  bareLists = new WeakSet();
  for (const el of [...everywhere(LISTS).filter(isShown), ...everywhere(DIALOG_ROLES).filter(isShown), ...wanted.flatMap(elementsSaying)]) shownBefore.add(el);
  return { mayOpen: closest(elementOf(id), '[class*=select], [class*=combo], [class*=dropdown], [class*=picker], [class*=choices]') !== null };
};

// The innermost elements that say exactly this and are shown.
const elementsSaying = (wanted) => elementsWithText(wanted, 'anyCase', false).filter((el) => isShown(el) && isBig(el));

const namedBy = (el) => (attr(el, 'aria-controls') || attr(el, 'aria-owns') || '').split(/\s+/).filter(Boolean)
  .map((id) => byId(rootOf(el), id)).find(Boolean);

// The combobox that a control is, holds or belongs to says which list is its own.
const listNamedBy = (el) => {
  const inner = (shadowOf(el) || el).querySelector('[aria-controls], [aria-owns]');
  const outer = around(el, '[role=combobox], [aria-haspopup=listbox]');
  return [el, inner, outer].filter(Boolean).map(namedBy).find(Boolean);
};

const listOf = (el) => {
  const named = listNamedBy(el);
  if (named && optionsIn(named).length) return named;
  if (attr(el, 'role') !== 'combobox' && optionsIn(el).length) return el;
  const open = everywhere(LISTS).filter((list) => list !== el && isShown(list) && optionsIn(list).length);
  const fresh = open.filter((list) => !shownBefore.has(list));
  if (fresh.length === 1) return fresh[0];
  return open.length === 1 && !named ? open[0] : null;
};

// Lists for screen readers have options of no size.
const isBig = (el) => rectOf(el).height > 1 && rectOf(el).width > 1;

// In the flat tree: options are often put into slots of the list.
const optionsIn = (list) => {
  if (list.getClientRects().length > 0 && rectOf(list).height < 1 && getComputedStyle(list).overflow === 'hidden') return [];
  const root = shadowOf(list) || list;
  const slots = [...root.querySelectorAll('slot'), ...(tagOf(list) === 'SLOT' ? [list] : [])];
  const slotted = slots.flatMap((slot) => slot.assignedElements({ flatten: true }))
    .flatMap((el) => [el, ...el.querySelectorAll(OPTIONS)]).filter((el) => isOption(el));
  return [...new Set([...root.querySelectorAll(OPTIONS), ...list.querySelectorAll(OPTIONS), ...slotted])]
    .filter((el) => isShown(el) && isBig(el)).slice(0, MOST_OPTIONS);
};
const isOption = (el) => matches(el, OPTIONS) || probe(el).role === 'option';

const nameOfOption = (option) => collapse(probe(option).name || option.textContent);

const optionFor = (options, wanted) => {
  const lower = wanted.toLowerCase();
  return options.find((option) => nameOfOption(option) === wanted)
    || options.find((option) => nameOfOption(option).toLowerCase() === lower)
    || options.find((option) => attr(option, 'data-value') === wanted || attr(option, 'value') === wanted)
    || (/^#\d+$/.test(wanted) ? options[Number(wanted.slice(1))] : null) || null;
};

// Options without a role: what says the wanted text and is shown only since the control was pressed.
const freshText = (el, wanted) => elementsSaying(wanted).find((found) => !shownBefore.has(found) && fieldKind(found) === ''
  && (!isWithin(found, el) || isPlainBox(el))) || null;
// Some draw their list inside the element that opens it.
const isPlainBox = (el) => fieldKind(el) === '' && attr(el, 'role') !== 'combobox';

const isSelected = (option) => attr(option, 'aria-selected') === 'true' || attr(option, 'aria-checked') === 'true';

const listed = async (id, wanted, wait) => {
  if (wait) await nextFrame();
  const el = elementOf(id);
  if (!el) throw failure('gone');
  const list = listOf(el);
  const options = list ? optionsIn(list) : [];
  const picks = wanted.map((one) => optionFor(options, one) || freshText(el, one));
  for (const pick of picks) if (pick && !options.includes(pick) && pick.parentElement) bareLists.add(pick.parentElement);
  const names = options.map(nameOfOption);
  const missing = wanted.find((_, index) => !picks[index]);
  if (missing !== undefined) return { options: names, missing, scrolls: scrollsOn(el) };
  const unselected = picks.filter((option) => !isChosen(el, list, option));
  return { options: names.length ? names : wanted, picked: picks.map((option, at) => (options.includes(option) ? nameOfOption(option) : wanted[at])),
    points: unselected.map((option) => { bringIntoView(option); return centreOf(option); }), inReach: unselected.every(isInReach) };
};

// Lists that are still opening often let the pointer through.
const isInReach = (option) => {
  const box = reachable(option);
  const hit = box && deepestAt(ownerDocumentOf(option), (box.left + box.right) / 2, (box.top + box.bottom) / 2);
  return hit !== null && isWithin(hit, option);
};

// Some libraries mark the option that a key would choose as selected: then the control does not show it.
const isChosen = (el, list, option) => isSelected(option)
  && (list === el || textsAround(el).some((text) => text.includes(nameOfOption(option))));

const LEVELS_OUT_OF_LIST = 4;
const scrolls = (el) => el.scrollHeight > el.clientHeight + 2 && el.clientHeight > 20 && /auto|scroll|overlay|hidden/.test(getComputedStyle(el).overflowY);

// What scrolls the options of a control: its list, something in it, or, where the list is only there for screen readers,
// something beside it.
const optionScroller = (el) => {
  const start = listOf(el) || listNamedBy(el);
  let at = start && (isShown(start) ? start : null);
  for (let level = 0; at && kindOf(at) === ELEMENT && level < LEVELS_OUT_OF_LIST; at = flatParent(at), level++) {
    if (tagOf(at) === 'BODY') return null;
    const found = [at, ...at.querySelectorAll('*')].find((one) => one !== el && scrolls(one));
    if (found) return found;
  }
  return null;
};
const scrollsOn = (el) => {
  const box = optionScroller(el);
  return box !== null && box.scrollTop + box.clientHeight < box.scrollHeight - 1;
};
const scrollOptions = (id) => {
  const box = optionScroller(elementOf(id));
  if (!box) return { moved: false };
  const before = box.scrollTop;
  box.scrollTop += Math.max(40, box.clientHeight * 0.8);
  return { moved: box.scrollTop !== before };
};

// Whether a list that belongs to the control is still shown.
const listIsOpen = (id) => {
  const el = elementOf(id);
  const list = el && listOf(el);
  return { open: Boolean(list && list !== el && !shownBefore.has(list)) };
};

// The dialog that was opened to choose from, and the button in it that takes over what was chosen.
const ownDialog = () => {
  const dialog = everywhere(DIALOG_ROLES).find((one) => isShown(one) && !shownBefore.has(one));
  if (!dialog) return { open: false };
  const button = [...dialog.querySelectorAll('button, [role=button]')].find((one) => isShown(one) && CONFIRMING.test(collapse(one.textContent)));
  return button ? { open: true, point: centreOf(button) } : { open: true };
};

const selectedIn = (list) => optionsIn(list).filter(isSelected).map(nameOfOption);

// The boxes of options that have no list with a role around them.
let bareLists = new WeakSet();

// Everything said in an element except for what may be chosen there: an open list says all words, chosen or not.
const textWithoutOptions = (at, list) => {
  if (at === list || tagOf(at) === 'SELECT' || bareLists.has(at) || matches(at, LISTS) || matches(at, OPTIONS) || !isShown(at)) return '';
  const children = [...(shadowOf(at) ? shadowOf(at).children : []), ...childrenOf(at)];
  if (!children.length) return at.innerText || at.textContent || '';
  const own = [...at.childNodes].filter((node) => kindOf(node) === TEXT).map((node) => node.data);
  return [...own, ...children.map((child) => textWithoutOptions(child, list))].join(' ');
};

// The text around a control, as far as it belongs to it: what widgets show beside their hidden field.
const textsAround = (el) => {
  const texts = [];
  const list = listOf(el);
  for (let at = el, level = 0; at && kindOf(at) === ELEMENT && level < LEVELS_AROUND; at = flatParent(at), level++) {
    const field = fieldIn(at);
    const text = collapse([typeof readField(field) === 'string' ? readField(field) : '', textWithoutOptions(at, list)].join(' '));
    if (text.length > MOST_NEAR_TEXT || (level && at.querySelectorAll('input, select, [role=combobox]').length > 3)) break;
    texts.push(text);
  }
  return texts;
};

// What is selected now: options marked so, or the text that the control itself shows. Pages may need a moment, and mark
// what was selected before until then.
const listedSelection = async (id, wanted) => {
  let marked = [];
  for (let tries = 0; tries < 60; tries++) {
    const el = elementOf(id);
    const list = el && listOf(el);
    const now = list ? selectedIn(list) : [];
    if (wanted.every((one) => now.includes(one))) return { selected: now };
    if (now.length) marked = now;
    const says = (text) => wanted.every((one) => text.toLowerCase().includes(one.toLowerCase()));
    const shown = el ? textsAround(el).find(says) : undefined;
    if (shown !== undefined) return { selected: shown.length <= 80 ? [shown] : wanted };
    await nextFrame();
  }
  return { selected: marked };
};
