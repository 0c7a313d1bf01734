// Names from content: the words of a subtree in the order they are shown, with the rules for what to leave
// out, where blanks belong between boxes, and what embedded controls contribute.

const DEEPEST_CONTENT = 400;

// State of one computation: hidden things count when the referenced element is itself hidden.
let countHidden = false;
let insideReference = false;
let excluded = null;
let actionElements = null;    // what aria-actions of the element at hand refers to
let isSelf = false;           // an element that refers to itself gives its name, not its value
// What the rules can do to the words at hand by inheritance; all of it where the tree was not walked.
let inheritedBits = INHERITED;
const visiting = new Set();
// Labels of things inside content that have been read: one is not read again for the same name.
const usedLabels = new Set();

// A walk that failed half-way must not leave its state to the next one.
const forgetNames = () => {
  countHidden = insideReference = isSelf = false;
  excluded = actionElements = null;
  inheritedBits = INHERITED;
  visiting.clear();
  usedLabels.clear();
};

// Name from content of an element with a role that allows it. Most have exactly one text child.
const contentName = (el, tag, flags) => {
  const context = here || contextOf(rootOf(el));
  const only = firstChildOf(el);
  const simple = only && only.nodeType === TEXT && !only.nextSibling;
  const bits = el === knownFor ? knownBits : bitsOf(context.scan, el, tag, flags);
  if ((only && !simple) || mightShowMore(context, el, tag, flags, bits)) return collapse(contentText(el, 0, flags));
  if (!only) return '';
  return collapse((bits | inheritedBits) & TRANSFORM ? shownText(only.data, el) : only.data);
};

const mightShowMore = (context, el, tag, flags, bits) => {
  if (bits & GENERATED || shadowIn(el, tag) || tag === 'SLOT' || tag === 'Q') return true;
  return flags & HAS.OWNS && ownersOf(context).children.has(el);
};

const shownText = (data, el) => {
  const how = textTransformAt(el);
  return how === 'none' ? data : transformText(data, how);
};

// Text of an element named by aria-labelledby or aria-describedby of `from`.
const referencedText = (target, from) => {
  if (visiting.has(target) || closest(target, '[inert]')) return '';
  const before = [countHidden, insideReference, excluded, inheritedBits];
  countHidden = isHiddenReference(target);
  insideReference = true;
  excluded = null;
  inheritedBits = INHERITED;
  isSelf = target === from;
  const text = elementText(target, tagOf(target), 0);
  isSelf = false;
  [countHidden, insideReference, excluded, inheritedBits] = before;
  return text.trim();
};

const isHiddenReference = (el) => {
  if (closest(el, '[aria-hidden=true]')) return true;
  return !isShown(el) && !isContents(el);
};

const labelText = (label, control) => {
  if (visiting.has(label)) return '';
  const before = [countHidden, insideReference, excluded, inheritedBits];
  countHidden = false;
  insideReference = false;
  excluded = control;
  inheritedBits = INHERITED;
  const text = isVisible(label) ? elementText(label, 'LABEL', 0) : '';
  [countHidden, insideReference, excluded, inheritedBits] = before;
  return text.trim();
};

const VALUE_ROLES = setOf('textbox searchbox combobox listbox slider spinbutton scrollbar progressbar ' +
  'meter');

// What one element adds to the name of something around it.
const elementText = (el, tag, depth, flags = flagsOf(el)) => {
  if (el === excluded || (depth > 0 && SKIPPED_TAGS.has(tag))) return '';
  if (!countHidden && flags & (HAS.ARIA_HIDDEN | HAS.INERT) && isLeftOut(el, flags, depth)) return '';
  if (visiting.has(el) || (usedLabels.has(el) && !insideReference)) return '';
  // Deeper than realistic nesting: plain text instead of a stack overflow.
  if (depth > DEEPEST_CONTENT) return el.textContent;
  visiting.add(el);
  const text = namedText(el, tag, flags, depth);
  visiting.delete(el);
  return text;
};

const isLeftOut = (el, flags, depth) => (depth > 0 && (flags & HAS.INERT) !== 0) || attr(el, 'aria-hidden') === 'true';

const namedText = (el, tag, flags, depth) => {
  if (tag === 'SLOT') return contentText(el, depth + 1, flags);
  if (flags & HAS.LABELLEDBY && !insideReference) {
    const name = embeddedLabel(el);
    if (name) return name;
  }
  const role = roleOf(el, tag, flags);
  if (role === 'group' && depth > 0 && isBranch(el)) return '';
  if (VALUE_ROLES.has(role) && (depth > 0 || !isSelf)) {
    const value = embeddedValue(el, tag, role);
    if (value) return value;
  }
  const label = flags & HAS.LABEL ? collapse(attr(el, 'aria-label') || '') : '';
  if (label) return label;
  const given = internalsOf(el);
  if (given && given.name && !given.isContent) return given.name;
  const native = embeddedName(el, tag, role);
  if (native) return native;
  const text = isOpaque(tag, role, flags, depth) ? '' : contentText(el, depth + 1, flags);
  const tooltip = flags & HAS.TITLE && ((depth === 0 && insideReference) || !TITLE_DESCRIBES.has(role));
  if (text.trim() || !tooltip) return text;
  return attr(el, 'title');
};

