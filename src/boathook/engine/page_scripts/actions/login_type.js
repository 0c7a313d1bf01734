// Enters text into one field, and nowhere else: checked and done in one task, so that no page script runs in
// between. The field is checked again after its focus listeners have run.
(id, origin, secret, text) => {
  const el = globalThis.__boathook.get(id);
  if (!el) return { problem: 'replaced' };
  const connected = () => Object.getOwnPropertyDescriptor(Node.prototype, 'isConnected').get.call(el);
  const ownDocument = Object.getOwnPropertyDescriptor(Node.prototype, 'ownerDocument').get.call(el);
  const view = () => Object.getOwnPropertyDescriptor(Document.prototype, 'defaultView').get.call(ownDocument);
  const kind = el.type;
  const trouble = () => {
    if (!connected() || !view()) return { problem: 'replaced' };
    if (view().origin !== origin) return { problem: 'origin', origin: String(view().origin) };
    if (el.type !== kind || (secret && kind !== 'password') || el.disabled || el.readOnly) return { problem: 'changed' };
    return null;
  };
  const before = trouble();
  if (before) return before;
  el.focus({ preventScroll: true });
  const after = trouble();
  if (after) return after;
  const root = /** @type {ShadowRoot} */ (Node.prototype.getRootNode.call(el));
  if (root.activeElement !== el) return { problem: 'focus' };
  el.select();
  if (text === null) return { ready: true };
  Document.prototype.execCommand.call(ownDocument, 'insertText', false, text);
  return { taken: el.value === text };
}
