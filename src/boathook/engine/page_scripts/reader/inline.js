// Words in a line: links, pictures, emphasis, code, line breaks.

// Control characters never come from the page here, so they can stand for what is put in later.
const BREAK = '\u0001';
const FRAME_MARK = '\u0002';

const EMPHASIS = { STRONG: '**', B: '**', EM: '*', I: '*', DEL: '~~', S: '~~', STRIKE: '~~', CITE: '*', DFN: '*', VAR: '*' };
const CODE_TAGS = setOf('CODE KBD SAMP TT');
const USUAL_SCHEMES = /^(?:https?|mailto|tel|ftp|file|sms|geo|magnet):/i;
// Marks for linking to a heading, for folding and the like.
const ONLY_SIGNS = /^[^\p{L}\p{N}]*$/u;

const absolute = (address, el) => {
  try {
    const url = new URL(address, el.baseURI).href;
    return USUAL_SCHEMES.test(url) ? url.replace(/[()\s<>]/g, (char) => encodeURIComponent(char)
      .replace('(', '%28').replace(')', '%29')) : '';
  } catch {
    return '';
  }
};

// Links that only a margin keeps apart get a blank.
const joinedLine = (line, part, next) => {
  const isGlued = part.tag === 'A' && line.endsWith(')') && next.startsWith('[');
  return isGlued ? `${line} ${next}` : line + next;
};

const inlineOfKids = (part, style) => {
  let out = '';
  for (const kid of part.kids) {
    if (!kid.isDropped) out = joinedLine(out, kid, inlineOf(kid, style));
  }
  return out;
};

const textOf = (part) => (part.keepsSpace ? part.text.replace(/\r?\n/g, BREAK) : part.text);

// `style` says what may be written: { plain, bare }: no markup at all, or none of emphasis.
const inlineOf = (part, style) => {
  const { tag } = part;
  if (tag === '#text') return textOf(part);
  if (tag === 'BR') return BREAK;
  const maker = part.isButton ? buttonOf : INLINE_MAKERS[tag];
  const made = maker ? maker(part, style) : mathOf(part, style) ?? inlineOfKids(part, style);
  return part.isBlock || part.isSpaced || part.tag === 'TD' ? ` ${made} ` : made;
};

const marked = (part, style, mark) => {
  const inner = inlineOfKids(part, style);
  const words = inner.trim();
  if (style.plain || style.bare || !words || words.includes(BREAK) || words.includes('**')) return inner;
  const at = inner.indexOf(words);
  return inner.slice(0, at) + mark + words + mark + inner.slice(at + words.length);
};

const longestRun = (text) => {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
};

const codeInLine = (part, style) => {
  const inner = inlineOfKids(part, { plain: true });
  const words = inner.trim();
  if (style.plain || !words) return inner;
  const fence = '`'.repeat(longestRun(words) + 1);
  const gap = words.startsWith('`') || words.endsWith('`') ? ' ' : '';
  return fence + gap + words.replaceAll(BREAK, ' ') + gap + fence;
};

// Beyond this a label is no label, and looking for its brackets would take too long.
const LONGEST_LABEL = 2000;

