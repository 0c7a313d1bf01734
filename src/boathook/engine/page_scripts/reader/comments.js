// Comments below an article: found by name and heading, and taken out of the tree before anything is weighed, since
// there is often more to read in them than in the article.

const COMMENTS_NAME = /comments|commentlist|comment(?:area|section|thread|box|wrap)|disqus|livefyre|kommentare|comentarios|commentaires|^(?:respond|pingbacks|trackbacks|commenti|replies|pinglun)$/;
const GALLERIES = setOf('gallery galleries slideshow carousel photogallery');
const ONE_COMMENT = setOf('comment pingback trackback kommentar reply');
const LEAST_ARTICLE = 250;

const isReview = (part) => anyWord(part, REVIEWS);
const isOneComment = (part) => namesOf(part).some((words) => words.length < 4 && words.some((word) => ONE_COMMENT.has(word)));

const isNamedComments = (part) => namesOf(part).some((words) => words.some((word, at) => COMMENTS_NAME.test(word) &&
  !LAYOUT_BEFORE.has(words[at - 1]) && !words.slice(at + 1).some((after) => LAYOUT_AFTER.has(after))));

// Two or more comments beside each other.
const isCommentThread = (part) => part.kids.filter((kid) => kid.el && kid.chars > 0 && isOneComment(kid)).length >= 2;

const isCommentsPart = (part) => {
  if (!part.el || !(part.isBlock || part.hasBlock) || isMainTag(part) || part.tag === 'BODY' || isHeading(part)) return false;
  if (isNamedComments(part) || isCommentThread(part)) return true;
  const heading = headingOf(part);
  return heading !== null && heading.chars < part.chars && part.tag !== 'ARTICLE' && COMMENTS_TITLE.test(wordsIn(heading, 150));
};

const hasArticleBody = (part) => firstThat(part, (at) => at.el && (attr(at.el, 'itemprop') === 'articleBody' || at.tag === 'H1')) !== null;

// The whole weight of a part is taken from what is around it.
const detach = (part) => {
  for (let at = part.parent; at; at = at.parent) {
    for (const what of ['chars', 'linkChars', 'links', 'fields', 'prose']) at[what] -= part[what];
  }
  part.isDropped = true;
};

const isGallery = (part) => isNamedThing(part, GALLERIES) && partsThat(part, (at) => at.tag === 'IMG' || at.tag === 'LI').length >= 3;

// Pictures with a text each, which may be longer than the article.
const detachGalleries = (top, title) => {
  const found = [];
  collectThat(top, (part) => part !== top && part.el && part.isBlock && isGallery(part) && !isMainTag(part) && part.tag !== 'ARTICLE' &&
    !(title && contains(part, title)) && !hasArticleBody(part), found);
  const inside = found.reduce((sum, part) => sum + longText(part), 0);
  if (longText(top) - inside >= LEAST_OWN_TEXT) found.forEach(detach);
};

// Takes the comments out and returns them; nothing if the page would have no article without them.
const detachComments = (top, title) => {
  const found = [];
  const isWanted = (part) => part !== top && isCommentsPart(part) && !(title && contains(part, title)) && !hasArticleBody(part) &&
    !firstThat(part, isReview) && !nearestAround(part, isReview);
  collectThat(top, isWanted, found);
  const inside = found.reduce((sum, part) => sum + part.prose, 0);
  const long = found.reduce((sum, part) => sum + longText(part), 0);
  if (top.prose - inside < LEAST_ARTICLE || longText(top) - long < LEAST_ARTICLE) return [];
  found.forEach(detach);
  return found.filter((part) => part.prose > 0);
};

// Comments as they are read when they are asked for: without forms and buttons.
const preparedComments = (part) => {
  part.isDropped = false;
  const page = { prose: part.prose, core: null, title: null, isForum: true, comments: new Set(), proseOutsideComments: 0 };
  new Boilerplate(page).prune(part, true);
  return part;
};
