// Lines: each row as finished text, `role "name" @e7 [states] = "value" -> url {box}`.

const DEEPEST_INDENT = 100;
const INDENTS = Array.from({ length: DEEPEST_INDENT + 1 }, (_, depth) => '  '.repeat(depth));
const OPTIONS_LISTED = 12;
const OPTIONS_LENGTH = 120;
const LIMITS = { full: { name: 1000, value: 1000 }, interactive: { name: 200, value: 100 } };
LIMITS.compact = LIMITS.interactive;

const WORD_STATES = ['selected', 'disabled', 'required'];
const LATE_STATES = ['readonly', 'multiselectable'];
const LAST_STATES = ['focused', 'busy', 'modal'];

const stateWords = (states, row) => {
  const words = [];
  if (states.level !== undefined) words.push('level=' + states.level);
  if (states.checked === 'true') words.push('checked');
  else if (states.checked === 'mixed') words.push('checked=mixed');
  if (states.expanded === true) words.push('expanded');
  else if (states.expanded === false && row.tag !== 'SELECT') words.push('collapsed');
  for (const state of WORD_STATES) if (states[state]) words.push(state);
  if (states.invalid) words.push(states.invalid === 'true' ? 'invalid' : 'invalid=' + states.invalid);
  if (states.pressed === 'true') words.push('pressed');
  else if (states.pressed === 'mixed') words.push('pressed=mixed');
  if (states.current) words.push('current=' + quoteToken(states.current));
  for (const state of LATE_STATES) if (states[state]) words.push(state);
  if (states.haspopup && row.role !== 'combobox') words.push('haspopup=' + states.haspopup);
  for (const state of LAST_STATES) if (states[state]) words.push(state);
  return words;
};

const quoteToken = (token) => (/^[\w-]{1,40}$/.test(token) ? token : 'true');

const HIDDEN_MARK = 'hidden-looking';

const addActionMarks = (marks, row) => {
  if (row.flags & HAS.EDITABLE && isEditingHost(row.el)) {
    marks.push('editable');
    return;
  }
  const draggable = row.flags & HAS.DRAGGABLE && attr(row.el, 'draggable') === 'true';
  const kinds = actsAt(row.el);
  if (row.flags & (HAS.CLICK | HAS.TABINDEX) || kinds & PRESSED || !(draggable || kinds)) marks.push('clickable');
  if (draggable || kinds & DRAGGED) marks.push('draggable');
  if (kinds & DROPPED_ON) marks.push('drop target');
};

// Date, time and colour fields have no ARIA role: they take text, and a mark says of which kind.
const PICKER_ROLES = { Date: 1, DateTime: 1, InputTime: 1, ColorWell: 1 };
const shownRole = (row) => (row.role in PICKER_ROLES ? 'textbox' : row.role);

// A file input has the role of a button, but takes files instead of clicks.
const takesFiles = (row) => row.tag === 'INPUT' && row.el.type === 'file';

const takesLines = (row) => row.tag === 'TEXTAREA' || (row.role === 'textbox' && attr(row.el, 'aria-multiline') === 'true');

const addMarks = (words, row) => {
  if (row.clickable) addActionMarks(words, row);
  if (takesLines(row)) words.push('multiline');
  if (takesFiles(row)) words.push('file');
  if (row.role in PICKER_ROLES) words.push(row.el.type);
  if (row.visuallyHidden) words.push(HIDDEN_MARK);
  return words;
};

const optionsText = (select) => {
  const count = select.options.length;
  if (count > OPTIONS_LISTED) return ' options=' + count;
  const options = [...select.options].map((option) => collapse(optionText(option)));
  const all = options.join('|');
  if (all.length > OPTIONS_LENGTH) return ' options=' + count;
  return count ? ' options=' + quote(all, OPTIONS_LENGTH) : '';
};

const addressOf = (el) => {
  const raw = attr(el, 'href') || attr(el, 'src') || attr(el, 'xlink:href');
  return raw ? ' -> ' + quote(collapse(raw), 300).slice(1, -1).replace(/ /g, '%20') : '';
};

