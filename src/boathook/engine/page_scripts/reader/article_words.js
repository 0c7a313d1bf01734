// Words of articles, in the commonest languages: headings over other stories and over comments, bylines, dates, and
// what editors put below a text.

// A heading or label over links to other pages, or over a box that asks for something.
const OTHER_STORIES = new RegExp('^(?:' + [
  '(?:related|recommended|similar|suggested|popular|trending|latest|recent|more|top|other|editor.?s?|our|featured|must)\\b' +
    '.{0,30}\\b(?:articles?|posts?|stor(?:y|ies)|reading|reads?|content|coverage|topics?|news|links|videos?|picks?|columns?|' +
    'headlines|subjects|features|galler(?:y|ies)|opinion|analysis|entries|podcasts?|stuff)',
  'related|recommended(?: for you)?|trending(?: now)?|popular(?: now)?|latest|see also|also (?:see|read|on\\b.*)|don.?t miss.*',
  'you (?:may|might|will|ll) (?:also )?(?:like|enjoy|be interested).*|(?:read|up|watch) next|what to read next|what.s next',
  '(?:read|see|hear|watch) more\\b.*|keep reading|read (?:further|also|this next)\\b.*|more (?:from|on|in|about|by|like this|to explore)\\b.*',
  'most (?:read|popular|viewed|shared|commented)\\b.*|around the web|from (?:around )?the web|elsewhere on\\b.*|in case you missed it',
  'filed under.*|tags?:?|topics:?|categories:?|(?:posted|tagged) (?:in|under)\\b.*|explore .{0,30}|.{0,20}\\brecommends',
  'audios? and videos? on the topic|(?:photos?|pics|videos?|galler(?:y|ies)) of the (?:day|week)|.{3,40} in (?:images|pics|photos)',
  'share(?: this.*)?|like this:?|follow\\b.{0,40}|newsletters?\\b.*|subscribe\\b.*|sign up\\b.*|get the .{0,40}\\b(?:newsletter|inbox|app)\\b.*',
  'about the authors?|about the writer|(?:more )?about .{0,20}\\bauthor|published by|written by|trending articles|advertisement|sponsored.*',
  'ähnliche (?:artikel|beiträge|themen).*|verwandte (?:artikel|themen|beiträge)|mehr (?:zum thema|zu|aus|von|dazu)\\b.*|weitere (?:artikel|themen|beiträge|meldungen|informationen|nachrichten).*',
  'das könnte (?:sie|dich) auch.*|auch interessant.*|lesen sie (?:auch|mehr|weiter).*|zum thema|meistgelesen.*|meist gelesen.*|neue(?:ste)? (?:artikel|beiträge|tests).*',
  'schlagw(?:orte?|örter):?|stichw(?:orte?|örter):?|anzeige|die beliebtesten.*|beliebte? .{0,20}|empfehlungen.*|teilen|gefällt mir:?|über den autor|über die autorin|weiterführende.{0,3} links?',
  'articles? (?:similaires|liés|associés|récents|les plus lus)|à lire (?:aussi|également).*|lire aussi.*|sur le même (?:sujet|thème).*|les plus lus|à découvrir.*|voir aussi|partager.*|mots-clés.*|recommandé pour vous|pour aller plus loin',
  '(?:artículos|noticias|notas|contenido|temas) relacionad[oa]s?.*|te puede interesar.*|también te puede.*|lee también.*|lo más (?:leído|visto|popular).*|más (?:noticias|leídas|sobre|en)\\b.*|ver también|compartir.*|etiquetas:?|últimas noticias|relacionados',
  '(?:artigos|notícias|matérias|conteúdo) relacionad[oa]s?.*|leia (?:também|mais).*|veja (?:também|mais).*|mais lidas.*|últimas notícias|saiba mais',
  'articoli (?:correlati|simili).*|leggi anche.*|potrebbe interessarti.*|i più letti.*|ti potrebbe.*|tag:',
  'gerelateerde? .*|lees ook.*|meer (?:over|van|nieuws)\\b.*|meest gelezen.*|läs (?:också|även|mer).*|relaterade?.*|les også.*|læs også.*|lue myös.*',
  'czytaj (?:też|także|więcej).*|zobacz (?:też|także|również).*|polecamy.*|powiązane.*|související.*|čtěte (?:také|více).*|(?:читайте|смотрите) (?:также|ещё|еще).*|похожие.*|по теме:?|ещё по теме.*|популярное|новости партн.ров.*',
  'ilgili (?:haberler|konular).*|benzer.*|saistītie.*|lasi arī.*|اقرأ (?:أيضا?ً?|المزيد).*|مواضيع (?:ذات صلة|متعلقة).*|أخبار ذات صلة.*|الأكثر (?:قراءة|مشاهدة).*',
  '[【\\[■◆]?(?:为你推荐|[你您]可能|相关|相關|延伸|推荐|推薦|热门|熱門|猜你喜欢|更多|最新|精彩|編集部|関連|おすすめ|人気|あわせて読みたい|こちらも|ランキング|注目|新着|関连|이전|관련|많이 본|추천|인기|최신).{0,20}',
].join('|') + ')[\\s:：…>»\\]】]*$', 'i');

