// An article: its text without what stands around and between it. Used only for pages that are one, after the
// boilerplate that every page has was dropped.

// A character of these scripts says as much as two or three letters of others.
const DENSE_SCRIPT = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const LETTERS_PER_SIGN = 2.5;
let longParagraph = 80;
let shortLine = 60;

const setLimits = (top) => {
  const sample = wordsIn(top, 4000);
  const isDense = (sample.match(DENSE_SCRIPT) || []).length > 0.3 * sample.length;
  longParagraph = isDense ? 80 / LETTERS_PER_SIGN : 80;
  shortLine = isDense ? 60 / LETTERS_PER_SIGN : 60;
};
const FEWEST_PARAGRAPHS = 3;
const BODY_SHARE = 0.8;
const PARAGRAPH_TAGS = setOf('P DIV SECTION ARTICLE TD SPAN CENTER FONT BLOCKQUOTE');
const TEXT_TAGS = setOf('P BLOCKQUOTE PRE TABLE UL OL DL H2 H3 H4 H5 H6 FIGURE');

// Characters of long runs of text that are neither links nor captions.
const longText = (part) => {
  if (part.isDropped || part.tag === 'FIGCAPTION') return 0;
  const plain = part.run - part.runLinks;
  const own = (part.isBlock || part.hasBlock) && plain >= longParagraph && plain > part.runLinks ? plain : 0;
  return part.kids.reduce((sum, kid) => sum + longText(kid), own);
};

const countLong = (part) => {
  if (part.isDropped) return 0;
  const isLong = (part.isBlock || part.hasBlock) && PARAGRAPH_TAGS.has(part.tag) && part.run - part.runLinks >= longParagraph;
  return part.kids.reduce((sum, kid) => sum + countLong(kid), isLong ? 1 : 0);
};

const looksLikeArticle = (top, page) => {
  setLimits(top);
  if (page.isForum || page.facts.isOther) return false;
  return page.facts.isDeclared || (countLong(top) >= FEWEST_PARAGRAPHS && longText(top) >= 0.4 * top.prose);
};

// --- teasers: other stories, each with a linked title and perhaps a picture, a date, a few words ---

const LONGEST_TEASER = 700;
const LONGEST_EXCERPT = 420;
const titleLinkOf = (part) => firstThat(part, (at) => at.tag === 'A' && at.chars >= 12);

const isTeaser = (part) => {
  if (part.chars < 12 || part.chars > LONGEST_TEASER || part.tag === 'TR' || part.isCode) return false;
  if (longText(part) > LONGEST_EXCERPT) return false;
  const link = part.tag === 'A' ? part : titleLinkOf(part);
  if (!link) return false;
  const isTitle = isHeading(link) || isHeading(link.parent) || firstThat(link, isHeading) !== null || firstThat(link, (at) => at.tag === 'IMG') !== null;
  return linkShare(part) >= (isTitle ? 0.08 : 0.6) && (part.isBlock || part.hasBlock);
};

const ENTRY_TAGS = setOf('ARTICLE LI A');
const signatureOf = (part) => (ENTRY_TAGS.has(part.tag) ? part.tag : `${part.tag} ${namesOf(part).map((words) => words.filter((word) => !/\d/.test(word)).join('-'))[0] || ''}`);

const teaserGroups = (part) => {
  const groups = new Map();
  for (const kid of part.kids) {
    if (!kid.el || kid.isDropped || kid.chars === 0 || kid.tag === 'P') continue;
    const key = signatureOf(kid);
    groups.set(key, [...(groups.get(key) || []), kid]);
  }
  return [...groups.values()].filter((group) => group.length >= 2 && group.filter(isTeaser).length >= 0.7 * group.length);
};

