// Furniture: menus, banners, sidebars and the like. Each part is judged by its tag, its names, its heading and
// what is in it; what holds much of the page's text is never furniture, whatever it is called.

const DROPPED_ROLES = setOf('navigation banner contentinfo search dialog alertdialog menu menubar toolbar tablist ' +
  'tooltip tree');
const HEADINGS = setOf('H1 H2 H3 H4 H5 H6');
const SECTIONS = setOf('MAIN ARTICLE SECTION ASIDE BLOCKQUOTE TD FIGURE LI DETAILS');
const MUCH = 0.4;

const linkShare = (part) => (part.chars ? part.linkChars / part.chars : 0);
const roleGiven = (part) => (part.el && hasAttr(part.el, 'role') ? attr(part.el, 'role').trim().toLowerCase() : '');
const isMainTag = (part) => part.tag === 'MAIN' || roleGiven(part) === 'main';

const isHeading = (part) => HEADINGS.has(part.tag) || roleGiven(part) === 'heading';

const wordsIn = (part, limit = 400) => {
  let out = '';
  const collect = (at) => {
    if (out.length > limit) return;
    if (at.tag === '#text') out += at.text;
    else {
      for (const kid of at.kids) collect(kid);
      if (at.isBlock || at.isSpaced || at.tag === 'BR') out += ' ';
    }
  };
  collect(part);
  return out.replace(/\s+/g, ' ').trim();
};

const firstThat = (part, test) => {
  if (test(part)) return part;
  for (const kid of part.kids) {
    const found = firstThat(kid, test);
    if (found) return found;
  }
  return null;
};

// The heading that a part begins with, if it does.
const headingOf = (part) => {
  for (const kid of part.kids) {
    if (isHeading(kid)) return kid;
    if (kid.chars === 0) continue;
    return kid.isBlock && kid.kids.length ? headingOf(kid) : null;
  }
  return null;
};

// A few words that stand first, when there is more after them: a heading in all but tag.
const labelOf = (part) => {
  const first = part.kids.find((kid) => kid.el && kid.chars > 0);
  if (!first || first.chars > 50 || first.linkChars > 0) return first && first.hasBlock ? labelOf(first) : null;
  return first.chars < part.chars ? first : null;
};

const nearestAround = (part, test) => {
  for (let at = part.parent; at; at = at.parent) if (test(at)) return at;
  return null;
};
const inSection = (part) => nearestAround(part, (at) => SECTIONS.has(at.tag) || isMainTag(at));

const isInData = (part) => {
  const table = nearestAround(part, isTable);
  return table !== null && isData(table);
};

class Boilerplate {
  // `page` knows the whole: its prose, its title's heading, whether it is a forum.
  constructor(page) {
    this.page = page;
  }

  prune(part, inMain) {
    const within = inMain || isMainTag(part) || part.tag === 'ARTICLE' || part === this.page.core;
    this.dropFollowers(part);
    for (const kid of part.kids) {
      if (!kid.el || kid.isDropped) continue;
      if (this.isBoilerplate(kid, within)) kid.isDropped = true;
      else this.prune(kid, within);
    }
  }

  isBoilerplate(part, inMain) {
    if (this.holdsMuch(part)) return false;
    if (NEVER_ALONE.has(part.tag) || (part.tag === 'TABLE' && isData(part))) return false;
    if (part.isFixed) return true;
    if (part.tag === 'LABEL' && (part.fields > 0 || hasAttr(part.el, 'for'))) return !inMain || !isTask(part);
    if (!part.isBlock && !part.hasBlock) return this.isLoneBoilerplate(part) || isBareCounter(part);
    return this.isByTag(part, inMain) || this.isByName(part, inMain) || this.isByHeading(part) ||
      this.isLoneBoilerplate(part) || this.isListOfLinks(part, inMain) || this.isCall(part);
  }

  holdsMuch(part) {
    const page = this.page;
    if (page.prose > 0 && part.prose >= MUCH * page.prose) return part.tag !== 'NAV' || linkShare(part) < 0.5;
    if (page.core && contains(part, page.core)) return true;
    return this.holdsTitle(part) && part.tag !== 'NAV' && part.tag !== 'DIALOG';
  }

  isByTag(part, inMain) {
    const { tag } = part;
    const role = roleGiven(part);
    if (tag === 'NAV' || tag === 'DIALOG' || tag === 'SEARCH' || DROPPED_ROLES.has(role)) {
      return true;
    }
    if (tag === 'HEADER') return !inSection(part);
    if (tag === 'FOOTER') return this.isIdleFooter(part);
    if (tag === 'ASIDE' || role === 'complementary') return this.isIdleAside(part, inMain);
    if (tag === 'DETAILS') return isDropDown(part, inMain);
    if (tag === 'FORM') return part.fields > 0 && part.prose < 300;
    if (tag === 'FIELDSET') return part.fields > 0 && part.prose < 100;
    return false;
  }

  holdsTitle(part) {
    return this.page.title !== null && contains(part, this.page.title);
  }