// A heading over comments, with or without their number.
const COMMENTS_TITLE = new RegExp('^(?:\\d+ (?:responses?|replies)|(?:there are |show |view |all |leave |add |join |latest |top )*[\\d.,]* ?(?:reader |user )?' +
  '(?:comments?|thoughts? on\\b.*|kommentare?|leserkommentare?|ergänzungen|commentaires?|réactions?|' +
  'comentarios?|comentários?|commenti|commento|reacties|kommentarer|komentarze?|komentáře|комментари(?:и|ев|й|я)|yorum(?:lar)?|التعليقات|تعليقات)' +
  '(?: (?:to|on|for|zu|about|sur) .{0,120}| ?\\(?[\\d.,]+\\)?)?|(?:leave|write|post) (?:a |your )?(?:reply|comment)\\b.*|join the (?:conversation|discussion).*|' +
  'kommentar schreiben|schreibe einen kommentar.*|laisser un commentaire.*|deja (?:un|tu) comentario.*|(?:热门|最新|网友|全部|发表)?(?:评论|評論|留言|回帖|跟帖).{0,12}|コメント.{0,12}|댓글.{0,12})\\W*$', 'i');

// What editors put below a text.
const TAIL_NOTICE = new RegExp('^\\W*(?:follow (?:us|h(?:im|er)|them|me|@|\\w+ on)|sign up|subscribe|click here|for more|read more|read also|copyright|©|\\(c\\)|' +
  'all rights reserved|photos?(?: credits?| by)?:|images?(?: credits?)?:|foto:|bild:|advertisement|share this|join (?:our|us|the)|download (?:the|our)|get (?:the latest|our)|' +
  'like us|you can follow|have (?:something|a story|a tip)|got a (?:tip|story)|e-?mail\\b.{0,40}@|contact (?:us|the|h(?:im|er))|this (?:article|story|post) (?:was )?(?:originally |first )|' +
  'powered by|posted (?:in|by|on|under)|published (?:in|by|on)|last (?:updated|modified)|updated:|tags?:|topics:|filed under|categor(?:y|ies):|source:|report (?:this|inappropriate)|' +
  'this (?:material|document|content) (?:may|is)|reprints?|permalink|alle rechte|teilen|schlagw|quelle:|veröffentlicht|tous droits|责任编辑|责编|編輯|编辑[：:]|来源[：:]|版权|著作権|無断|저작권|ⓒ|무단)', 'i');

const MONTHS = 'jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|ene|abr|ago|dic|fév|avr|juin|juil|août|déc|gen|mag|giu|lug|set|ott|out';
const DATE_LINE = new RegExp(`\\b(?:19|20)\\d\\d\\b|\\b\\d{1,2}[./ ]{1,2}(?:${MONTHS})|\\b(?:${MONTHS})\\p{L}*\\.? \\d{1,2}\\b|` +
  '\\b\\d+ (?:min|hour|day|week|month|year)s? ago|\\d{1,2}[./]\\d{1,2}[./]\\d{2}|年.{0,3}月|\\b\\d{1,2}:\\d\\d\\b', 'iu');
const BYLINE = /^(?:(?:written |words |story |posted |reviewed |reported )?by|von|par|por|di|door|av|af|от|автор:?|author:?|text:?|記者|作者)\s+\p{L}/iu;
const ENDS_SENTENCE = /[.!?…:;"”’»)。！？：；」』؟।။។]\s*$/;
