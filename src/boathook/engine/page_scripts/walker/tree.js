// The walk: one pass over the flat tree that yields rows in reading order. Iterative, since pages can be
// thousands of elements deep. Plain wrappers cost next to nothing: they are only looked at when they show
// words.

const UNKNOWN = 0;
const SHOWN = 1;
const HIDDEN = 2;

// Scripts can edit rules in place, where no scan notices: what has a class or an id is always asked.
const UNBOXING = HAS.HIDDEN | HAS.POPOVER | HAS.CLASS | HAS.ID;
const ONLY_LOOKS = HAS.CLASS | HAS.ID | HAS.STYLE | HAS.OTHER | HAS.HREF;
const HOSTS_NAMED = 50;

// Has it not been asked about yet, and may it have a closed root?
const mayHoldRoot = (el, kind) => {
  const may = !closedRoots.has(el) && isPossibleHost(el, kind);
  if (noting && !may) HOSTLESS.set(el, kind);
  return may;
};
const HOSTLESS = noteAnswers((kind, el) => closedRoots.has(el) || !isPossibleHost(el, kind));

// Custom elements, and empty elements of the other kinds that can have a shadow root, if they are high without a height of
// their own, or are directly in the body, where widgets put their hosts. Asking about every empty element would take too long.
const isPossibleHost = (el, kind) => (kind & CUSTOM) !== 0 || isInBody(el) || isHighByContent(el);
const isInBody = (el) => el.parentElement !== null && el.parentElement.tagName === 'BODY';
const isHighByContent = (el) => {
  if (el.clientHeight === 0) return false;
  const sizes = el.computedStyleMap();
  if (sizes.get('height').value !== 'auto' || !/^(?:auto|0px)$/.test(String(sizes.get('min-height')))) return false;
  const { paddingTop, paddingBottom } = getComputedStyle(el);
  return el.clientHeight > parseFloat(paddingTop) + parseFloat(paddingBottom);
};

// Most texts show by their first letter that they are not blank.
const isBlank = (text) => {
  const code = text.charCodeAt(0);
  return !(code > 0x20 && code < 0xa0) && text.trim() === '';
};

// Tags that show more than their children.
const FILLED_TAGS = setOf('SLOT DETAILS Q');

class TreeWalk {
  constructor(options, cache) {
    this.cache = cache;        // slices of the last walk, and of this one; null: nothing is kept
    this.rows = [];
    this.frames = [];
    this.hosts = [];
    this.nodes = 0;
    this.hidden = 0;
    this.reused = 0;
    this.nameLimit = options.nameLimit;
    this.wantsOptions = options.wantsOptions;
    this.levels = [];          // used again on the way down: only as many as the page is deep
    this.depth = -1;
    this.level = null;
    this.words = null;         // the text row that is still open for more words
    this.kind = 0;             // what the tag of the element at hand is
    this.bits = 0;             // what rules may do to it
    this.hiding = PLAIN;         // does the element at hand look hidden?
    this.flow = LEAVES_WORDS;    // how the element at hand affects the words around it
  }

  run(start) {
    const level = this.enter(start, null, contextOf(rootOf(start)));
    level.list = [start];
    // The ancestors of an element in the middle of a page were not visited.
    if (start.parentElement && !matches(start, 'dialog:modal')) Object.assign(level, surroundings(start));
    else if (start.parentElement) level.bits = INHERITED;
    while (this.level) this.step();
    return this;
  }

  step() {
    const level = this.level;
    const node = level.list === null ? level.next : level.list[level.at++];
    if (!node) {
      this.leave(level);
      return;
    }
    let tag = node.tagName;
    if (tag === undefined) {
      // Text, or a comment.
      if (level.list === null) level.next = node.nextSibling;
      if (!level.mute) this.visitText(node, level);
      return;
    }
    if (tag === 'FORM' || typeof tag !== 'string') {
      tag = tagOf(node);
      if (level.list === null) level.next = nextSiblingOf(node);
    } else if (level.list === null) {
      level.next = level.mute ? node.nextElementSibling : node.nextSibling;
    }
    this.nodes++;
    if (this.cache === null) this.visit(node, tag, level);
    else this.visitOrReuse(node, tag, level);
  }

