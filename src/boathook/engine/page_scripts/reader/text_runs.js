// Words: what class names, ids and headings say about a part of a page.

const WORD_EDGE = /[^a-zA-Z0-9]+|(?<=[a-z])(?=[A-Z])/;

// Each name of the element as a list of words: `site-footer sidebarLayout` is [[site, footer], [sidebar, layout]].
const NO_NAMES = [];
const namesOf = (part) => {
  if (part.knownWords === null) part.knownWords = part.el ? splitNames(part.el) : NO_NAMES;
  return part.knownWords;
};

const MOST_WORDS_OF_A_NAME = 6;

const splitNames = (el) => {
  const given = `${attr(el, 'class') || ''} ${attr(el, 'id') || ''}`;
  if (given === ' ') return NO_NAMES;
  return given.slice(0, 300).split(/\s+/).filter(Boolean)
    .map((name) => name.split(WORD_EDGE).filter(Boolean).map((word) => word.toLowerCase()))
    // Longer ones are sentences: the words of a heading that became its id.
    .filter((words) => words.length <= MOST_WORDS_OF_A_NAME);
};

// Words that are never the content, whatever is in them.
const SURE = setOf('cookie cookies consent gdpr ccpa advert adverts advertisement advertising ads adsbygoogle adslot ' +
  'adunit adbox sponsored sharebar sharethis addthis sns newsletter newsletters breadcrumb breadcrumbs crumbs outbrain ' +
  'taboola skiplink backtotop pagetop pagination pager paginator onetrust livechat chatbot chatwidget navbar ' +
  'topnav subnav sidenav interstitial prevnext headerlink editsection catlinks webmentions pingbacks trackbacks jumpbox ' +
  'noprint recirculation recirc crosssell');
// Words that are not, unless there is much to read and little to press.
const USUALLY = setOf('share sharing subscribe related recommended recommendations recommendation upsell sponsor ' +
  'sponsors skip permalink');
// Words that mean furniture when what is in them looks like it.
const LIKELY = setOf('nav navigation menu submenu megamenu sidebar sidebars aside rail footer foot masthead topbar ' +
  'banner popular trending popup modal overlay toast lightbox widget widgets social socials feedback helpful toolbar ' +
  'login signin signup register account search searchbox tags taglist tagcloud topics keywords toc contents ' +
  'copyright legal colophon ticker marquee actions controls buttons tools follow announcement sticky comments ' +
  'comment disqus replies respond also similar relation viewed carousel suggestions more next prev previous teaser ' +
  'teasers latest partners partner cart basket minicart wishlist compare filters facets sort sorting usermenu ' +
  'language languages locale switcher edit history print tabs');
// Those of them that lead to other pages.
const ELSEWHERE = setOf('popular trending also similar relation viewed carousel suggestions teaser teasers latest partners');
const PROMOTION = setOf('promo promos promotion promotions cta donate donation upgrade');
const SIDEBARS = setOf('sidebar sidebars rail');
const PROFILES = setOf('profile postprofile bio authorbox usercard');
const VOTES = setOf('vote votes voting votecount score scores reputation rep karma');
const AD = setOf('ad adv mpu dfp gpt');
const NOTES = setOf('note notes tip tips warning caution danger important admonition callout hint info example ' +
  'definition sidenote marginnote footnote footnotes pullquote infobox summary abstract highlights ' +
  'specs specifications references bibliography citations endnotes');
// `has-sidebar` and `sidebar-layout` say how the page is built, not what the element is.
const LAYOUT_BEFORE = setOf('has with without no is not show hide');
const LAYOUT_AFTER = setOf('layout page body main grid enabled open visible view toggle root');
const COMMENTS = setOf('comments commentlist disqus respond');
const RESULTS = setOf('result results');
const REVIEWS = setOf('review reviews');
const BUTTONS = setOf('btn button');

const anyWord = (part, set) => namesOf(part) !== NO_NAMES && namesOf(part).some((words) => words.some((word) => set.has(word)));
const anyWordAlone = (part, set) => namesOf(part) !== NO_NAMES && namesOf(part).some((words) => words.some((word, at) => set.has(word) &&
  !LAYOUT_BEFORE.has(words[at - 1]) && !words.slice(at + 1).some((after) => LAYOUT_AFTER.has(after))));
// Is it the thing that a name names: `post-profile`, but not `profile-name`?
const isNamedThing = (part, set) => namesOf(part).some((words) => set.has(words[words.length - 1]));
const isNamedAd = (part) => namesOf(part).some((words) => words.length < 5) && anyWordAlone(part, AD);
const PAIRS = new RegExp('\\b(?:also (?:bought|viewed|like|read)|read (?:next|more|also)|up next|' +
  'most (?:read|viewed|popular)|on this page|in this (?:article|page)|table of contents|page nav|back to top|' +
  'skip (?:to|link)|edit (?:page|link|this)|leave (?:comment|reply)|comment form|reply form|mailing list|sign up|' +
  'you may|social (?:links|media|icons|bar)|site (?:header|footer|nav|sub)|page footer|global (?:header|footer|nav)|' +
  'author (?:box|bio|card)|about author|ad (?:slot|unit|container|box|banner|wrapper)|recently viewed|next prev|' +
  'prev next|post nav|doc nav|cross sell|mini cart|print only|no print|hidden print|app banner|download app|get app|live chat|' +
  'chat (?:widget|bubble|launcher)|user menu|comments? section|online list|action bar|notify me)\\b');
const anyPair = (part) => namesOf(part).some((words) => words.length > 1 && PAIRS.test(words.join(' ')));

