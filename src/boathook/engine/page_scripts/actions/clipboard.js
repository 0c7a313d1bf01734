// Pastes and copies that we cause are kept from the page: this listens before any of its scripts have run.

let onClipboard = null;
let pastedText = null;
let pasteIsCaughtBy = null;
const takeClipboardEvent = (event) => {
  if (!onClipboard) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  onClipboard(event.clipboardData);
};
for (const type of ['copy', 'paste']) addEventListener(type, takeClipboardEvent, { capture: true });

const documentWithFocus = () => {
  let doc = document;
  for (;;) {
    const at = activeElementOf(doc);
    if (!at || !/^I?FRAME$/.test(tagOf(at))) return doc;
    doc = documentInside(at);
    if (!doc) return null;
  }
};

const armPaste = () => {
  pastedText = null;
  onClipboard = (data) => { pastedText = data.getData('text/plain'); };
};

const disarmPaste = () => {
  onClipboard = null;
  return pastedText;
};

// The next paste is ours. False if it would go to a document that we cannot intercept.
const catchPaste = () => {
  const doc = documentWithFocus();
  pasteIsCaughtBy = doc === document ? api : (doc && windowOf(doc).__boathook) || null;
  if (!pasteIsCaughtBy) return false;
  pasteIsCaughtBy.armPaste();
  return true;
};

const caughtPaste = () => (pasteIsCaughtBy ? pasteIsCaughtBy.disarmPaste() : null);

// In a password field there is no copy event; then the newer way is tried. Returns the error, or nothing.
const giveToClipboard = async (text) => {
  let done = false;
  onClipboard = (data) => {
    data.setData('text/plain', text);
    done = true;
  };
  try {
    Document.prototype.execCommand.call(document, 'copy');
    if (!done) await navigator.clipboard.writeText(text);
  } catch (error) {
    return String(error.message || error).slice(0, 200);
  } finally {
    onClipboard = null;
  }
  return '';
};
