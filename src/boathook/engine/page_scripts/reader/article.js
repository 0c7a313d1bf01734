// An article: its text without what stands between and below it. Used only for pages that are one, after the
// boilerplate that every page has was dropped and the part with the text was chosen.

// A character of these scripts says as much as two or three letters of others.
const DENSE_SCRIPT = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const LETTERS_PER_SIGN = 2.5;
const LONG_PARAGRAPH = 80;
let lettersPerSign = 1;

const setLimits = (top) => {
  const sample = wordsIn(top, 4000);
  lettersPerSign = (sample.match(DENSE_SCRIPT) || []).length > 0.3 * sample.length ? LETTERS_PER_SIGN : 1;
};
const isLong = (part) => (part.isBlock || part.hasBlock) && (part.run - part.runLinks) * lettersPerSign >= LONG_PARAGRAPH;

// Characters of long runs of text that are neither links nor captions.
const longText = (part) => {
  if (part.isDropped || part.tag === 'FIGCAPTION') return 0;
  const plain = part.run - part.runLinks;
  return part.kids.reduce((sum, kid) => sum + longText(kid), isLong(part) && plain > part.runLinks ? plain : 0);
};

const FEWEST_PARAGRAPHS = 3;
const PARAGRAPH_TAGS = setOf('P DIV SECTION ARTICLE TD SPAN CENTER FONT BLOCKQUOTE');
const countLong = (part) => {
  if (part.isDropped) return 0;
  return part.kids.reduce((sum, kid) => sum + countLong(kid), PARAGRAPH_TAGS.has(part.tag) && isLong(part) ? 1 : 0);
};

const looksLikeArticle = (top, page) => {
  setLimits(top);
  if (page.isForum || page.facts.isOther) return false;
  return page.facts.isDeclared || (countLong(top) >= FEWEST_PARAGRAPHS && longText(top) >= 0.4 * top.prose);
};

const LEAST_KEPT = 0.6;
const eachPart = (part, visit) => {
  visit(part);
  for (const kid of part.kids) eachPart(kid, visit);
};

class Article {
  constructor(page, root) {
    this.page = page;
    this.root = root;
    this.total = longText(root);
    this.byline = '';
    this.date = '';
  }

  // Drops what is not the text, in steps. A step that would take much of the text mistakes the page, and is undone.
  trim() {
    for (const step of ['dropAsides', 'dropCaptions', 'dropEnds']) this.attempt(() => this[step](this.root));
    return this.root;
  }

  attempt(step) {
    const dropped = new Set();
    eachPart(this.root, (part) => { if (part.isDropped) dropped.add(part); });
    step();
    if (longText(this.root) >= LEAST_KEPT * this.total) return;
    eachPart(this.root, (part) => { part.isDropped = dropped.has(part); });
  }

  // Boxes between the paragraphs: other stories, newsletters, authors, tags.
  dropAsides(part) {
    for (const kid of part.kids) {
      if (!kid.el || kid.isDropped || !(kid.isBlock || kid.hasBlock) || (isTable(kid) && isData(kid))) continue;
      if (this.isAside(kid)) kid.isDropped = true;
      else this.dropAsides(kid);
    }
    this.dropFollowers(part);
  }

  isAside(part) {
    const { title } = this.page;
    if ((title && contains(part, title)) || isHeading(part) || longText(part) >= MOST_OF_AN_ASIDE * this.total) return false;
    if (part.chars < LONGEST_AUTHOR_BOX && anyWordAlone(part, AUTHOR_BOXES)) return this.takeByline(part);
    if (part.links + part.fields > 0 && anyWordAlone(part, ARTICLE_ASIDES) && !anyWord(part, EMBEDS)) return true;
    const heading = headingOf(part) || labelOf(part);
    return heading !== null && heading !== title && heading.chars < part.chars && OTHER_STORIES.test(wordsIn(heading, 100)) &&
      (linkShare(part) > 0.2 || longText(part) < LONGEST_EXCERPT) && (part.links + part.fields > 0 || longText(part) === 0);
  }

  takeByline(part) {
    if (!this.byline && part.chars < LONGEST_BYLINE) this.byline = wordsIn(part, LONGEST_BYLINE);
    return true;
  }

  // A heading such as "Related stories" and what follows it, when nothing holds them together.
  dropFollowers(part) {
    const kids = part.kids.filter((kid) => kid.el && !kid.isDropped);
    for (let i = 0; i < kids.length; i++) {
      if (!isLabel(kids[i]) || kids[i] === this.page.title || !OTHER_STORIES.test(wordsIn(kids[i], 100))) continue;
      let end = i + 1;
      while (end < kids.length && !isHeading(kids[end]) && isElsewhere(kids[end])) end++;
      for (let at = i; at < end; at++) kids[at].isDropped = true;
    }
  }

  // A caption belongs to its picture.
  dropCaptions(part) {
    for (const kid of part.kids) {
      if (!kid.el || kid.isDropped) continue;
      if (isCaption(kid)) {
        const picture = pictureBeside(kid);
        if (picture) picture.caption = wordsIn(kid, 400);
        if (picture || kid.tag === 'FIGCAPTION') kid.isDropped = picture !== null || !firstThat(kid.parent, (at) => at.tag === 'PRE' || at.tag === 'TABLE');
      } else this.dropCaptions(kid);
    }
  }