  isIdleFooter(part) {
    if (!inSection(part)) return true;
    if (anyWord(part, NOTES) || nearestAround(part, (at) => at.tag === 'BLOCKQUOTE' || at.tag === 'FIGURE')) return false;
    return linkShare(part) > 0.2 || part.fields > 0 || /©|copyright|all rights reserved/i.test(wordsIn(part, 300));
  }

  isIdleAside(part, inMain) {
    if (anyWord(part, SURE) || anyWord(part, USUALLY) || isNamedAd(part) || anyPair(part)) return true;
    if (!inMain) return true;
    if (anyWord(part, NOTES) || roleGiven(part) === 'note') return false;
    const heading = headingOf(part);
    if (heading && BOILERPLATE_HEADING.test(wordsIn(heading, 80))) return true;
    if (anyWordAlone(part, LIKELY)) return true;
    return linkShare(part) > 0.4 || part.fields > 0;
  }

  isByName(part, inMain) {
    // A long paragraph is text, whatever its name.
    if (!namesOf(part).length || isHeading(part) || (part.tag === 'P' && isLong(part) && linkShare(part) < 0.25)) return false;
    if (anyWordAlone(part, SURE) || isNamedAd(part)) return !isTextBesideAds(part);
    if (anyWordAlone(part, USUALLY)) return part.prose < 300 || linkShare(part) > 0.2;
    if (this.isComments(part)) return this.page.proseOutsideComments > 250 && !this.page.isForum;
    if (anyPair(part)) return part.prose < 200 || linkShare(part) > 0.3 || part.fields > 0;
    return this.isBySmallName(part) || this.isByLikelyName(part, inMain);
  }

  // Names that mean furniture only on something small.
  isBySmallName(part) {
    if (isBareCounter(part)) return true;
    if (anyWordAlone(part, PROMOTION)) return part.prose < 300 && part.links + part.fields > 0;
    if (isNamedThing(part, SIDEBARS)) return part.prose < 150 || linkShare(part) > 0.2;
    if (this.page.isForum && isNamedThing(part, SIGNATURES)) return true;
    return isNamedThing(part, PROFILES) && part.chars < 400 && (!this.page.isForum || isNamedElsewhere(part));
  }

  isByLikelyName(part, inMain) {
    if (!anyWordAlone(part, LIKELY) || anyWord(part, NOTES) || anyWord(part, RESULTS)) return false;
    if (this.page.isForum && anyWord(part, FORUM_WORDS)) return false;
    const share = linkShare(part);
    if (share >= 0.3 && anyWordAlone(part, ELSEWHERE)) return true;
    if (share >= 0.5 || (part.fields > 1 && part.prose < 120)) return true;
    return !inMain && (share >= 0.25 || part.prose < 80);
  }

  isComments(part) {
    if (!anyWordAlone(part, COMMENTS) && !this.page.comments.has(part)) return false;
    const isReview = (at) => anyWord(at, REVIEWS);
    return !firstThat(part, isReview) && !nearestAround(part, isReview);
  }

  isByHeading(part) {
    const heading = headingOf(part) || labelOf(part);
    if (heading === null || part.prose > 0.25 * this.page.prose + 100) return false;
    const words = wordsIn(heading, 80);
    return BOILERPLATE_HEADING.test(words) && this.looksIdle(part, heading);
  }

  // Links, pictures and fields, apart from the heading itself.
  looksIdle(part, heading) {
    const rest = part.chars - heading.chars;
    if (rest <= 0) return false;
    if (part.linkChars / rest > 0.35 || part.fields > 0) return true;
    return SURE_HEADING.test(wordsIn(heading, 80)) && part.prose < 300 && rest < 400;
  }

  isLoneBoilerplate(part) {
    if (part.chars === 0 || part.chars > 120 || part.tag === 'TD' || part.tag === 'TH') return false;
    if (isHeading(part) || part.isCode || PHRASE_TAGS.has(part.tag) || isInData(part)) return false;
    if (!LONE_BOILERPLATE.test(wordsIn(part, 150)) && !isIdleButton(part)) return false;
    if (part.isBlock) return true;
    // A word in a sentence is none.
    const run = nearestAround(part, (at) => at.isBlock);
    return part.tag === 'A' && run !== null && run.run - run.runLinks < 20;
  }

  isListOfLinks(part, inMain) {
    if (!LINK_HOLDERS.has(part.tag)) return false;
    if (part.tag === 'TD' && isInData(part)) return false;
    if (this.isRowOfActions(part) || this.isRowOfPlaces(part)) return true;
    // In a forum, author and date look like crumbs.
    if (isRowOfCrumbs(part) && !(this.page.isForum && inMain)) return true;
    return !inMain && part.links >= 3 && linkShare(part) > 0.66 && part.prose < 80;
  }

  // Nothing but links and buttons such as Reply, Share, Report.
  isRowOfActions(part) {
    if (part.chars > 150 || linkShare(part) < 0.8) return false;
    const pressed = partsThat(part, isPressed);
    const turns = pressed.filter((at) => TURNS_THE_PAGE.test(wordsIn(at, 100))).length;
    return pressed.length > 0 && (turns === pressed.length || pressed.every((at) => LONE_BOILERPLATE.test(wordsIn(at, 60))));
  }

