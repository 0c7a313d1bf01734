// Scrolls through a list and keeps what it sees. Evaluates to a function that begins; needs the walker's API.

((wanted, firstId, withinId) => {
  // A form's fields hide its properties by their names, so everything is read through the prototypes.
  const getter = (proto, name) => {
    const { get } = Object.getOwnPropertyDescriptor(proto, name);
    return (node) => get.call(node);
  };
  const wordsOf = getter(Node.prototype, 'textContent');
  const shownWordsOf = getter(HTMLElement.prototype, 'innerText');
  const documentOf = getter(Node.prototype, 'ownerDocument');
  const scrollTopOf = getter(Element.prototype, 'scrollTop');
  const heightOf = getter(Element.prototype, 'scrollHeight');
  const roomOf = getter(Element.prototype, 'clientHeight');
  const { getAttribute, getBoundingClientRect, checkVisibility, querySelector, scrollTo } = Element.prototype;
  const { getRootNode } = Node.prototype;
  const attr = (el, name) => getAttribute.call(el, name);
  const squeezed = (text) => (text || '').replace(/\s+/g, ' ').trim();
  const LONGEST = 2000;
  const SAME_PLACE = 2;
  const INDEX = ['aria-posinset', 'aria-rowindex', 'data-index', 'data-item-index', 'data-row-index'];
  const IDENTITY = ['id', 'data-id', 'data-key', 'data-item-id', 'data-item-key'];

  const up = (el) => __boathook.flatParent(el);
  const isIn = (el, around) => {
    for (let at = up(el); at; at = up(at)) if (at === around) return true;
    return false;
  };
  const within = withinId ? __boathook.get(withinId) : null;
  const first = within ? __boathook.matching(wanted).find((el) => isIn(el, within)) : __boathook.get(firstId);
  if (!first) return false;
  const doc = documentOf(first);
  const page = doc.scrollingElement || doc.documentElement;

  const scrolls = (el) => heightOf(el) > roomOf(el) + 1 && /auto|scroll|overlay/.test(doc.defaultView.getComputedStyle(el).overflowY);
  const boxAround = () => {
    for (let at = up(first); at && at !== doc.body && at !== doc.documentElement; at = up(at)) if (scrolls(at)) return at;
    return page;
  };
  const box = boxAround();
  const holder = within || (box === page ? null : box);

  const isInside = (el) => documentOf(el) === doc && (!holder || isIn(el, holder));
  const valueOf = (el, names) => {
    for (const name of names) {
      const value = attr(el, name);
      if (value) return `${name}=${value}`;
    }
    return '';
  };

  // Lists often number not the item itself but what holds it alone.
  const numbersOf = (els) => {
    const found = new Map();
    const used = new Map();
    for (const el of els) {
      let at = el;
      for (let steps = 0; at && at !== box && steps < 3; at = up(at), steps++) {
        const index = valueOf(at, INDEX);
        if (!index) continue;
        found.set(el, { at, index });
        used.set(at, (used.get(at) || 0) + 1);
        break;
      }
    }
    return (el) => {
      const one = found.get(el);
      return one && used.get(one.at) === 1 ? one.index : '';
    };
  };

  const topIn = () => (box === page ? 0 : getBoundingClientRect.call(box).top);
  const labelOf = (el) => {
    const image = querySelector.call(el, 'img[alt]');
    return squeezed(attr(el, 'aria-label') || (image && attr(image, 'alt')) || '');
  };
  let wordless = 0;
  let lowest = 0;

  // Everything that is in the list now, in the order in which it is seen.
  const look = () => {
    const els = __boathook.matching(wanted).filter((el) => isInside(el) && checkVisibility.call(el));
    const numberOf = numbersOf(els);
    const offset = scrollTopOf(box) - topIn();
    const seen = new Map();
    wordless = 0;
    lowest = 0;
    const items = [];
    for (const el of els) {
      const said = squeezed(wordsOf(el)) || labelOf(el);
      if (!said) {
        wordless += 1;
        continue;
      }
      const index = numberOf(el);
      const rect = getBoundingClientRect.call(el);
      lowest = Math.max(lowest, rect.bottom + offset);
      const identity = index || valueOf(el, IDENTITY);
      let key = identity ? `${identity}\n${said}` : '';
      const times = seen.get(key) || 0;
      seen.set(key, times + 1);
      if (key && times) key += `\n${times}`;
      items.push({ el, said, index, key, top: rect.top + offset, left: rect.left });
    }
    const isPlaced = (item) => doc.defaultView.getComputedStyle(item.el).position === 'absolute';
    // Lists that use their rows again leave them in any order, and put each where it belongs.
    return items.length && items.every(isPlaced) ? items.sort((a, b) => a.top - b.top || a.left - b.left) : items;
  };

  const entries = [];
  const byKey = new Map();
  const byElement = new WeakMap();
  const spoken = new Map();
  let fresh = [];
  const timesSpoken = (said) => spoken.get(said) || 0;
  const add = (item) => {
    const entry = { ...item, el: null, said: '', reference: null, number: entries.length };
    entries.push(entry);
    return meet(entry, item, true);
  };
  const meet = (entry, item, changed) => {
    entry.reference = new WeakRef(item.el);
    entry.top = item.top;
    byElement.set(item.el, entry);
    if (item.key) byKey.set(item.key, entry);
    if (!changed) return;
    if (entry.said) spoken.set(entry.said, timesSpoken(entry.said) - 1);
    spoken.set(item.said, timesSpoken(item.said) + 1);
    Object.assign(entry, { said: item.said, key: item.key });
    const text = item.el instanceof HTMLElement ? squeezed(shownWordsOf(item.el)) : item.said;
    fresh.push([entry.number, (text || item.said).slice(0, LONGEST).toWellFormed()]);
  };

  // The same element in the same place with other text was not ready when it was first seen.
  const isLate = (entry, item) => entry && entry.said !== item.said
    && (item.index ? entry.index === item.index : Math.abs(entry.top - item.top) <= SAME_PLACE);
  // "Loading" may come back where an item was already seen: repeated text identifies less.
  const tellsMore = (item, entry) => item.said !== entry.said && timesSpoken(item.said) <= timesSpoken(entry.said);

  const takeNamed = (item) => {
    const before = byElement.get(item.el);
    const known = byKey.get(item.key);
    if (known) meet(known, item, tellsMore(item, known));
    else if (isLate(before, item)) meet(before, item, tellsMore(item, before));
    else add(item);
  };

  // Without names, what is seen must continue what was seen: the longest end of it that is a beginning of this.
  const overlap = (items) => {
    let longest = 0;
    for (let size = Math.min(items.length, entries.length); size > 0; size--) {
      const start = entries.length - size;
      let same = 0;
      while (same < size && entries[start + same].said === items[same].said) same++;
      if (same < size) continue;
      longest = longest || size;
      const [last, there] = [entries[entries.length - 1], items[size - 1]];
      if (byElement.get(there.el) === last || Math.abs(last.top - there.top) <= SAME_PLACE) return size;
    }
    return longest;
  };

  const takeNameless = (items) => {
    const size = overlap(items);
    const places = new Map(size ? [] : entries.map((entry) => [`${entry.said}\n${Math.round(entry.top)}`, entry]));
    items.forEach((item, at) => {
      const before = byElement.get(item.el);
      if (at < size) meet(entries[entries.length - size + at], item, false);
      else if (size) later.push(item);
      else if (before && before.said === item.said) meet(before, item, false);
      else if (isLate(before, item)) meet(before, item, tellsMore(item, before));
      else later.push(item);
    });
    for (const item of later.splice(0)) {
      const known = places.get(`${item.said}\n${Math.round(item.top)}`);
      if (known) meet(known, item, false);
      else add(item);
    }
  };
  const later = [];

  const gather = () => {
    const items = look();
    if (items.every((item) => item.key)) items.forEach(takeNamed);
    else takeNameless(items);
  };

  let mutations = 0;
  const observer = new MutationObserver(() => { mutations += 1; });
  const watched = { subtree: true, childList: true, characterData: true };
  observer.observe(doc, watched);
  if (getRootNode.call(first) !== doc) observer.observe(getRootNode.call(first), watched);

  const frame = () => new Promise((done) => {
    requestAnimationFrame(() => done(undefined));
    setTimeout(done, 100);
  });
  const quiet = async (until) => {
    await frame();
    await frame();
    for (let before = -1; before !== mutations && performance.now() < until;) {
      before = mutations;
      await frame();
    }
  };
  const somethingNew = (ms) => new Promise((done) => {
    const noticed = new MutationObserver(() => { noticed.disconnect(); done(undefined); });
    noticed.observe(doc, watched);
    if (getRootNode.call(first) !== doc) noticed.observe(getRootNode.call(first), watched);
    setTimeout(() => { noticed.disconnect(); done(undefined); }, ms);
  });

  const go = (top) => {
    const before = scrollTopOf(box);
    Reflect.apply(scrollTo, box, [{ top, behavior: 'instant' }]);
    return scrollTopOf(box) !== before;
  };
  const isAtEnd = () => scrollTopOf(box) + roomOf(box) >= heightOf(box) - 2;
  const isBusy = () => {
    const at = querySelector.call(doc.documentElement, '[aria-busy=true], [role=progressbar], progress:not([value])');
    return Boolean(at && checkVisibility.call(at));
  };

  // On by most of what is seen; a list that is there already, however long, need not be seen bit by bit.
  const onwards = () => Math.max(scrollTopOf(box) + Math.max(40, roomOf(box) * 0.8), wordless ? 0 : lowest - roomOf(box));

  // One step: from the top at first, then on by most of what is seen, then waiting at the end.
  const step = async ({ start, cap, patience }) => {
    const until = performance.now() + cap;
    const known = entries.length;
    const height = heightOf(box);
    fresh = [];
    let moved = start ? go(0) : go(onwards());
    await quiet(until);
    gather();
    if (!start && isAtEnd() && entries.length === known && heightOf(box) === height) {
      await somethingNew(patience);
      await quiet(until + patience);
      gather();
      moved = moved || heightOf(box) !== height;
    }
    return { items: fresh, count: entries.length, grew: entries.length > known, moved, end: isAtEnd(), busy: isBusy() };
  };

  // Refs for those that are still on the page.
  const finish = (base) => {
    observer.disconnect();
    const alive = entries.map((entry) => [entry, entry.reference.deref()])
      .filter(([entry, el]) => el && el.isConnected && (squeezed(wordsOf(el)) || labelOf(el)) === entry.said);
    const { ids, first: firstNew, next } = __boathook.number(alive.map(([, el]) => el), base);
    delete globalThis.__boathookCollect;
    return { refs: alive.map(([entry], at) => [entry.number, ids[at]]), wordless, first: firstNew, next };
  };
  globalThis.__boathookCollect = { step, finish };
  return true;
})
