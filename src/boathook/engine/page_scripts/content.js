// Names from content: the words of a subtree in the order they are shown, with the rules for what to leave out,
// where blanks belong between boxes, and what embedded controls contribute.

const DEEPEST_CONTENT = 400;

// State of one computation: hidden things count when the referenced element is itself hidden.
let countHidden = false;
let insideReference = false;
let excluded = null;
const visiting = new Set();

// Name from content of an element with a role that allows it. Most have exactly one text child.
const contentName = (el) => {
  const only = firstChildOf(el);
  if (!only) return mightShowMore(el) ? collapse(contentText(el)) : '';
  if (only.nodeType === TEXT && !only.nextSibling && !mightShowMore(el)) return collapse(shownText(only.data, el));
  return collapse(contentText(el));
};

const mightShowMore = (el) => {
  if (shadowOf(el)) return true;
  const context = contextOf(rootOf(el));
  if (context.scan.generators.any && matchesKeys(context.scan.generators, el, tagOf(el), flagsOf(el))) return true;
  return ownersOf(context).children.has(el);
};

const shownText = (data, el) => {
  if (!contextOf(rootOf(el)).scan.transform) return data;
  const how = getComputedStyle(el).textTransform;
  return how === 'none' ? data : transformText(data, how);
};

// Text of an element named by aria-labelledby or aria-describedby of `from`.
const referencedText = (target, from) => {
  if (visiting.has(target)) return '';
  const before = [countHidden, insideReference, excluded];
  countHidden = isHiddenReference(target);
  insideReference = true;
  excluded = null;
  const text = target === from ? selfText(target) : elementText(target, tagOf(target), 0);
  [countHidden, insideReference, excluded] = before;
  return text.trim();
};

// An element that names itself contributes everything but aria-labelledby.
const selfText = (el) => elementText(el, tagOf(el), 0);

const isHiddenReference = (el) => {
  if (closest(el, '[aria-hidden=true]')) return true;
  return !isVisible(el, { visibilityProperty: true }) && !isContents(el);
};

const isContents = (el) => getComputedStyle(el).display === 'contents';

const labelText = (label, control) => {
  if (visiting.has(label)) return '';
  const before = [countHidden, insideReference, excluded];
  countHidden = false;
  insideReference = true;
  excluded = control;
  const text = isVisible(label) ? elementText(label, 'LABEL', 0) : '';
  [countHidden, insideReference, excluded] = before;
  return text.trim();
};

const VALUE_ROLES = setOf('textbox searchbox combobox listbox slider spinbutton scrollbar progressbar meter');

// What one element adds to the name of something around it.
const elementText = (el, tag, depth) => {
  if (el === excluded || SKIPPED_TAGS.has(tag)) return '';
  const flags = flagsOf(el);
  if (!countHidden && flags & HAS.ARIA_HIDDEN && attr(el, 'aria-hidden') === 'true') return '';
  if (visiting.has(el) || depth > DEEPEST_CONTENT) return '';
  visiting.add(el);
  const text = namedText(el, tag, flags, depth);
  visiting.delete(el);
  return text;
};

const namedText = (el, tag, flags, depth) => {
  if (flags & HAS.LABELLEDBY && !insideReference) {
    const name = labelledByName(el);
    if (name) return ` ${name} `;
  }
  const role = roleOf(el, tag, flags);
  if (depth > 0 && VALUE_ROLES.has(role)) {
    const value = embeddedValue(el, tag, role);
    if (value !== null) return value && ` ${value} `;
  }
  const label = flags & HAS.LABEL ? collapse(attr(el, 'aria-label') || '') : '';
  if (label) return ` ${label} `;
  const native = embeddedName(el, tag, role);
  if (native) return ` ${native} `;
  const text = contentText(el, depth + 1);
  if (text.trim() || !(flags & HAS.TITLE)) return text;
  return ` ${attr(el, 'title')} `;
};

// Native names inside content: alternative texts and button captions, but not labels of embedded controls.
const embeddedName = (el, tag, role) => {
  if (tag === 'IMG' || tag === 'svg' || tag === 'g') return NATIVE_NAMES[tag](el);
  if (tag === 'INPUT' && role === 'button') return buttonInputName(el);
  if (tag === 'OPTGROUP' || tag === 'OPTION') return NATIVE_NAMES[tag](el);
  if (tag === 'INPUT' && (role === 'checkbox' || role === 'radio')) return labelName(el) || '';
  return '';
};

const selectedText = (select) => [...select.selectedOptions]
  .map((option) => collapse(attr(option, 'label') || option.textContent)).join(' ');

// The value that an embedded control contributes, or null when its content does.
const embeddedValue = (el, tag, role) => {
  if (tag === 'SELECT') return selectedText(el);
  if (tag === 'INPUT' || tag === 'TEXTAREA') return isSecret(el) ? '' : el.value;
  if (tag === 'METER' || tag === 'PROGRESS') return hasAttr(el, 'value') ? String(el.value) : '';
  if (role === 'textbox' || role === 'searchbox') return null;
  if (role === 'combobox' || role === 'listbox') {
    const chosen = [...el.querySelectorAll('[role=option][aria-selected=true]')];
    return chosen.length ? chosen.map((option) => collapse(contentText(option))).join(' ') : null;
  }
  return attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow') || '';
};

const childrenForName = (el, tag) => {
  const shadow = shadowOf(el);
  const list = slottedChildren(el, tag);
  if (list) return list;
  const children = [];
  for (let child = firstChildOf(shadow || el); child; child = nextSiblingOf(child)) children.push(child);
  const context = contextOf(rootOf(el));
  const owners = ownersOf(context);
  if (owners.parents.size === 0) return children;
  const stay = children.filter((child) => !owners.parents.has(child));
  return stay.concat(owners.children.get(el) || []);
};

// All words below an element, blanks included where boxes end.
const contentText = (el, depth = 0) => {
  const tag = tagOf(el);
  const scan = contextOf(rootOf(el)).scan;
  const generates = scan.generators.any && matchesKeys(scan.generators, el, tag, flagsOf(el));
  let text = tag === 'Q' ? '\u201c' : '';
  if (generates) text += generatedText(el, '::before');
  for (const child of childrenForName(el, tag)) {
    if (child.nodeType === TEXT) text += isShownText(child, el, scan) ? shownText(child.data, el) : '';
    else if (child.nodeType === ELEMENT) text += boxText(child, depth);
  }
  if (generates) text += generatedText(el, '::after');
  return tag === 'Q' ? text + '\u201d' : text;
};

const isShownText = (node, el, scan) => countHidden || !scan.visibility ||
  el.nodeType !== ELEMENT || getComputedStyle(el).visibility === 'visible';

const INLINE_DISPLAYS = setOf('inline contents ruby ruby-text none');

// A child element's words, set apart by blanks when it is a box of its own.
const boxText = (child, depth) => {
  const tag = tagOf(child);
  if (tag === 'BR' || tag === 'WBR') return tag === 'BR' ? ' ' : '';
  if (SKIPPED_TAGS.has(tag)) return '';
  const display = countHidden ? 'inline' : getComputedStyle(child).display;
  if (display === 'none') return '';
  if (!countHidden && display !== 'contents' && tag !== 'OPTION' && !isVisible(child)) return '';
  const text = elementText(child, tag, depth + 1);
  return INLINE_DISPLAYS.has(display) || !text ? text : ` ${text} `;
};
