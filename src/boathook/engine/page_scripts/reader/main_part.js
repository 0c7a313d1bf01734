// The main part of a document: <main> when it holds enough, else where most of the prose is; with the title that
// stands above it. A page without prose is taken whole.

const FEW = 60;
const MOST_OF_IT = 0.8;

const POSTS = setOf('post answer reply message question thread topic comment');

const partsThat = (top, test) => {
  const found = [];
  collectThat(top, test, found);
  return found;
};

const simpleWords = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim();

// What the title ends with may be the name of the site: that stands in the head of the page, or leads home.
const SITE_PLACES = setOf('header headerbar masthead logo brand branding sidebar topbar');
const isSiteName = (part, words, documentWords) => documentWords.endsWith(words) && documentWords !== words &&
  (part.linkChars > 0 || nearestAround(part, (at) => roleGiven(at) === 'banner' || anyWordAlone(at, SITE_PLACES) ||
    (at.tag === 'HEADER' && !inSection(at))) !== null);

// The heading that names the page: the one whose words the document's title begins with or has, else the first <h1>
// outside menus.
const titleHeading = (top, documentWords) => {
  const all = partsThat(top, (at) => at.tag === 'H1' || at.tag === 'H2' || roleGiven(at) === 'heading')
    .map((part) => ({ part, words: simpleWords(wordsIn(part, 300)) }))
    .filter(({ part, words }) => words && !isSiteName(part, words, documentWords));
  const named = all.filter(({ words }) => documentWords.startsWith(words));
  const inside = all.filter(({ words }) => words.includes(' ') && documentWords.includes(words));
  const best = [...named, ...inside].sort((one, other) => other.words.length - one.words.length)[0];
  if (best) return best.part;
  const first = all.find(({ part }) => part.tag === 'H1' && (part.linkChars === 0 || inSection(part)));
  return first ? first.part : titleLine(top, documentWords);
};

// A page without headings may write its title as a mere line.
const titleLine = (top, documentWords) => firstThat(top, (at) => {
  if (!at.isBlock || at.hasBlock || at.chars === 0 || at.chars > 200) return false;
  const words = simpleWords(wordsIn(at, 250));
  return words.includes(' ') && documentWords.startsWith(words) && !nearestAround(at, (outer) => outer.tag === 'NAV');
});

const isPost = (part) => part.prose > 30 && linkShare(part) < 0.5 && namesOf(part)
  .some((words) => words.length < 3 && words.some((word) => POSTS.has(word)));

// Tables that arrange a page put each post into a table inside a row.
const isPlace = (part) => !TABLE_TAGS.has(part.tag) && part.tag !== 'TABLE';

// A list of posts is often named for them.
const holdsPosts = (part) => {
  const kinds = part.kids.flatMap((kid) => partsThat(kid, isPost)).map(signatureOf);
  return kinds.some((kind, at) => kinds.indexOf(kind) < at);
};

// Several posts beside each other, none of them a comment on something longer.
const looksLikeForum = (top, body) => {
  if (firstThat(top, (at) => at.el && /QAPage|DiscussionForumPosting/.test(attr(at.el, 'itemtype') || ''))) return true;
  if (anyWord(body, setOf('forum thread topic discussion qa question questions'))) return true;
  const outside = [];
  const collect = (part) => {
    if (anyWordAlone(part, COMMENTS) || anyWordAlone(part, SURE)) return;
    if (isPost(part) && !holdsPosts(part)) outside.push(part);
    else for (const kid of part.kids) collect(kid);
  };
  collect(top);
  const places = outside.map((at) => nearestAround(at, isPlace)).flatMap((at) => (at ? [at, at.parent] : []));
  return outside.length >= 2 && places.some((at, i) => at && at !== top && places.indexOf(at) < i - 1);
};

// Sections that a heading calls comments.
const commentSections = (top) => {
  const found = new Set();
  const collect = (part) => {
    if (part.isBlock && part.tag !== 'BODY' && !isMainTag(part) && part.tag !== 'ARTICLE') {
      const heading = headingOf(part);
      if (heading && COMMENTS_HEADING.test(wordsIn(heading, 60))) found.add(part);
    }
    for (const kid of part.kids) collect(kid);
  };
  collect(top);
  return found;
};

const semanticMain = (top) => {
  const mains = partsThat(top, isMainTag);
  return mains.sort((one, other) => other.chars - one.chars)[0] || null;
};

const aboutPage = (top, documentWords) => {
  const facts = factsOfPage(ownerDocumentOf(top.el));
  const title = titleHeading(top, documentWords);
  const isForum = (facts.isOther || !facts.isDeclared) && looksLikeForum(top, top);
  const isArticle = looksLikeArticle(top, { facts, isForum });
  const detached = isArticle ? detachComments(top, title) : [];
  if (isArticle) detachGalleries(top, title);
  const comments = commentSections(top);
  const named = partsThat(top, (at) => at.el && at.isBlock && (anyWordAlone(at, COMMENTS) || comments.has(at)));
  const inComments = named.reduce((sum, at) => sum + at.prose, 0);
  const main = semanticMain(top);
  const articles = partsThat(top, (at) => at.tag === 'ARTICLE' && at.prose > 0);
  const core = main && main.chars >= FEW ? main : articles.length === 1 ? articles[0] : likelyCore(top);
  return {
    prose: top.prose, comments, core, main, title, isForum, proseOutsideComments: top.prose - inComments,
    facts, isArticle, detached,
  };
};

