// Code: its exact text, and the language that the page says it is in.

const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source|highlight|brush|code|prettyprint lang)[-:]\s?([\w+#.-]+)/i;
const BARE_LANGUAGES = setOf('bash sh shell console python py javascript js typescript ts jsx tsx json yaml yml toml html css ' +
  'scss sql go rust java kotlin swift ruby php perl c cpp csharp cs r lua scala haskell elixir erlang clojure dart diff ' +
  'dockerfile makefile ini xml graphql powershell text plaintext nginx http');
const NO_LANGUAGES = setOf('text plaintext none plain default nohighlight block wrapper toolbar');
const GUTTER = /(?:^|[\s_-])(?:line-?nos?|line-?numbers?(?:-rows)?|gutter|lnt|linenodiv|rouge-gutter)(?:$|[\s_-])/i;

const languageIn = (el) => {
  const names = attr(el, 'class') || '';
  const given = attr(el, 'data-lang') || attr(el, 'data-language') || (LANGUAGE.exec(names) || [])[1];
  if (given) return NO_LANGUAGES.has(given.toLowerCase()) ? '' : given.toLowerCase();
  if (!/\b(?:hljs|sourceCode|prettyprint|highlight|code|shiki|prism)\b/i.test(names)) return '';
  return names.split(/\s+/).find((name) => BARE_LANGUAGES.has(name.toLowerCase())) || '';
};

const languageOf = (part) => {
  const inner = firstThat(part, (at) => at.tag === 'CODE' && Boolean(languageIn(at.el)));
  if (inner) return languageIn(inner.el);
  let at = part;
  for (let i = 0; i < 4 && at && at.el; i++, at = at.parent) {
    const found = languageIn(at.el);
    if (found) return found;
  }
  return '';
};

const isGutter = (part) => Boolean(part.el) && GUTTER.test(attr(part.el, 'class') || '') && !/[a-z]{2}/i.test(wordsIn(part, 60));

const exactText = (part) => {
  let out = '';
  const add = (at) => {
    if (at.tag === '#text') out += at.text;
    else if (at.tag === 'BR') out += '\n';
    else if (!at.isButton && !at.isFixed && !isGutter(at)) addElement(at);
  };
  const addElement = (at) => {
    const isLine = at.isBlock && at !== part && at.tag !== 'CODE';
    if (isLine && out && !out.endsWith('\n')) out += '\n';
    const start = out.length;
    for (const kid of at.kids) add(kid);
    if (isLine && !(out.length > start && out.endsWith('\n'))) out += '\n';
  };
  add(part);
  return out.replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd();
};

const fenced = (part, style) => {
  const text = exactText(part);
  if (!text.trim()) return '';
  if (style.plain) return text;
  const fence = '`'.repeat(Math.max(2, longestRun(text)) + 1);
  return `${fence}${languageOf(part)}\n${text}\n${fence}`;
};

// A box around code that is a table of line numbers and lines.
const codeTable = (part) => {
  const pres = partsThat(part, (at) => at.tag === 'PRE');
  const real = pres.filter((at) => !/^[\d\s]*$/.test(exactText(at)));
  const first = real[0];
  return real.length === 1 && pres.length > 1 && first.chars > 0.7 * (part.chars - pres.reduce(
    (sum, at) => sum + (at === first ? 0 : at.chars), 0)) ? first : null;
};
