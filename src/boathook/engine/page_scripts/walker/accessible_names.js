// The accessible name and description of an element: attributes first, then what its tag offers (labels,
// legends, captions, alt texts), then its content, then its tooltip.

// Where the last computed name came from: '', 'attribute', 'native', 'content' or 'title'.
let nameSource = '';

const collapse = (text) => {
  const trimmed = text.trim();
  return CROWDED.test(trimmed) ? trimmed.replace(BLANKS, ' ') : trimmed;
};
const CROWDED = /\s\s|[\t\n\f\r\v\u00a0]/;

// Elements that an attribute refers to; an empty aria-labelledby may have been set from script, by element.
const referenced = (el, attribute) => {
  noteVolatile(el);
  const ids = attr(el, attribute);
  if (ids) {
    const root = rootOf(el);
    return ids.trim().split(/\s+/).map((id) => byId(root, id)).filter(Boolean);
  }
  const given = attribute === 'aria-labelledby' ? el.ariaLabelledByElements : null;
  return Array.isArray(given) ? given : [];
};

const labelledByName = (el) => {
  const attribute = hasAttr(el, 'aria-labelledby') ? 'aria-labelledby' : 'aria-labeledby';
  const targets = referenced(el, attribute);
  return collapse(targets.map((target) => referencedText(target, el)).join(' '));
};

// The name that attributes alone give: aria-labelledby, aria-label, title.
const attributeName = (el, flags) => {
  const name = ariaName(el, flags);
  return name || (flags & HAS.TITLE ? collapse(attr(el, 'title') || '') : '');
};

const ariaName = (el, flags) => {
  const name = flags & HAS.LABELLEDBY ? labelledByName(el) : '';
  return name || (flags & HAS.LABEL ? collapse(attr(el, 'aria-label') || '') : '');
};

const labelsOf = (el) => {
  noteLabelUse(el);
  const context = contextOf(rootOf(el));
  if (!context.labels) {
    context.labels = new Map();
    // element.labels walks the whole tree again for each control; one map does not.
    for (const label of queryAll(context.root, 'label')) {
      const control = label.control;
      const known = control && context.labels.get(control);
      if (known) known.push(label);
      else if (control) context.labels.set(control, [label]);
    }
  }
  return context.labels.get(el);
};

// null when there is no label at all, '' when the labels are empty.
const labelName = (el) => {
  const labels = labelsOf(el);
  if (!labels) return null;
  const isInner = (label) => labels.some((other) => other !== label && other.contains(label));
  const outermost = labels.filter((label) => !isInner(label));
  return collapse(outermost.map((label) => labelText(label, el)).join(' '));
};

const BUTTON_DEFAULTS = { submit: 'Submit', reset: 'Reset', image: 'Submit' };
const TEXT_LIKE = setOf('textbox searchbox spinbutton combobox');

const buttonInputName = (el) => {
  const type = el.type;
  if (type === 'file') return 'Choose File';
  if (type === 'image') {
    const named = attr(el, 'alt') || attr(el, 'value') || attr(el, 'title');
    return collapse(named || BUTTON_DEFAULTS.image);
  }
  const value = attr(el, 'value');
  return value === null ? BUTTON_DEFAULTS[type] || '' : collapse(value);
};

const inputName = (el, tag, role) => {
  const label = labelName(el);
  if (label) return label;
  if (tag === 'INPUT' && role !== 'combobox' && INPUT_ROLES[el.type] === 'button') return buttonInputName(el);
  if (label !== null) return null;
  return TEXT_LIKE.has(role) || tag === 'TEXTAREA' ? placeholderName(el) : '';
};

const placeholderName = (el) => {
  const title = collapse(attr(el, 'title') || '');
  if (title) return title;
  return collapse(attr(el, 'placeholder') || attr(el, 'aria-placeholder') || '');
};

const childNamed = (el, tag) => {
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
    if (child.nodeName === tag) return child;
  }
  return null;
};

const childText = (el, tag) => {
  const child = childNamed(el, tag);
  return child && (isVisible(child) || tag === 'desc') ? collapse(contentText(child)) : '';
};