// Where most of the prose is, before anything is left out.
const likelyCore = (top) => {
  let at = top;
  for (;;) {
    const next = at.kids.find((kid) => kid.el && kid.prose >= LIKELY_SHARE * top.prose && kid.prose > 0);
    if (!next || LEAF_BLOCKS.has(next.tag)) return at === top ? null : at;
    at = next;
  }
};
const LIKELY_SHARE = 0.6;

const keptChars = (part) => {
  if (part.isDropped) return 0;
  if (!part.hasBlock && !part.isBlock) return part.chars;
  return part.kids.reduce((sum, kid) => sum + (kid.tag === '#text' ? kid.text.trim().length : keptChars(kid)), 0);
};

const keptProse = (part) => {
  if (part.isDropped) return 0;
  const own = part.isBlock || part.hasBlock ? proseIn(part) : 0;
  return part.kids.reduce((sum, kid) => sum + keptProse(kid), own + (part.frame ? part.prose : 0));
};

// Down to the smallest part that still holds most of the prose.
const densest = (top, total) => {
  let at = top;
  for (;;) {
    const next = at.kids.find((kid) => kid.el && !kid.isDropped && keptProse(kid) >= MOST_OF_IT * total);
    if (!next || LEAF_BLOCKS.has(next.tag) || next.tag === 'IFRAME') return at;
    at = next;
  }
};
const LEAF_BLOCKS = setOf('TABLE TBODY TR UL OL DL PRE P BLOCKQUOTE');

const commonParent = (one, other) => {
  for (let at = one; at; at = at.parent) if (contains(at, other)) return at;
  return one;
};

// What stands with a title that is not in the main part: at most a few lines.
const titleBlock = (title) => {
  const holder = nearestAround(title, (at) => at.tag === 'HEADER') || title.parent;
  if (!holder || holder.tag === 'BODY' || keptChars(holder) > 600 || linkShare(holder) > 0.4) return title;
  return holder;
};

// What to read of a document, as { parts, found }; `top` is its body.
const mainPart = (top, documentWords) => {
  const whole = { parts: [top], found: 'body' };
  if (top.chars < FEW) return whole;
  const page = aboutPage(top, documentWords);
  new Boilerplate(page).prune(top, isMainTag(top));
  const root = page.isArticle ? articleRoot(top, page.title) : mainRoot(top, page);
  const kept = root ? keptChars(root) : 0;
  if (kept < FEW || (kept < 250 && kept < 0.25 * top.chars)) {
    if (keptChars(top) < 0.4 * top.chars) restore(top);
    return whole;
  }
  if (page.isArticle) return articleParts(root, page);
  const title = page.title;
  const hasTitle = !title || contains(root, title);
  const comments = partsThat(top, (at) => at.isDropped && isCommentsPart(at));
  return { parts: hasTitle ? [root] : [titleBlock(undropped(title)), root], found: 'main', comments };
};

// An article begins with its headline, byline and date, each once.
const articleParts = (root, page) => {
  const article = new Article(page, root);
  const body = article.trim();
  const { title, facts } = page;
  if (title) moveOut(undropped(title));
  return {
    parts: title ? [title, body] : [body], found: 'main', comments: page.detached,
    byline: facts.byline || article.byline, published: facts.published || article.date,
    headLine: headLineOf(article.byline || facts.byline, article.date || facts.published.replace(/T.*$/, '')),
  };
};

const headLineOf = (byline, date) => (DATE_LINE.test(byline) ? byline : [byline, date].filter(Boolean).join(' \u00b7 '));

const moveOut = (part) => {
  part.parent.kids = part.parent.kids.filter((kid) => kid !== part);
};

const articleRoot = (top, title) => {
  dropOtherArticles(title);
  discount(top);
  return new Candidates(top, lettersPerSign, title).chosen(top);
};

// A <main> with less of the prose than this is not what its name says.
const LEAST_SHARE = 0.3;

const mainRoot = (top, page) => {
  const all = keptChars(top);
  if (page.main && !page.main.isDropped) {
    const kept = keptChars(page.main);
    if ((kept >= 200 && keptProse(page.main) >= LEAST_SHARE * keptProse(top)) || kept >= 0.3 * all) return page.main;
  }
  const total = keptProse(top);
  if (total < FEW) return null;
  const root = densest(top, total);
  const { title } = page;
  return title && !title.isDropped && isNear(root, title) ? commonParent(root, title) : root;
};

const isNear = (root, title) => !nearestAround(title, (at) => at.isDropped) && commonParent(root, title).tag !== 'HTML';

// A title inside something dropped is wanted all the same.
const undropped = (title) => {
  title.isDropped = false;
  return title;
};

const restore = (part) => {
  part.isDropped = false;
  for (const kid of part.kids) restore(kid);
};