// A text that is a host or a URL: names of files look the same, so those with a usual extension do not count.
// Without the flag `i`: with it, Chromium needs milliseconds to compile a class of letters, in every new document.
const NAMED_HOST = /^(?:[hH][tT]{2}[pP][sS]?:\/\/)?(?:[^\s/@]*@)?((?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]+)(?=$|[\s:/?#])/u;
const WRITTEN_URL = /(?:[hH][tT]{2}[pP][sS]?:\/\/|[wW]{3}\.)((?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]+)/u;
const FILE_NAME = /\.(?:c|cc|cfg|cpp|cs|css|csv|gz|go|h|html?|java|jpe?g|js|json|jsx|lock|md|mjs|pdf|php|pl|png|py|rb|rs|rst|sh|sql|svg|tar|toml|tsx?|txt|xml|ya?ml|zip)$/i;
const LONGEST_HOST = 100;

const namedHost = (name) => {
  if (!name.includes('.')) return '';
  const whole = NAMED_HOST.exec(name);
  if (whole && (/^https?:/i.test(name) || !FILE_NAME.test(whole[1]))) return whole[1];
  const url = WRITTEN_URL.exec(name);
  return url ? url[1] : '';
};

const linkedHost = (el) => {
  try {
    return new URL(attr(el, 'href') || attr(el, 'xlink:href'), el.baseURI);
  } catch {
    return null;
  }
};

const isSameSite = (one, other) => one === other || one.endsWith('.' + other) || other.endsWith('.' + one);

// Where a link really leads, if its text names another host.
const otherHostOf = (row) => {
  const named = namedHost(row.name);
  const url = named && linkedHost(row.el);
  if (!url || !url.hostname) return '';
  const said = new URL('http://' + named).hostname.replace(/^www\./, '');
  return isSameSite(said, url.hostname.replace(/^www\./, '')) ? '' : ' -> ' + cut(url.host, LONGEST_HOST);
};

const boxOf = (el) => {
  const [x, y, width, height] = rectangleOf(el);
  return ` {${x},${y} ${width}\u00d7${height}}`;
};

// Rectangle in the viewport of this world's top document.
const rectangleOf = (el) => {
  const rect = rectOf(el);
  let [x, y] = [rect.x, rect.y];
  for (let view = windowOf(ownerDocumentOf(el)); view && view !== globalThis && view.frameElement;) {
    const frame = view.frameElement;
    const outer = rectOf(frame);
    x += outer.x + frame.clientLeft;
    y += outer.y + frame.clientTop;
    view = windowOf(ownerDocumentOf(frame));
  }
  return [x, y, rect.width, rect.height].map(Math.round);
};

// Has it no words? Most names show that by their first letter.
const isWordless = (name) => {
  const code = name === '' ? 0 : name.charCodeAt(0);
  return (code <= 0x20 || code >= 0xe000) && name.replace(PRIVATE_USE, '').trim() === '';
};

const needsHint = (row) => isControl(row) && row.role !== 'iframe' && isWordless(row.name);

// What only acts and holds words of its own, which are listed below it, needs no guess.
const showsOwnWords = (row) => row.holdsWords && (row.roleKind & CONTROL) === 0 && (row.flags & HAS.EDITABLE) === 0;
const guessFor = (row) => {
  if (!showsOwnWords(row)) return hintFor(row.el, row.role);
  return row.flags & HAS.TITLE ? collapse(attr(row.el, 'title')) : '';
};

// `combobox "Combobox"`: libraries name their parts after what they are.
const saysRoleOnly = (row) => row.flags & HAS.ARIA && FIELD_ROLES.has(row.role) && row.name.length <= 12 &&
  row.name.toLowerCase() === row.role;

const nameText = (row, limits) => {
  if (needsHint(row)) {
    const hint = guessFor(row);
    if (hint) return ' ~' + quote(hint, limits.name);
  }
  if (row.role === 'combobox' && row.name && row.tag !== 'INPUT' && row.tag !== 'SELECT') {
    const label = isOwnText(row) && labelBeside(row.el);
    if (label) return ' ~' + quote(label, limits.name);
  }
  const beside = saysRoleOnly(row) && labelBeside(row.el);
  if (beside) return ' ~' + quote(beside, limits.name);
  if (row.name !== '' && row.name.length <= SYMBOL_LENGTH && isControl(row)) {
    const meaning = symbolHint(row.el, row.name);
    if (meaning) return ' ~' + quote(`${meaning} ${row.name}`, limits.name);
  }
  return row.name ? ' ' + quote(row.name, limits.name) : '';
};

// A list that is named by what it shows says nothing about what it is for.
const isOwnText = (row) => collapse(textOf(row.el).slice(0, LIMITS.interactive.name)).includes(row.name);

// What a title names still shows its own text.
const textUnderTitle = (row) => {
  if (row.role === 'combobox' && row.name && row.tag !== 'INPUT' && row.tag !== 'SELECT') return isOwnText(row) && labelBeside(row.el) ? row.name : '';
  if (!row.clickable || row.source !== 'title' || row.flags & HAS.EDITABLE) return '';
  const text = collapse(textOf(row.el).slice(0, LIMITS.interactive.value));
  return text && !row.name.includes(text) ? text : '';
};

// Most rows have neither, which is told without asking for each.
const mayHaveStates = (row) => (row.flags & HAS.ARIA) !== 0 || (row.tagKind & STATEFUL) !== 0 || knowsInternals ||
  (row.roleKind & (CONTROL | HAS_STATES)) !== 0 || focusPath.has(row.el);
const mayHaveValue = (row) => (row.roleKind & HAS_VALUE) !== 0 || (row.tagKind & VALUED) !== 0 || (row.flags & HAS.EDITABLE) !== 0 ||
  knowsInternals;

// Titles tell controls apart that have the same name.
let namesWithTitles = new Map();
const countTitled = (rows, keep) => {
  namesWithTitles = new Map();
  for (let i = 0; i < rows.length; i++) {
    if (!keep[i] || !isTitled(rows[i])) continue;
    const called = `${rows[i].role} ${rows[i].name}`;
    namesWithTitles.set(called, (namesWithTitles.get(called) || 0) + 1);
  }
};
const isTitled = (row) => (row.flags & HAS.TITLE) !== 0 && row.source !== 'title' && row.name !== '' && isControl(row);

const titleText = (row, limits) => {
  if (!isTitled(row) || !(namesWithTitles.get(`${row.role} ${row.name}`) > 1)) return '';
  const title = collapse(attr(row.el, 'title') || '');
  return title && !row.name.includes(title) ? ' title=' + quote(title, limits.value) : '';
};

const elementLine = (row, options, limits) => {
  here = row.context;
  let line = shownRole(row) + nameText(row, limits);
  if (row.clickable || row.roleKind & (CONTROL | PLACE) || (options.contentRefs && row.name && row.roleKind & CONTENT)) {
    if (row.label) line += privateMark(row);
    line += ' @e' + numbered(row.el, row.role, row.name);
  } else if (options.mode === 'changes') line += privateMark(row);
  const states = mayHaveStates(row) ? statesOf(row.el, row.tag, row.role, row.flags) : NO_STATES;
  if (states !== NO_STATES || row.clickable || row.visuallyHidden || takesFiles(row) || row.tag === 'TEXTAREA') {
    const words = addMarks(states === NO_STATES ? [] : stateWords(states, row), row);
    if (words.length) line += ' [' + words.join(' ') + ']';
  }
  const value = (mayHaveValue(row) && valueOf(row.el, row.tag, row.role, row.flags)) || textUnderTitle(row);
  if (value) line += ' = ' + quote(collapse(value), limits.value);
  if (row.tag === 'SELECT' && options.mode !== 'full') line += optionsText(row.el);
  if (options.mode !== 'changes') line += titleText(row, limits);
  if (options.urls) line += addressOf(row.el);
  else if (row.role === 'link' && row.name.includes('.')) line += otherHostOf(row);
  if (options.mode === 'changes' && row.flags & HAS.ARIA) line += unlistedAria(row.el);
  return options.boxes ? line + boxOf(row.el) : line;
};

const textLine = (row, limits) => quote(collapse(row.name), limits.name) + (row.visuallyHidden ? ` [${HIDDEN_MARK}]` : '');

const lineOf = (row, depth, options, limits) => {
  let line = options.boxes ? null : keptLine(row, options.lineKey);
  if (line === null) {
    line = row.el === null ? textLine(row, limits) : elementLine(row, options, limits);
    if (!options.boxes) keepLine(row, options.lineKey, line);
  }
  return INDENTS[depth < DEEPEST_INDENT ? depth : DEEPEST_INDENT] + line;
};
