// HTML without anything that acts: known tags, a few attributes, absolute addresses, only what is shown.

const KEPT_TAGS = setOf('A ABBR ADDRESS ARTICLE ASIDE B BLOCKQUOTE BR CAPTION CITE CODE DD DEL DETAILS DFN DIV DL DT EM ' +
  'FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR I IMG INS KBD LI MAIN MARK NAV OL P PRE Q S SAMP SECTION SMALL ' +
  'SPAN STRONG SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TIME TR U UL VAR');
const EMPTY_TAGS = setOf('BR HR IMG');
const KEPT_ATTRIBUTES = ['title', 'lang', 'dir', 'datetime', 'start', 'value', 'colspan', 'rowspan', 'scope', 'open', 'alt'];
const HTML_SIGNS = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapedHtml = (text) => text.replace(/[&<>"]/g, (sign) => HTML_SIGNS[sign]);

const htmlAttributes = (part) => {
  const { el, tag } = part;
  const pairs = KEPT_ATTRIBUTES.filter((name) => hasAttr(el, name)).map((name) => [name, safeText(attr(el, name))]);
  if (tag === 'A' && hasAttr(el, 'href')) pairs.push(['href', absolute(attr(el, 'href'), el)]);
  if (tag === 'IMG') pairs.push(['src', absolute(sourceOf(el), el)]);
  if (tag === 'CODE' || tag === 'PRE') {
    const language = languageIn(el);
    if (language) pairs.push(['class', `language-${language}`]);
  }
  return pairs.filter(([name, value]) => value || name === 'alt' || name === 'open')
    .map(([name, value]) => ` ${name}="${escapedHtml(value)}"`).join('');
};

const htmlOf = (part) => {
  if (part.isDropped) return '';
  if (part.tag === '#text') return escapedHtml(part.isCode || part.keepsSpace ? part.text : part.text.replace(/\s+/g, ' '));
  if (part.frame) return `\n${FRAME_MARK}${part.frame}${FRAME_MARK}\n`;
  const inner = part.kids.map(htmlOf).join('');
  if (!part.el) return '<br>';
  if (!KEPT_TAGS.has(part.tag)) return inner;
  const tag = part.tag.toLowerCase();
  if (EMPTY_TAGS.has(part.tag)) return `<${tag}${htmlAttributes(part)}>`;
  const end = part.isBlock ? '\n' : '';
  return `<${tag}${htmlAttributes(part)}>${inner}</${tag}>${end}`;
};
