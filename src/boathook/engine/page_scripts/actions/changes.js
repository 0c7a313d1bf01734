// What a page shows, compared before and after an action: element lines, visible text, fields, attributes, title.
// Text is compared as innerText, which Chromium makes in one pass, so that no text can change unseen, whatever hid,
// showed, moved or replaced it: scripts, rules of style sheets, or states such as :checked.

const innerTextOf = getterOf(HTMLElement.prototype, 'innerText');
const textContentOf = getterOf(Node.prototype, 'textContent');
const bodyOf = getterOf(Document.prototype, 'body');
// Elements of frames are not instances of this world's classes.
const namespaceOf = getterOf(Element.prototype, 'namespaceURI');
const isHtml = (el) => namespaceOf(el) === 'http://www.w3.org/1999/xhtml';

// A child of a shadow root, or of an element without a box. Asked for elements that are not rendered, innerText gives
// the text of all nodes.
const shownTextOf = (node) => {
  if (kindOf(node) === TEXT) return node.data;
  if (kindOf(node) !== ELEMENT || SILENT.has(tagOf(node))) return '';
  if (isVisible(node)) return isHtml(node) ? innerTextOf(node) : isShown(node) ? textContentOf(node) : '';
  return isContents(node) ? textBelow(node) : '';
};

const textBelow = (parent) => {
  const texts = [];
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) texts.push(shownTextOf(node));
  return texts.join('\n');
};

const textOfRoot = (root) => {
  if (kindOf(root) !== DOCUMENT) return isBoxed(hostOf(root)) ? textBelow(root) : '';
  const body = bodyOf(root);
  return body ? shownTextOf(body) : '';
};

const PICTURED = setOf('img image separator canvas video audio figure Iframe iframe');
const UNLISTED_ARIA = ['aria-sort', 'aria-valuenow', 'aria-description', 'aria-roledescription'];

// ARIA that snapshots leave out, so that it is seen to differ when a page draws an element again.
const unlistedAria = (el) => UNLISTED_ARIA.filter((name) => hasAttr(el, name))
  .map((name) => ` ${name}=${quote(collapse(attr(el, name)), NAME_SHOWN)}`).join('');

// Rows without a ref are known by a private number, and those without a name are shown by the text in them. The mark
// cannot come from pages: quoting writes control characters out.
const NUMBER_MARK = '\u0001';
const privateNumbers = new WeakMap();
let lastNumber = 0;

const privateMark = ({ el, label }) => {
  if (!privateNumbers.has(el)) privateNumbers.set(el, ++lastNumber);
  return `${NUMBER_MARK}${privateNumbers.get(el)}${NUMBER_MARK}${label ? quote(label, NAME_SHOWN) : ''}`;
};

// The text in a row without that of its controls, else the name of its first control.
const labelFor = (rows, index) => {
  let [text, named] = ['', ''];
  for (let i = index + 1; i < rows.length && rows[i].depth > rows[index].depth && text.length < NAME_SHOWN; i++) {
    if (rows[i].el === null) text += ` ${rows[i].name}`;
    else named = named || rows[i].name;
  }
  return collapse(text) || named;
};

// Which structure rows were kept before the action. Snapshots list them while they hold controls; that one gets or loses
// its last control does not mean that it came or went.
let structureBefore = null;

const keepsForChanges = (row, index, keep, holdsControl) => {
  const { el, role, name, source, flags } = row;
  if (row.visuallyHidden && LIST_ITEMS.has(role)) return false;
  // Snapshots leave wrappers out as long as they hold a single thing.
  const isKept = WRAPPERS.has(role) && !name ? ITEMS.has(role) && holdsControl[index] : keep[index];
  if (isControl(row)) return isKept;
  if (STRUCTURE.has(role) && structureBefore && structureBefore.has(el)) return structureBefore.get(el);
  return isKept || DIALOGS.has(role) || PICTURED.has(role) || GAUGES.has(role) || flags & HAS.ARIA || (name && source !== 'content');
};