  // What is known of the element from the last walk, or a visit.
  visitOrReuse(el, tag, level) {
    if (kindOfTag(tag) & (SKIPPED | PASSING)) {
      this.visit(el, tag, level);
      return;
    }
    const { cache } = this;
    const entry = level.entry < 0 ? (level.entry = entryOf(level)) : level.entry;
    const trusts = level.shown === SHOWN;
    const known = cache.isEmpty || level.isStale ? undefined : cache.slices.get(el);
    if (known !== undefined && known.entry === entry && (trusts || !known.trusts) && this.reuse(known, level)) return;
    const { depth, nodes, hidden } = this;
    const began = this.rows.length;
    this.flow = LEAVES_WORDS;
    this.visit(el, tag, level);
    const isStale = (!cache.isEmpty && cache.takeStale(el, this.depth > depth)) || level.isStale;
    const slice = this.flow === UNKEPT ? null : new Slice(entry, trusts, this.flow);
    if (slice !== null) slice.begin(began, nodes, hidden);
    if (this.depth > depth) {
      this.level.isStale = isStale;
      if (slice !== null && this.level.holder === el) this.level.slice = slice;
    } else {
      if (level.isStale) cache.stale.add(el);
      if (slice !== null) this.finish(slice, el);
    }
  }

  // The slice is complete: all below its element was visited.
  finish(slice, el) {
    slice.end(this);
    this.cache.slices.set(el, slice);
  }

  // Takes the rows of a slice; false if the last walk did not have them.
  reuse(slice, level) {
    const { first, count } = slice;
    if (count !== 0) {
      const kept = this.cache.rows;
      if (kept[first.at] !== first) return false;
      const { up } = first;
      const shift = (level.parent === null ? 0 : level.parent.depth + 1) - first.depth;
      for (let i = first.at, end = i + count; i < end; i++) {
        const row = kept[i];
        if (row.up === up) row.up = level.parent;
        row.moveTo(this.rows.length, shift);
        this.rows.push(row);
      }
    }
    this.nodes += slice.nodes;
    this.reused += slice.nodes + 1;
    this.hidden += slice.hidden;
    if (slice.flow === ENDS_WORDS) this.words = null;
    return true;
  }

  leave(level) {
    if (level.after) this.addWords(level.after, level);
    if (!level.inline) this.words = null;
    if (level.slice !== null) this.finish(level.slice, level.holder);
    this.depth--;
    this.level = this.depth < 0 ? null : this.levels[this.depth];
  }

  enter(holder, parent, context) {
    this.depth++;
    if (this.depth === this.levels.length) this.levels.push(new Level());
    this.level = this.levels[this.depth].reset(holder, parent, context);
    return this.level;
  }

  visitText(node, level) {
    const data = node.data;
    if (isBlank(data)) {
      if (this.words !== null && node.nodeType === TEXT) this.words.name += ' ';
      return;
    }
    if (node.nodeType !== TEXT) return;
    if (level.shown === UNKNOWN) level.shown = this.showsText(level) ? SHOWN : HIDDEN;
    if (level.shown === HIDDEN) return;
    this.addWords(level.bits & TRANSFORM ? shownText(data, level.holder) : data, level);
  }

  showsText(level) {
    const holder = level.holder;
    if (level.unboxed) return true;
    return (level.bits & VISIBILITY ? isShown(holder) : isVisible(holder)) || showsThrough(holder);
  }

  addWords(text, level) {
    if (level.hiding === INKLESS) level.hiding = isInkless(level.holder) ? HIDDEN_TEXT : READABLE;
    const visuallyHidden = level.hiding >= HIDDEN_TEXT;
    if (this.words !== null && this.words.visuallyHidden === visuallyHidden) {
      this.words.name += text;
      return;
    }
    this.words = new Row(level.parent, level.context, this.rows.length);
    this.words.name = text;
    this.words.visuallyHidden = visuallyHidden;
    this.rows.push(this.words);
  }

