// Secret values: which fields hold one, and which values of the page must not be printed.

const SECRET_FILLS = /\b(?:cc-number|cc-csc|one-time-code|current-password|new-password)\b/;
const SECRET_DOTS = '\u2022\u2022\u2022\u2022';

// A page that shows a password turns its field into one for text; what was a secret stays one.
const wasPassword = new WeakSet();
const typeChanges = new MutationObserver((records) => noteTypes(records));
const noteTypes = (records) => {
  for (const { oldValue, target } of records) if (/^password$/i.test(oldValue || '')) wasPassword.add(target);
};
typeChanges.observe(document, { subtree: true, attributes: true, attributeFilter: ['type'], attributeOldValue: true });

const isSecret = (el) => {
  if (el.type === 'password') wasPassword.add(el);
  return wasPassword.has(el) || SECRET_FILLS.test(attr(el, 'autocomplete') || '');
};

// A value that leaves the page marked: the engine never prints what it is given so.
const markSecret = (el, value) => (value && typeof value === 'string' && isSecret(el) ? { secret: value } : value);

const MOST_SECRETS = 50;
const LONGEST_SECRET = 4096;
const STORED_SECRET = /token|secret|auth|sess|sid|jwt|passw|pwd|key|cred|csrf|xsrf|user|login|account|profile/i;

const storedSecrets = () => {
  const found = [];
  for (const area of ['localStorage', 'sessionStorage']) {
    try {
      const items = globalThis[area];
      for (let at = 0; at < items.length && found.length < MOST_SECRETS; at++) {
        const name = items.key(at);
        const value = STORED_SECRET.test(name) ? items.getItem(name) : '';
        if (value && value.length <= LONGEST_SECRET) found.push([name, value]);
      }
    } catch { /* this document has no storage */ }
  }
  return found;
};

// What the page holds now that must not be printed: values of secret fields, and stored values with telling names.
const secretsNow = () => {
  noteTypes(typeChanges.takeRecords());
  const fields = [];
  for (const el of everywhere('input, textarea')) {
    if (fields.length < MOST_SECRETS && el.value && el.value.length <= LONGEST_SECRET && isSecret(el)) fields.push(el.value);
  }
  return { fields, stored: storedSecrets() };
};