const LEAST_KEPT = 0.5;
const STEP_KEEPS = 0.6;
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
    this.dropOtherArticles();
    this.body = this.densest();
    const steps = ['dropHeaded', 'dropTeasers', 'narrow', 'dropAuthorBoxes', 'dropCaptions', 'dropLinkLines', 'dropEnds'];
    for (const step of steps) this.attempt(() => this[step](this.root));
    return this.root;
  }

  attempt(step) {
    const dropped = new Set();
    eachPart(this.root, (part) => { if (part.isDropped) dropped.add(part); });
    const before = longText(this.root);
    step();
    const left = longText(this.root);
    if (left >= STEP_KEEPS * before && left >= LEAST_KEPT * this.total) return;
    eachPart(this.root, (part) => { part.isDropped = dropped.has(part); });
  }

  // The lines above and below the text.
  dropEnds(root) {
    const leaves = leafBlocks(root).filter((leaf) => leaf !== this.page.title);
    const first = leaves.findIndex((leaf) => isRealText(leaf));
    if (first >= 0) leaves.slice(0, first).forEach((leaf) => this.takeHeadLine(leaf));
    this.dropTail(leaves.slice(Math.max(0, first)));
  }

  mayDrop(part) {
    const { title } = this.page;
    return !(title && contains(part, title)) && longText(part) < 0.4 * this.total;
  }

  // Pages that go on with the next article when one scrolls: only the one with the page's title is meant.
  dropOtherArticles() {
    const { title } = this.page;
    if (!title || title.tag !== 'H1') return;
    for (let at = title.parent; at && at !== this.root && at.parent; at = at.parent) {
      if (longText(at) < LEAST_OWN_TEXT) continue;
      const twins = at.parent.kids.filter((kid) => kid !== at && kid.el && !kid.isDropped && signatureOf(kid) === signatureOf(at));
      const others = twins.filter((kid) => firstThat(kid, (part) => part.tag === title.tag) !== null);
      others.forEach((kid) => { kid.isDropped = true; });
      if (others.length) this.total = longText(this.root);
    }
  }

  dropAuthorBoxes(part) {
    for (const kid of part.kids) {
      if (!kid.el || kid.isDropped) continue;
      if (isAuthorBox(kid) && (kid.isBlock || kid.hasBlock) && this.mayDrop(kid) && longText(kid) < 0.2 * this.total) {
        if (!this.byline && kid.chars < 100) this.byline = wordsIn(kid, 100);
        kid.isDropped = true;
      } else this.dropAuthorBoxes(kid);
    }
  }

  dropTeasers(part) {
    for (const group of teaserGroups(part)) {
      const isList = group[0].tag === 'LI';
      const share = group.reduce((sum, at) => sum + at.linkChars, 0) / group.reduce((sum, at) => sum + at.chars, 0);
      if (isList && !(this.page.facts.isDeclared && share > 0.8 && part.parent !== this.body) && !group.some((at) => firstThat(at, isHeading))) continue;
      for (const kid of group) if (this.mayDrop(kid)) kid.isDropped = true;
    }
    for (const kid of part.kids) {
      if (!kid.el || kid.isDropped || (isTable(kid) && isData(kid))) continue;
      if (((kid.tag === 'ARTICLE' && isTeaser(kid)) || this.isNamedAside(kid)) && this.mayDrop(kid)) kid.isDropped = true;
      else this.dropTeasers(kid);
    }
  }

  isNamedAside(part) {
    if (!part.isBlock && !part.hasBlock) return false;
    if (!anyWordAlone(part, ARTICLE_ASIDES) || anyWord(part, EMBEDS) || isHeading(part)) return false;
    return part.links + part.fields > 0 && longText(part) < 0.25 * this.total;
  }

  // Parts under a heading such as "Related stories"; and what follows such a heading among its siblings.
  dropHeaded(part) {
    for (const kid of part.kids) {
      if (!kid.el || kid.isDropped) continue;
      const heading = kid.isBlock || kid.hasBlock ? headingOf(kid) || labelOf(kid) : null;
      if (heading && heading !== this.page.title && OTHER_STORIES.test(wordsIn(heading, 100)) && this.isAside(kid, heading)) kid.isDropped = true;
      else this.dropHeaded(kid);
    }
    this.dropFollowers(part);
  }

  isAside(part, heading) {
    const most = isHeading(heading) ? 0.25 * this.total + 100 : 200;
    return this.mayDrop(part) && heading.chars < part.chars && longText(part) < most &&
      (part.links > 0 || part.fields > 0 || longText(part) === 0);
  }

  dropFollowers(part) {
    const kids = part.kids.filter((kid) => kid.el && !kid.isDropped);
    for (let i = 0; i < kids.length; i++) {
      if (!isLabel(kids[i]) || kids[i] === this.page.title || !OTHER_STORIES.test(wordsIn(kids[i], 100))) continue;
      let end = i + 1;
      while (end < kids.length && !isHeading(kids[end]) && isElsewhere(kids[end]) && this.mayDrop(kids[end])) end++;
      for (let at = i; at < end; at++) kids[at].isDropped = true;
    }
  }

  // Down to where the text is; of what stands beside the way only text is kept.
  narrow() {
    const body = this.densest();
    for (let at = body; at !== this.root; at = at.parent) {
      for (const kid of at.parent.kids) {
        if (kid === at || !kid.el || kid.isDropped || !this.mayDrop(kid)) continue;
        if (!this.belongs(kid)) kid.isDropped = true;
      }
    }
  }

  densest() {
    let at = this.root;
    for (;;) {
      const next = at.kids.find((kid) => kid.el && !kid.isDropped && longText(kid) >= BODY_SHARE * this.total);
      if (!next || this.total === 0 || LEAF_BLOCKS.has(next.tag)) return at;
      at = next;
    }
  }

  belongs(part) {
    if (isAuthorBox(part)) return false;
    if (longText(part) >= 100 && linkShare(part) < 0.35) return true;
    if (part.tag === 'TABLE') return isData(part);
    if (part.links + part.fields === 0 && part.prose > 0 && ENDS_SENTENCE.test(wordsIn(part, 2000))) return true;
    return TEXT_TAGS.has(part.tag) && linkShare(part) < 0.5 && part.chars > 0;
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

  // Paragraphs that are nothing but a link to another story.
  dropLinkLines(part) {
    for (const kid of part.kids) {
      if (!kid.el || kid.isDropped) continue;
      if (!kid.hasBlock && kid.isBlock && this.isLinkLine(kid)) kid.isDropped = true;
      else if (kid.tag !== 'LI' && kid.tag !== 'TABLE') this.dropLinkLines(kid);
    }
  }

  isLinkLine(part) {
    if (part.chars < 4 || part.chars > 300 || isHeading(part) || part.isCode || part === this.page.title) return false;
    const share = linkShare(part);
    if (share > 0.4 && ELSEWHERE_LINE.test(wordsIn(part, 60))) return true;
    return this.page.facts.isDeclared && share > 0.9 && part.chars > 15 && part.tag !== 'TD' && part.tag !== 'DD' && part.tag !== 'DT';
  }

  // A short line above the text: byline, date, section, counters.
  takeHeadLine(leaf) {
    const words = wordsIn(leaf, 200);
    if (leaf.chars > 100 || nearestAround(leaf, (at) => at.tag === 'TABLE' || at.tag === 'PRE')) return;
    if (isSentence(leaf, words)) return;
    const isDate = DATE_LINE.test(words) || firstThat(leaf, (at) => at.tag === 'TIME') !== null;
    const isBy = BYLINE.test(words) || anyWord(leaf, AUTHOR_WORDS) || (this.page.facts.byline !== '' && words.includes(this.page.facts.byline));
    if (!isDate && !isBy && !this.isKicker(leaf, words)) return;
    if (isBy && !this.byline) this.byline = words;
    else if (isDate && !this.date) this.date = words;
    leaf.isDropped = true;
  }

  // The name of a section, a counter, a link to a category.
  isKicker(leaf, words) {
    if (isHeading(leaf)) return this.page.facts.isDeclared && leaf.chars < 25;
    return linkShare(leaf) > 0.5 || (this.page.facts.isDeclared && leaf.chars < shortLine && !ENDS_SENTENCE.test(words));
  }

  // From the end back to the last line that is text. Many short lines are a list or a poem, and stay.
  dropTail(leaves) {
    let start = leaves.length;
    while (start > 1 && this.isTailLine(leaves[start - 1])) start--;
    const tail = leaves.slice(start);
    const loose = tail.filter((leaf) => !this.isKnownTail(leaf));
    const end = loose.length > MOST_LOOSE_LINES ? tail.indexOf(loose[loose.length - 1]) + 1 : 0;
    tail.slice(end).forEach((leaf) => { leaf.isDropped = true; });
  }

  isTailLine(leaf) {
    if (leaf === this.page.title || nearestAround(leaf, (at) => at.isCode || at.tag === 'PRE' || (isTable(at) && isData(at)))) return false;
    if (this.isKnownTail(leaf)) return true;
    if (leaf.tag === 'LI' || nearestAround(leaf, (at) => at.tag === 'LI' || at.tag === 'BLOCKQUOTE')) return false;
    return this.page.facts.isDeclared && leaf.chars < shortLine && !ENDS_SENTENCE.test(wordsIn(leaf, 600));
  }

  isKnownTail(leaf) {
    const words = wordsIn(leaf, 600);
    if (isHeading(leaf) || leaf.chars === 0 || (leaf.chars < LONGEST_NOTICE && TAIL_NOTICE.test(words))) return true;
    return linkShare(leaf) > 0.7 || isAuthorNote(words, this.page.facts.byline || this.byline);
  }
}

