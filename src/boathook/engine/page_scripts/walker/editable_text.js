// The text of an editable region, line by line: a paragraph, list item or row is one line, however far apart they are shown.

const RUNS_ON = /^(?:inline|contents|ruby)/;
const KEEPS_NEWLINES = /^(?:pre|break-spaces)/;
const WITHOUT_TEXT = setOf('SCRIPT STYLE TEMPLATE TEXTAREA SELECT IFRAME');
// Editors put these where the caret shall stand.
const INVISIBLE_MARKS = /[\u200b\u2060\ufeff]/g;

const editableText = (host, most = Infinity) => editableLines(host, most).join('\n');

/** @returns {string[]} */
const editableLines = (host, most) => {
  const lines = [];
  let line = null;
  let length = 0;
  const endLine = () => {
    lines.push(line || '');
    length += lines[lines.length - 1].length;
    line = null;
  };
  const addText = (data, whiteSpace) => {
    const text = data.replace(INVISIBLE_MARKS, '');
    if (KEEPS_NEWLINES.test(whiteSpace)) {
      const parts = text.split('\n');
      parts.forEach((part, at) => {
        if (part) line = (line || '') + part;
        if (at < parts.length - 1) endLine();
      });
      return;
    }
    const spaced = text.replace(/[ \t\r\n\f]+/g, ' ');
    const more = line === null || line.endsWith(' ') ? spaced.replace(/^ /, '') : spaced;
    if (more) line = (line || '') + more;
  };
  const addRow = (row) => {
    lines.push([...childrenOf(row)].map((cell) => editableLines(cell, most).join(' ')).join('\t'));
  };
  const addChildren = (parent, whiteSpace) => {
    for (let node = firstChildOf(parent); node && length < most; node = nextSiblingOf(node)) {
      if (kindOf(node) === TEXT) addText(node.data, whiteSpace);
      else if (kindOf(node) === ELEMENT) addElement(node);
    }
  };
  const addElement = (el) => {
    if (tagOf(el) === 'BR') endLine();
    const style = getComputedStyle(el);
    if (WITHOUT_TEXT.has(tagOf(el)) || style.display === 'none') return;
    const isBlock = !RUNS_ON.test(style.display);
    if (isBlock && line !== null) endLine();
    if (style.display === 'table-row') addRow(el);
    else addChildren(el, style.whiteSpace);
    if (isBlock && line !== null) endLine();
  };
  addChildren(host, getComputedStyle(host).whiteSpace);
  if (line !== null) endLine();
  return lines;
};
