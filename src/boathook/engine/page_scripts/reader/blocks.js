// Blocks of text, one below the other: headings, paragraphs, lists, quotes, tables, code.

const block = (text, kind = 'text') => ({ text, kind });
const joined = (blocks) => blocks.map((one) => one.text).join('\n\n');

const isInLine = (part) => !part.isBlock && !part.hasBlock && !BLOCK_MAKERS[part.tag] && !isTable(part);

const TWO_BREAKS = /\u0001[\s\u0001]*\u0001/;

// The blocks of what is in a part.
const flow = (part, style) => {
  const out = [];
  let run = '';
  const flush = () => {
    // Two breaks in a row are how some pages write paragraphs.
    for (const one of run.split(TWO_BREAKS)) {
      const words = escapedStart(tidy(one, style), style);
      if (words) out.push(block(words));
    }
    run = '';
  };
  for (const kid of part.kids) {
    if (kid.isDropped) continue;
    if (isInLine(kid)) run = joinedLine(run, kid, inlineOf(kid, style));
    else {
      flush();
      for (const one of blocksOf(kid, style)) out.push(one);
    }
  }
  flush();
  return out;
};

const blocksOf = (part, style) => {
  if (part.isDropped) return [];
  const maker = BLOCK_MAKERS[part.tag] || ROLE_MAKERS[roleGiven(part)];
  if (maker) return maker(part, style);
  if (!part.hasBlock && (part.isButton || INLINE_MAKERS[part.tag] || mathOf(part, style) !== null)) return paragraph(part, style);
  const out = flow(part, style);
  return part.tag === 'A' ? linkedBlocks(part, out, style) : out;
};

const paragraph = (part, style) => {
  if (part.tag === 'CODE' && /\n/.test(exactText(part))) return fencedBlocks(part, style);
  const words = escapedStart(tidy(inlineOf(part, style), style), style);
  return words ? [block(words)] : [];
};