const MOST_LOOSE_LINES = 6;
const LONGEST_NOTICE = 300;
const LEAST_OWN_TEXT = 500;
const ARTICLE_ASIDES = setOf('related relateds relatedposts relatedarticles relatedcontent recommended recommend recommendations teaser ' +
  'teasers nextstory nextpost morestories readmore mostread mostpopular popular trending promo promos share sharing sharebar newsletter ' +
  'newsletters subscribe subscription signup tags taglist interesting furtherreading upnext dossier postmeta postnav');
const EMBEDS = setOf('embed embeds tweet twitter instagram');

const AUTHOR_WORDS = setOf('author authors byline writer bio contributor contributors');
const AUTHOR_BOX_WORDS = setOf('author authors bio biography contributor contributors authorbox');
const isAuthorBox = (part) => part.chars < 1200 && anyWordAlone(part, AUTHOR_BOX_WORDS);
const isAuthorNote = (words, byline) => {
  const name = byline.replace(/^(?:by|von|par|por|di)\s+/i, '').split(/,| and | & |\|/)[0].trim();
  return name.length > 4 && words.length < 600 && words.toLowerCase().startsWith(name.toLowerCase());
};

// A short paragraph: it ends as a sentence does, and has more than a few words.
const isSentence = (leaf, words) => leaf.tag === 'P' && leaf.links === 0 && leaf.chars > 0.6 * shortLine && ENDS_SENTENCE.test(words) &&
  !BYLINE.test(words) && !anyWord(leaf, AUTHOR_WORDS);

