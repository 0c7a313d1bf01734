// Reading the DOM safely: a form's named inputs and a document's named images shadow built-in properties,
// even for isolated worlds, so everything read from a form or a document goes through getters captured
// here.

if (globalThis.__boathook) return globalThis.__boathook;

const getterOf = (proto, name) => {
  const getter = Object.getOwnPropertyDescriptor(proto, name).get;
  return (node) => getter.call(node);
};
const methodOf = (proto, name) => {
  const method = proto[name];
  return (node, argument) => method.call(node, argument);
};

const ELEMENT = 1;
const TEXT = 3;

const getAttribute = Element.prototype.getAttribute;
const attr = (el, name) => getAttribute.call(el, name);
const hasAttribute = Element.prototype.hasAttribute;
const hasAttr = (el, name) => hasAttribute.call(el, name);
const hasAttributes = methodOf(Element.prototype, 'hasAttributes');
const tagOf = getterOf(Element.prototype, 'tagName');
const kindOf = getterOf(Node.prototype, 'nodeType');
const firstChildOf = getterOf(Node.prototype, 'firstChild');
const nextSiblingOf = getterOf(Node.prototype, 'nextSibling');
const parentOf = getterOf(Node.prototype, 'parentNode');
const connected = getterOf(Node.prototype, 'isConnected');
const ownerDocumentOf = getterOf(Node.prototype, 'ownerDocument');
const rootOf = methodOf(Node.prototype, 'getRootNode');
const closest = methodOf(Element.prototype, 'closest');
const matches = methodOf(Element.prototype, 'matches');
const checkVisibility = Element.prototype.checkVisibility;
const rectOf = methodOf(Element.prototype, 'getBoundingClientRect');
const childrenOf = getterOf(Element.prototype, 'children');
// Live, so that looking at the first few does not collect them all.
const elementsInside = methodOf(Element.prototype, 'getElementsByTagName');
const windowOf = getterOf(Document.prototype, 'defaultView');
const documentElementOf = getterOf(Document.prototype, 'documentElement');
const activeElementOf = getterOf(Document.prototype, 'activeElement');
const documentTitle = getterOf(Document.prototype, 'title');

const DOCUMENT = 9;
const query = (root, selector) => {
  const proto = kindOf(root) === DOCUMENT ? Document.prototype : DocumentFragment.prototype;
  return proto.querySelector.call(root, selector);
};
/** @type {(root: Node, selector: string) => NodeListOf<any>} */
const queryAll = (root, selector) => {
  const proto = kindOf(root) === DOCUMENT ? Document.prototype : DocumentFragment.prototype;
  return proto.querySelectorAll.call(root, selector);
};
const byId = (root, id) => {
  const proto = kindOf(root) === DOCUMENT ? Document.prototype : DocumentFragment.prototype;
  return proto.getElementById ? proto.getElementById.call(root, id) : null;
};

