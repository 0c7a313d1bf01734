// The role of an element: its role attribute as far as it is valid there, else what its tag means.
// Every function here depends on the element alone, so single elements and whole trees get the same answer.

// Facts that hold during one walk: style scans, labels and owners per root, kinds of tables and lists.
let contexts = new Map();
let tableKinds = new Map();
let listKinds = new Map();

// The context of the element being visited: saves asking each element for its root.
let here = null;

// What rules can do to the element at hand, where the walk knows it already.
let knownFor = null;
let knownBits = 0;

const forgetWalk = () => {
  here = knownFor = null;
  places = new Map();
  backgrounds = new Map();
  forgetNames();
  forgetQuestions();
  contexts = new Map();
  tableKinds = new Map();
  listKinds = new Map();
};

const contextOf = (root) => contexts.get(root) || beginContext(root);

// One object for each root, since rows that are kept refer to it.
const contextsByRoot = new WeakMap();
const beginContext = (root) => {
  let context = contextsByRoot.get(root);
  if (context === undefined) contextsByRoot.set(root, context = { root });
  context.scan = scanOf(root);
  context.animated = animatedIn(root);
  context.isAnimated = context.animated.size !== 0;
  context.labels = context.owners = null;
  context.hasOwners = context.ariaDisabled = undefined;
  contexts.set(root, context);
  return context;
};

const isAbove = (el, below, owners) => {
  let at = below;
  while (at && at !== el) at = owners.get(at) || parentOf(at);
  return at === el;
};

const hasOwners = (context) => {
  if (context.hasOwners === undefined) context.hasOwners = query(context.root, '[aria-owns]') !== null;
  return context.hasOwners;
};

// aria-owns of a whole root: who owns whom, and which elements are drawn elsewhere than they stand.
const ownersOf = (context) => {
  if (context.owners) return context.owners;
  const owners = { children: new Map(), parents: new Map() };
  for (const owner of queryAll(context.root, '[aria-owns]')) {
    // An input has no children, so it owns none either.
    if (tagOf(owner) === 'INPUT' || !isVisible(owner) || closest(owner, '[aria-hidden=true]')) continue;
    for (const id of attr(owner, 'aria-owns').split(/\s+/)) {
      const el = id && byId(context.root, id);
      if (!el || owners.parents.has(el) || isAbove(el, owner, owners.parents)) continue;
      owners.parents.set(el, owner);
      if (owners.children.has(owner)) owners.children.get(owner).push(el);
      else owners.children.set(owner, [el]);
    }
  }
  context.owners = owners;
  return owners;
};

const NATIVE_FOCUS = setOf('BUTTON INPUT SELECT TEXTAREA IFRAME');

const isFocusable = (el, tag, flags) => {
  if (NATIVE_FOCUS.has(tag)) return !(flags & HAS.DISABLED) && !(tag === 'INPUT' && el.type === 'hidden');
  if (flags & HAS.TABINDEX && !Number.isNaN(parseInt(attr(el, 'tabindex'), 10))) return true;
  if (tag === 'A' || tag === 'AREA' || tag === 'a') return hasAttr(el, 'href') || hasAttr(el, 'xlink:href');
  if (tag === 'SUMMARY') return isSummary(el);
  if (flags & HAS.EDITABLE) return isEditingHost(el);
  return (tag === 'AUDIO' || tag === 'VIDEO') && (flags & HAS.CONTROLS) !== 0;
};

const isEditingHost = (el) => {
  const value = attr(el, 'contenteditable');
  return value !== null && value.toLowerCase() !== 'false' && value.toLowerCase() !== 'inherit';
};

const isSummary = (el) => {
  const details = parentOf(el);
  if (!details || details.tagName !== 'DETAILS') return false;
  return details.querySelector(':scope > summary') === el;
};

// Does an ancestor, or the owner of one, match?
const insideOf = (el, selector) => {
  const context = contextOf(rootOf(el));
  if (!hasOwners(context)) return around(el, selector) !== null;
  const owners = ownersOf(context).parents;
  const above = (node) => owners.get(node) || parentOf(node);
  for (let at = above(el); at && kindOf(at) === ELEMENT; at = above(at)) {
    if (matches(at, selector)) return true;
  }
  return false;
};

// Roles that mean something only in their place; elsewhere the next token or the tag decides.
const PLACED_ROLES = {
  listitem: (el, tag) => tag === 'LI' || insideOf(el, 'ul, ol, menu, [role=list], [role=directory]'),
  option: (el) => insideOf(el, '[role~=listbox], select, datalist'),
  treeitem: (el) => insideOf(el, '[role~=tree], [role~=treegrid], [role~=group]'),
  region: (el, tag, flags) => hasOwnName(el, flags),
  form: (el, tag, flags) => hasOwnName(el, flags),
};

const explicitRole = (el, tag, flags) => {
  const value = attr(el, 'role').trim().toLowerCase();
  for (const token of value.includes(' ') ? value.split(/\s+/) : [value]) {
    const role = ROLE_SYNONYMS[token] || token;
    if (!ARIA_ROLES.has(role)) continue;
    if (role === 'none') {
      if (isFocusable(el, tag, flags) || flags & HAS.GLOBAL) continue;
      return 'none';
    }
    const placed = PLACED_ROLES[role];
    if (!placed || placed(el, tag, flags)) return role;
  }
  return '';
};

