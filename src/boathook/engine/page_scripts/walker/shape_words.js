// SVG shapes in words: their kind and colour, as a person would name them.

const SHAPES = { rect: 'rectangle', circle: 'circle', ellipse: 'ellipse', line: 'line', path: 'shape', polygon: 'polygon',
  polyline: 'line', image: 'image', text: 'text' };
const GREY_SPREAD = 28;
const DARK = 60;
const BRIGHT = 215;
/** @type {[number, string][]} */
const HUES = [[20, 'red'], [45, 'orange'], [70, 'yellow'], [165, 'green'], [195, 'cyan'], [255, 'blue'], [290, 'purple'],
  [335, 'pink'], [361, 'red']];

const greyWord = (level) => (level < DARK ? 'black' : level > BRIGHT ? 'white' : 'grey');

const hueOf = (r, g, b, most, spread) => {
  const turn = most === r ? ((g - b) / spread + 6) % 6 : most === g ? (b - r) / spread + 2 : (r - g) / spread + 4;
  return turn * 60;
};

// `rgb(0, 0, 255)`: blue. Empty for none, gradients and what is transparent.
const colourWord = (colour) => {
  const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(colour);
  if (!parts || parts[4] === '0') return '';
  const [r, g, b] = parts.slice(1, 4).map(Number);
  const most = Math.max(r, g, b);
  const spread = most - Math.min(r, g, b);
  if (spread < GREY_SPREAD) return greyWord((most + Math.min(r, g, b)) / 2);
  const hue = hueOf(r, g, b, most, spread);
  const word = HUES.find(([end]) => hue < end)[1];
  return word === 'orange' && most < 170 ? 'brown' : word;
};

const shapeWords = (el) => {
  const kind = SHAPES[tagOf(el)];
  if (!kind) return '';
  const style = getComputedStyle(el);
  const colour = colourWord(style.fill) || colourWord(style.stroke);
  return colour ? `${colour} ${kind}` : kind;
};

// Icons are not pictures to be described: shapes count from this size of their image on.
const SMALLEST_IMAGE = 64;
const isGraphic = (el, tag) => {
  if (!SHAPES[tag] || !el.ownerSVGElement || closest(el, 'defs, symbol, clipPath, mask, pattern, marker')) return false;
  const { width, height } = rectOf(outermostSvg(el));
  return width >= SMALLEST_IMAGE && height >= SMALLEST_IMAGE;
};

const outermostSvg = (el) => {
  let at = el.ownerSVGElement;
  while (at.ownerSVGElement) at = at.ownerSVGElement;
  return at;
};

// The text that it shows, or the title that it carries.
const graphicName = (el, tag) => (tag === 'text' ? collapse(textOf(el)) : collapse(attr(el, 'aria-label') || '') || svgTitle(el) || '');
