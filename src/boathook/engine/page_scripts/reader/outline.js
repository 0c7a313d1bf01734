// The outline of a page: landmarks, and headings with their levels.

const LANDMARK_TAGS = { MAIN: 'main', NAV: 'navigation', ASIDE: 'complementary', SEARCH: 'search', FORM: 'form' };
const LANDMARKS = setOf('main navigation banner contentinfo complementary search form region');

const landmarkOf = (part) => {
  const given = roleGiven(part);
  if (given) return LANDMARKS.has(given) ? given : '';
  const name = attr(part.el, 'aria-label');
  if (part.tag === 'FORM' || part.tag === 'SECTION') return name ? (part.tag === 'FORM' ? 'form' : 'region') : '';
  if (part.tag === 'HEADER') return inSection(part) ? '' : 'banner';
  if (part.tag === 'FOOTER') return inSection(part) ? '' : 'contentinfo';
  return LANDMARK_TAGS[part.tag] || '';
};

const outlineOf = (top) => {
  const lines = [];
  const add = (part, depth) => {
    if (!part.el) return;
    if (part.frame) lines.push(`${FRAME_MARK}${part.frame}${FRAME_MARK}`);
    if (isHeading(part)) {
      const words = tidy(inlineOfKids(part, { plain: true }), { oneLine: true });
      if (words) lines.push(`${'  '.repeat(depth + levelOf(part) - 1)}h${levelOf(part)} ${words}`);
      return;
    }
    const landmark = landmarkOf(part);
    const name = landmark && attr(part.el, 'aria-label');
    if (landmark) lines.push(`${'  '.repeat(depth)}${landmark}${name ? ` "${tidy(safeText(name), { oneLine: true })}"` : ''}`);
    for (const kid of part.kids) add(kid, landmark ? depth + 1 : depth);
  };
  add(top, 0);
  return lines.join('\n');
};