// Element rows of an interactive snapshot, and those with content other than text: images, gauges, states, labels.
const keepForChanges = (rows) => {
  const keep = keepInteractive(rows);
  const holdsControl = controlsIn(rows);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    keep[i] = row.el !== null && keepsForChanges(row, i, keep, holdsControl) ? 1 : 0;
    if (!keep[i] || row.name || isControl(row)) continue;
    row.label = labelFor(rows, i);
    keep[i] = row.label || PLACE_ROLES.has(row.role) || ANNOUNCEMENTS.has(row.role) || PICTURED.has(row.role) || GAUGES.has(row.role) || row.flags & HAS.ARIA ? 1 : 0;
  }
  return keep;
};
const DIALOGS = setOf('dialog alertdialog');
// Of lists without size, which hold a few of the options at a time.
const LIST_ITEMS = setOf('option treeitem row gridcell');
const ITEMS = setOf('listitem article');
const GAUGES = setOf('meter progressbar');
KEEPERS.changes = keepForChanges;
LIMITS.changes = LIMITS.interactive;
const CHANGE_VIEW = optionsFor({ mode: 'changes', maxLines: 20000 });

// The whole page, also what a modal dialog has made inert: opening one changes nothing but the dialog. Without the focus,
// which moves with every action.
const linesNow = (structure) => {
  structureBefore = structure || null;
  const tree = walkTree({ root: documentElementOf(document), nameLimit: LIMITS.interactive.name, wantsOptions: false });
  focusPath = new Set();
  const { lines, kept } = linesOf(tree, CHANGE_VIEW);
  forgetWalk();
  structureBefore = null;
  return { lines: lines.join('\n'), ...rowFacts(tree.rows, kept) };
};

// Structure rows and whether they have lines; text that exists but is not visible.
const rowFacts = (rows, kept) => {
  const structure = new Map();
  const visuallyHidden = [];
  for (let i = 0; i < rows.length; i++) {
    const { el, role, name } = rows[i];
    if (el !== null && STRUCTURE.has(role)) structure.set(el, kept[i]);
    if (rows[i].visuallyHidden && name) visuallyHidden.push(collapse(name));
  }
  return { structure, visuallyHidden };
};

// What a field holds and how it is set, also where lines do not show it: long values, secrets, several options, fields
// that are hidden from screen readers.
const heldBy = (el) => {
  const tag = tagOf(el);
  if (tag === 'SELECT') return [...el.selectedOptions].map((option) => collapse(option.label)).join(', ');
  if (VALUELESS.has(tag) || el.type === 'file' || el.type === 'checkbox' || el.type === 'radio') return '';
  return String(el.value);
};
const VALUELESS = setOf('FIELDSET BUTTON DETAILS DIALOG');
const FLAGS = ['disabled', 'checked', 'indeterminate', 'readOnly', 'required', 'open'];
const HOLDERS = 'input:not([type=hidden]), textarea, select, button, fieldset, progress, meter, details, dialog';
const settingsOf = (el) => ({ held: heldBy(el), flags: flagBits(el), options: listedOptions(el) });
// A select that is always open shows its options; those of others are part of the page's text.
const listedOptions = (el) => (tagOf(el) === 'SELECT' && (el.multiple || el.size > 1)
  ? [...el.options].filter(isShown).map((option) => collapse(option.label)).join('|') : '');
const flagBits = (el) => (el.disabled ? 1 : 0) | (el.checked ? 2 : 0) | (el.indeterminate ? 4 : 0) | (el.readOnly ? 8 : 0) | (el.required ? 16 : 0) |
  (el.open ? 32 : 0);
const flagNames = (bits) => `[${FLAGS.filter((_, i) => bits & (1 << i)).join(' ')}]`;

const fieldsIn = (roots) => {
  const fields = new Map();
  for (const root of roots) for (const el of queryAll(root, HOLDERS)) fields.set(el, settingsOf(el));
  return fields;
};

// Images hidden from screen readers; all others have lines.
const UNREAD_PICTURES = ':is([aria-hidden=true], [inert]) :is(img, video, canvas, svg, hr), img[alt=""], :is(img, svg, hr, canvas, video):is([aria-hidden=true], [role=none], [role=presentation])';
const unreadPictures = (roots) => roots.flatMap((root) => [...queryAll(root, UNREAD_PICTURES)])
  .filter(isShown).map((el) => `img${attr(el, 'alt') ? ` ${quote(collapse(attr(el, 'alt')), NAME_SHOWN)}` : ''}`);

