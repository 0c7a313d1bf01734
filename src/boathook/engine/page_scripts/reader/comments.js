// Comments below an article: found by name and heading, and taken out of the tree before anything is weighed, since
// there is often more to read in them than in the article.

const COMMENTS_NAME = /comments|commentlist|comment(?:area|section|thread|box|wrap)|disqus|livefyre|kommentare|comentarios|commentaires|^(?:respond|pingbacks|trackbacks|commenti|replies|pinglun)$/;
const GALLERIES = setOf('gallery galleries slideshow carousel photogallery');
const ONE_COMMENT = setOf('comment pingback trackback kommentar reply');
const LEAST_ARTICLE = 250;
const LEAST_OWN_TEXT = 500;

const isReview = (part) => anyWord(part, REVIEWS);
const isOneComment = (part) => namesOf(part).some((words) => words.length < 4 && words.some((word) => ONE_COMMENT.has(word)));

const isNamedComments = (part) => namesOf(part).some((words) => words.some((word, at) => COMMENTS_NAME.test(word) &&
  !LAYOUT_BEFORE.has(words[at - 1]) && !words.slice(at + 1).some((after) => LAYOUT_AFTER.has(after))));

const commentsBeside = (part) => part.kids.filter((kid) => kid.el && kid.chars > 0 && isOneComment(kid));
const sumOf = (parts, weight) => parts.reduce((sum, part) => sum + weight(part), 0);

// Two or more comments beside each other, and little else.
const isCommentThread = (part) => {
  const comments = commentsBeside(part);
  return comments.length >= 2 && sumOf(comments, longText) >= THREAD_SHARE * longText(part);
};
const THREAD_SHARE = 0.7;
// One of several comments that stand beside the article itself.
const isInThread = (part) => Boolean(part.el) && isOneComment(part) && part.parent !== null && commentsBeside(part.parent).length >= 2;

const isCommentsPart = (part) => {
  if (!part.el || !(part.isBlock || part.hasBlock) || isMainTag(part) || part.tag === 'BODY' || isHeading(part)) return false;
  if (isNamedComments(part) || isCommentThread(part)) return true;
  const heading = headingOf(part);
  return heading !== null && heading.chars < part.chars && part.tag !== 'ARTICLE' && COMMENTS_TITLE.test(wordsIn(heading, 150));
};

const hasArticleBody = (part) => firstThat(part, (at) => at.el && (attr(at.el, 'itemprop') === 'articleBody' || at.tag === 'H1')) !== null;

const longTextBefore = (part) => {
  let sum = 0;
  for (let at = part; at.parent; at = at.parent) sum += sumOf(at.parent.kids.slice(0, at.parent.kids.indexOf(at)), longText);
  return sum;
};

// Comments follow the article: what has most of the text, and none before it, holds the article, whatever its name is.
const holdsArticle = (part, total) => longText(part) >= 0.5 * total && longTextBefore(part) < LEAST_ARTICLE;

// Paragraphs beside each other, with most of what there is to read in the part.
const holdsStory = (part) => firstThat(part, (at) => {
  const paragraphs = at.kids.filter((kid) => kid.tag === 'P' && longText(kid) > 0);
  return paragraphs.length >= FEWEST_PARAGRAPHS && sumOf(paragraphs, longText) >= 0.5 * longText(part);
}) !== null;

const COUNTS = ['chars', 'linkChars', 'links', 'fields', 'prose'];
// The whole weight of a part is taken from what is around it.
const detach = (part) => {
  for (let at = part.parent; at; at = at.parent) {
    for (const what of COUNTS) at[what] -= part[what];
  }
  part.isDropped = part.isDetached = true;
};

const isGallery = (part) => isNamedThing(part, GALLERIES) && partsThat(part, (at) => at.tag === 'IMG' || at.tag === 'LI').length >= 3;

// Pictures with a text each, which may be longer than the article.
const detachGalleries = (top, title) => {
  const found = [];
  collectThat(top, (part) => part !== top && part.el && part.isBlock && isGallery(part) && !isMainTag(part) && part.tag !== 'ARTICLE' &&
    !(title && contains(part, title)) && !hasArticleBody(part) && !holdsStory(part), found);
  if (longText(top) - sumOf(found, longText) >= LEAST_OWN_TEXT) found.forEach(detach);
};

// Takes the comments out and returns them; nothing if the page would have no article without them.
const detachComments = (top, title) => {
  const found = [];
  const total = longText(top);
  const isWanted = (part) => part !== top && (isCommentsPart(part) || isInThread(part)) && !(title && contains(part, title)) &&
    !hasArticleBody(part) && !holdsArticle(part, total) && !firstThat(part, isReview) && !nearestAround(part, isReview);
  collectThat(top, isWanted, found);
  const prose = sumOf(found, (part) => part.prose);
  if (top.prose - prose < LEAST_ARTICLE || total - sumOf(found, longText) < LEAST_ARTICLE) return [];
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