const linkOf = (part, style) => {
  const inner = inlineOfKids(part, style);
  const words = inner.trim();
  const isSign = ONLY_SIGNS.test(words) && !words.includes('![');
  if (isSign && (words === '' || nearestAround(part, isHeading) || /^(?:#|javascript:|$)/.test(attr(part.el, 'href') || ''))) return '';
  if (style.plain || !words) return inner;
  const href = attr(part.el, 'href');
  const address = href === null ? '' : absolute(href, part.el);
  if (!address) return inner;
  const line = words.replaceAll(BREAK, ' ');
  const label = line.length > LONGEST_LABEL ? line : line.replace(/(?<!\\)\[(?![^\]]*\]\()|(?<![)\\\w])\](?!\()/g, '\\$&');
  const at = inner.indexOf(words);
  return `${inner.slice(0, at)}[${label}](${address})${inner.slice(at + words.length)}`;
};

const LAZY_SOURCES = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-url', 'data-image', 'data-hi-res-src'];
const LAZY_SETS = ['data-srcset', 'data-lazy-srcset', 'srcset'];

const lastOfSet = (set) => {
  const entries = set.split(/,\s+/).map((entry) => entry.trim().split(/\s+/)[0]).filter(Boolean);
  return entries[entries.length - 1] || '';
};

// The address of the real picture: lazy pages keep it in an attribute of their own until it is in view.
const sourceOf = (el) => {
  const real = (address) => address && !address.startsWith('data:') && !address.startsWith('blob:');
  for (const name of LAZY_SOURCES) if (real(attr(el, name))) return attr(el, name);
  const src = attr(el, 'src');
  const isStandIn = !real(src) || /(?:placeholder|blank|spacer|transparent|loading|1x1|pixel)[\w-]*\.(?:gif|png|svg|jpe?g)/i.test(src);
  if (!isStandIn) return src;
  const sources = parentOf(el) && parentOf(el).nodeName === 'PICTURE' ? [...childrenOf(parentOf(el))] : [el];
  for (const holder of [el, ...sources]) {
    for (const name of LAZY_SETS) if (real(lastOfSet(attr(holder, name) || ''))) return lastOfSet(attr(holder, name));
  }
  return real(src) ? src : '';
};

// What an article says below a picture is said with it.
const altOf = (part) => {
  const alt = safeText((attr(part.el, 'alt') || '').replace(/\s+/g, ' ').trim());
  const { caption } = part;
  if (!caption || alt.includes(caption)) return alt;
  return !alt || caption.includes(alt) ? caption : `${alt} \u2013 ${caption}`;
};

const pictureOf = (part, style) => {
  const alt = altOf(part);
  const inFigure = nearestAround(part, (at) => at.tag === 'FIGURE');
  if (style.plain || (!alt && !inFigure)) return '';
  const source = sourceOf(part.el);
  const address = source ? absolute(source, part.el) : '';
  if (!address && !alt) return '';
  return `![${alt.replace(/[[\]]/g, '\\$&')}](${address})`;
};

const drawingOf = (part) => {
  const label = attr(part.el, 'role') === 'img' ? attr(part.el, 'aria-label') : '';
  return label ? safeText(label) : '';
};

const raised = (part, style) => {
  const inner = inlineOfKids(part, style);
  return /^[\d+\u2212-]{1,4}$/.test(inner.trim()) && !part.links ? `^${inner.trim()}` : inner;
};

const KEEPS_BUTTONS = setOf('H1 H2 H3 H4 H5 H6 SUMMARY DT P');
const buttonOf = (part, style) => (style.whole || nearestAround(part, (at) => KEEPS_BUTTONS.has(at.tag))
  ? inlineOfKids(part, style) : '');

const boxOf = (part) => {
  if (attr(part.el, 'type') !== 'checkbox' || !nearestAround(part, (at) => at.tag === 'LI')) return '';
  return part.el.checked ? '[x] ' : '[ ] ';
};

const texIn = (el) => {
  const source = Element.prototype.querySelector.call(el, 'annotation[encoding="application/x-tex"]');
  return source ? source.textContent.trim() : '';
};

// Formulas: their TeX when the page has it; null for everything else.
const mathOf = (part, style) => {
  if (!part.el || !(isMath(part) || /\bkatex\b/.test(attr(part.el, 'class') || ''))) return null;
  const tex = safeText(texIn(part.el) || attr(part.el, 'alttext') || '');
  if (tex) return style.plain ? tex : `$${tex}$`;
  return safeText(part.el.textContent.replace(/\s+/g, ' '));
};

const videoOf = (part, style) => {
  const label = safeText(attr(part.el, 'aria-label') || attr(part.el, 'title') || '');
  return label && !style.plain ? `[${label}]` : '';
};

const quotedWords = (part, style) => `\u201c${inlineOfKids(part, style).trim()}\u201d`;

const INLINE_MAKERS = {
  A: linkOf, IMG: pictureOf, svg: drawingOf, INPUT: boxOf, VIDEO: videoOf, SUP: raised, Q: quotedWords,
  WBR: () => '', HR: () => ' ', IFRAME: () => '',
};
for (const tag of CODE_TAGS) INLINE_MAKERS[tag] = codeInLine;
for (const [tag, mark] of Object.entries(EMPHASIS)) INLINE_MAKERS[tag] = (part, style) => marked(part, style, mark);

// A line of words as it is written: blanks collapsed, breaks where they were.
const tidy = (text, style) => text.replace(/[ \t\n\r\f\u00a0]+/g, ' ').replace(/ ?\u0001 ?/g, BREAK)
  .replace(/\u0001{3,}/g, BREAK + BREAK).replace(/^[\u0001 ]+|[\u0001 ]+$/g, '')
  .replaceAll(BREAK, style.oneLine ? ' ' : style.plain ? '\n' : '  \n');

const LINE_START = /^(#{1,6} |[-+*] |>|\d+[.)] |```|~~~|\|)/gm;
const escapedStart = (text, style) => (style.plain ? text : text.replace(LINE_START, (start) =>
  (/^\d/.test(start) ? start.replace(/[.)]/, '\\$&') : `\\${start}`)));
