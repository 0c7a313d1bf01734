// The survey: one pass over the page, over shadow trees and frames of the same origin, that notes what is shown
// as a tree of our own. Everything after it works on that tree and asks the page nothing about style.

const MOST_NODES = 400000;
// Deeper elements are laid flat, so that whatever follows may recurse.
const DEEPEST = 150;

// looks.js asks for these: things that are nothing but their box.
const LEAF_TAGS = setOf('INPUT IMG CANVAS VIDEO AUDIO IFRAME EMBED svg TEXTAREA SELECT');
const UNREAD_TAGS = setOf('SELECT TEXTAREA DATALIST OPTION CANVAS OBJECT EMBED PROGRESS METER AUDIO');
const FRAME_NAMES = setOf('IFRAME FRAME FENCEDFRAME');
const NO_COLOUR = 'rgba(0, 0, 0, 0)';

class Part {
  constructor(el, tag, parent) {
    this.el = el;
    this.tag = tag;
    this.parent = parent;
    this.kids = [];
    this.text = '';
    this.display = 'inline';
    this.isBlock = false;
    this.hasBlock = false;     // is there a block somewhere inside?
    this.isSpaced = false;     // an inline thing with a gap on both sides
    this.isFixed = false;
    this.isFolded = false;     // in a closed <details>: not laid out, but one press away
    this.keepsSpace = false;   // are blanks and line ends in its text meant?
    this.isCode = false;
    this.chars = 0;            // all characters inside
    this.linkChars = 0;        // those in links and buttons
    this.links = 0;
    this.fields = 0;           // inputs and the like
    this.prose = 0;            // characters in runs of text that are long enough to be read
    this.run = 0;              // characters of the text directly in it
    this.runLinks = 0;
    this.isDropped = false;
    this.isDetached = false;   // dropped, and no longer counted in what is around it
    this.background = '';
    this.isButton = false;
    this.frame = 0;            // number of a frame that another world has to read
    this.depth = 0;
    this.caption = '';         // what an article says below a picture
    this.knownWords = null;
    this.knownData = null;     // is it a table of data?
  }
}

const flatChildren = (el, tag) => {
  const slotted = slottedChildren(el, tag);
  if (slotted) return slotted;
  const children = [];
  const shadow = shadowOf(el);
  for (let at = firstChildOf(shadow || el); at; at = nextSiblingOf(at)) children.push(at);
  return children;
};

const ODD_OVERFLOW = setOf('hidden clip scroll auto');
// Pictures clip by nature, and have no size until they are loaded.
const mayBeOutOfSight = (style, tag) => style.position === 'absolute' || style.position === 'fixed' ||
  style.clipPath !== 'none' || style.transform !== 'none' || style.scale !== 'none' ||
  (tag !== 'IMG' && tag !== 'svg' && ODD_OVERFLOW.has(style.overflowX));

const isSpoken = (el) => {
  const style = getComputedStyle(el);
  return style.display !== 'none' && mayBeOutOfSight(style, tagOf(el)) && isOutOfSight(el, tagOf(el), style) &&
    /[\p{L}\p{N}]/u.test(el.textContent);
};

// Hidden from screen readers only because the same is said to them out of sight, or because a dialog is open.
const isShownAnyway = (el) => {
  // A price that was: shops say it to screen readers in other words, or not at all.
  if (matches(el, 'del, ins, s')) return true;
  const parent = parentOf(el);
  if (parent && kindOf(parent) === ELEMENT) {
    const twins = [...childrenOf(parent)].slice(0, 6);
    if (twins.some((twin) => twin !== el && isSpoken(twin))) return true;
  }
  return Boolean(matches(el, 'main, article, [role=main]') ||
    Element.prototype.querySelector.call(el, 'main, article, [role=main], h1'));
};

// Code editors that draw only the lines in view.
const EDITORS = '.monaco-editor, .CodeMirror, .cm-editor';
const PARTIAL_EDITOR = '(this editor shows only a part of its text)';

