// What is known of a tag and of a role, as bits: one look-up per element instead of one for each set of names.

const LEAF_TAGS = setOf('INPUT TEXTAREA IMG PROGRESS METER EMBED VIDEO AUDIO HR OPTION AREA');
// Tags that have a box wherever the things around them have, unless rules or attributes say otherwise.
const BOXED_TAGS = setOf('DIV SPAN P A B I U S SMALL EM STRONG MARK CODE H1 H2 H3 H4 H5 H6 UL OL LI DL DT DD ' +
  'SECTION ARTICLE NAV MAIN HEADER FOOTER ASIDE BUTTON INPUT LABEL TEXTAREA SELECT IMG FORM FIELDSET TABLE ' +
  'THEAD TBODY TR TD TH');
const FRAME_TAGS = setOf('IFRAME FRAME FENCEDFRAME OBJECT');
const HOST_TAGS = setOf('ARTICLE ASIDE BLOCKQUOTE DIV FOOTER H1 H2 H3 H4 H5 H6 HEADER MAIN NAV P SECTION SPAN');

const SKIPPED = 1;
const RULED = 2;              // its role is not that of a plain wrapper
const LEAF = 4;
const BOX = 8;
const FRAME = 16;
const INLINE = 32;
const HOST = 64;
const CUSTOM = 128;
const ROOTED = 256;           // can have a shadow root
const STATEFUL = 512;
const VALUED = 1024;
const PASSING = 2048;         // it writes into the words around it, or can be met twice
const PASSING_TAGS = setOf('BR AREA');
const MOST_KINDS = 1000;
/** @type {[Set<string> | Map<string, any>, number][]} */
const KINDS = [
  [SKIPPED_TAGS, SKIPPED], [RULES, RULED], [LEAF_TAGS, LEAF], [BOXED_TAGS, BOX], [FRAME_TAGS, FRAME], [INLINE_TAGS, INLINE],
  [HOST_TAGS, HOST], [STATEFUL_TAGS, STATEFUL], [VALUED_TAGS, VALUED],
  [PASSING_TAGS, PASSING],
];
const knownKinds = new Map();
const kindOfTag = (tag) => {
  const kind = knownKinds.get(tag);
  return kind === undefined ? learnKind(tag) : kind;
};

const learnKind = (tag) => {
  let kind = tag.includes('-') ? CUSTOM | ROOTED : 0;
  for (const [tags, bit] of KINDS) if (tags.has(tag)) kind |= bit;
  // In XHTML tags are in lower case.
  if (tag === 'BODY' || tag === 'body' || HOST_TAGS.has(tag.toUpperCase())) kind |= ROOTED;
  if (knownKinds.size > MOST_KINDS) knownKinds.clear();
  knownKinds.set(tag, kind);
  return kind;
};

// The shadow root, of elements that can have one.
const ROOTS = noteAnswers((was, el) => (was === null && !knowsClosedRoots ? el.shadowRoot === null : shadowOf(el) === was), SUBTREE);
const shadowIn = (el, tag) => {
  if (!(kindOfTag(tag) & ROOTED)) return null;
  const root = shadowOf(el);
  if (noting) ROOTS.set(el, root);
  return root;
};

const CONTROL = 1;
const PLACE = 2;
const CONTENT = 4;
const HAS_STATES = 8;
const HAS_VALUE = 16;
/** @type {[Set<string>, number][]} */
const ROLE_KINDS = [
  [CONTROL_ROLES, CONTROL], [PLACE_ROLES, PLACE], [CONTENT_ROLES, CONTENT], [STATEFUL_ROLES, HAS_STATES],
  [RANGES, HAS_VALUE], [setOf('textbox searchbox combobox'), HAS_VALUE],
];
const knownRoles = new Map();
const kindOfRole = (role) => {
  const kind = knownRoles.get(role);
  return kind === undefined ? learnRole(role) : kind;
};

const learnRole = (role) => {
  let kind = 0;
  for (const [roles, bit] of ROLE_KINDS) if (roles.has(role)) kind |= bit;
  if (knownRoles.size > MOST_KINDS) knownRoles.clear();
  knownRoles.set(role, kind);
  return kind;
};
