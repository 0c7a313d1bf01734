// What no script in the page can know: values of CSS counters, and what custom elements say through their internals.
// A walk notes where such facts are missing, the engine asks Chromium (snapshot/ask_chromium.py) and stores the answers here.

// Fewer questions than this are always allowed; more only up to a share of the page's nodes.
const ASKED_AT_LEAST = 20;
const NODES_PER_QUESTION = 100;

// By element: { before, after, internals: { role, name, isContent, value, states } }.
const learned = new WeakMap();
let knowsInternals = false;
// Custom tags whose elements say nothing through internals are not asked about again.
const silentTags = new Set();
let questions = new Map();
// The elements that were asked about, by a number that is not a ref: questions leave no gaps between refs.
const asked = new Map();
let lastAsked = 0;
const MOST_ASKED = 5000;

const forgetQuestions = () => {
  questions = new Map();
};

const wonder = (el, fact) => {
  const facts = questions.get(el);
  if (facts === undefined) questions.set(el, new Set([fact]));
  else facts.add(fact);
};

const internalsOf = (el) => {
  if (!knowsInternals) return null;
  const known = learned.get(el);
  return (known && known.internals) || null;
};

// Every custom element passes here once per walk; the tree walk tells by the dash in its tag.
const noteCustomElement = (el, tag) => {
  if (silentTags.has(tag) || hasAttr(el, 'role')) return;
  noteVolatile(el);
  if (matches(el, ':defined')) wonder(el, 'internals');
};

// The text of a box whose content contains counters, or undefined until Chromium has answered.
const countedText = (el, which) => {
  noteVolatile(el);
  const fact = which.slice(2);
  wonder(el, fact);
  const known = learned.get(el);
  return known && known[fact];
};

// What to ask, as [number, facts]: elements that nothing is known about first.
const questionsFor = (nodes) => {
  const most = Math.max(ASKED_AT_LEAST, Math.floor(nodes / NODES_PER_QUESTION));
  const all = [...questions];
  const open = all.filter(([el]) => !learned.has(el));
  const chosen = open.length < most ? open.concat(all.filter(([el]) => learned.has(el))) : open;
  return chosen.slice(0, most).map(([el, facts]) => [askedNumber(el), [...facts]]);
};

const askedNumber = (el) => {
  if (asked.size > MOST_ASKED) asked.clear();
  asked.set(++lastAsked, new WeakRef(el));
  return lastAsked;
};

const askedElement = (number) => (asked.has(number) && asked.get(number).deref()) || null;

const rememberInternals = (el, given) => {
  const tag = tagOf(el);
  if (!given && !RULES.has(tag)) silentTags.add(tag);
  if (!given) return;
  knowsInternals = true;
  silentTags.delete(tag);
  if (RULES.has(tag)) return;
  RULES.set(tag, internalRole);
  knownKinds.delete(tag);
};
const internalRole = (el, tag, flags) => {
  const given = internalsOf(el);
  if (given) return given.role;
  return flags & HAS.POPOVER ? 'group' : 'generic';
};

// Stores answers; true if one differs from what was known, so that a second walk shows something else.
const learn = (answers) => {
  let isNews = false;
  for (const [number, facts] of answers) {
    const el = askedElement(number);
    asked.delete(number);
    if (!el) continue;
    const before = learned.get(el) || {};
    const after = { ...before, ...facts };
    learned.set(el, after);
    if ('internals' in facts) rememberInternals(el, facts.internals);
    const saysNothing = Object.values(facts).every((fact) => fact === null) && !Object.keys(before).length;
    if (!saysNothing && JSON.stringify(before) !== JSON.stringify(after)) isNews = true;
  }
  if (isNews) forgetCaches();
  return isNews;
};
