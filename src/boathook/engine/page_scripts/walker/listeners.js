// Which elements the page's own scripts listen at, as the probe of the page's world reports them (snapshot/listeners.py).
// Elements are numbered by their place in the document: both worlds count them in the same way.

const PRESSED = 1;
const DRAGGED = 2;
const DROPPED_ON = 4;
const ACTING = PRESSED | DRAGGED | DROPPED_ON;

// Elements that act, by kind; null while nothing is known of this document.
let actors = null;

const actsAt = (el) => (actors === null ? 0 : actors.get(el) || 0);

// In the order of the document; what a shadow root or a frame holds follows its host at once.
const eachElement = (visit) => {
  const enter = (root) => {
    const all = queryAll(root, '*');
    for (let i = 0; i < all.length; i++) {
      const el = all[i];
      visit(el);
      const inside = openShadowOf(el) || (el.tagName === 'IFRAME' ? documentInside(el) : null);
      if (inside) enter(inside);
    }
  };
  enter(document);
};

// `listed` has a gap and kinds for each element that acts; a page that changed since it was asked has another number of
// elements.
const learnActors = (listed, count) => {
  const found = new Map();
  let place = 0;
  let at = 0;
  let next = listed.length ? listed[0] : -1;
  eachElement((el) => {
    if (place === next) {
      found.set(el, listed[at + 1]);
      at += 2;
      next = at < listed.length ? place + listed[at] : -1;
    }
    place++;
  });
  if (place !== count) return false;
  actors = found.size ? found : null;
  return true;
};
