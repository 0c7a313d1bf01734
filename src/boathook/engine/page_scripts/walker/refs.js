// Refs of this world: an element keeps its number for life, and a number never goes to another element.

const recordsByElement = new WeakMap();
const recordsById = new Map();
let nextId = 1;
let firstNewId = 0;

const raiseBase = (base) => {
  if (base > nextId) nextId = base;
  firstNewId = 0;
};

// An error with a code that the engine knows (actions/asking.py), not with words for a reader.
const failure = (code) => new Error(`boathook:${code}`);

// Its number, and the role and name it had when it was last seen.
const recordOf = (el) => {
  let record = recordsByElement.get(el);
  if (record === undefined) {
    record = { id: nextId++, role: '', name: '', reference: new WeakRef(el) };
    if (firstNewId === 0) firstNewId = record.id;
    recordsByElement.set(el, record);
    recordsById.set(record.id, record);
  }
  return record;
};

const idOf = (el) => recordOf(el).id;

// Keeps what a numbered element is, so that one can say so when it is gone.
const remember = (id, role, name) => {
  const record = recordsById.get(id);
  record.role = role;
  record.name = name;
};

const numbered = (el, role, name) => {
  const record = recordOf(el);
  record.role = role;
  record.name = name;
  return record.id;
};

const elementOf = (id) => {
  const record = recordsById.get(id);
  const el = record && record.reference.deref();
  // A document that its frame has left keeps its nodes connected.
  return el && connected(el) && ownerDocumentOf(el).defaultView ? el : null;
};

const aboutId = (id) => {
  const record = recordsById.get(id);
  return record && record.role ? { role: record.role, name: record.name, connected: elementOf(id) !== null } : null;
};