const embeddedLabel = (el) => {
  const targets = referenced(el, 'aria-labelledby').filter((target) => !usedLabels.has(target));
  targets.forEach((target) => usedLabels.add(target));
  return collapse(targets.map((target) => referencedText(target, el)).join(' '));
};

const SEE_THROUGH = setOf('ADDRESS DETAILS FOOTER HGROUP');

// Landmarks, tables, groups and the like keep their words to themselves, unless a label refers to them.
const isOpaque = (tag, role, flags, depth) => depth > 0 && !insideReference &&
  (OPAQUE_ROLES.has(role) || tag === 'math' || tag === 'OBJECT') && !SEE_THROUGH.has(tag) &&
  !(tag === 'svg' && !(flags & HAS.ROLE));

// The group below a tree item holds other items, not its name.
const isBranch = (el) => insideOf(el, '[role~=treeitem]');

// Native names inside content: alternative texts and button captions, but not labels of embedded controls.
const embeddedName = (el, tag, role) => {
  if (tag === 'IMG' || SVG_NAMED.has(tag)) return NATIVE_NAMES[tag](el);
  if (tag === 'INPUT' && role === 'button') return buttonInputName(el);
  if (tag === 'OPTGROUP' || tag === 'OPTION' || tag === 'FIELDSET') return NATIVE_NAMES[tag](el);
  if ((tag === 'INPUT' && role === 'textbox') || tag === 'TEXTAREA') return placeholderName(el);
  if (tag === 'INPUT' && (role === 'checkbox' || role === 'radio')) return labelName(el) || '';
  return '';
};

const selectedText = (select) => [...select.selectedOptions]
  .map((option) => collapse(optionText(option))).join(' ');

// The value that an embedded control contributes, or null when its content does.
const embeddedValue = (el, tag, role) => {
  noteVolatile(el);
  if (tag === 'SELECT') return selectedText(el);
  if (tag === 'INPUT' || tag === 'TEXTAREA') return isSecret(el) ? '' : el.value;
  if (tag === 'METER' || tag === 'PROGRESS') return hasAttr(el, 'value') ? String(el.value) : '';
  if (role === 'textbox' || role === 'searchbox') return null;
  if (role === 'combobox' || role === 'listbox') {
    const chosen = [...el.querySelectorAll('[role=option][aria-selected=true]')];
    if (chosen.length) return chosen.map((option) => collapse(contentText(option))).join(' ');
    return role === 'combobox' ? collapse(contentText(el)) : null;
  }
  return attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow') || RANGE_DEFAULTS[role] || '';
};
const RANGE_DEFAULTS = { slider: '50', scrollbar: '50', spinbutton: '0', meter: '0' };

const childrenForName = (el, tag) => {
  const list = slottedChildren(el, tag);
  if (list) return list;
  const children = [];
  for (let child = firstChildOf(shadowIn(el, tag) || el); child; child = nextSiblingOf(child)) {
    children.push(child);
  }
  const context = contextOf(rootOf(el));
  if (!hasOwners(context)) return children;
  const owners = ownersOf(context);
  return children.filter((child) => !owners.parents.has(child)).concat(owners.children.get(el) || []);
};

// Collects words; two neighbours of which one is a separate box are separated by a space.
class Words {
  constructor() {
    this.text = '';
    this.apart = false;
  }

  add(piece, isBox) {
    if (piece === '') return;
    if ((isBox || this.apart) && this.text !== '') this.text += ' ';
    this.text += piece;
    this.apart = isBox;
  }
}

const isRichSelect = (select) => getComputedStyle(select).appearance === 'base-select';

// An option that is drawn by the page reads as its content; any other as its text alone.
const optionText = (option) => {
  const select = option.firstElementChild ? closest(option, 'select') : null;
  if (select) noteVolatile(option);
  if (!select || !isRichSelect(select)) return attr(option, 'label') || option.text;
  const before = countHidden;
  // The options of a closed list have no boxes.
  countHidden = true;
  const text = richText(option);
  countHidden = before;
  return text || option.text;
};

const richText = (el) => {
  const words = new Words();
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
    const kind = kindOf(child);
    if (kind === TEXT) words.add(collapse(child.data), true);
    else if (kind === ELEMENT && attr(child, 'aria-hidden') !== 'true') words.add(collapse(elementText(child, tagOf(child), 1)), true);
  }
  return words.text;
};

// All words below an element.
const contentText = (el, depth = 0, flags = hasAttributes(el) ? flagsOf(el) : 0) => {
  const words = new Words();
  addContent(words, el, tagOf(el), flags, depth);
  return words.text;
};