  visit(el, tag, level) {
    const kind = this.kind = kindOfTag(tag);
    if (kind & SKIPPED || (tag === 'BUTTON' && level.holder.tagName === 'SELECT')) return;
    if (tag === 'BR') {
      if (this.words !== null) this.words.name += ' ';
      return;
    }
    const flags = tag === 'FORM' || el.hasAttributes() ? flagsOf(el) : 0;
    const scan = level.context.scan;
    this.bits = scan.all !== 0 || flags & HAS.STYLE ? bitsOf(scan, el, tag, flags) : 0;
    if (level.context.isAnimated && level.context.animated.has(el)) this.bits |= MOVING;
    const plain = !(kind & RULED) && (flags === 0 || this.isWrapper(flags)) && (actors === null || !actors.has(el));
    // What is hidden until it is found has a box, but nothing in it is shown.
    if (flags & HAS.HIDDEN) this.bits |= VISIBILITY;
    let shown = level.shown === SHOWN && this.isSurelyShown(flags, level) ? SHOWN : UNKNOWN;
    if (!plain && (shown === UNKNOWN || flags & (HAS.ARIA_HIDDEN | HAS.INERT))) {
      shown = this.visibilityOf(el, tag, flags, level);
      if (shown === -1) {
        this.hidden++;
        return;
      }
    }
    this.hiding = level.hiding;
    if (this.bits & LOOKS && level.hiding !== VISUALLY_HIDDEN && !level.unboxed) {
      this.hiding = hidingOf(el, tag, this.bits, level.hiding);
    }
    const context = level.context;
    if (context.hasOwners !== false && hasOwners(context) && level.list === null && ownersOf(context).parents.has(el)) return;
    if (plain) this.descend(el, tag, flags, level, level.parent, shown, level.mute);
    else this.visitMeaningful(el, tag, flags, level, shown);
  }

  // With nothing but looks, and none that would make it act or hide all of it at once.
  isWrapper(flags) {
    return (flags & ~ONLY_LOOKS) === 0 && (this.bits & (POINTER | DISPLAY)) === 0;
  }

  // Asking each element would cost more than all the rest on pages of plain elements.
  isSurelyShown(flags, level) {
    return !((level.bits | this.bits) & VISIBILITY) && !(this.bits & DISPLAY) && !(flags & UNBOXING) &&
      !level.unboxed && (this.kind & BOX) !== 0;
  }

  // -1 when nothing below shows; HIDDEN when the element does not show but things below it may.
  visibilityOf(el, tag, flags, level) {
    if (flags & HAS.ARIA_HIDDEN && attr(el, 'aria-hidden') === 'true' && !holdsFocus(el)) return -1;
    if (flags & HAS.INERT) return -1;
    if (level.unboxed) {
      return el.hidden === true || (tag !== 'AREA' && displayAt(el) === 'none') ? -1 : SHOWN;
    }
    const concerned = (level.bits | this.bits) & VISIBILITY;
    if (concerned ? isShown(el) : isVisible(el)) return SHOWN;
    if (concerned && isVisible(el)) return HIDDEN;
    return showsThrough(el) ? SHOWN : -1;
  }

