// States and values of an element, in the values that Chromium's own tree uses.

const FORM_TAGS = setOf('INPUT SELECT TEXTAREA BUTTON OPTION');
const NO_STATES = Object.freeze({});
// The elements that have the focus: the innermost one, and the hosts and frames around it.
let focusPath = new Set();
const findFocus = () => {
  focusPath = new Set();
  let active = activeElementOf(document);
  while (active) {
    const inner = shadowOf(active) || (active.tagName === 'IFRAME' ? documentInside(active) : null);
    const next = inner && (kindOf(inner) === DOCUMENT ? activeElementOf(inner) : inner.activeElement);
    if (!next) break;
    active = next;
  }
  if (active && active.tagName !== 'BODY') focusPath.add(active);
};

// Chromium does not hide what has the focus from its tree, nor what stands around it.
const holdsFocus = (el) => {
  for (const focused of focusPath) {
    for (let at = focused; at; at = flatParent(at)) if (at === el) return true;
  }
  return false;
};

// Does something say so that may stand around others?
const mayBeDisabled = (context) => {
  if (context.ariaDisabled === undefined) context.ariaDisabled = query(context.root, '[aria-disabled=true]') !== null;
  return context.ariaDisabled;
};

const isDisabled = (el, tag, flags) => {
  if (FORM_TAGS.has(tag) && el.matches(':disabled')) return true;
  if (!mayBeDisabled(here === null ? contextOf(rootOf(el)) : here)) return false;
  const disabled = closest(el, '[aria-disabled=true]');
  return disabled === el || Boolean(disabled && isFocusable(el, tag, flags));
};

const CHECKABLE = setOf('checkbox radio switch menuitemcheckbox menuitemradio');

const UNMIXED = setOf('radio switch menuitemradio');

const checkedOf = (el, tag, role) => {
  if (tag === 'INPUT' && (el.type === 'checkbox' || el.type === 'radio')) {
    return el.indeterminate && el.type === 'checkbox' ? 'mixed' : String(el.checked);
  }
  if (!CHECKABLE.has(role) && !(role === 'option' || role === 'treeitem')) return undefined;
  const value = attr(el, 'aria-checked');
  if (value === 'mixed') return UNMIXED.has(role) ? 'false' : 'mixed';
  if (value === 'true') return 'true';
  return CHECKABLE.has(role) ? 'false' : value === 'false' ? 'false' : undefined;
};

const EXPANDABLE = setOf('application button checkbox columnheader combobox generic gridcell link listbox ' +
  'menuitem menuitemcheckbox menuitemradio row rowheader switch tab treeitem');

const expandedOf = (el, tag, role, flags) => {
  if (flags & HAS.ARIA && EXPANDABLE.has(role)) {
    const value = attr(el, 'aria-expanded');
    if (value === 'true' || value === 'false') return value === 'true';
  }
  if (tag === 'SUMMARY' && isSummary(el)) return parentOf(el).open;
  if (tag === 'SELECT' && selectRole(el) === 'combobox') return matches(el, ':open');
  const invokes = flags & HAS.INVOKES && (tag === 'BUTTON' || tag === 'INPUT');
  const popover = invokes ? el.popoverTargetElement : null;
  if (popover) return matches(popover, ':popover-open');
  return undefined;
};

const SELECTABLE = setOf('option tab treeitem gridcell row columnheader rowheader');

const selectedOf = (el, tag, role, flags) => {
  if (tag === 'OPTION') return el.selected;
  if (!SELECTABLE.has(role) || !(flags & HAS.ARIA)) return undefined;
  if (role === 'row' && !around(el, '[role~=grid], [role~=treegrid]')) return undefined;
  const value = attr(el, 'aria-selected');
  return value === 'true' ? true : value === 'false' ? false : undefined;
};

const TYPED_INTO = setOf('text search url tel email password number textarea');
const VALIDATED_TAGS = setOf('INPUT TEXTAREA SELECT');