const addContent = (words, el, tag, flags, depth) => {
  const context = contextOf(rootOf(el));
  const before = inheritedBits;
  const bits = el === knownFor ? knownBits : bitsOf(context.scan, el, tag, flags);
  inheritedBits = (inheritedBits & INHERITED) | (bits & (INHERITED | DISPLAY));
  if (tag === 'Q') words.add(quoteMarks(el)[0], false);
  if (bits & BEFORE) words.add(generatedText(el, '::before', inheritedBits, true), false);
  const owned = hasOwners(context) ? ownersOf(context).children.get(el) : undefined;
  if (tag === 'SLOT' || hasOwners(context)) {
    for (const child of childrenForName(el, tag)) addChild(words, child, el, depth, owned);
  } else {
    const first = firstChildOf(shadowIn(el, tag) || el);
    for (let child = first; child; child = nextSiblingOf(child)) addChild(words, child, el, depth, owned);
  }
  if (bits & AFTER) words.add(generatedText(el, '::after', inheritedBits, true), false);
  if (tag === 'Q') words.add(quoteMarks(el)[1], false);
  inheritedBits = before;
};

const addChild = (words, child, el, depth, owned) => {
  const kind = kindOf(child);
  if (kind === TEXT) addText(words, child.data, el);
  else if (kind === ELEMENT) addBox(words, child, depth, owned !== undefined && owned.includes(child));
};

const addText = (words, data, el) => {
  if (el.tagName === 'DETAILS' && !el.open && !countHidden) return;
  if (!countHidden && inheritedBits & VISIBILITY && visibilityAt(el) !== 'visible') return;
  words.add(inheritedBits & TRANSFORM ? shownText(data, el) : data, false);
};

const INLINE_DISPLAYS = setOf('inline ruby ruby-text none');
const APART_TAGS = setOf('IMG svg INPUT SELECT TEXTAREA METER PROGRESS BUTTON VIDEO AUDIO CANVAS IFRAME ' +
  'OBJECT EMBED');

const APART_ROLES = setOf('button checkbox combobox listbox menu menubar menuitem menuitemcheckbox ' +
  'menuitemradio radio scrollbar searchbox slider spinbutton switch tab textbox tree');

const addBox = (words, child, depth, isOwned) => {
  const tag = tagOf(child);
  if (tag === 'BR' || tag === 'WBR' || tag === 'HR') {
    words.add(' ', false);
    return;
  }
  if (SKIPPED_TAGS.has(tag) || (actionElements !== null && actionElements.has(child))) return;
  const flags = hasAttributes(child) ? flagsOf(child) : 0;
  const display = countHidden ? 'inline' : displayOf(child, tag, flags, isOwned);
  if (display === 'none') return;
  if (!countHidden && display !== 'contents' && tag !== 'OPTION' && !isVisible(child)) return;
  const isInline = !isOwned && INLINE_DISPLAYS.has(display);
  if (isInline && depth < DEEPEST_CONTENT && isPlainWrapper(tag, flags)) {
    addContent(words, child, tag, flags, depth + 1);
    return;
  }
  const text = elementText(child, tag, depth + 1, flags);
  if (text !== '') words.add(text, !isInline || standsApart(child, tag, flags));
  else if (breaksWords(child, tag, flags, display)) words.apart = true;
};

// Inline tags stay inline unless a rule for them, or for the box around them, says otherwise.
const displayOf = (el, tag, flags, isOwned) => {
  if (ALWAYS_INLINE.has(tag) && !isOwned && !(inheritedBits & DISPLAY)) {
    const scan = contextOf(rootOf(el)).scan;
    if (!(flags & (HAS.HIDDEN | HAS.POPOVER)) && !(bitsOf(scan, el, tag, flags) & DISPLAY)) return 'inline';
  }
  return displayAt(el);
};
const ALWAYS_INLINE = setOf('A B I U S SPAN SMALL KBD CODE EM STRONG MARK LABEL');

// Inline things that are read apart from the words beside them.
const standsApart = (el, tag, flags) => {
  if (APART_TAGS.has(tag) || flags & HAS.LABEL) return true;
  return (flags & HAS.ROLE) !== 0 && APART_ROLES.has(roleOf(el, tag, flags));
};

// Does something without words still end the word before it? Blocks do, and images and controls that are
// exposed.
const breaksWords = (el, tag, flags, display) => {
  if (!display.startsWith('inline') && display !== 'contents') return true;
  if (!APART_TAGS.has(tag) || attr(el, 'aria-hidden') === 'true') return false;
  if (tag === 'svg' && !el.firstElementChild) return false;
  const role = roleOf(el, tag, flags);
  return role !== 'none' && role !== 'generic';
};

const SPEAKS = HAS.ROLE | HAS.LABEL | HAS.LABELLEDBY | HAS.TITLE | HAS.ARIA_HIDDEN | HAS.INERT;

// Inline wrappers without semantics: their content stands among the siblings.
const isPlainWrapper = (tag, flags) => (flags & SPEAKS) === 0 && !(kindOfTag(tag) & RULED) && tag !== 'SLOT';
