// Which part of a page holds the article. Each paragraph gives its weight to the parts around it, less with each level;
// the part with most of it is the best candidate, and parts beside it stay when they are text as well.

const SHARED_BY_LEVEL = [1, 1 / 2, 1 / 6, 1 / 9, 1 / 12];
const SHORTEST_PARAGRAPH = 25;
const MOST_FOR_LENGTH = 3;
const COMMAS = /[,\u060c\u3001\uff0c\ufe50\ufe10\u2e41\u2e34\u2e32]/g;
const BY_TAG = { DIV: 5, ARTICLE: 5, MAIN: 5, PRE: 3, TD: 3, BLOCKQUOTE: 3, OL: -3, UL: -3, DL: -3, LI: -3, DD: -3, DT: -3, FORM: -3, TH: -5 };

// The text that stands directly in a part, without that of blocks in it; two line breaks separate paragraphs.
const runOf = (part) => {
  let out = '';
  const collect = (at) => {
    if (at.isDropped) return;
    if (at.tag === '#text') out += at.keepsSpace ? at.text : at.text.replace(/\s+/g, ' ');
    else if (at.tag === 'BR') out += '\n';
    else if (!at.isBlock && !at.hasBlock) at.kids.forEach(collect);
  };
  part.kids.forEach(collect);
  return out;
};
// Never a paragraph, even if nothing but text is in it.
const HOLDERS = setOf('BODY TD MAIN ARTICLE SECTION');
const PARAGRAPH_END = /\n\s*\n/;
// Names of what stands beside an article, whatever is in it.
const BESIDES = setOf('sidebar sidebars aside rail footer nav navigation menu comment comments replies respond related recommended promo newsletter');

const weightOf = (text, letters) => {
  const length = text.replace(/\s+/g, ' ').trim().length * letters;
  if (length < SHORTEST_PARAGRAPH) return 0;
  return 1 + (text.match(COMMAS) || []).length + Math.min(MOST_FOR_LENGTH, length / 100);
};

const weightIn = (one) => one.weight;
const LEAST_AFTER_TITLE = 0.3;
const TEXT_NAMES = setOf('article articlebody body content entry main post text story blog');
const firstScore = (part) => (BY_TAG[part.tag] ?? 0) + (anyWord(part, TEXT_NAMES) ? FOR_NAME : 0) - (anyWordAlone(part, BESIDES) ? AGAINST_NAME : 0);
const FOR_NAME = 10;
const AGAINST_NAME = 25;

const ENTRY_TAGS = setOf('ARTICLE LI A');
// Parts of one kind have the same tag and name.
const signatureOf = (part) => (ENTRY_TAGS.has(part.tag) ? part.tag
  : `${part.tag} ${namesOf(part).map((words) => words.filter((word) => !/\d/.test(word)).join('-'))[0] || ''}`);

class Candidates {
  constructor(top, letters, title) {
    this.scores = new Map();
    this.own = new Map();
    this.letters = letters;
    const paragraphs = this.paragraphsIn(top, title);
    const after = paragraphs.filter((one) => one.isAfterTitle);
    // Other stories may stand above the title.
    const areAfter = sumOf(after, weightIn) >= LEAST_AFTER_TITLE * sumOf(paragraphs, weightIn);
    (areAfter ? after : paragraphs).forEach((one) => this.share(one));
  }

  paragraphsIn(top, title) {
    const found = [];
    let isAfterTitle = title === null;
    const add = (part) => {
      if (part === title) isAfterTitle = true;
      if (part.isDropped || part.tag === '#text' || isHeading(part)) return;
      if ((part.isBlock || part.hasBlock) && part.run > 0) found.push({ part, isAfterTitle, ...this.weigh(part) });
      part.kids.forEach(add);
    };
    add(top);
    return found;
  }

  weigh(part) {
    const weights = runOf(part).split(PARAGRAPH_END).map((text) => weightOf(text, this.letters)).filter(Boolean);
    return { weight: weights.reduce((sum, one) => sum + one, 0), isHolder: part.hasBlock || weights.length > 1 || HOLDERS.has(part.tag) };
  }