// A link around several blocks: its first line carries the address.
const linkedBlocks = (part, blocks, style) => {
  const href = attr(part.el, 'href');
  const address = href === null || style.plain ? '' : absolute(href, part.el);
  const at = blocks.findIndex((one) => one.kind === 'heading');
  const first = blocks[Math.max(0, at)];
  if (!address || !first || first.text.includes('](') || first.text.includes('\n') || first.kind === 'code') return blocks;
  first.text = first.text.replace(/^(#{1,6} )?(.*)$/, (_, start = '', words) => `${start}[${words}](${address})`);
  return blocks;
};

const levelOf = (part) => {
  if (HEADINGS.has(part.tag)) return Number(part.tag[1]);
  return Math.min(6, Math.max(1, parseInt(attr(part.el, 'aria-level'), 10) || 2));
};

const headingBlock = (part, style) => {
  const words = tidy(inlineOfKids(part, { ...style, bare: true }), { oneLine: true });
  return words ? [block(style.plain ? words : `${'#'.repeat(levelOf(part))} ${words}`, 'heading')] : [];
};

const indented = (text, by) => text.replace(/\n(?!\n|$)/g, `\n${by}`);

// One entry of a list: the marker, its first block beside it, the others below.
const itemText = (blocks, marker) => {
  const by = ' '.repeat(marker.length);
  let out = '';
  blocks.forEach((one, i) => {
    const gap = i === 0 ? marker : one.kind === 'list' ? `\n${by}` : `\n\n${by}`;
    out += gap + indented(one.text, by);
  });
  return out;
};

const isItem = (part) => part.tag === 'LI' || roleGiven(part) === 'listitem';

const listBlock = (part, style) => {
  const entries = [];
  let number = part.tag === 'OL' ? parseInt(attr(part.el, 'start'), 10) : NaN;
  if (part.tag === 'OL' && Number.isNaN(number)) number = 1;
  const step = part.el && hasAttr(part.el, 'reversed') ? -1 : 1;
  if (step < 0 && !hasAttr(part.el, 'start')) number = part.kids.filter(isItem).length;
  for (const kid of part.kids) {
    if (kid.isDropped || !kid.el) continue;
    const given = kid.tag === 'LI' && part.tag === 'OL' ? parseInt(attr(kid.el, 'value'), 10) : NaN;
    if (!Number.isNaN(given)) number = given;
    const blocks = isItem(kid) ? flow(kid, style) : blocksOf(kid, style);
    if (!blocks.length) continue;
    if (!isItem(kid) && blocks[0].kind === 'list') entries.push({ text: `  ${indented(blocks[0].text, '  ')}`, isLong: false });
    else {
      const marker = part.tag === 'OL' ? `${number}. ` : '- ';
      const isLong = blocks.filter((one) => one.kind !== 'list').length > 1;
      entries.push({ text: itemText(blocks, marker), isLong });
    }
    if (isItem(kid)) number += step;
  }
  const gap = entries.some((entry) => entry.isLong) ? '\n\n' : '\n';
  return entries.length ? [block(entries.map((entry) => entry.text).join(gap), 'list')] : [];
};

const termBlock = (part, style) => {
  const words = tidy(inlineOfKids(part, { ...style, bare: true }), { oneLine: true });
  return words ? [block(style.plain ? words : `**${words}**`, 'term')] : [];
};

const definitionBlock = (part, style) => {
  const blocks = flow(part, style);
  return blocks.length ? [block(itemText(blocks, ': '), 'definition')] : [];
};

// Terms and definitions stand close together.
const definitionsBlock = (part, style) => {
  let out = '';
  let last = '';
  for (const one of flow(part, style)) {
    const isClose = last && one.kind !== 'text' && !(one.kind === 'term' && last !== 'term');
    out += (out ? (isClose ? '\n' : '\n\n') : '') + one.text;
    last = one.kind;
  }
  return out ? [block(out)] : [];
};

const quoteBlock = (part, style) => {
  const text = joined(flow(part, style));
  if (!text) return [];
  return [block(style.plain ? text : text.split('\n').map((line) => (line ? `> ${line}` : '>')).join('\n'), 'quote')];
};

const fencedBlocks = (part, style) => {
  const text = fenced(part, style);
  return text ? [block(text, 'code')] : [];
};

const tableBlocks = (part, style) => {
  const code = codeTable(part);
  if (code) return fencedBlocks(code, style);
  if (!isData(part)) return flow(part, style);
  const caption = captionOf(part);
  const lines = tableLines(part, style);
  return [...(caption ? [block(caption)] : []), ...(lines ? [block(lines, 'table')] : [])];
};

// A row of a table that only arranges things: one line, when there is only text in it.
const layoutRow = (part, style) => {
  if (part.kids.some((kid) => kid.hasBlock)) return flow(part, style);
  const words = escapedStart(tidy(part.kids.filter((kid) => !kid.isDropped).map((kid) => inlineOf(kid, style)).join(' '), style), style);
  return words ? [block(words)] : [];
};

const detailsBlocks = (part, style) => part.kids.filter((kid) => !kid.isDropped).flatMap((kid) => {
  if (kid.tag !== 'SUMMARY') return blocksOf(kid.el ? kid : { ...kid, kids: [] }, style);
  const inner = flow(kid, style);
  if (style.plain || inner.some((one) => one.kind === 'heading')) return inner;
  return termBlock(kid, style);
});

const frameBlocks = (part, style) => {
  if (part.frame) return [block(`${FRAME_MARK}${part.frame}${FRAME_MARK}`, 'frame')];
  const body = part.kids.find((kid) => kid.el);
  return body ? documentBlocks(body, style).blocks : [];
};

const HEADING_TAGS = [...HEADINGS];
const BLOCK_MAKERS = {
  UL: listBlock, OL: listBlock, MENU: listBlock, DL: definitionsBlock, DT: termBlock, DD: definitionBlock,
  BLOCKQUOTE: quoteBlock, PRE: fencedBlocks, TABLE: tableBlocks, TR: layoutRow, DETAILS: detailsBlocks,
  HR: (_part, style) => (style.plain ? [] : [block('---')]), IFRAME: frameBlocks, FRAME: frameBlocks,
};
for (const tag of HEADING_TAGS) BLOCK_MAKERS[tag] = headingBlock;
const ROLE_MAKERS = {
  heading: headingBlock, list: listBlock, table: tableBlocks, grid: tableBlocks, treegrid: tableBlocks,
};

// The blocks of a whole document; `body` is its part.
const documentBlocks = (body, style) => {
  const words = simpleWords(documentTitle(ownerDocumentOf(body.el)) || '');
  const chosen = mainPart(body, words);
  const isWhole = chosen.found === 'body';
  const groups = chosen.parts.map((part) => blocksOf(part, { ...style, whole: isWhole }));
  if (chosen.headLine) groups.splice(groups.length - 1, 0, [block(escapedStart(chosen.headLine, style))]);
  const blocks = groups.flat();
  if (!isWhole && !style.plain) markTitle(blocks, words);
  if (!style.comments || !chosen.comments) return { ...chosen, blocks };
  const comments = chosen.comments.map(preparedComments);
  return { ...chosen, parts: [...chosen.parts, ...comments], blocks: [...blocks, ...commentBlocks(comments, style)] };
};

const commentBlocks = (parts, style) => {
  const blocks = parts.flatMap((part) => blocksOf(part, style));
  const hasHeading = blocks.length > 0 && blocks[0].kind === 'heading';
  return hasHeading || !blocks.length ? blocks : [block(style.plain ? 'Comments' : '## Comments', 'heading'), ...blocks];
};

// Some pages write their title as a mere line: it is a heading all the same.
const markTitle = (blocks, documentWords) => {
  if (blocks.some((one) => one.text.startsWith('# '))) return;
  const isTitle = ({ kind, text }) => {
    const words = simpleWords(text.replace(/\]\([^)]*\)/g, ']'));
    return kind === 'text' && !text.includes('\n') && words.includes(' ') && documentWords.startsWith(words);
  };
  const title = blocks.slice(0, 5).find(isTitle);
  if (title) title.text = `# ${title.text.replace(/^\*\*(.*)\*\*$/, '$1')}`;
};
