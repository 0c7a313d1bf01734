// Comments below an article: found by name and heading, and taken out of the tree before anything is weighed, since
// there is often more to read in them than in the article.

const COMMENT_WORDS = setOf('comments commentlist commentarea commentsection commentthread disqus livefyre respond pingbacks trackbacks ' +
  'kommentare comentarios commentaires commenti leserkommentare replies pinglun');
const ONE_COMMENT = setOf('comment pingback trackback kommentar reply');
const LEAST_ARTICLE = 250;

const isReview = (part) => anyWord(part, REVIEWS);
const isOneComment = (part) => namesOf(part).some((words) => words.length < 4 && words.some((word) => ONE_COMMENT.has(word)));

// Two or more comments beside each other.
const isCommentThread = (part) => part.kids.filter((kid) => kid.el && kid.chars > 0 && isOneComment(kid)).length >= 2;

const isCommentsPart = (part) => {
  if (!part.el || !(part.isBlock || part.hasBlock) || isMainTag(part) || part.tag === 'BODY' || isHeading(part)) return false;
  if (anyWordAlone(part, COMMENT_WORDS) || isCommentThread(part)) return true;
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

// Takes the comments out and returns them; nothing if the page would have no article without them.
const detachComments = (top, title) => {
  const found = [];
  const isWanted = (part) => part !== top && isCommentsPart(part) && !(title && contains(part, title)) && !hasArticleBody(part) &&
    !firstThat(part, isReview) && !nearestAround(part, isReview);
  collectThat(top, isWanted, found);
  const inside = found.reduce((sum, part) => sum + part.prose, 0);
  if (top.prose - inside < LEAST_ARTICLE) return [];
  found.forEach(detach);
  return found.filter((part) => part.prose > 0);
};
