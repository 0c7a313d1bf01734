// Refs of this world: an element keeps its number for life, and a number never goes to another element.

const idsByElement = new WeakMap();
const elementsById = new Map();
const factsById = new Map();
let nextId = 1;
let firstNewId = 0;

const raiseBase = (base) => {
  if (base > nextId) nextId = base;
  firstNewId = 0;
};

const idOf = (el) => {
  let id = idsByElement.get(el);
  if (id === undefined) {
    id = nextId++;
    if (firstNewId === 0) firstNewId = id;
    idsByElement.set(el, id);
    elementsById.set(id, new WeakRef(el));
  }
  return id;
};

const remember = (id, role, name) => {
  const facts = factsById.get(id);
  if (facts === undefined) factsById.set(id, { role, name });
  else {
    facts.role = role;
    facts.name = name;
  }
};

const elementOf = (id) => {
  const reference = elementsById.get(id);
  const el = reference && reference.deref();
  // A document that its frame has left keeps its nodes connected.
  return el && connected(el) && ownerDocumentOf(el).defaultView ? el : null;
};

const aboutId = (id) => {
  const facts = factsById.get(id);
  return facts ? { role: facts.role, name: facts.name, connected: elementOf(id) !== null } : null;
};