const pictureFacts = (before, after) => {
  const [gone, came] = [partnersIn(before, after), partnersIn(after, before)];
  return [...after.filter((_, i) => came[i] < 0).map((line) => `+ ${line}`), ...before.filter((_, i) => gone[i] < 0).map((line) => `- ${line}`)];
};

// Lists without size are there for screen readers, which are read a few of the options at a time.
const unseenTexts = (roots) => roots.flatMap((root) => [...queryAll(root, '[role=listbox], [role=tree], [role=grid]')])
  .filter((el) => isHtml(el) && isVisible(el) && isSizeless(rectOf(el))).flatMap((el) => textLines(innerTextOf(el)));
const isSizeless = (rect) => rect.width <= 1 || rect.height <= 1;

const seenNow = (roots, structure) => {
  const { visuallyHidden, ...now } = linesNow(structure);
  return { ...now, unseen: [...visuallyHidden, ...unseenTexts(roots)] };
};

const surfaceNow = (roots) => ({
  roots, texts: roots.map(textOfRoot).join('\n'), title: documentTitle(document), fields: fieldsIn(roots), pictures: unreadPictures(roots),
});

const isSameSurface = (one, other) => one.texts === other.texts && one.title === other.title && areSame(one.roots, other.roots)
  && areSame(one.pictures, other.pictures) && one.fields.size === other.fields.size
  && [...one.fields].every(([el, setting]) => other.fields.has(el) && isSameSetting(setting, other.fields.get(el)));
const areSame = (one, other) => one.length === other.length && one.every((item, i) => item === other[i]);

// `known` is the view after the last action, if no node has changed since: unless texts or fields differ, its lines still
// hold. What style alone has shown since, without a text, then counts as changed by the next action.
const pageView = (known = null) => {
  const surface = surfaceNow(allRoots());
  const { lines, structure, unseen } = known !== null && isSameSurface(known, surface) ? known : seenNow(surface.roots);
  return { ...surface, lines, structure, unseen };
};

const TOLD_ATTRIBUTES = /^(?:aria-.*|role|placeholder|alt|title)$/;

// The value that an attribute had before the action, by element and name.
const noteAttribute = (attributes, { target, attributeName, oldValue }) => {
  if (!TOLD_ATTRIBUTES.test(attributeName)) return;
  let known = attributes.get(target);
  if (!known) attributes.set(target, known = new Map());
  if (!known.has(attributeName)) known.set(attributeName, oldValue);
};

const MOST_FACTS = 40;
const TEXT_SHOWN = 120;
const NAME_SHOWN = 60;
const EXCERPT_BEFORE = 40;

const subjectOf = (el) => {
  const { role, name, id } = probe(el);
  const words = name || (isHtml(el) && isVisible(el) ? collapse(innerTextOf(el)) : '');
  return `~ ${role === 'none' ? 'generic' : role}${words ? ` ${quote(words, NAME_SHOWN)}` : ''} @e${id}`;
};

const attributeFacts = (attributes) => {
  const facts = [];
  for (const [el, names] of attributes) {
    if (!connected(el) || !isShown(el)) continue;
    for (const [name, was] of names) {
      const now = attr(el, name);
      if (now === was || facts.length >= MOST_FACTS) continue;
      const told = now === null ? `without ${name}` : `${name}=${quote(collapse(now), NAME_SHOWN)}`;
      facts.push(`${subjectOf(el)} ${told}${was === null ? '' : ` (was ${quote(collapse(was), NAME_SHOWN)})`}`);
    }
  }
  return facts;
};

const isSameSetting = (one, other) => one.held === other.held && one.flags === other.flags && one.options === other.options;

const fieldFacts = (before, after) => {
  const facts = [];
  for (const [el, was] of before) {
    const now = after.get(el) || settingsOf(el);
    if (facts.length >= MOST_FACTS || isSameSetting(now, was) || !connected(el) || !isShown(el)) continue;
    const held = isSecret(el) ? 'has another value' : `= ${quote(excerpt(collapse(now.held), collapse(was.held)), TEXT_SHOWN + 2)}`;
    const told = [now.flags === was.flags ? '' : `${flagNames(now.flags)} (was ${flagNames(was.flags)})`, now.held === was.held ? '' : held,
      now.options === was.options ? '' : `options=${quote(now.options, TEXT_SHOWN)}`];
    facts.push(`${subjectOf(el)} ${told.filter(Boolean).join(' ')}`);
  }
  return facts;
};

