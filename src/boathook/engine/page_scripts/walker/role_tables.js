// The tables of roles: what each HTML element is, which roles exist, and what each role implies.

const setOf = (words) => new Set(words.split(/\s+/));

const SKIPPED_TAGS = setOf('SCRIPT STYLE TEMPLATE NOSCRIPT HEAD META LINK TITLE BASE PARAM SOURCE TRACK ' +
  'DATALIST COL COLGROUP NOEMBED NOFRAMES RP RT script style title desc metadata defs symbol clipPath ' +
  'mask marker pattern linearGradient radialGradient filter MAP');

// Plain wrappers in running text: their words continue the line of words around them.
const INLINE_TAGS = setOf('A B I U S SPAN SMALL BIG FONT KBD VAR SAMP CITE Q BDI BDO TT WBR NOBR CODE EM ' +
  'STRONG MARK TIME DFN ABBR INS DEL SUB SUP LABEL DATA RUBY RT RB SLOT tspan');

const TAG_ROLES = {
  ARTICLE: 'article', MAIN: 'main', NAV: 'navigation', SEARCH: 'search', ADDRESS: 'group', HGROUP: 'group',
  H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading', P: 'paragraph',
  BLOCKQUOTE: 'blockquote', FIGURE: 'figure', FIGCAPTION: 'Figcaption',
  HR: 'separator', UL: 'list', OL: 'list',
  MENU: 'list', DIR: 'list', DL: 'list', DT: 'term', DD: 'definition', DFN: 'term', CODE: 'code',
  EM: 'emphasis', STRONG: 'strong', MARK: 'mark', TIME: 'time',
  INS: 'insertion', DEL: 'deletion', S: 'deletion',
  SUB: 'subscript', SUP: 'superscript', ABBR: 'Abbr', RUBY: 'Ruby', BUTTON: 'button',
  TEXTAREA: 'textbox', FIELDSET: 'group', LEGEND: 'Legend', LABEL: 'LabelText',
  OUTPUT: 'status', FORM: 'form',
  PROGRESS: 'progressbar', METER: 'meter', DETAILS: 'group', DIALOG: 'dialog',
  IFRAME: 'iframe', FRAME: 'iframe',
  FENCEDFRAME: 'iframe', VIDEO: 'Video', AUDIO: 'Audio', CANVAS: 'Canvas', EMBED: 'EmbeddedObject',
  OBJECT: 'PluginObject', OPTION: 'option', OPTGROUP: 'group', CAPTION: 'caption', IMG: 'img',
  math: 'math',
};

const SVG_SHAPES = ['rect', 'circle', 'path', 'ellipse', 'line', 'polygon', 'polyline'];

const MATHML_ROLES = {
  mi: 'MathMLIdentifier', mo: 'MathMLOperator', mn: 'MathMLNumber', mrow: 'MathMLRow',
  mfrac: 'MathMLFraction',
  msqrt: 'MathMLSquareRoot', mroot: 'MathMLRoot', msup: 'MathMLSup', msub: 'MathMLSub',
  msubsup: 'MathMLSubSup',
  munder: 'MathMLUnder', mover: 'MathMLOver', munderover: 'MathMLUnderOver', mtable: 'MathMLTable',
  mtr: 'MathMLTableRow', mtd: 'MathMLTableCell', mtext: 'MathMLText', ms: 'MathMLStringLiteral',
};

const INPUT_ROLES = {
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', checkbox: 'checkbox',
  radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', date: 'Date', time: 'InputTime',
  'datetime-local': 'DateTime', month: 'DateTime', week: 'DateTime', color: 'ColorWell', hidden: '',
};

const ARIA_ROLES = setOf('alert alertdialog application article banner blockquote button caption cell ' +
  'checkbox code columnheader combobox comment complementary contentinfo definition deletion dialog ' +
  'document emphasis feed figure form generic grid gridcell group heading img insertion link list listbox ' +
  'listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter ' +
  'navigation none note option paragraph progressbar radio radiogroup region row rowgroup rowheader ' +
  'scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong ' +
  'subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar ' +
  'tooltip tree treegrid treeitem graphics-document graphics-object graphics-symbol doc-abstract ' +
  'doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography ' +
  'doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication ' +
  'doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword ' +
  'doc-glossary doc-glossref doc-index doc-introduction doc-noteref doc-notice doc-pagebreak ' +
  'doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna ' +
  'doc-subtitle doc-tip doc-toc');
const ROLE_SYNONYMS = { presentation: 'none', image: 'img', directory: 'list' };

const NAMED_BY_CONTENT = setOf('button cell checkbox columnheader gridcell heading link menuitem ' +
  'menuitemcheckbox menuitemradio option radio rowheader switch tab tooltip treeitem term math ' +
  'graphics-object doc-backlink doc-biblioref doc-glossref doc-noteref');

// Phrases: inside a named thing their words are already said.
const PHRASES = setOf('strong emphasis code mark time deletion insertion subscript superscript Ruby Abbr');

// Roles whose words do not become part of the name of something around them.
const OPAQUE_ROLES = setOf('alert alertdialog application article banner blockquote combobox ' +
  'complementary contentinfo dialog document feed figure form grid group img listbox log main marquee ' +
  'menu menubar navigation note progressbar radiogroup row rowgroup search separator status table tablist ' +
  'tabpanel timer toolbar tree treegrid');
// Roles on which a tooltip only describes.
const TITLE_DESCRIBES = setOf('caption code definition deletion emphasis generic insertion mark paragraph ' +
  'strong subscript superscript time');

// Roles whose line carries a ref because one may want to act on them.
const CONTROL_ROLES = setOf('button checkbox combobox gridcell link listbox menuitem menuitemcheckbox ' +
  'menuitemradio option radio scrollbar searchbox slider spinbutton switch tab textbox treeitem Date ' +
  'DateTime InputTime ColorWell doc-backlink doc-biblioref doc-glossref doc-noteref iframe Video Audio ' +
  'PluginObject EmbeddedObject');
// Roles whose line carries a ref because one may want to look inside or name them.
// Content that has a ref only on request, and only with a name.
const CONTENT_ROLES = setOf('cell gridcell columnheader rowheader listitem');
const PLACE_ROLES = setOf('alert alertdialog article banner complementary contentinfo dialog form grid ' +
  'heading img main navigation region row search table tabpanel treegrid Canvas figure');

const SECTIONING = 'article, aside, main, nav, section, [role=article], [role=complementary], [role=main], ' +
  '[role=navigation]';