const isLabel = (part) => part.chars > 0 && part.chars < 80 && (isHeading(part) || (!part.hasBlock && part.isBlock));
const holdsTeasers = (part) => teaserGroups(part).length > 0 || part.kids.some((kid) => kid.el && teaserGroups(kid).length > 0);
const isElsewhere = (part) => part.chars === 0 || part.fields > 0 || linkShare(part) > 0.5 || isTeaser(part) ||
  (part.links >= 2 && holdsTeasers(part));

// The smallest blocks with text, in order.
const leafBlocks = (top) => {
  const found = [];
  const collect = (part) => {
    if (part.isDropped || !part.el) return;
    if (part.chars > 0 && !part.hasBlock && part.isBlock) found.push(part);
    else if (part.run > 0 && part.hasBlock && part.run - part.runLinks >= longParagraph) found.push(part);
    else part.kids.forEach(collect);
  };
  collect(top);
  return found;
};
const isRealText = (leaf) => leaf.run - leaf.runLinks >= longParagraph && !isHeading(leaf) && !isCaption(leaf);

const CAPTION_WORDS = setOf('caption captions figcaption credit credits photocredit imagecredit imagecaption cutline');
const isCaption = (part) => part.tag === 'FIGCAPTION' || (part.chars < 400 && part.chars > 0 && part.tag !== 'CAPTION' && !isHeading(part) &&
  namesOf(part).some((words) => words.length < 6 && words.some((word) => CAPTION_WORDS.has(word)) && !words.includes('figure')));
const isPicture = (at) => at.tag === 'IMG' || at.tag === 'VIDEO';
const pictureBeside = (part) => {
  for (let at = part.parent, steps = 0; at && steps < 3 && at.chars < part.chars + 300; at = at.parent, steps++) {
    const picture = firstThat(at, isPicture);
    if (picture) return picture;
  }
  return null;
};