  // Nothing but links to places further down: a table of contents, or tabs.
  isRowOfPlaces(part) {
    if (part.links < 3 || linkShare(part) < 0.9 || part.prose > 0) return false;
    return partsThat(part, (at) => at.tag === 'A').every((at) => /^#./.test(attr(at.el, 'href') || ''));
  }

  // A box that asks for something: a few words and one thing to press.
  isCall(part) {
    if (part.tag !== 'DIV' && part.tag !== 'SECTION') return false;
    if (part.chars > 300 || part.chars < 10 || part.prose > 200 || part.links !== 1 || headingOf(part) === null) return false;
    const [link] = partsThat(part, (at) => at.tag === 'A');
    const alone = link.isBlock || anyWord(link, BUTTONS) || link.parent.chars === link.chars || link.parent === part;
    return alone && !isHeading(link.parent) && CALLS.test(wordsIn(link, 60));
  }

  // A heading such as "Related articles" and the links after it, when nothing holds them together.
  dropFollowers(part) {
    const kids = part.kids.filter((kid) => kid.el);
    for (let i = 0; i < kids.length; i++) {
      if (!isHeading(kids[i]) || !BOILERPLATE_HEADING.test(wordsIn(kids[i], 80))) continue;
      let end = i + 1;
      while (end < kids.length && !isHeading(kids[end]) && isIdleFollower(kids[end])) end++;
      const isAll = end === kids.length || isHeading(kids[end]);
      if (end > i + 1 && isAll) for (let at = i; at < end; at++) kids[at].isDropped = true;
    }
  }
}

// A section of the text is sometimes named for the advertisements in it.
const isTextBesideAds = (part) => part.prose > 500 && linkShare(part) < 0.2 && (isNamedAd(part) || anyWordAlone(part, AD_WORDS));
const AD_WORDS = setOf('advert adverts advertisement advertising ads adslot adunit adbox');

const LINK_HOLDERS = setOf('UL OL DIV P SECTION TD CENTER TABLE');
const isTask = (part) => Boolean(nearestAround(part, (at) => at.tag === 'LI')) &&
  firstThat(part, (at) => at.tag === 'INPUT' && attr(at.el, 'type') === 'checkbox') !== null;
const isBareCounter = (part) => part.chars > 0 && part.chars < 12 && anyWord(part, VOTES) &&
  /^[\d.,+\s\u2013-]*[km]?$/i.test(wordsIn(part, 40));

// A menu that unfolds.
const isDropDown = (part, inMain) => {
  const summary = part.kids.find((kid) => kid.tag === 'SUMMARY');
  const label = summary ? wordsIn(summary, 60) : '';
  const rest = part.chars - (summary ? summary.chars : 0);
  return !/[\p{L}\p{N}]/u.test(label) || /^(?:menu|contents|table of contents|on this page|share)$/i.test(label) ||
    (!inMain && part.prose === 0 && part.linkChars > 0.8 * rest && rest < 300);
};

// Links with nothing but strokes or arrows between them.
const isRowOfCrumbs = (part) => {
  if (part.links < 2 || firstThat(part, (at) => at.tag === 'TIME') || part.chars > 200 || linkShare(part) < 0.6) return false;
  let between = '';
  const collect = (at) => {
    if (at.tag === '#text') between += at.text;
    else if (at.tag !== 'A') at.kids.forEach(collect);
  };
  collect(part);
  // Author and date are no crumbs.
  if (partsThat(part, (at) => at.tag === 'A').some((at) => /\d/.test(wordsIn(at, 80)))) return false;
  return /^[\s/>\u203a\u00bb|\u00b7\u2022\u2192]+$/.test(between) && /\S/.test(between);
};
const SIGNATURES = setOf('signature sig');
const TABLE_TAGS = setOf('TD TH TR TBODY THEAD');
const NEVER_ALONE = setOf('BODY TR TBODY THEAD TFOOT');
const FORUM_WORDS = setOf('comment comments replies topic topics discussion');
const isIdleButton = (part) => part.tag === 'A' && part.chars <= 40 && anyWord(part, BUTTONS) && !LEADS_ON.test(wordsIn(part, 60));

// Does the name that a profile begins with stand beside it as well?
const isNamedElsewhere = (part) => {
  const link = firstThat(part, (at) => at.tag === 'A' && at.chars > 0);
  const holder = link && (nearestAround(part, isPost) || part.parent);
  if (!holder) return false;
  const name = wordsIn(link, 60);
  return wordsIn(holder, 5000).split(name).length > wordsIn(part, 5000).split(name).length;
};
const PHRASE_TAGS = setOf('B STRONG EM I CODE KBD SAMP MARK TIME LI DT DD');

const isIdleFollower = (part) => part.chars === 0 || linkShare(part) > 0.5 || part.fields > 0;

const collectThat = (part, test, found) => {
  if (test(part)) found.push(part);
  else for (const kid of part.kids) collectThat(kid, test, found);
};

const contains = (part, other) => {
  for (let at = other; at; at = at.parent) if (at === part) return true;
  return false;
};
