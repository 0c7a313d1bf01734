// What a page says about itself: is it an article, who wrote it, when was it published.

const ARTICLE_TYPE = /(?:^|\/)(?:\w*Article|BlogPosting|Report|Review|LiveBlogPosting|OpinionNewsArticle)$/;
const OTHER_TYPE = /(?:^|\/)(?:QAPage|DiscussionForumPosting|Product|ItemList|CollectionPage|SearchResultsPage)$/;
const MOST_DATA = 500000;

const listOf = (value) => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]);
const typesOf = (thing) => listOf(thing['@type']).filter((one) => typeof one === 'string');

const dataBlocks = (doc) => {
  const things = [];
  const add = (thing) => {
    if (!thing || typeof thing !== 'object') return;
    if (Array.isArray(thing)) thing.forEach(add);
    else {
      things.push(thing);
      add(thing['@graph']);
    }
  };
  for (const script of Document.prototype.querySelectorAll.call(doc, 'script[type="application/ld+json"]')) {
    const source = script.textContent;
    if (source.length > MOST_DATA) continue;
    try {
      add(JSON.parse(source));
    } catch {
      // Many pages have data that is not JSON; they are read without it.
    }
  }
  return things;
};

const metaOf = (doc, names) => {
  for (const name of names) {
    const found = Document.prototype.querySelector.call(doc, `meta[property="${name}" i], meta[name="${name}" i], meta[itemprop="${name}" i]`);
    const content = found ? (attr(found, 'content') || '').trim() : '';
    if (content) return content;
  }
  return '';
};

const AUTHOR_METAS = ['author', 'parsely-author', 'sailthru.author', 'dc.creator', 'byl', 'article:author'];
const DATE_METAS = ['article:published_time', 'datePublished', 'date', 'dc.date', 'dc.date.issued', 'pubdate', 'parsely-pub-date',
  'sailthru.date', 'publish-date', 'og:published_time'];

const oneLine = (text) => safeText(String(text).replace(/\s+/g, ' ').trim()).slice(0, 200);
const personName = (author) => (typeof author === 'string' ? author : author && typeof author === 'object' ? listOf(author.name)[0] || '' : '');
const isName = (text) => text.length > 1 && text.length < 120 && !/^https?:|^www\.|^[\d\W]+$/.test(text);

const authorsOf = (article) => {
  const names = article ? listOf(article.author).map(personName).filter((name) => typeof name === 'string' && isName(name)) : [];
  return [...new Set(names.map(oneLine))].slice(0, 8).join(', ');
};

const factsOfPage = (doc) => {
  const things = dataBlocks(doc);
  const article = things.find((thing) => typesOf(thing).some((type) => ARTICLE_TYPE.test(type)));
  const author = authorsOf(article) || oneLine(metaOf(doc, AUTHOR_METAS));
  const date = (article && typeof article.datePublished === 'string' && article.datePublished) || metaOf(doc, DATE_METAS);
  const type = metaOf(doc, ['og:type']).toLowerCase();
  const typed = [...Document.prototype.querySelectorAll.call(doc, '[itemtype]')].slice(0, 50).map((el) => (attr(el, 'itemtype') || '').trim());
  const isArticle = Boolean(article) || type === 'article';
  return {
    isOther: !isArticle && (things.some((thing) => typesOf(thing).some((one) => OTHER_TYPE.test(one) && one !== 'ItemList')) ||
      typed.some((one) => OTHER_TYPE.test(one)) || /product/.test(type)),
    isDeclared: isArticle || typed.some((one) => ARTICLE_TYPE.test(one)) || metaOf(doc, ['article:published_time']) !== '',
    byline: isName(author) ? author : '',
    published: oneLine(date),
  };
};
