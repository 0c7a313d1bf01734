// Quoting page text, so that a page can never forge a line, a ref or a terminal escape.

const HARMLESS = new RegExp('^[ !#-\\[\\]-~\\u00a1-\\u00ac\\u00ae-\\u061b\\u061d-\\u1fff' +
  '\\u2010-\\u2027\\u2030-\\u205f\\u2070-\\ud7ff\\ue000-\\ufdcf\\ufdf0-\\ufefe\\uff00-\\uffef]*$');
const BLANKS = /\s+/g;
// The last two code points of each plane above the first.
const NONCHARACTERS = Array.from({ length: 16 }, (_, i) => (i + 1).toString(16))
  .map((plane) => `\\u{${plane}fffe}\\u{${plane}ffff}`).join('');
const SPECIAL = new RegExp('["\\\\\\p{Cc}\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f' +
  '\\ufdd0-\\ufdef\\ufeff\\ufff9-\\uffff\\u{e0000}-\\u{e0fff}\\p{Cs}' +
  NONCHARACTERS +
  ']', 'gu');
const JOINER = '\u200d';
const isWide = (text, at) => at >= 0 && at < text.length && text.charCodeAt(at) > 0x7f;

const escapeSpecial = (char, at, text) => {
  if (char === '"' || char === '\\') return '\\' + char;
  if (char === JOINER && isWide(text, at - 1) && isWide(text, at + 1)) return char;
  return `\\u{${char.codePointAt(0).toString(16)}}`;
};

const cut = (text, limit) => {
  if (text.length <= limit) return text;
  const split = text.charCodeAt(limit - 1);
  const end = split >= 0xd800 && split <= 0xdbff ? limit - 1 : limit;
  return text.slice(0, end) + '\u2026';
};

const quote = (text, limit) => {
  const short = cut(text, limit);
  if (HARMLESS.test(short)) return '"' + short + '"';
  return '"' + short.replace(BLANKS, ' ').replace(SPECIAL, escapeSpecial) + '"';
};