class ContentTree {
  // `editorTexts` are those of the editors, in the order of `editors`; null before they are known.
  constructor(editorTexts = null) {
    this.editorTexts = editorTexts;
    this.editors = [];
    this.nodes = 0;
    this.wasCut = false;
    this.frames = [];
    this.shades = new Map();
  }

  of(root) {
    const top = new Part(null, '#top', null);
    top.isBlock = true;
    top.background = 'rgb(255, 255, 255)';
    const stack = [];
    this.visit(root, top, stack);
    while (stack.length) {
      const level = stack[stack.length - 1];
      if (level.at < level.list.length && !this.wasCut) this.visit(level.list[level.at++], level.part, stack);
      else {
        stack.pop();
        if (level.isFlat) level.part.kids.push(breakIn(level.part));
        else finish(level.part);
      }
    }
    return top.kids.find((kid) => kid.el) || null;
  }

  visit(node, parent, stack) {
    const kind = kindOf(node);
    if (kind === TEXT) this.addText(node, parent);
    else if (kind === ELEMENT) this.addElement(node, parent, stack);
  }

  addText(node, parent) {
    const text = node.data;
    if (parent.background === null || text === '') return;
    const isBlank = text.trim() === '';
    if (isBlank && (parent.display.includes('flex') || parent.display.includes('grid'))) return;
    const part = new Part(null, '#text', parent);
    part.text = safeText(text, parent.isCode);
    part.keepsSpace = parent.keepsSpace;
    parent.kids.push(part);
    if (isBlank) return;
    const length = text.length < 40 ? text.trim().length : text.replace(/\s+/g, ' ').length;
    parent.chars += length;
    parent.run += length;
  }

  addElement(el, parent, stack) {
    const tag = tagOf(el);
    if (++this.nodes > MOST_NODES) this.wasCut = true;
    if (SKIPPED_TAGS.has(tag) || this.wasCut) return;
    if (UNREAD_TAGS.has(tag)) {
      if (isShown(el)) parent.fields += 1;
      return;
    }
    const part = new Part(el, tag, parent);
    if (!this.look(part, parent)) return;
    if (parent.depth >= DEEPEST) {
      if (part.isBlock) parent.kids.push(breakIn(parent));
      stack.push({ part: parent, list: flatChildren(el, tag), at: 0, isFlat: part.isBlock || part.hasBlock });
      return;
    }
    part.depth = parent.depth + 1;
    if (matches(el, EDITORS) && this.addEditor(part, parent)) return;
    parent.kids.push(part);
    const list = FRAME_NAMES.has(tag) ? this.frameContent(part) : LEAVES.has(tag) ? [] : flatChildren(el, tag);
    stack.push({ part, list, at: 0, isFlat: false });
  }

  // True if the editor's text is known, and stands for everything in it.
  addEditor(part, parent) {
    const text = this.editorTexts && this.editorTexts[this.editors.length];
    this.editors.push(part.el);
    if (!this.editorTexts) return false;
    const shown = new Part(part.el, typeof text === 'string' ? 'PRE' : 'P', parent);
    Object.assign(shown, { isBlock: true, background: 'rgb(255, 255, 255)', display: 'block' });
    shown.isCode = shown.keepsSpace = shown.tag === 'PRE';
    parent.kids.push(shown);
    this.addText({ data: shown.isCode ? text : PARTIAL_EDITOR }, shown);
    finish(shown);
    return shown.isCode;
  }