  share({ part, weight, isHolder }) {
    if (!weight) return;
    this.own.set(part, weight);
    let at = isHolder ? part : part.parent;
    for (let level = 0; at && at.el && level < SHARED_BY_LEVEL.length; level++, at = at.parent) {
      this.scores.set(at, (this.scores.get(at) ?? firstScore(at)) + weight * SHARED_BY_LEVEL[level]);
    }
  }

  scoreOf(part) {
    return (this.scores.get(part) || 0) * (1 - linkShare(part));
  }

  best() {
    let best = null;
    for (const part of this.scores.keys()) if (!best || this.scoreOf(part) > this.scoreOf(best)) best = part;
    const table = best && nearestAround(best, (at) => isTable(at) && isData(at));
    return table ? table.parent : best;
  }

  // All the weight of the paragraphs in a part.
  weightIn(part) {
    return part.isDropped ? 0 : part.kids.reduce((sum, kid) => sum + this.weightIn(kid), this.own.get(part) || 0);
  }

  // The best candidate, with what is text beside it and around it; everything else around it is dropped.
  chosen(top) {
    const best = this.best();
    if (!best) return null;
    let root = best;
    const others = [];
    for (let at = best, level = 0; level < MOST_LEVELS && at !== top && at.parent.el; at = at.parent, level++) {
      const beside = at.parent.kids.filter((kid) => kid.el && !kid.isDropped);
      const text = this.textBeside(at, beside, best, level);
      const first = beside.findIndex((kid) => kid === at || text.includes(kid));
      const last = beside.findLastIndex((kid) => kid === at || text.includes(kid));
      others.push(...beside.filter((kid, i) => kid !== at && !text.includes(kid) && (i < first || i > last || linkShare(kid) > MOST_LINKED_BETWEEN)));
      if (!text.length) continue;
      root = at.parent;
      for (const kid of others.splice(0)) kid.isDropped = true;
    }
    return root;
  }

  // The siblings that belong to the article as well.
  textBeside(at, beside, best, level) {
    const textual = beside.filter((kid) => kid !== at && this.isTextual(kid));
    const least = BESIDE * this.weightIn(best);
    const isTwin = (kid) => signatureOf(kid) === signatureOf(at);
    if (level > 0) return textual.filter((kid) => isTwin(kid) || this.weightIn(kid) >= least);
    if (textual.reduce((sum, kid) => sum + this.weightIn(kid), 0) >= least) return textual;
    return beside.filter((kid) => kid !== at && (textual.includes(kid) ? kid.tag === 'P' || isTwin(kid) : this.isLine(kid)));
  }

  isTextual(part) {
    if (this.weightIn(part) < LEAST_WEIGHT || linkShare(part) >= MOST_LINKED || isTeaser(part)) return false;
    return !anyWordAlone(part, BESIDES);
  }

  isLine(part) {
    return part.tag === 'P' && part.chars > 0 && part.linkChars === 0 && ENDS_SENTENCE.test(wordsIn(part, 200));
  }
}
const MOST_LEVELS = 4;
const MOST_LINKED = 0.25;
const MOST_LINKED_BETWEEN = 0.5;
const BESIDE = 0.15;
const LEAST_WEIGHT = 2;

// Pages that go on with the next article when one scrolls: only the one with the page's title is meant.
const dropOtherArticles = (title) => {
  if (!title || title.tag !== 'H1') return;
  for (let at = title.parent; at && at.parent; at = at.parent) {
    if (longText(at) < LEAST_OWN_TEXT) continue;
    const isOther = (kid) => kid !== at && kid.tag !== 'SECTION' && kid.el && signatureOf(kid) === signatureOf(at) && firstThat(kid, (part) => part.tag === 'H1') !== null;
    at.parent.kids.filter(isOther).forEach((kid) => { kid.isDropped = true; });
  }
};

// Counts of a part are those of what is kept in it.
const discount = (part) => {
  for (const kid of part.kids) {
    if (kid.isDetached) continue;
    const before = COUNTS.map((what) => kid[what]);
    if (!kid.isDropped) discount(kid);
    COUNTS.forEach((what, at) => { part[what] -= kid.isDropped ? before[at] : before[at] - kid[what]; });
  }
};