// The part of a long text in which it differs from what it was.
const excerpt = (now, was) => {
  if (now.length <= TEXT_SHOWN) return now;
  let first = 0;
  while (first < was.length && now[first] === was[first]) first++;
  const near = Math.min(first - EXCERPT_BEFORE, now.length - TEXT_SHOWN);
  const start = near <= 0 ? 0 : now.indexOf(' ', near) + 1;
  return (start > 0 ? '\u2026' : '') + cut(now.slice(start), TEXT_SHOWN);
};

// Most of a page stays the same: only the lines between the first and the last difference are looked at.
/** @returns {[string[], string[]]} */
const differingLines = (before, after) => {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (end < shorter - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end++;
  start = before.lastIndexOf('\n', start - 1) + 1;
  const upTo = (text) => { const at = text.indexOf('\n', Math.max(start, text.length - end)); return at < 0 ? text.length : at; };
  const part = (text) => textLines(text.slice(start, upTo(text)));
  return [part(before), part(after)];
};

const textLines = (text) => text.split('\n').map(collapse).filter(Boolean);

// Without the lines at both ends that are the same.
/** @returns {[string[], string[]]} */
const differingPart = (before, after) => {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [old, fresh] = [before.length, after.length];
  while (old > start && fresh > start && before[old - 1] === after[fresh - 1]) [old, fresh] = [old - 1, fresh - 1];
  return [before.slice(start, old), after.slice(start, fresh)];
};

// For each line of a list, the place of its partner in the other list, or -1.
const partnersIn = (list, other) => {
  const places = new Map();
  for (let i = other.length - 1; i >= 0; i--) (places.get(other[i]) || places.set(other[i], []).get(other[i])).push(i);
  return list.map((line) => (places.has(line) && places.get(line).length ? places.get(line).pop() : -1));
};

// Positions that are not in the longest increasing run: what must have moved.
const outOfOrder = (numbers) => {
  const tails = [];
  const previous = new Int32Array(numbers.length);
  numbers.forEach((number, i) => {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[tails[middle]] < number) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? tails[low - 1] : -1;
    tails[low] = i;
  });
  const stays = new Set();
  for (let at = tails.length ? tails[tails.length - 1] : -1; at >= 0; at = previous[at]) stays.add(at);
  return numbers.map((_, i) => i).filter((i) => !stays.has(i));
};

