// Stylesheets of other origins: pages cannot read their rules, so the engine passes their text on.

// By sheet, not by URL: another sheet with the same URL can have another text. null: it cannot be had.
const foreignTexts = new WeakMap();
const unknownSheets = new Set();

// Without its text, assume that a sheet can do everything to elements with attributes.
const scanForeign = (scan, sheet) => {
  const text = foreignTexts.get(sheet);
  if (text === undefined) unknownSheets.add(sheet);
  if (typeof text === 'string' && !text.includes('@import')) {
    scanText(scan, withoutComments(text));
    return;
  }
  scan.all = -1;
  scan.everywhere |= INHERITED | DISPLAY;
  scan.attributes = -1;
};

const unknownUrls = () => [...new Set([...unknownSheets].map((sheet) => sheet.href || ''))].slice(0, MOST_FOREIGN);
const MOST_FOREIGN = 100;

const documentOf = (sheet) => {
  let top = sheet;
  while (top.parentStyleSheet) top = top.parentStyleSheet;
  return top.ownerNode && ownerDocumentOf(top.ownerNode);
};

// Takes texts by URL for the sheets that were asked about. The texts are those of this document: a document in a frame may
// have received another one for the same URL.
const learnSheets = (texts) => {
  for (const sheet of unknownSheets) {
    if (!Object.hasOwn(texts, sheet.href)) continue;
    foreignTexts.set(sheet, documentOf(sheet) === document ? texts[sheet.href] : null);
    unknownSheets.delete(sheet);
  }
};

// The URLs of the page's own sheets that are unknown; `failed` are URLs that could not be loaded, so their sheets are empty.
const sheetsToAsk = (failed) => {
  for (const sheet of unknownSheets) if (!sheet.ownerNode && !sheet.parentStyleSheet) unknownSheets.delete(sheet);
  for (const sheet of sheetsOf(document)) {
    if (!sheet.disabled && !foreignTexts.has(sheet) && !readableRules(sheet)) unknownSheets.add(sheet);
  }
  if (unknownSheets.size === 0) return [];
  learnSheets(Object.fromEntries(failed.map((url) => [url, ''])));
  return unknownUrls();
};
