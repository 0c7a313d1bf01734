// Reading the stylesheets of a document or shadow root: their scan is kept until one of them changes.

const RULE_IMPORT = 3;
const FEW_RULES = 60;

const ESCAPED_PROPERTY = /[{;]\s*[\w-]*\\/;

// The text of a style element with many rules, when all of them can be in it (scripts may have inserted rules that no
// text shows) and it reads as it is meant.
const writtenText = (sheet, rules) => {
  const owner = sheet.ownerNode;
  if (rules.length <= FEW_RULES || editedSheets.has(sheet)) return '';
  const text = owner && owner.nodeName === 'STYLE' ? owner.textContent : '';
  if (!text || text.includes('@import')) return '';
  if (text.includes('\\') && ESCAPED_PROPERTY.test(text)) return '';
  if (text.split('{').length <= rules.length) return '';
  return withoutComments(text);
};

const withoutComments = (text) => (text.includes('/*') ? text.replace(/\/\*[^]*?\*\//g, ' ') : text);

const scanRules = (scan, rules, sheet) => {
  const texts = [];
  for (let i = 0; i < rules.length; i++) {
    const rule = rules[i];
    texts.push(rule.cssText);
    if (rule.type === RULE_IMPORT && rule.styleSheet) scanSheet(scan, rule.styleSheet);
  }
  ruleTexts.set(sheet, texts);
  scanText(scan, texts.join('\n'));
};

const scanSheet = (scan, sheet) => {
  let rules = null;
  try {
    rules = sheet.cssRules;
  } catch {
    scanForeign(scan, sheet);
  }
  if (!rules) return;
  const text = writtenText(sheet, rules);
  if (text) scanText(scan, text);
  else scanRules(scan, rules, sheet);
};

const readableRules = (sheet) => {
  try {
    return sheet.cssRules;
  } catch {
    return null;
  }
};

const scansByRoot = new WeakMap();
const sheetNumbers = new WeakMap();
let sheetsSeen = 0;

const sheetsOf = (root) => {
  const sheets = kindOf(root) === DOCUMENT ? DOCUMENT_SHEETS(root) : root.styleSheets;
  const adopted = kindOf(root) === DOCUMENT ? ADOPTED_SHEETS(root) : root.adoptedStyleSheets;
  return adopted && adopted.length ? [...sheets, ...adopted] : [...sheets];
};
const DOCUMENT_SHEETS = getterOf(Document.prototype, 'styleSheets');
const ADOPTED_SHEETS = getterOf(Document.prototype, 'adoptedStyleSheets');

const keyOf = (sheet, rules) => {
  if (!sheetNumbers.has(sheet)) sheetNumbers.set(sheet, ++sheetsSeen);
  const count = rules ? rules.length : foreignTexts.has(sheet) ? 'known' : 'unknown';
  return sheetNumbers.get(sheet) + ':' + count + (sheet.disabled ? 'd ' : ' ');
};

// Scripts can edit rules in place, where neither the list of sheets nor the number of rules shows it. So all rules are
// compared in each walk on pages with few of them. On others some are, the next ones in the next walk, and many more once the
// page is idle after a walk: Chromium takes long to write out a rule for the first time.
const CHECKED_RULES = 40;
const CHECKED_OF_MANY = 12;
const CHECKED_WHEN_IDLE = 30;
const ruleTexts = new WeakMap();
const checkedUpTo = new WeakMap();
const editedSheets = new WeakSet();
let turn = 0;

const isEdited = (sheet, rules, count) => {
  const texts = ruleTexts.get(sheet) || [];
  ruleTexts.set(sheet, texts);
  let at = checkedUpTo.get(sheet) || 0;
  for (let left = count; left > 0; left--, at++) {
    if (at >= rules.length) at = 0;
    const text = rules[at].cssText;
    if (texts[at] === undefined) texts[at] = text;
    else if (texts[at] !== text) return true;
  }
  checkedUpTo.set(sheet, at);
  return false;
};

const countRules = (rulesOf) => rulesOf.reduce((count, rules) => count + (rules ? rules.length : 0), 0);

const findEdited = (sheets, rulesOf, most) => {
  let left = most;
  for (let i = 0; i < sheets.length && left > 0; i++) {
    const at = (turn + i) % sheets.length;
    const sheet = sheets[at];
    const rules = rulesOf[at];
    if (!rules || rules.length === 0 || sheet.disabled) continue;
    const count = Math.min(rules.length, left);
    if (isEdited(sheet, rules, count)) return sheet;
    left -= count;
  }
  turn++;
  return null;
};

const noteEdited = (sheet) => {
  editedSheets.add(sheet);
  ruleTexts.delete(sheet);
};

const compareRules = (root, sheets, rulesOf) => {
  const hasMany = countRules(rulesOf) > CHECKED_RULES;
  if (hasMany) compareLater(root);
  return findEdited(sheets, rulesOf, hasMany ? CHECKED_OF_MANY : CHECKED_RULES);
};

const isUnedited = (root, sheets, rulesOf) => {
  const edited = compareRules(root, sheets, rulesOf);
  if (edited !== null) noteEdited(edited);
  return edited === null;
};

// Compares all rules of a root, a few in each step.
const compareAll = function* (root) {
  for (const sheet of sheetsOf(root)) {
    const rules = sheet.disabled ? null : readableRules(sheet);
    for (let left = rules ? rules.length : 0; left > 0; left -= CHECKED_WHEN_IDLE) {
      if (isEdited(sheet, rules, Math.min(CHECKED_WHEN_IDLE, rules.length))) {
        noteEdited(sheet);
        scansByRoot.delete(root);
        return;
      }
      yield;
    }
  }
};

// By root: the comparison that goes on, and how many steps it may still take. Each walk allows some, and they are short, so
// that neither the page nor the next walk has to wait for them.
const comparisons = new WeakMap();
const STEPS_OF_WALK = 40;
const MOST_MS_AT_ONCE = 2;

const compareLater = (root) => {
  const known = comparisons.get(root);
  if (known !== undefined) {
    if (known.left === 0) whenIdle(known.compareSome);
    known.left = STEPS_OF_WALK;
    return;
  }
  const steps = compareAll(root);
  const comparison = { left: STEPS_OF_WALK, compareSome: () => {
    const began = performance.now();
    while (comparison.left > 0 && performance.now() - began < MOST_MS_AT_ONCE) {
      comparison.left--;
      if (steps.next().done) {
        comparisons.delete(root);
        return;
      }
    }
    if (comparison.left > 0) whenIdle(comparison.compareSome);
  } };
  comparisons.set(root, comparison);
  whenIdle(comparison.compareSome);
};

// The scan is kept while the list of sheets, the number of their rules and the rules that are checked stay the same.
const scanOf = (root) => {
  const sheets = sheetsOf(root);
  const rulesOf = sheets.map(readableRules);
  const key = sheets.map((sheet, i) => keyOf(sheet, rulesOf[i])).join('');
  const known = scansByRoot.get(root);
  if (known && known.key === key && isUnedited(root, sheets, rulesOf)) return known.scan;
  const scan = emptyScan();
  for (const sheet of sheets) if (!sheet.disabled) scanSheet(scan, sheet);
  scansByRoot.set(root, { key, scan });
  // Later edits are noticed only in rules that were seen before.
  if (countRules(rulesOf) > CHECKED_RULES) compareLater(root);
  else findEdited(sheets, rulesOf, CHECKED_RULES);
  return scan;
};

// Elements that an animation or transition changes now, of a script as well: rules do not tell what they look like.
const animatedIn = (root) => {
  const animations = kindOf(root) === DOCUMENT ? documentAnimations.call(root) : root.getAnimations();
  if (animations.length === 0) return NOT_ANIMATED;
  return new Set(animations.map(({ effect }) => effect && effect.target));
};
const documentAnimations = Document.prototype.getAnimations;
const NOT_ANIMATED = new Set();