// A block that comes between inline elements breaks their text into other lines: of these, only what is new is reported.
const withoutRewrapped = ([old, fresh]) => {
  const [was, now] = [old, fresh].map((lines) => withoutBlanks(lines.join('')));
  if (was.length === now.length) return [old, fresh];
  const shorter = Math.min(was.length, now.length);
  let start = 0;
  while (start < shorter && was[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && was[was.length - 1 - end] === now[now.length - 1 - end]) end++;
  if (start + end < shorter) return [old, fresh];
  const between = (lines, length) => {
    let at = 0;
    return lines.filter((line) => { const from = at; at += withoutBlanks(line).length; return at > start && from < length - end; });
  };
  const [longer, length] = was.length > now.length ? [old, was.length] : [fresh, now.length];
  const whole = between(longer, length);
  // What came or went must be whole lines: otherwise letters of a line did.
  if (withoutBlanks(whole.join('')).length !== length - end - start) return [old, fresh];
  return longer === old ? [whole, []] : [[], whole];
};
const withoutBlanks = (text) => text.replace(/\s+/g, '');

// Lines of text that came, with those whose place they took; lines that went; lines that moved.
const textChanges = (before, after) => {
  const [old, fresh] = withoutRewrapped(differingPart(...differingLines(before, after)));
  const partners = partnersIn(fresh, old);
  const kept = new Set(partners);
  const moved = outOfOrder(partners.filter((place) => place >= 0));
  const came = [];
  const gone = [];
  let at = 0;
  const replaced = [];
  const passOld = (until) => { for (; at < until; at++) if (!kept.has(at)) replaced.push(old[at]); };
  const closeHunk = () => gone.push(...replaced.splice(0));
  fresh.forEach((line, i) => {
    if (partners[i] >= 0) {
      passOld(partners[i]);
      at = Math.max(at, partners[i] + 1);
      closeHunk();
      return;
    }
    while (at < old.length && !kept.has(at)) replaced.push(old[at++]);
    came.push({ now: line, was: replaced.shift() || '' });
  });
  passOld(old.length);
  closeHunk();
  const stayed = fresh.filter((_, i) => partners[i] >= 0);
  return { came, gone, moved: moved.map((i) => ({ text: stayed[i], after: i > 0 ? stayed[i - 1] : '' })) };
};

const LIVE = '[role=alert], [role=alertdialog], [role=status], [role=log], output';

// Which live region a line of text stands in, by its role.
const livePlaces = (roots) => {
  const places = new Map();
  for (const el of roots.flatMap((root) => [...queryAll(root, LIVE)])) {
    if (isHtml(el) && isVisible(el)) for (const line of textLines(innerTextOf(el))) places.set(line, attr(el, 'role') || 'status');
  }
  return places;
};

const MOST_TEXTS = 60;

// Parts lines into those that can be seen, and a count of those that came or went invisibly.
const parted = (lines, unseen, others, textOf) => {
  const extra = partnersIn(unseen, others).flatMap((place, i) => (place < 0 ? [unseen[i]] : []));
  const hidden = partnersIn(lines.map(textOf), extra);
  return [lines.filter((_, i) => hidden[i] < 0), lines.filter((_, i) => hidden[i] >= 0)];
};

const shortText = (text) => cut(text, TEXT_SHOWN);
const shortLines = (came, gone, places) => ({
  came: came.slice(0, MOST_TEXTS).map(({ now, was }) => ({ now: excerpt(now, was), was: shortText(was), place: places.get(now) || '' })),
  gone: gone.slice(0, MOST_TEXTS).map(shortText),
});

const toldTexts = (before, after, roots) => {
  if (before.texts === after.texts) return null;
  const { came, gone, moved } = textChanges(before.texts, after.texts);
  const [seenCame, unseenCame] = parted(came, after.unseen, before.unseen, (line) => line.now);
  const [seenGone, unseenGone] = parted(gone, before.unseen, after.unseen, (line) => line);
  const places = came.length ? livePlaces(roots) : new Map();
  return {
    ...shortLines(seenCame, seenGone, places), unseen: shortLines(unseenCame, unseenGone, places),
    moved: moved.slice(0, MOST_TEXTS).map(({ text, after: other }) => ({ now: shortText(text), was: shortText(other), place: '' })),
    more: [seenCame, seenGone, moved].reduce((sum, list) => sum + Math.max(0, list.length - MOST_TEXTS), 0),
  };
};

// What differs between a view from before an action and the page as it is now, and the view of it now.
const differencesFrom = (before, { attributes, added }) => {
  const roots = added ? allRoots() : before.roots;
  const after = { ...seenNow(roots, before.structure), ...surfaceNow(roots) };
  const isSame = before.lines === after.lines;
  const facts = [...fieldFacts(before.fields, after.fields), ...attributeFacts(attributes), ...pictureFacts(before.pictures, after.pictures)];
  forgetWalk();
  return { after, told: {
    before: isSame ? null : before.lines, after: isSame ? null : after.lines, texts: toldTexts(before, after, roots),
    facts: facts.join('\n'), retitled: after.title !== before.title && globalThis.top === window,
  } };
};

// For documents in which nothing is acted on: what they show before an action elsewhere, and what differs after it.
let remembered = null;
const rememberView = (base) => {
  raiseBase(base);
  remembered = pageView();
  return { first: firstNewId, next: nextId };
};

const changesSince = (base) => {
  raiseBase(base);
  if (!remembered) return null;
  const { told } = differencesFrom(remembered, { attributes: new Map(), added: true });
  remembered = null;
  return { ...told, first: firstNewId, next: nextId };
};