const invalidOf = (el, tag, flags) => {
  if (flags & HAS.ARIA) {
    const value = attr(el, 'aria-invalid');
    if (value && value !== 'false') return 'true';
    if (value === 'false') return undefined;
  }
  if (!VALIDATED_TAGS.has(tag) || !el.matches(':invalid')) return undefined;
  // A required text field that is merely still empty is not yet wrong.
  return TYPED_INTO.has(el.type) && el.validity.valueMissing ? undefined : 'true';
};

const HIGHEST_LEVEL = 9;

const headingLevel = (el, tag) => {
  const native = /^H[1-6]$/.test(tag) ? Number(tag[1]) : 2;
  const given = attr(el, 'aria-level');
  if (!given) return native;
  const level = parseInt(given, 10);
  if (level > HIGHEST_LEVEL) return native;
  return level >= 1 ? level : 1;
};

const LEVELLED = setOf('listitem treeitem comment');

const levelOf = (el, tag, role) => {
  if (role === 'heading') return headingLevel(el, tag);
  if (LEVELLED.has(role)) return itemLevel(el, role);
  const level = role === 'row' ? parseInt(attr(el, 'aria-level'), 10) : 0;
  return level > 0 ? level : undefined;
};

// Cells of a read-only grid are read-only unless they say otherwise.
const inheritsReadonly = (cell) => {
  const row = parentOf(cell);
  const grid = cell.tagName === 'TD' || cell.tagName === 'TH' ? closest(cell, 'table') : row && parentOf(row);
  return Boolean(grid) && kindOf(grid) === ELEMENT && attr(grid, 'aria-readonly') === 'true' &&
    attr(cell, 'aria-readonly') !== 'false';
};

// How deep an item stands among the lists or groups around it.
const itemLevel = (el, role) => {
  const given = parseInt(attr(el, 'aria-level'), 10);
  if (given > 0) return given;
  const nest = role === 'treeitem' ? '[role=group], [role=tree]' : 'ul, ol, menu, [role=list]';
  let level = 0;
  for (let at = closest(el, nest); at; at = parentOf(at) && closest(parentOf(at), nest)) {
    const counts = role === 'treeitem' || roleOf(at, tagOf(at), flagsOf(at)) === 'list';
    level += counts ? 1 : 0;
  }
  return level || 1;
};

const haspopupOf = (el, tag, role, flags) => {
  const value = flags & HAS.ARIA ? attr(el, 'aria-haspopup') : null;
  if (value !== null && value !== '') {
    if (value === 'true') return 'menu';
    return /^(menu|listbox|tree|grid|dialog)$/.test(value) ? value : undefined;
  }
  if (tag === 'SELECT') return role === 'combobox' ? 'menu' : undefined;
  return role === 'combobox' ? 'listbox' : undefined;
};

const READONLY_TYPES = setOf('text search url tel email password date month week time datetime-local ' +
  'number');

const nativeStates = (states, el, tag, role) => {
  if (tag === 'INPUT' || tag === 'TEXTAREA' || tag === 'SELECT') {
    if (el.required) states.required = true;
    if (el.readOnly && (tag === 'TEXTAREA' || READONLY_TYPES.has(el.type))) states.readonly = true;
  }
  if (tag === 'SELECT' && el.multiple && role === 'listbox') states.multiselectable = true;
  if (tag === 'DIALOG' && matches(el, ':modal')) states.modal = true;
};

const PRESSABLE = setOf('button');
const READONLY_ROLES = setOf('textbox searchbox combobox spinbutton grid treegrid gridcell columnheader ' +
  'rowheader');
const ARIA_FLAGS = [['aria-required', 'required'], ['aria-busy', 'busy'],
  ['aria-multiselectable', 'multiselectable']];

