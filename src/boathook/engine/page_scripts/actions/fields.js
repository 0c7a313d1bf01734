// Fields: what sort of field an element is, what it says, and ways to fill those that typing cannot fill.

const TYPED = setOf('text search email url tel password number');
const ASSIGNED = setOf('date time month week datetime-local color range');

const fieldKind = (el) => {
  const tag = tagOf(el);
  if (tag === 'TEXTAREA') return 'text';
  if (tag === 'SELECT') return 'select';
  if (tag === 'INPUT') {
    if (TYPED.has(el.type)) return 'text';
    if (ASSIGNED.has(el.type)) return 'assigned';
    return el.type === 'checkbox' || el.type === 'radio' || el.type === 'file' ? el.type : '';
  }
  if (el.isContentEditable) return 'editable';
  return '';
};

// A hidden input whose clicks the page cancels keeps its own state; what is drawn in its place follows aria-checked.
const drawnState = (field) => {
  const said = attr(field, 'aria-checked');
  return said !== null && said !== 'mixed' && isUnseen(field) ? said === 'true' : null;
};
const isUnseen = (el) => !isBig(el) || getComputedStyle(el).opacity === '0';
const isTicked = (field) => drawnState(field) ?? field.checked;

const readField = (el) => {
  const kind = fieldKind(el);
  if (kind === 'select') return [...el.selectedOptions].map((option) => collapse(option.label)).join(', ');
  if (kind === 'checkbox' || kind === 'radio') return isTicked(el);
  if (kind === 'file') return [...el.files].map((file) => file.name).join(', ');
  if (kind === 'text' || kind === 'assigned') return markSecret(el, el.value);
  if (kind === 'editable') return editableText(el);
  const state = attr(el, 'aria-checked') || attr(el, 'aria-pressed') || attr(el, 'aria-selected');
  return state === null ? null : state === 'true';
};

// The values of the selected options, which pages and servers use; null for other fields.
const chosenIn = (el) => (fieldKind(el) === 'select' ? [...el.selectedOptions].map((option) => option.value) : null);

// Typing goes where the focus is: an element that cannot take it may hold the field that can.
const fieldIn = (el) => {
  if (fieldKind(el)) return el;
  if (tagOf(el) === 'LABEL' && el.control) return el.control;
  const inner = [...(shadowOf(el) || el).querySelectorAll('input, textarea, select, [contenteditable]')]
    .filter((field) => fieldKind(field) && isShown(field));
  return inner.length === 1 ? inner[0] : el;
};

// The page may have changed since the element was checked; what is done here is done to a living, enabled field.
const livingField = (id) => {
  const el = elementOf(id);
  if (!el) throw failure('gone');
  const field = fieldIn(el);
  if (isOff(field)) throw failure('disabled');
  return field;
};

// Which code editor of the document a field belongs to, -1 if to none: what it selects and holds, only its model knows.
const CODE_EDITORS = '.monaco-editor, .CodeMirror, .cm-editor';
const editorNumber = (el) => {
  const editor = closest(el, CODE_EDITORS);
  return editor && ownerDocumentOf(el) === document ? [...queryAll(document, CODE_EDITORS)].indexOf(editor) : -1;
};

const focusAndSelect = (id) => {
  const el = livingField(id);
  el.focus({ preventScroll: true });
  const kind = fieldKind(el);
  if (kind === 'text') el.select();
  else if (kind === 'editable') {
    const range = ownerDocumentOf(el).createRange();
    range.selectNodeContents(el);
    const selection = ownerDocumentOf(el).defaultView.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }
  const root = rootOf(el);
  return { kind, type: el.type || '', editor: editorNumber(el), focused: root.activeElement === el || el.contains(root.activeElement), secret: isSecret(el) };
};

const focusOn = (id) => {
  const el = elementOf(id);
  if (!el) throw failure('gone');
  if (el !== documentElementOf(document) && !el.contains(rootOf(el).activeElement)) el.focus({ preventScroll: true });
  return { focused: el.contains(rootOf(el).activeElement) };
};

// Typing goes on where the text ends.
const focusEnd = (id) => {
  const { kind, editor } = focusAndSelect(id);
  const el = fieldIn(elementOf(id));
  const selection = ownerDocumentOf(el).defaultView.getSelection();
  if (kind === 'editable') selection.collapseToEnd();
  else if (kind === 'text' && el.selectionStart !== null) el.setSelectionRange(el.value.length, el.value.length);
  return { editor };
};

