// Lines that are kept with their rows: those of words and of plain elements, which show nothing that can change without the
// row itself being made again. Fields, toggles, what acts without a role, and guesses are written anew each time.

// What a line depends on besides its row, as one string that is the same object for the same options.
const lineKeys = new Map();
const MOST_KEYS = 50;
const lineKeyOf = ({ mode, urls, contentRefs }) => {
  const key = `${mode} ${urls} ${contentRefs} ${baseOf(document)}`;
  if (!lineKeys.has(key)) {
    if (lineKeys.size > MOST_KEYS) lineKeys.clear();
    lineKeys.set(key, key);
  }
  return lineKeys.get(key);
};
const baseOf = getterOf(Node.prototype, 'baseURI');

// Names this short may be signs, whose meaning is guessed.
const isNamedPlainly = (row) => !isControl(row) || (row.name.length > SYMBOL_LENGTH && !isWordless(row.name));
const UNPLAIN_FLAGS = HAS.ARIA | HAS.EDITABLE | HAS.TITLE | HAS.POPOVER | HAS.INVOKES;
const hasPlainTag = (row) => (row.tagKind & (STATEFUL | VALUED)) === 0 && (row.roleKind & HAS_VALUE) === 0 &&
  ((row.roleKind & HAS_STATES) === 0 || row.role === 'heading');
const isPlain = (row) => row.el === null || (!row.clickable && (row.flags & UNPLAIN_FLAGS) === 0 && hasPlainTag(row) && isNamedPlainly(row));

// Whether it has states now that come from elsewhere.
const hasOtherStates = (row) => knowsInternals || (focusPath.size !== 0 && focusPath.has(row.el)) || ((row.roleKind & CONTROL) !== 0 && mayBeDisabled(row.context));

const keptLine = (row, key) => {
  if (row.lineKey !== key || row.lineName !== row.name || row.lineLabel !== row.label) return null;
  return row.clickable || (row.el !== null && hasOtherStates(row)) ? null : row.line;
};

const keepLine = (row, key, line) => {
  if (!isPlain(row) || (row.el !== null && hasOtherStates(row))) return;
  row.lineKey = key;
  row.lineName = row.name;
  row.lineLabel = row.label;
  row.line = line;
};