  // Notes how the element looks; false when nothing of it is shown.
  look(part, parent) {
    const { el, tag } = part;
    if (attr(el, 'aria-hidden') === 'true' && !isMath(part) && !isShownAnyway(el)) return false;
    const style = getComputedStyle(el);
    const display = style.display;
    if (display === 'none' || Number(style.opacity) < FAINT) return false;
    part.isFolded = parent.isFolded || (parent.tag === 'DETAILS' && tag !== 'SUMMARY' && !hasAttr(parent.el, 'open'));
    const isPlaced = !part.isFolded && !isMathSource(el) && mayBeOutOfSight(style, tag);
    if (isPlaced && isOutOfSight(el, tag, style)) return false;
    part.display = display;
    const isLine = display.startsWith('inline') || display === 'contents' || display.startsWith('ruby');
    const wasLine = INLINE_TAGS.has(tag) && tag !== 'CODE' && tag !== 'SLOT';
    part.isSpaced = display.startsWith('inline-') || (!isLine && wasLine && parent.display.includes('flex'));
    part.isBlock = !isLine && !part.isSpaced;
    part.isButton = tag === 'BUTTON' || (tag !== 'A' && BUTTON_ROLES.has(attr(el, 'role')));
    part.isFixed = style.position === 'fixed';
    part.keepsSpace = style.whiteSpaceCollapse !== 'collapse';
    part.isCode = parent.isCode || tag === 'PRE' || tag === 'CODE';
    this.ink(part, parent, style);
    return true;
  }

  // What stands on its own colour, or without size, is no text; `background` is null below such an element.
  ink(part, parent, style) {
    const colour = style.backgroundColor;
    const behind = colour === NO_COLOUR ? parent.background || 'rgb(255, 255, 255)' : colour;
    part.background = behind;
    if (style.visibility !== 'visible' || parseFloat(style.fontSize) < SMALLEST_FONT) part.background = null;
    else if (this.mayBlend(style.webkitTextFillColor, behind) && isInkless(part.el)) part.background = null;
    else if (style.textIndent.startsWith('-') && isInkless(part.el)) part.background = null;
  }

  mayBlend(ink, behind) {
    const key = ink + behind;
    let blends = this.shades.get(key);
    if (blends === undefined) {
      const [one, other] = [colourOf(ink), colourOf(behind)];
      blends = Boolean(one && other && (one[3] < FAINT || isSameShade(one, other)));
      this.shades.set(key, blends);
    }
    return blends;
  }

  frameContent(part) {
    part.isBlock = true;
    const rect = rectOf(part.el);
    if (rect.width < 20 || rect.height < 20) return [];
    const inner = documentInside(part.el);
    const body = inner && (inner.body || documentElementOf(inner));
    if (body && kindOf(body) === ELEMENT) return [body];
    this.frames.push(part.el);
    part.frame = this.frames.length;
    part.prose += Math.min(400, (rect.width * rect.height) / 500);
    return [];
  }
}

const LEAVES = setOf('IMG BR HR INPUT VIDEO svg WBR math');

const breakIn = (parent) => {
  const part = new Part(null, 'BR', parent);
  return part;
};

const isMath = (part) => part.tag === 'math' || part.tag === 'MJX-CONTAINER' || hasAttr(part.el, 'data-mathml');
const isMathSource = (el) => /\bkatex-mathml\b|\bmwe-math-mathml/.test(attr(el, 'class') || '');

const LONG_RUN = 40;
const SHORT_RUN = 12;
const READ_TAGS = setOf('P LI DD DT TD TH PRE BLOCKQUOTE FIGCAPTION');

// How much of a run of text counts as something to read.
const proseIn = (part) => {
  const plain = part.run - part.runLinks;
  if (plain >= LONG_RUN || part.tag === 'PRE') return plain;
  return plain >= SHORT_RUN && READ_TAGS.has(part.tag) ? plain / 2 : 0;
};

const BUTTON_ROLES = setOf('button tab menuitem switch');
const isPressed = (part) => part.tag === 'A' || part.isButton;

const finish = (part) => {
  const parent = part.parent;
  const isWhole = part.isBlock || part.hasBlock;
  if (isWhole) part.prose += proseIn(part);
  const pressed = isPressed(part);
  if (pressed) part.linkChars = part.chars;
  if (part.tag === 'A') part.links += 1;
  if (part.tag === 'INPUT' || part.isButton) part.fields += 1;
  parent.chars += part.chars;
  parent.linkChars += part.linkChars;
  parent.links += part.links;
  parent.fields += part.fields;
  parent.prose += part.prose;
  if (isWhole) parent.hasBlock = true;
  else {
    parent.run += part.run;
    parent.runLinks += pressed ? part.run : part.runLinks;
  }
};
