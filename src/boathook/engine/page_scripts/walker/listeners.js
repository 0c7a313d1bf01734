// Which elements the page's own scripts listen at, as the probe of the page's world reports them (snapshot/listeners.py).
// Elements are numbered by their place in the document: both worlds count them in the same way.

const PRESSED = 1;
const DRAGGED = 2;
const DROPPED_ON = 4;
const ACTING = PRESSED | DRAGGED | DROPPED_ON;

// Elements that act, by kind; null while nothing is known of this document.
let actors = null;

const actsAt = (el) => (actors === null ? 0 : actors.get(el) || 0);

// Is there a tree inside of this element? Its elements are counted between the element and the next one.
const ENCLOSING = 8;
const treeInside = (el) => openShadowOf(el) || (tagOf(el) === 'IFRAME' ? documentInside(el) : null);

// Finds elements by their places, and looks at no others: `listed` has a gap and kinds for each element that acts or holds
// a tree. `count` grows to the number of all elements.
class Places {
  constructor(listed) {
    this.listed = listed;
    this.at = 0;
    this.next = listed.length ? listed[0] : -1;
    this.count = 0;
    this.found = new Map();
  }

  enter(root) {
    const all = queryAll(root, '*');
    let before = this.count;
    while (this.at < this.listed.length && this.next - before < all.length) {
      const inside = this.take(all[this.next - before]);
      if (inside === null) continue;
      const begin = this.count;
      this.enter(inside);
      before += this.count - begin;
    }
    this.count = before + all.length;
  }

  // What is listed next; the tree inside of it, if one is said to be there.
  take(el) {
    const kinds = this.listed[this.at + 1];
    if (el && kinds & ACTING) this.found.set(el, kinds & ACTING);
    this.count = this.next + 1;
    this.at += 2;
    if (this.at < this.listed.length) this.next += this.listed[this.at];
    return el && kinds & ENCLOSING ? treeInside(el) : null;
  }
}

// A page that changed since it was asked has another number of elements.
const learnActors = (listed, count) => {
  const places = new Places(listed);
  places.enter(document);
  if (places.count !== count) return false;
  actors = places.found.size ? places.found : null;
  return true;
};
