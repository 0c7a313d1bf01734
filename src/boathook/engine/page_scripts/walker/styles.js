// Text that styles add or change: ::before and ::after, quotation marks, upper and lower case.

const QUOTES = {
  en: '\u201c\u201d\u2018\u2019', fr: '\u00ab\u00bb\u00ab\u00bb', de: '\u201e\u201c\u201a\u2018',
  ja: '\u300c\u300d\u300e\u300f', es: '\u00ab\u00bb\u201c\u201d', ru: '\u00ab\u00bb\u201e\u201c',
};

// The marks that the browser draws around a q element: [opening, closing].
const quoteMarks = (el) => {
  const speaker = around(el, '[lang]');
  const language = speaker ? attr(speaker, 'lang').slice(0, 2).toLowerCase() : 'en';
  const marks = QUOTES[language] || QUOTES.en;
  const at = around(el, 'q') && !around(around(el, 'q'), 'q') ? 2 : 0;
  return [marks[at], marks[at + 1]];
};

const CONTENT_PART = /"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)|open-quote|close-quote|\/|[\w-]+\([^)]*\)/g;
const unescapeCss = (text) => text.replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g,
  (_, hex, plain) => (hex ? String.fromCodePoint(parseInt(hex, 16) || 0xfffd) : plain));

const partsText = (el, parts) => parts.map((part) => {
  if (part[1] !== undefined) return unescapeCss(part[1]);
  if (part[2]) return attr(el, part[2]) || '';
  if (part[0] === 'open-quote') return '\u201c';
  return part[0] === 'close-quote' ? '\u201d' : '';
}).join('');

// The words of a ::before or ::after box; the text after a slash is meant for us and replaces the rest.
// `bits` says what else the rules around can do to them. Chromium's names contain counters only from such a text.
const generatedText = (el, which, bits, inName = false) => {
  const text = textGenerated(el, which, bits, inName);
  if (noting) GENERATED_TEXTS[which][inName ? 1 : 0].set(el, { bits, text });
  return text;
};
const noteGenerated = (which, inName) => noteAnswers(({ bits, text }, el) => textGenerated(el, which, bits, inName) === text);
const GENERATED_TEXTS = {
  '::before': [noteGenerated('::before', false), noteGenerated('::before', true)],
  '::after': [noteGenerated('::after', false), noteGenerated('::after', true)],
};

const textGenerated = (el, which, bits, inName) => {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (!content || content === 'none' || content === 'normal') return '';
  const display = style.display;
  if (display === 'none' || (bits & VISIBILITY && style.visibility !== 'visible')) return '';
  const isInline = display.startsWith('inline') && display !== 'inline-block';
  const simple = PLAIN_CONTENT.exec(content);
  if (simple && isInline && !(bits & TRANSFORM)) return simple[1];
  const parts = [...content.matchAll(CONTENT_PART)];
  const slash = parts.findIndex((part) => part[0] === '/');
  if (slash >= 0) {
    const shown = parts.slice(slash + 1);
    const alternative = (shown.some(isCounter) && countedText(el, which)) || partsText(el, shown);
    return alternative && ` ${alternative} `;
  }
  const counted = !inName && parts.some(isCounter) && countedText(el, which);
  if (counted) return isInline ? counted : ` ${counted} `;
  const text = partsText(el, parts);
  if (!text) return '';
  const words = bits & TRANSFORM ? transformText(text, style.textTransform) : text;
  return isInline ? words : ` ${words} `;
};
const isCounter = (part) => /^counters?\(/.test(part[0]);
const PLAIN_CONTENT = /^"([^"\\]*)"$/;

const PLAIN_LETTERS = /^[\x20-\x7e]*$/;
const PLAIN_WORD_START = /(^|[^a-zA-Z0-9'_])([a-z])/g;
const WORD_START = /(^|[^\p{L}\p{N}'\u2019_])(\p{L})/gu;

const transformText = (text, how) => {
  if (how === 'uppercase') return text.toUpperCase();
  if (how === 'lowercase') return text.toLowerCase();
  if (how === 'capitalize') {
    const start = PLAIN_LETTERS.test(text) ? PLAIN_WORD_START : WORD_START;
    return text.replace(start, (_, gap, letter) => gap + letter.toUpperCase());
  }
  return text;
};
