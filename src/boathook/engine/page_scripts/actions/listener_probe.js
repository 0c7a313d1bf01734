// Which elements of a page listen, asked in the page's own world: an expression with the command line API, whose value is
// a function. Its answer is the number of elements and a list of gaps between places and of kinds. It calls no getters or
// functions of the page; what a proxy runs anyway is ended by the time limit.

(() => {
  const PRESSED = 1;
  const DRAGGED = 2;
  const DROPPED_ON = 4;
  // Another tree is inside: its elements are counted before the next one.
  const ENCLOSING = 8;
  // A listener of this many types is a framework's, which hands the events on.
  const MOST_TYPES = 25;
  const MOST_FOUND = 20000;
  // An element that holds more than this is a container, whatever listens at it.
  const MOST_HELD = 60;
  const KINDS = {
    click: PRESSED, dblclick: PRESSED, mousedown: PRESSED, mouseup: PRESSED, pointerdown: PRESSED, pointerup: PRESSED,
    touchstart: PRESSED, touchend: PRESSED, contextmenu: PRESSED, dragstart: DRAGGED, drop: DROPPED_ON,
  };
  const REACT = { onClick: PRESSED, onDoubleClick: PRESSED, onMouseDown: PRESSED, onMouseUp: PRESSED, onPointerDown: PRESSED,
    onPointerUp: PRESSED, onTouchStart: PRESSED, onContextMenu: PRESSED, onDragStart: DRAGGED, onDrop: DROPPED_ON };
  const KEYS = ['keydown', 'keyup', 'keypress'];
  const listenersAt = getEventListeners;
  const describe = Object.getOwnPropertyDescriptor;
  const namesOf = Object.getOwnPropertyNames;
  const sourceOf = Function.prototype.toString;
  let found = new Map();
  // What was heard of each element: asking for its listeners takes longer than all the rest.
  const heard = new WeakMap();

  const dataOf = (object, name) => {
    const entry = object !== null && (typeof object === 'object' || typeof object === 'function') ? describe(object, name) : undefined;
    return entry && 'value' in entry ? entry.value : undefined;
  };
  const add = (el, kinds) => {
    if (kinds && found.size < MOST_FOUND) found.set(el, (found.get(el) || 0) | kinds);
  };

  // Does a handler look at where the event came from, or may it, being bound? Then it serves what is inside.
  const isDelegating = (entries, isList) => entries.some(({ listener }) => {
    try {
      const source = sourceOf.call(listener);
      return /\btarget\b|\bsrcElement\b|composedPath|\bclosest\b/.test(source) || (isList && source.includes('[native code]'));
    } catch {
      return false;
    }
  });

  const LISTS = { UL: 'LI', OL: 'LI', MENU: 'LI', DL: 'DT', TABLE: 'TD', TBODY: 'TD', THEAD: 'TH', TR: 'TD', g: '', svg: '' };
  const itemsOf = (el) => {
    const item = LISTS[el.tagName];
    if (item) return [...el.getElementsByTagName(item)].filter((one) => item !== 'LI' || one.parentNode === el);
    const children = [...el.children];
    const [first] = children;
    if (!first || children.length < 2) return [];
    if (item === '') return children.filter((one) => !/^(?:defs|style|title|desc|g)$/.test(one.tagName));
    const alike = (one) => one.tagName === first.tagName && one.classList[0] === first.classList[0];
    return children.every(alike) ? children : [];
  };

  // Selectors that a handler's source compares the target with: what they match is what it serves.
  const SELECTORS = /\b(?:closest|matches)\(\s*(['"`])([^'"`$\\]{1,80})\1\s*\)/g;
  const selectorsOf = (entries) => {
    const selectors = [];
    for (const { listener } of entries) {
      try {
        for (const [, , selector] of sourceOf.call(listener).matchAll(SELECTORS)) selectors.push(selector);
      } catch {
        // an object with handleEvent
      }
    }
    return selectors;
  };
  const selectedIn = (el, selectors) => {
    const chosen = new Set();
    for (const selector of selectors) {
      try {
        for (const one of el.querySelectorAll(selector)) chosen.add(one);
      } catch {
        // a selector of another kind
      }
    }
    return [...chosen];
  };

  // What the handlers of a press do, as far as their sources tell.
  const pressedBy = (el, entries) => {
    if (!entries.length) return null;
    const delegating = isDelegating(entries, el.tagName in LISTS);
    return { delegating, selectors: delegating ? selectorsOf(entries) : [] };
  };

  // What is pressed: the element itself, or what it holds, if its handler asks for the target.
  const addPressed = (el, pressed) => {
    if (el.tagName === 'BODY' || el.tagName === 'HTML' || el.tagName === 'FORM') return;
    const inner = el.childElementCount ? el.getElementsByTagName('*').length : 0;
    const delegating = inner > 1 && pressed.delegating;
    const selected = delegating ? selectedIn(el, pressed.selectors) : [];
    const items = selected.length || !delegating ? selected : itemsOf(el);
    if (items.length) for (const item of items) add(item, PRESSED);
    else if (inner <= (delegating ? 12 : MOST_HELD)) add(el, PRESSED);
  };

  const hear = (el) => {
    const listeners = listenersAt(el);
    const types = namesOf(listeners);
    if (!types.length || types.length > MOST_TYPES) return null;
    const pressed = [];
    let kinds = 0;
    for (const type of types) {
      const kind = KINDS[type];
      const entries = listeners[type].filter(({ listener }) => listener && !isJquery(listener));
      if (kind === PRESSED) pressed.push(...entries);
      else if (entries.length) kinds |= kind || (KEYS.includes(type) && el.hasAttribute('tabindex') ? PRESSED : 0);
    }
    return pressed.length || kinds ? { pressed: pressedBy(el, pressed), kinds } : null;
  };

  const addHeard = (el, { pressed, kinds }) => {
    if (pressed) addPressed(el, pressed);
    if (kinds && el.tagName !== 'BODY' && el.tagName !== 'HTML') add(el, kinds);
  };

  // jQuery keeps its handlers in its own data; what it adds to the element only calls them.
  const isJquery = (listener) => {
    try {
      return /\.event\.dispatch\.apply|\.event\.triggered!==/.test(sourceOf.call(listener).replace(/\s+/g, ''));
    } catch {
      return false;
    }
  };

  const addSelected = (el, selector) => {
    try {
      for (const one of el.querySelectorAll(selector)) add(one, PRESSED);
    } catch {
      // a selector of jQuery's own kind
    }
  };

  const addJquery = (el, data) => {
    const events = dataOf(data, 'events');
    if (!events) return;
    const own = [];
    for (const type of namesOf(events)) {
      const kind = KINDS[type];
      const handlers = dataOf(events, type);
      if (!kind || !Array.isArray(handlers)) continue;
      for (let i = 0; i < handlers.length; i++) {
        const selector = dataOf(handlers[i], 'selector');
        if (typeof selector === 'string') addSelected(el, selector);
        else if (kind === PRESSED) own.push({ listener: dataOf(handlers[i], 'handler') });
        else add(el, kind);
      }
    }
    if (own.length) addPressed(el, pressedBy(el, own));
  };

  const addProps = (el, props) => {
    if (props === null || typeof props !== 'object') return;
    for (const name of namesOf(props)) {
      const kind = REACT[name];
      const handler = kind && dataOf(props, name);
      if (typeof handler !== 'function') continue;
      if (kind === PRESSED) addPressed(el, pressedBy(el, [{ listener: handler }]));
      else add(el, kind);
    }
  };

  // Before version 3 an element has a number only, and the data are in a cache.
  const jqueryData = (kept) => (typeof kept === 'number' ? dataOf(dataOf(dataOf(globalThis, 'jQuery'), 'cache'), String(kept)) : kept);

  const SVELTE = { __click: PRESSED, __mousedown: PRESSED, __pointerdown: PRESSED, $$click: PRESSED, $$mousedown: PRESSED,
    $$pointerdown: PRESSED };
  // What frameworks that listen in one place keep at an element.
  const addFramework = (el, names) => {
    for (const name of names) {
      if (name.startsWith('__reactProps$') || name.startsWith('__reactEventHandlers$')) addProps(el, dataOf(el, name));
      else if (SVELTE[name] && dataOf(el, name)) add(el, PRESSED);
      else if (name.startsWith('jQuery') && name.length > 12) addJquery(el, jqueryData(dataOf(el, name)));
    }
  };

  // Nothing listens at it, and no framework keeps anything at it: what they keep is there from the start or comes with a listener.
  const SILENT = { pressed: null, kinds: 0 };
  const ask = (el, known) => {
    const names = namesOf(el);
    if (names.length) addFramework(el, names);
    const now = known === undefined ? hear(el) : known;
    if (known === undefined) heard.set(el, now === null && !names.length ? SILENT : now);
    if (now !== null) addHeard(el, now);
  };

  // In each of as many turns, those elements are asked again that have the same remainder.
  const TURNS = 8;
  let turn = 0;
  let places = [];
  let asksAll = true;
  const enter = (root) => {
    const all = root.querySelectorAll('*');
    for (let i = 0; i < all.length; i++) {
      const el = all[i];
      places.push(el);
      const known = asksAll || i % TURNS === turn ? undefined : heard.get(el);
      if (known !== SILENT) ask(el, known);
      const inside = el.shadowRoot || (el.tagName === 'IFRAME' ? documentIn(el) : null);
      if (inside) {
        found.set(el, (found.get(el) || 0) | ENCLOSING);
        enter(inside);
      }
    }
  };
  const documentIn = (frame) => {
    try {
      return frame.contentDocument;
    } catch {
      return null;
    }
  };
  const listed = () => {
    const list = [];
    let last = 0;
    if (found.size) for (let i = 0; i < places.length; i++) {
      const kinds = found.get(places[i]);
      if (kinds === undefined) continue;
      list.push(i - last, kinds);
      last = i;
    }
    return list;
  };
  // Asks everything again if a listener may have been added, and otherwise what is new and a part of the rest.
  return (all) => {
    asksAll = all;
    turn = (turn + 1) % TURNS;
    found = new Map();
    places = [];
    try {
      addFramework(document, namesOf(document));
      enter(document);
      return JSON.stringify([places.length, ...listed()]);
    } finally {
      found.clear();
      places = [];
    }
  };
})()
