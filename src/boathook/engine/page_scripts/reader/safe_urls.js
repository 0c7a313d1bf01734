// Harmless text: nothing in it can act on a terminal, reorder a line or hide. What emoji and the writing of
// other languages need stays.

const INVISIBLE = new RegExp('[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e' +
  '\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufdd0-\\ufdef\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff' +
  '\\u{e0000}-\\u{e0fff}\\p{Cs}]', 'gu');
const QUICK_INVISIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\uffff\ud800-\udfff]/;

// Hints for breaking lines say nothing to a reader.
const MERE_HINTS = new Set(['\u00ad', '\u200b', '\u2060', '\ufeff']);
const JOINERS = new Set(['\u200c', '\u200d']);
const MARKS = new Set(['\u200e', '\u200f', '\u061c']);
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const FLAG_OF_A_REGION = /\u{1f3f4}[\u{e0020}-\u{e007e}]*$/u;

const isBeyondAscii = (text, at) => at >= 0 && at < text.length && text.charCodeAt(at) > 0x7f;

const safeChar = (char, at, text, keepsHints) => {
  if (JOINERS.has(char) && isBeyondAscii(text, at - 1) && isBeyondAscii(text, at + 1)) return char;
  if (MARKS.has(char) && RIGHT_TO_LEFT.test(text)) return char;
  if (char >= '\u{e0020}' && char <= '\u{e007f}' && FLAG_OF_A_REGION.test(text.slice(0, at).slice(-20))) return char;
  if (char === '\u2028' || char === '\u2029') return '\n';
  if (!keepsHints && (MERE_HINTS.has(char) || MARKS.has(char))) return '';
  return `\\u{${char.codePointAt(0).toString(16)}}`;
};

// In code every character counts, so that hints are written out there.
const safeText = (text, isCode = false) => (QUICK_INVISIBLE.test(text)
  ? text.replace(INVISIBLE, (char, at) => safeChar(char, at, text, isCode)) : text);