const sendEvents = (el, types) => {
  for (const type of types) el.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
};

// Date, time, colour and range controls take a whole value; the browser itself decides whether it is one.
const assign = (id, value) => {
  const el = livingField(id);
  el.focus({ preventScroll: true });
  el.value = value;
  if (watched) watched.seen.assigned = 1;
  sendEvents(el, ['input', 'change']);
  return el.value;
};

// Options are known by value, by label, by what they show, and, if only one qualifies, by one of the texts they show.
const optionMatching = (options, wanted) => {
  const lower = wanted.toLowerCase();
  const showing = options.filter((option) => option.firstElementChild && showsText(option, wanted));
  return options.find((option) => option.value === wanted)
    || options.find((option) => collapse(option.label) === wanted || collapse(optionText(option)) === wanted)
    || options.find((option) => collapse(option.label).toLowerCase() === lower || collapse(optionText(option)).toLowerCase() === lower)
    || (/^#\d+$/.test(wanted) ? options[Number(wanted.slice(1))] : null)
    || (showing.length === 1 ? showing[0] : null);
};

const showsText = (option, wanted) => {
  const texts = document.createTreeWalker(option, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) if (collapse(/** @type {Text} */ (texts.currentNode).data) === wanted) return true;
  return false;
};

const choose = (id, wanted) => {
  const el = livingField(id);
  const options = [...el.options];
  const picks = [];
  for (const one of wanted) {
    const match = optionMatching(options, String(one));
    if (!match) return { missing: one, options: options.slice(0, 30).map((option) => collapse(optionText(option))) };
    if (match.disabled || closest(match, 'optgroup[disabled]')) return { off: one };
    picks.push(match);
  }
  if (picks.length > 1 && !el.multiple) return { single: true };
  el.focus({ preventScroll: true });
  for (const option of options) option.selected = picks.includes(option);
  sendEvents(el, ['input', 'change']);
  return { selected: [...el.selectedOptions].map((option) => collapse(option.label)), values: [...el.selectedOptions].map((option) => option.value) };
};

const scrollBox = (id) => {
  if (!id) return ownerDocumentOf(documentElementOf(document)).scrollingElement || documentElementOf(document);
  let at = elementOf(id);
  while (at && flatParent(at)) {
    const style = getComputedStyle(at);
    const scrolls = /auto|scroll|overlay/;
    if ((at.scrollHeight > at.clientHeight && scrolls.test(style.overflowY))
      || (at.scrollWidth > at.clientWidth && scrolls.test(style.overflowX))) return at;
    at = flatParent(at);
  }
  return scrollBox(0);
};

const MOST_SCROLLERS = 5;
const LEAST_SCROLLED = 24;

// Elements that the user can scroll, the largest first.
const scrollers = (box) => everywhere('*').filter((el) => {
  const more = [el.scrollWidth - el.clientWidth, el.scrollHeight - el.clientHeight];
  if (el === box || Math.max(...more) < LEAST_SCROLLED || !el.clientHeight || !el.clientWidth || !isShown(el)) return false;
  const style = getComputedStyle(el);
  return (more[1] >= LEAST_SCROLLED && /auto|scroll/.test(style.overflowY)) || (more[0] >= LEAST_SCROLLED && /auto|scroll/.test(style.overflowX));
}).sort((a, b) => b.clientWidth * b.clientHeight - a.clientWidth * a.clientHeight).slice(0, MOST_SCROLLERS).map(described);

const scrollBy = (id, right, down, base) => {
  raiseBase(base);
  const box = scrollBox(id);
  const before = [box.scrollLeft, box.scrollTop];
  const step = (amount, size) => (Math.abs(amount) <= 1 ? amount * size : amount);
  box.scrollBy({ left: step(right, box.clientWidth), top: step(down, box.clientHeight), behavior: 'instant' });
  const after = [box.scrollLeft, box.scrollTop];
  const stuck = after[0] === before[0] && after[1] === before[1];
  return {
    scrollers: stuck ? scrollers(box) : [],
    moved: [after[0] - before[0], after[1] - before[1]], at: after, end: [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight],
    box: box === scrollBox(0) ? null : described(box), first: firstNewId, next: nextId,
  };
};