// Bits that say which attributes an element has: one pass over the attribute names replaces a dozen look-ups.
const HAS = {
  ROLE: 1, LABEL: 2, LABELLEDBY: 4, TITLE: 8, DESCRIBED: 16, TABINDEX: 32, EDITABLE: 64, ARIA_HIDDEN: 128,
  INERT: 256, OWNS: 512, GLOBAL: 1024, ARIA: 2048, CLASS: 4096, ID: 8192, CLICK: 16384, DRAGGABLE: 32768,
  CONTROLS: 65536, DISABLED: 131072, STYLE: 262144, OTHER: 524288, POPOVER: 1048576,
  HIDDEN: 2097152, INVOKES: 4194304, HREF: 8388608,
};
const NAMES_GENERIC = HAS.LABEL | HAS.LABELLEDBY | HAS.TITLE | HAS.DESCRIBED;
const ATTRIBUTE_BITS = new Map(Object.entries({
  'role': HAS.ROLE, 'title': HAS.TITLE, 'tabindex': HAS.TABINDEX, 'contenteditable': HAS.EDITABLE,
  'inert': HAS.INERT, 'class': HAS.CLASS, 'id': HAS.ID, 'onclick': HAS.CLICK, 'onmousedown': HAS.CLICK,
  'onpointerdown': HAS.CLICK, 'onmouseup': HAS.CLICK, 'ontouchstart': HAS.CLICK, 'draggable': HAS.DRAGGABLE,
  'controls': HAS.CONTROLS, 'disabled': HAS.DISABLED, 'style': HAS.STYLE, 'popover': HAS.POPOVER,
  'hidden': HAS.HIDDEN, 'popovertarget': HAS.INVOKES, 'href': HAS.HREF,
  'visibility': HAS.STYLE, 'opacity': HAS.STYLE, 'color': HAS.STYLE, 'width': HAS.STYLE, 'height': HAS.STYLE,
  'aria-label': HAS.LABEL | HAS.GLOBAL | HAS.ARIA, 'aria-labelledby': HAS.LABELLEDBY | HAS.GLOBAL | HAS.ARIA,
  'aria-labeledby': HAS.LABELLEDBY | HAS.GLOBAL | HAS.ARIA,
  'aria-describedby': HAS.DESCRIBED | HAS.GLOBAL | HAS.ARIA,
  'aria-description': HAS.DESCRIBED | HAS.GLOBAL | HAS.ARIA, 'aria-hidden': HAS.ARIA_HIDDEN,
  'aria-owns': HAS.OWNS | HAS.GLOBAL | HAS.ARIA,
}));
const GLOBAL_ARIA = new Set(('atomic braillelabel brailleroledescription busy controls current details ' +
  'dropeffect flowto grabbed keyshortcuts live relevant roledescription').split(' ').map((n) => 'aria-' + n));

const namesOfAttributes = Element.prototype.getAttributeNames;

const flagsOf = (el) => {
  const names = namesOfAttributes.call(el);
  let flags = 0;
  for (let i = 0; i < names.length; i++) {
    const bits = ATTRIBUTE_BITS.get(names[i]);
    flags |= bits === undefined ? learnAttribute(names[i]) : bits;
  }
  return names.length ? flags | HAS.OTHER : 0;
};
const MOST_ATTRIBUTES = 2000;
const learnAttribute = (name) => {
  let bits = 0;
  if (name.startsWith('aria-')) bits = GLOBAL_ARIA.has(name) ? HAS.GLOBAL | HAS.ARIA : HAS.ARIA;
  if (ATTRIBUTE_BITS.size < MOST_ATTRIBUTES) ATTRIBUTE_BITS.set(name, bits);
  return bits;
};

// Closed shadow roots found over CDP are registered here; null marks a host as examined and empty-handed.
const closedRoots = new WeakMap();
let knowsClosedRoots = false;
const openShadowOf = getterOf(Element.prototype, 'shadowRoot');
const shadowOf = (el) => openShadowOf(el) || (knowsClosedRoots && closedRoots.get(el)) || null;

const documentInside = (frame) => {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
};

const FRAGMENT = 11;
const hostOf = (root) => (kindOf(root) === FRAGMENT && root.host) || null;

// The parent in the flat tree: slot for slotted nodes, host for the top of a shadow tree.
const slotOfElement = getterOf(Element.prototype, 'assignedSlot');
const flatParent = (node) => {
  const slot = slotOfElement(node);
  if (slot) return slot;
  const parent = parentOf(node);
  if (!parent) return null;
  return kindOf(parent) === ELEMENT ? parent : hostOf(parent);
};

// The nearest match among the ancestors, out of shadow trees as well.
const around = (el, selector) => {
  let at = flatParent(el);
  while (at) {
    const found = closest(at, selector);
    if (found) return found;
    at = hostOf(rootOf(at));
  }
  return null;
};

// The children in the flat tree as an array, or null when they are simply the node's own children.
const slottedChildren = (el, tag) => {
  if (tag !== 'SLOT' || kindOf(rootOf(el)) === DOCUMENT) return null;
  const assigned = el.assignedNodes();
  return assigned.length ? assigned : null;
};

// A lone surrogate is not valid text: it would break its readers.
const wellFormed = (text) => text.toWellFormed();