const NATIVE_NAMES = {
  INPUT: inputName, TEXTAREA: inputName, SELECT: inputName,
  METER: (el) => labelName(el) || '',
  PROGRESS: (el) => labelName(el) || '',
  OUTPUT: (el) => labelName(el) || '',
  BUTTON: (el) => labelName(el) || '',
  IMG: (el) => altText(el), AREA: (el) => altText(el),
  FIELDSET: (el) => childText(el, 'LEGEND'),
  TABLE: (el) => childText(el, 'CAPTION') || collapse(attr(el, 'summary') || ''),
  OPTGROUP: (el) => collapse(attr(el, 'label') || legendText(el)),
  OPTION: (el) => collapse(optionText(el)),
};
const SVG_NAMED = new Set([...SVG_SHAPES, 'svg', 'g', 'a', 'use', 'image']);
for (const tag of SVG_NAMED) NATIVE_NAMES[tag] = (el) => svgTitle(el);

// The options of a closed list have no boxes, so whether the legend shows is not asked.
const legendText = (el) => {
  const legend = childNamed(el, 'LEGEND');
  return legend ? legend.textContent : '';
};

const altText = (el) => collapse(attr(el, 'alt') || '');

const svgTitle = (el) => {
  const title = childNamed(el, 'title');
  return title ? collapse(title.textContent) : collapse(attr(el, 'xlink:title') || '');
};

const isNamedByContent = (el, tag, role) => (NAMED_BY_CONTENT.has(role) && tag !== 'math') ||
  (role === 'row' && Boolean(closest(el, '[role~=grid], [role~=treegrid], table[role~=grid]')));

// The accessible name; also sets nameSource.
const nameOf = (el, tag, role, flags) => {
  nameSource = 'attribute';
  if (usedLabels.size) usedLabels.clear();
  if (flags & (HAS.LABELLEDBY | HAS.LABEL)) {
    const name = ariaName(el, flags);
    if (name) return name;
  }
  const given = internalsOf(el);
  if (given && given.name) {
    nameSource = given.isContent ? 'content' : 'attribute';
    return given.name;
  }
  const native = NATIVE_NAMES[tag];
  if (native) {
    const name = native(el, tag, role);
    nameSource = 'native';
    if (name === null) return '';
    if (name) return name;
  }
  if (isNamedByContent(el, tag, role) && !(flags & HAS.EDITABLE && isEditingHost(el))) {
    const name = nameFromContent(el, tag, flags);
    nameSource = 'content';
    if (name) return name;
  }
  return titleName(el, tag, role, flags);
};

// Elements that aria-actions refers to are actions on the element, not part of its name.
const nameFromContent = (el, tag, flags) => {
  if (!(flags & HAS.ARIA) || !hasAttr(el, 'aria-actions')) return contentName(el, tag, flags);
  const before = actionElements;
  actionElements = new Set(referenced(el, 'aria-actions'));
  const name = contentName(el, tag, flags);
  actionElements = before;
  return name;
};

const titleName = (el, tag, role, flags) => {
  nameSource = '';
  if (flags & HAS.TITLE && !(tag === 'IMG' && attr(el, 'alt') === '')) {
    // On a plain wrapper a tooltip only describes, unless one can land on it with the keyboard.
    if (TITLE_DESCRIBES.has(role) && !(role === 'generic' && isFocusable(el, tag, flags))) return '';
    nameSource = 'title';
    return collapse(attr(el, 'title') || '');
  }
  return flags & HAS.ARIA && TEXT_LIKE.has(role) ? collapse(attr(el, 'aria-placeholder') || '') : '';
};

const describedBy = (el, flags) => {
  if (flags & HAS.DESCRIBED) {
    const targets = referenced(el, 'aria-describedby');
    const text = collapse(targets.map((target) => referencedText(target, el)).join(' '));
    return text || collapse(attr(el, 'aria-description') || '');
  }
  return '';
};

// The description, given the name and where it came from.
const descriptionOf = (el, tag, role, flags, name, source) => {
  const aria = describedBy(el, flags);
  if (aria) return aria;
  if (tag === 'INPUT' && role === 'button' && el.type !== 'file') {
    const value = collapse(el.value || '');
    if (value && value !== name) return value;
  }
  if (tag === 'TABLE' && source === 'attribute') return childText(el, 'CAPTION');
  if (SVG_NAMED.has(tag) && tag !== 'a') {
    return childText(el, 'desc') || (source === 'attribute' ? svgTitle(el) : '');
  }
  if (tag === 'RUBY') return collapse([...el.querySelectorAll('rt')].map((rt) => rt.textContent).join(' '));
  if (!(flags & HAS.TITLE) || source === 'title') return '';
  const title = collapse(attr(el, 'title') || '');
  return title === name && source !== 'attribute' ? '' : title;
};