const BOILERPLATE_HEADING = new RegExp('^(?:(?:related|recommended|similar|more|other|popular|trending|latest|recent|top|' +
  'sponsored|featured)\\b.{0,40}\\b(?:articles?|posts?|stories|story|reading|reads|content|products?|items?|topics?|' +
  'questions?|threads?|discussions?|news|links|pages|searches|from\\b.*|for you|pages?|videos?|guides?|tutorials?)|' +
  'related|recommended(?: for you)?|trending(?: now)?|most (?:read|popular|viewed|shared)|popular|popular now|' +
  'you (?:may|might|will|ll) (?:also )?(?:like|enjoy|be interested).*|(?:customers|people|shoppers) (?:who|also).*|' +
  'frequently bought.*|(?:recently|also) viewed.*|(?:read|up|watch) next|what to read next|read more|keep reading|' +
  'more (?:from|on|in|about|like this|to explore|stories)\\b.*|' +
  'share(?: this.*)?|follow us.*|connect with us|stay (?:in touch|up to date|informed|connected).*|' +
  '(?:our |the |free )?newsletter.*|subscribe\\b.*|sign up\\b.*|join (?:our|the)\\b.*|get (?:our|the) (?:newsletter|app)\\b.*|' +
  'advertisement|sponsored|promoted|from our (?:sponsors|partners)|about the author|' +
  'on this page|in this (?:article|page|section|guide)|table of contents|contents|page contents|jump to|' +
  'was this (?:page |article )?helpful.*|feedback|rate this.*|leave a (?:reply|comment).*|post a (?:reply|comment).*|' +
  'add (?:a|your) comment.*|write a comment.*|join the (?:conversation|discussion).*|' +
  'categories|tags|tag cloud|archives?|blogroll|quick links|site ?map|navigation|menu|community stats|who.s online|' +
  '(?:web)?mentions|pingbacks|trackbacks|(?:your )?(?:browsing|viewing) history|' +
  'artículos relacionados|articles (?:similaires|liés)|à lire aussi|verwandte (?:artikel|themen)|mehr zum thema|' +
  'articoli correlati|artigos relacionados|关联.*|相关.*|関連.*|この記事を(?:書いた人|共有する|シェア)|teilen|partager|compartir|' +
  'hot network questions|explore more|discover more|deals.*|special offers?)\\W*$', 'i');
// Those of them under which even a few plain words are furniture.
const SURE_HEADING = new RegExp('^(?:share|follow us|connect with us|stay (?:in touch|up to date|informed|connected)|' +
  '(?:our |the |free )?newsletter|subscribe|sign up|join (?:our|the)|get (?:our|the)|advertisement|sponsored|promoted|' +
  'from our|about the author|was this|rate this|leave a|post a|add (?:a|your) comment|write a comment|who.s? (?:is )?online|' +
  '(?:your )?(?:browsing|viewing) history|この記事を|teilen|partager|compartir)', 'i');
const COMMENTS_HEADING = /^(?:(?:\d+ )?(?:reader )?comments?(?: ?\(?\d+\)?)?|\d+ (?:responses?|replies)|responses? ?\(?\d+\)?)\W*$/i;
const LONE_BOILERPLATE = new RegExp('^(?:advertisement|ad|sponsored(?: content)?|promoted|share(?: this.*)?|tweet|print|email|' +
  'pin it|copy(?: link)?|copied!?|skip to .{0,30}|back to top|(?:edit|improve) (?:this page|on github|this (?:article|answer|question))\\b.{0,30}|' +
  'edit|permalink|reply|post reply|quote|quote reply|report(?: abuse| post)?|flag|like|save|follow|bookmark|upvote|downvote|' +
  'hide|favou?rite|collapse|expand|\\[?[–−+-]\\]?|\\[\\]|previous|next|prev|loading\\W*|show more|load more(?: \\w+)?|' +
  'read more|see more|(?:view|see) (?:all|more)\\b.{0,30}|close|menu|(?:add|write|leave|post) (?:a|your) (?:comment|review|reply)|' +
  'was this (?:page |article )?helpful\\W.{0,40}|[\\d,.]+ (?:people|persons?|customers?) found this helpful.{0,20}|' +
  'continue reading.{0,40}|scroll to top|top|log ?in|sign (?:in|up)|register|' +
  '(?:sign (?:in|up)|log ?in|register)\\b.{0,40}\\bto (?:join|comment|reply|vote|answer|post)\\b.{0,80}|' +
  '(?:add|put|move) (?:to|in(?:to)?) (?:the |your )?(?:cart|basket|wish ?list|bag|list)|wish ?list|compare|buy(?: now)?|' +
  'quantity:?|qty:?|sort(?:ed)? by:?(?: .{0,20})?|(?:roll|hover) over (?:the )?image.{0,20}|click to (?:zoom|enlarge)|' +
  'ask (?:a )?question|you are viewing .{0,80}|(?:all|view|show) \\d+ (?:comments|replies|answers)|listen to this article.{0,20})$', 'i');
const TURNS_THE_PAGE = /^(?:[«‹←<]+ ?.{0,80}|.{0,80} ?[»›→>]+|(?:prev(?:ious)?|next|up|older|newer|home|contents|index)\b.{0,80})$/i;
const CALLS = /^(?:join|get|start|try|buy|shop|subscribe|sign|become|donate|take|book|order|upgrade|support|watch|learn more)\b/i;
// A button that leads to something worth having.
const LEADS_ON = /\d|^(?:download|install|documentation|docs|source|view (?:source|on)|read the)\b/i;
