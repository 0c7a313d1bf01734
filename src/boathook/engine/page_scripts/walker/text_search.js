// Finding elements by the text that they show: one pass collects the shown text of a document or shadow root, and each
// occurrence leads to the smallest element that contains it.

const SILENT = setOf('SCRIPT STYLE TEMPLATE NOSCRIPT HEAD script style title desc');
const isBlock = (tag) => !INLINE_TAGS.has(tag);

class TextIndex {
  constructor(root, includeHidden) {
    this.text = '';
    this.starts = [];          // where each piece of text begins
    this.holders = [];         // and the element that directly contains it
    this.includeHidden = includeHidden;
    this.collect(root);
    // The only letter whose lower case is longer would shift all positions after it.
    this.lower = this.text.replaceAll('İ', 'i').toLowerCase();
  }

  collect(root) {
    let node = root;
    while (node) {
      const isElement = kindOf(node) === ELEMENT;
      if (kindOf(node) === TEXT) this.add(node);
      if (isElement && isBlock(tagOf(node))) this.separate();
      const child = isElement && SILENT.has(tagOf(node)) ? null : firstChildOf(node);
      node = child || this.nextAfter(node, root);
    }
  }

  nextAfter(node, root) {
    let at = node;
    while (at && at !== root) {
      if (kindOf(at) === ELEMENT && isBlock(tagOf(at))) this.separate();
      const next = nextSiblingOf(at);
      if (next) return next;
      at = parentOf(at);
    }
    return null;
  }

  separate() {
    if (this.text && !this.text.endsWith(' ')) this.text += ' ';
  }

  add(node) {
    const words = node.data.replace(/\s+/g, ' ');
    const holder = parentOf(node);
    if (words === ' ') this.separate();
    if (words === ' ' || !words || kindOf(holder) !== ELEMENT && !hostOf(holder)) return;
    const element = kindOf(holder) === ELEMENT ? holder : hostOf(holder);
    if (!this.includeHidden && !this.isShown(element)) return;
    const piece = this.text.endsWith(' ') ? words.trimStart() : words;
    this.starts.push(this.text.length);
    this.holders.push(holder);
    this.text += piece;
  }

  // Siblings share their parent's answer.
  isShown(element) {
    if (this.lastAsked !== element) {
      this.lastAsked = element;
      this.lastShown = isShown(element) || (isContents(element) && isBoxed(element));
    }
    return this.lastShown;
  }

  // The piece that contains a position.
  pieceAt(position) {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  elementsOf(value, exact) {
    const wanted = value.replaceAll('İ', 'i').toLowerCase();
    const found = new Set();
    if (!wanted) return found;
    for (let at = this.lower.indexOf(wanted); at >= 0; at = this.lower.indexOf(wanted, at + wanted.length)) {
      const [first, last] = [this.pieceAt(at), this.pieceAt(at + wanted.length - 1)];
      const holder = commonHolder(this.holders[first], this.holders[last]);
      if (holder && (!exact || sameText(this.textOf(holder, first, last), value, exact))) found.add(holder);
    }
    return found;
  }

  // All the text of an element, given two pieces in it.
  textOf(holder, first, last) {
    let [from, to] = [first, last];
    while (from > 0 && holder.contains(this.holders[from - 1])) from--;
    while (to + 1 < this.holders.length && holder.contains(this.holders[to + 1])) to++;
    return this.text.slice(this.starts[from], this.starts[to + 1]).trim();
  }
}

const commonHolder = (one, other) => {
  let at = one;
  while (at && at !== other && !at.contains(other)) at = parentOf(at);
  return at && kindOf(at) === ELEMENT ? at : at && hostOf(at);
};

// Without those that contain another one.
const innermost = (found) => {
  const around = new Set();
  for (const el of found) {
    for (let at = parentOf(el); at && !around.has(at); at = parentOf(at)) around.add(at);
  }
  return [...found].filter((el) => !around.has(el));
};

const elementsWithText = (value, exact, includeHidden) => allRoots().flatMap((root) => {
  const start = kindOf(root) === DOCUMENT ? documentElementOf(root) : root;
  return start ? innermost(new TextIndex(start, includeHidden).elementsOf(value, exact)) : [];
});
