// The one question that the engine asks: read this document, or one element of it, in a format.

const MOST_CHARACTERS = 8000000;
const PDF = 'application/pdf';
const contentTypeOf = getterOf(Document.prototype, 'contentType');
let askedFrames = [];

const topOf = (element) => element || document.body || documentElementOf(document);

const tablesIn = (parts) => {
  const found = [];
  for (const part of parts) collectThat(part, (at) => !at.isDropped && isTable(at) && isData(at), found);
  return found.filter((table) => !nearestAround(table, (at) => at.isDropped));
};

const FORMATS = {
  markdown: (chosen) => ({ text: joined(chosen.blocks) }),
  text: (chosen) => ({ text: joined(chosen.blocks) }),
  html: (chosen) => ({ text: chosen.parts.map(htmlOf).join('\n').trim() }),
  outline: (_chosen, top) => {
    restore(top);
    return { text: outlineOf(top) };
  },
  tables: (chosen, top) => {
    let tables = tablesIn(chosen.parts);
    if (!tables.length) {
      restore(top);
      tables = tablesIn([top]);
    }
    return {
      text: tables.map((table) => joined(tableBlocks(table, {}))).join('\n\n'),
      tables: tables.map((table) => ({ caption: captionOf(table), rows: tableRows(table) })),
    };
  },
};

// Where the editors stand in their document; the page's main world is asked for their text.
const numbersOf = (editors) => {
  const all = [...Document.prototype.querySelectorAll.call(document, EDITORS)];
  return editors.map((editor) => all.indexOf(editor));
};

const answer = (given) => JSON.stringify(given).toWellFormed();

const readPage = ({ format, comments = false, editors = null }, element = null) => {
  if (!element && contentTypeOf(document) === PDF) return answer({ pdf: true });
  const contentTree = new ContentTree(editors);
  const start = topOf(element);
  const top = start ? contentTree.of(start) : null;
  askedFrames = contentTree.frames;
  const facts = { title: safeText(documentTitle(document).replace(/\s+/g, ' ').trim()), frames: contentTree.frames.length };
  if (!editors && contentTree.editors.length) return answer({ editors: numbersOf(contentTree.editors) });
  if (!top) return answer({ ...facts, text: '', found: 'nothing' });
  const style = { plain: format === 'text', comments };
  const chosen = element ? { parts: [top], found: 'target', blocks: blocksOf(top, { ...style, whole: true }) }
    : documentBlocks(top, style);
  const made = FORMATS[format](chosen, top);
  const text = made.text.slice(0, MOST_CHARACTERS);
  const wasCut = contentTree.wasCut || text.length < made.text.length;
  const { byline = '', published = '' } = chosen;
  return answer({ ...facts, byline, published, ...made, text, found: text.trim() ? chosen.found : 'nothing', wasCut });
};

globalThis.__boathookReader = { read: readPage, frame: (number) => askedFrames[number - 1] || null };
return 0;