const ariaStates = (states, el, role) => {
  for (const [attribute, state] of ARIA_FLAGS) if (attr(el, attribute) === 'true') states[state] = true;
  if (attr(el, 'aria-readonly') === 'true' && READONLY_ROLES.has(role)) states.readonly = true;
  const pressed = PRESSABLE.has(role) ? attr(el, 'aria-pressed') : null;
  if (pressed === 'true' || pressed === 'mixed' || pressed === 'false') states.pressed = pressed;
  const current = attr(el, 'aria-current');
  if (current && current !== 'false') states.current = current;
  if (attr(el, 'aria-modal') === 'true' && (role === 'dialog' || role === 'alertdialog')) states.modal = true;
};

const STATEFUL_TAGS = setOf('INPUT SELECT TEXTAREA BUTTON OPTION DIALOG SUMMARY');

const STATEFUL_ROLES = new Set([...CHECKABLE, 'heading', 'combobox']);

const put = (states, key, value) => {
  if (value !== undefined) states[key] = value;
};

const statesOf = (el, tag, role, flags) => {
  const given = internalsOf(el);
  return given ? { ...ownStates(el, tag, role, flags), ...given.states } : ownStates(el, tag, role, flags);
};

const ownStates = (el, tag, role, flags) => {
  const isFocused = focusPath.size !== 0 && focusPath.has(el);
  const stateful = STATEFUL_TAGS.has(tag);
  if (!stateful && !(flags & HAS.ARIA) && !isFocused && !STATEFUL_ROLES.has(role)) {
    if (CONTROL_ROLES.has(role) && isDisabled(el, tag, flags)) return { disabled: true };
    return NO_STATES;
  }
  if (role === 'heading' && !(flags & (HAS.ARIA | HAS.TABINDEX)) && !isFocused) return { level: headingLevel(el, tag) };
  const states = {};
  if (role === 'heading') states.level = headingLevel(el, tag);
  put(states, 'checked', checkedOf(el, tag, role));
  put(states, 'expanded', expandedOf(el, tag, role, flags));
  put(states, 'selected', selectedOf(el, tag, role, flags));
  if (isDisabled(el, tag, flags)) states.disabled = true;
  put(states, 'invalid', invalidOf(el, tag, flags));
  if (stateful) nativeStates(states, el, tag, role);
  if (flags & HAS.ARIA) ariaStates(states, el, role);
  put(states, 'haspopup', haspopupOf(el, tag, role, flags));
  if (isFocused) states.focused = true;
  return states;
};

const TEXT_VALUES = setOf('textbox searchbox combobox spinbutton slider Date DateTime InputTime ColorWell');

const nativeValue = (el, tag, role) => {
  if (tag === 'SELECT') return role === 'combobox' ? selectedText(el) : '';
  if (tag === 'PROGRESS' || tag === 'METER') return hasAttr(el, 'value') ? String(el.value) : '';
  if (tag === 'INPUT' && el.type === 'file') return [...el.files].map((file) => file.name).join(', ');
  if ((tag === 'INPUT' && TEXT_VALUES.has(role)) || tag === 'TEXTAREA') {
    return isSecret(el) ? el.value && SECRET_DOTS : el.value;
  }
  return '';
};

const VALUED_TAGS = setOf('INPUT SELECT TEXTAREA PROGRESS METER');
const RANGES = setOf('slider spinbutton scrollbar progressbar meter separator');

// Fields made of plain elements: their content is their value.
const isTextHolder = (el, tag, role, flags) => {
  if (role === 'textbox' || role === 'searchbox') return true;
  if (role === 'combobox') return !el.firstElementChild && isFocusable(el, tag, flags);
  return (flags & HAS.EDITABLE) !== 0 && isEditingHost(el);
};

const LONGEST_VALUE = 1000;

// The value as text, '' when there is none.
const valueOf = (el, tag, role, flags) => {
  const given = internalsOf(el);
  if (given && given.value) return given.value;
  if (VALUED_TAGS.has(tag)) return nativeValue(el, tag, role);
  if (RANGES.has(role) && flags & HAS.ARIA) {
    return attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow') || '';
  }
  if (isTextHolder(el, tag, role, flags)) {
    return flags & HAS.EDITABLE && isEditingHost(el) ? editableText(el, LONGEST_VALUE) : collapse(contentText(el));
  }
  return '';
};