  visitMeaningful(el, tag, flags, level, shown) {
    here = level.context;
    const ownRole = shown === HIDDEN ? 'none' : roleOf(el, tag, flags);
    const clickable = shown !== HIDDEN && this.isClickable(el, tag, ownRole, flags, level);
    knownFor = el;
    knownBits = this.bits;
    // A cell of a layout table, say, is nothing to a screen reader, but it can be pressed.
    const role = ownRole === 'none' && clickable ? 'generic' : ownRole;
    let parent = level.parent;
    let mute = level.mute;
    if (role === 'LabelText' && isToggleLabel(el)) {
      this.descend(el, tag, flags, level, parent, shown, true);
      return;
    }
    if (role !== 'none' && tag !== 'SLOT' && (role !== 'generic' || clickable || flags & OWN_NAME)) {
      inheritedBits = level.bits;
      const name = nameOf(el, tag, role, flags);
      inheritedBits = INHERITED;
      if (role !== 'generic' || clickable || name) {
        if (tag === 'svg' && !name && !el.firstElementChild) return;
        const saysContent = nameSource === 'content' && name.length <= this.nameLimit;
        mute = saysContent || (mute && PHRASES.has(role) && !name);
        parent = this.addRow(el, tag, role, name, flags, level, clickable);
      }
    }
    if (tag === 'IMG' && hasAttr(el, 'usemap')) this.enterImageMap(el, parent, level);
    if (this.kind & LEAF) return;
    if (this.kind & FRAME) this.enterFrame(el, tag, parent, level, flags);
    else this.descend(el, tag, flags, level, parent, shown, mute);
  }

  addRow(el, tag, role, name, flags, level, clickable) {
    this.words = null;
    this.flow = ENDS_WORDS;
    const row = new Row(level.parent, level.context, this.rows.length);
    row.el = el;
    row.tag = tag;
    row.role = role;
    row.name = name;
    row.source = nameSource;
    row.flags = flags;
    row.clickable = clickable;
    row.visuallyHidden = this.hiding === VISUALLY_HIDDEN || ((this.bits & INKED) !== 0 && showsNoWords(el, this.bits));
    row.tagKind = this.kind;
    row.roleKind = kindOfRole(role);
    this.rows.push(row);
    return row;
  }

  // Things that act although their role does not say so.
  isClickable(el, tag, role, flags, level) {
    if (kindOfRole(role) & CONTROL && role !== 'gridcell') return false;
    if (flags & HAS.CLICK || (flags & HAS.DRAGGABLE && attr(el, 'draggable') === 'true')) return true;
    if (flags & HAS.TABINDEX && parseInt(attr(el, 'tabindex'), 10) >= 0) return true;
    if (flags & HAS.EDITABLE && isEditingHost(el)) return true;
    if (tag === 'A' && flags & HAS.HREF) return true;
    if (actors !== null && actsAt(el) & ACTING && tag !== 'LABEL') return true;
    if (!(this.bits & POINTER) || level.pointer || level.mute || tag === 'LABEL') return false;
    return cursorAt(el) === 'pointer';
  }