const inputRole = (el) => {
  const role = INPUT_ROLES[el.type];
  const canSuggest = role === undefined ? el.type !== 'password' : role === 'searchbox';
  if (canSuggest && hasAttr(el, 'list')) return 'combobox';
  return role === undefined ? 'textbox' : role || 'none';
};

const selectRole = (el) => {
  const isList = (el.multiple && attr(el, 'size') !== '1') || el.size > 1;
  return isList ? 'listbox' : 'combobox';
};

const imageRole = (el, tag, flags) => {
  if (attr(el, 'alt') !== '' || hasOwnName(el, flags)) return 'img';
  return 'none';
};

const asideRole = (el, tag, flags) => {
  const outer = around(el, 'article, aside, nav, section');
  return !outer || hasOwnName(el, flags) ? 'complementary' : 'generic';
};

const BOOK_ITEMS = { 'doc-endnotes': 'doc-endnote', 'doc-bibliography': 'doc-biblioentry' };
const bookItem = (list) => {
  const holder = list && flatParent(list);
  return (holder && BOOK_ITEMS[attr(holder, 'role')]) || 'listitem';
};

const listItemRole = (el) => {
  const parent = parentOf(el);
  let role = listKinds.get(parent);
  if (role === undefined) {
    const list = parent && kindOf(parent) === ELEMENT ? closest(parent, 'ul, ol, menu') : null;
    role = !list || roleOf(list, list.tagName, flagsOf(list)) === 'list' ? bookItem(list) : 'generic';
    listKinds.set(parent, role);
  }
  return role;
};

const scoped = (wide, narrow) => (el) => (around(el, SECTIONING) ? narrow : wide);

const SAYS_SOMETHING = NAMES_GENERIC | HAS.TABINDEX | HAS.GLOBAL;

const TAG_RULES = {
  A: (el, tag, flags) => (flags & (HAS.CLICK | HAS.HREF) ? 'link' : 'generic'),
  a: (el) => (hasAttr(el, 'href') || hasAttr(el, 'xlink:href') ? 'link' : 'generic'),
  AREA: (el) => (hasAttr(el, 'href') ? 'link' : 'none'),
  ASIDE: asideRole,
  HEADER: scoped('banner', 'sectionheader'),
  FOOTER: scoped('contentinfo', 'sectionfooter'),
  SECTION: (el, tag, flags) => (hasOwnName(el, flags) ? 'region' : 'generic'),
  INPUT: inputRole,
  SELECT: selectRole,
  IMG: imageRole,
  LI: listItemRole,
  SUMMARY: (el) => (isSummary(el) ? 'button' : 'generic'),
  TABLE: (el) => {
    const kind = tableKind(el);
    return kind === 'layout' ? 'generic' : kind;
  },
  TBODY: (el, tag, flags) => (flags & SAYS_SOMETHING ? tablePart(el, 'rowgroup') : 'generic'),
  THEAD: (el) => tablePart(el, 'rowgroup'),
  TFOOT: (el) => tablePart(el, 'rowgroup'),
  TR: (el) => tablePart(el, 'row'),
  TD: (el) => tablePart(el, 'cell'),
  TH: (el) => tablePart(el, 'header'),
  CANVAS: (el, tag, flags) => (el.firstChild || hasOwnName(el, flags) ? 'Canvas' : 'generic'),
  image: (el, tag, flags) => (isExposedGraphic(el, flags) ? 'img' : 'none'),
  use: (el, tag, flags) => (isExposedGraphic(el, flags) ? 'graphics-object' : 'none'),
  g: (el, tag, flags) => (isExposedGraphic(el, flags) ? 'group' : 'generic'),
  foreignObject: (el, tag, flags) => (flags & EXPOSES_GRAPHIC || hasOwnName(el, flags) ? 'group' : 'generic'),
  // A drawing inside of another is one of its parts.
  svg: (el, tag, flags) => {
    if (!el.ownerSVGElement) return 'img';
    return isExposedGraphic(el, flags) ? 'group' : 'generic';
  },
};
const EXPOSES_GRAPHIC = HAS.TABINDEX | HAS.GLOBAL;
for (const shape of SVG_SHAPES) {
  TAG_RULES[shape] = (el, tag, flags) => (isExposedGraphic(el, flags) ? 'graphics-symbol' : 'none');
}

const RULES = new Map([TAG_ROLES, MATHML_ROLES, TAG_RULES].flatMap(Object.entries));

const nativeRole = (el, tag, flags) => {
  const rule = RULES.get(tag);
  if (rule === undefined) return flags & HAS.POPOVER ? 'group' : 'generic';
  return typeof rule === 'string' ? rule : rule(el, tag, flags);
};

const roleOf = (el, tag, flags) => {
  const explicit = flags & HAS.ROLE ? explicitRole(el, tag, flags) : '';
  return explicit || nativeRole(el, tag, flags);
};

const OWN_NAME = HAS.LABEL | HAS.LABELLEDBY | HAS.TITLE;
const hasOwnName = (el, flags) => {
  if (!(flags & OWN_NAME)) return false;
  if (attributeName(el, flags) !== '') return true;
  return (flags & HAS.LABELLEDBY) !== 0 && referenced(el, 'aria-labelledby').length > 0;
};

const isExposedGraphic = (el, flags) => (flags & EXPOSES_GRAPHIC) !== 0 || hasOwnName(el, flags) || hasSvgTitle(el);

const hasSvgTitle = (el) => {
  for (let child = el.firstChild; child; child = child.nextSibling) {
    if ((child.nodeName === 'title' || child.nodeName === 'desc') && child.textContent.trim()) return true;
  }
  return false;
};