  // Byline and date above the text, and notices below it.
  dropEnds(root) {
    const leaves = leafBlocks(root).filter((leaf) => leaf !== this.page.title);
    const first = leaves.findIndex((leaf) => isLong(leaf) && !isHeading(leaf) && !isCaption(leaf));
    leaves.slice(0, Math.max(0, first)).forEach((leaf) => this.takeHeadLine(leaf));
    for (let at = leaves.length - 1; at > first && this.isNotice(leaves[at]); at--) leaves[at].isDropped = true;
  }

  takeHeadLine(leaf) {
    const words = wordsIn(leaf, 200);
    if (leaf.chars > LONGEST_BYLINE || nearestAround(leaf, (at) => at.tag === 'TABLE' || at.tag === 'PRE') || isSentence(leaf, words)) return;
    const { byline } = this.page.facts;
    const isDate = DATE_LINE.test(words) || firstThat(leaf, (at) => at.tag === 'TIME') !== null;
    const isBy = BYLINE.test(words) || anyWord(leaf, AUTHOR_WORDS) || (byline !== '' && words.includes(byline));
    if (!isDate && !isBy && linkShare(leaf) < MOST_LINKED_LINE) return;
    if (isBy && !this.byline) this.byline = words;
    else if (isDate && !this.date) this.date = words;
    leaf.isDropped = true;
  }

  isNotice(leaf) {
    if (nearestAround(leaf, (at) => at.isCode || at.tag === 'PRE' || (isTable(at) && isData(at)))) return false;
    const words = wordsIn(leaf, 600);
    if (isHeading(leaf) || (leaf.chars < LONGEST_NOTICE && TAIL_NOTICE.test(words))) return true;
    return linkShare(leaf) > MOST_LINKED_LINE || isAuthorNote(words, this.page.facts.byline || this.byline);
  }
}

const MOST_OF_AN_ASIDE = 0.25;
const MOST_LINKED_LINE = 0.7;
const LONGEST_NOTICE = 300;
const LONGEST_BYLINE = 100;
const LONGEST_AUTHOR_BOX = 1200;
const ARTICLE_ASIDES = setOf('related relateds relatedposts relatedarticles relatedcontent recommended recommend recommendations teaser ' +
  'teasers nextstory nextpost morestories readmore mostread mostpopular popular trending promo promos share sharing sharebar newsletter ' +
  'newsletters subscribe subscription signup tags taglist interesting furtherreading upnext dossier postmeta postnav');
const EMBEDS = setOf('embed embeds tweet twitter instagram');
const AUTHOR_BOXES = setOf('author authors bio biography contributor contributors authorbox');
const AUTHOR_WORDS = setOf('author authors byline writer bio contributor contributors');

const isAuthorNote = (words, byline) => {
  const name = byline.replace(/^(?:by|von|par|por|di)\s+/i, '').split(/,| and | & |\|/)[0].trim();
  return name.length > 4 && words.length < 600 && words.toLowerCase().startsWith(name.toLowerCase());
};

// A short paragraph: it ends as a sentence does, and has more than a few words.
const isSentence = (leaf, words) => leaf.tag === 'P' && leaf.links === 0 && leaf.chars * lettersPerSign > 0.5 * LONG_PARAGRAPH &&
  ENDS_SENTENCE.test(words) && !BYLINE.test(words) && !anyWord(leaf, AUTHOR_WORDS);

const isLabel = (part) => part.chars > 0 && part.chars < 80 && (isHeading(part) || (!part.hasBlock && part.isBlock));

// Another story: a linked title, perhaps with a picture, a date, a few words.
const LONGEST_TEASER = 700;
const LONGEST_EXCERPT = 420;
const isTeaser = (part) => {
  if (part.chars < 12 || part.chars > LONGEST_TEASER || longText(part) > LONGEST_EXCERPT || part.isCode) return false;
  const link = firstThat(part, (at) => at.tag === 'A' && at.chars >= 12);
  if (!link) return false;
  const isTitle = isHeading(link) || isHeading(link.parent) || firstThat(link, (at) => isHeading(at) || at.tag === 'IMG') !== null;
  return linkShare(part) >= (isTitle ? 0.08 : 0.6);
};
const isElsewhere = (part) => part.chars === 0 || part.fields > 0 || linkShare(part) > 0.3 || isTeaser(part);

// The smallest blocks with text, in order.
const leafBlocks = (top) => {
  const found = [];
  const collect = (part) => {
    if (part.isDropped || !part.el) return;
    if (part.chars > 0 && part.isBlock && !part.hasBlock) found.push(part);
    else if (part.hasBlock && isLong(part)) found.push(part);
    else part.kids.forEach(collect);
  };
  collect(top);
  return found;
};

const CAPTION_WORDS = setOf('caption captions figcaption credit credits photocredit imagecredit imagecaption cutline');
const isCaption = (part) => part.tag === 'FIGCAPTION' || (part.chars < 400 && part.chars > 0 && part.tag !== 'CAPTION' && !isHeading(part) &&
  namesOf(part).some((words) => words.length < 6 && words.some((word) => CAPTION_WORDS.has(word)) && !words.includes('figure')));
const pictureBeside = (part) => {
  for (let at = part.parent, steps = 0; at && steps < 3 && at.chars < part.chars + 300; at = at.parent, steps++) {
    const picture = firstThat(at, (kid) => kid.tag === 'IMG' || kid.tag === 'VIDEO');
    if (picture) return picture;
  }
  return null;
};