  // The areas of an image map are exposed below the image that uses it.
  enterImageMap(el, parent, level) {
    noteVolatile(el);
    const name = attr(el, 'usemap').replace(/^#/, '');
    const map = name && el.naturalWidth > 0 && query(level.context.root, `map[name="${CSS.escape(name)}"]`);
    if (!map) return;
    const next = this.enter(el, parent, level.context);
    next.list = map.getElementsByTagName('area');
    next.unboxed = true;
  }

  enterFrame(el, tag, parent, level, flags) {
    noteVolatile(el);
    const inner = documentInside(el);
    const top = inner && documentElementOf(inner);
    if (!top) {
      if (tag === 'OBJECT') this.descend(el, tag, flags, level, parent, SHOWN, false);
      else this.frames.push(parent);
      return;
    }
    const hiding = this.hiding;
    const next = this.enter(top, parent, contextOf(inner));
    next.list = [modalIn(inner) || top];
    next.hiding = hiding === VISUALLY_HIDDEN ? VISUALLY_HIDDEN : PLAIN;
    if (next.list[0] !== top) next.bits = INHERITED;
  }

  descend(el, tag, flags, level, parent, shown, mute) {
    if (tag === 'SELECT' && !this.wantsOptions) return;
    const inline = (this.kind & INLINE) !== 0 && parent === level.parent;
    this.flow = inline ? UNKEPT : ENDS_WORDS;
    if (!inline) this.words = null;
    const shadow = shadowIn(el, tag);
    // Where words are known already only elements matter.
    const first = tag === 'FORM' ? firstChildOf(el) : mute ? el.firstElementChild : el.firstChild;
    if (first === null && shadow === null && this.isBarren(el, tag, flags, mute)) return;
    // A wrapper of a single thing costs no more than to look up what is kept of it.
    if (first !== null && parent === level.parent && first.nextSibling === null && shadow === null) this.flow = UNKEPT;
    const next = this.enter(el, parent, level.context);
    next.shown = tag === 'DETAILS' && !el.open ? HIDDEN : shown;
    next.mute = mute;
    next.bits = level.bits | (this.bits & INHERITED);
    next.hiding = handedDown(this.hiding);
    next.unboxed = level.unboxed || tag === 'CANVAS' || tag === 'SELECT';
    next.inline = inline;
    next.pointer = level.pointer || (parent !== level.parent && this.pointsAt(parent));
    this.aimAtChildren(next, el, tag, flags, shadow, first);
    if (!mute) this.addGenerated(next, el, tag);
  }

  // A box that listens for what it holds leaves the pointer to that.
  pointsAt(row) {
    if ((row.roleKind & CONTROL) !== 0) return true;
    if (!row.clickable) return false;
    if (actors === null || !isOnlyListening(row)) return true;
    return (this.bits & POINTER) !== 0 && cursorAt(row.el) === 'pointer';
  }

  // Can nothing come of what has no children?
  isBarren(el, tag, flags, mute) {
    if (this.kind & CUSTOM || flags & HAS.OWNS || FILLED_TAGS.has(tag)) return false;
    if (!mute && this.bits & GENERATED) return false;
    return !(this.kind & HOST) || (mute && el.firstChild !== null);
  }

  aimAtChildren(next, el, tag, flags, shadow, first) {
    if (this.kind & CUSTOM) noteCustomElement(el, tag);
    if (shadow) {
      next.context = contextOf(shadow);
      // Rules for the host, or for what is put into its slots, stand inside.
      next.bits |= next.context.scan.everywhere & INHERITED;
      next.next = shadow.firstChild;
    } else if (tag === 'SLOT' && slottedChildren(el, tag)) {
      next.list = slottedChildren(el, tag);
      next.context = contextOf(rootOf(next.list[0]));
    } else if (tag === 'DETAILS') {
      next.list = summaryFirst(el);
    } else if (flags & HAS.OWNS) {
      next.list = childrenForName(el, tag);
    } else {
      next.next = first;
      const isEmpty = first === null && this.kind & HOST && (this.bits & GENERATED) === 0 && el.firstChild === null;
      const asks = this.kind & CUSTOM || isEmpty;
      if (asks && mayHoldRoot(el, this.kind)) this.hosts.push(el);
    }
  }

  addGenerated(next, el, tag) {
    if (tag === 'Q') {
      const [opening, closing] = quoteMarks(el);
      this.addWords(opening, next);
      next.after = closing;
    } else if (this.bits & GENERATED && next.shown !== HIDDEN) {
      if (next.shown === UNKNOWN) next.shown = this.showsText(next) ? SHOWN : HIDDEN;
      if (next.shown === HIDDEN) return;
      const bits = this.bits;
      const before = bits & BEFORE ? generatedText(el, '::before', next.bits) : '';
      if (before.trim()) this.addWords(before, next);
      const after = bits & AFTER ? generatedText(el, '::after', next.bits) : '';
      next.after = after.trim() && after;
    }
  }
}

// The summary is shown first, wherever it stands.
const summaryFirst = (details) => {
  const children = [...details.childNodes];
  const summary = children.find((child) => child.nodeName === 'SUMMARY');
  return summary ? [summary, ...children.filter((child) => child !== summary)] : children;
};

const isToggleLabel = (label) => {
  noteLabelUse(label);
  const control = label.control;
  return Boolean(control) && (control.type === 'checkbox' || control.type === 'radio');
};
