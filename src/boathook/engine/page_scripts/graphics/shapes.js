// The shapes of a drawing: what a person sees of them, in the order in which they are painted.

const SHAPE_KINDS = new Map(Object.entries({
  rect: 'rectangle', circle: 'circle', ellipse: 'ellipse', line: 'line', polyline: 'polyline', polygon: 'polygon', path: 'path',
  text: 'text', image: 'image', use: 'symbol', foreignObject: 'text',
}));
const UNPAINTED = setOf('defs symbol clipPath mask pattern marker linearGradient radialGradient filter title desc metadata style script');
const MOST_SHAPES = 4000;
const SHAPE_NAME = 80;
const LINES_ONLY = setOf('line polyline path');
// A line as thick as this is seen as a bar.
const THICK = 4;

const ownTitle = (el) => [...childrenOf(el)].find((kid) => tagOf(kid) === 'title');
const shapeName = (el, kind) => {
  const given = attr(el, 'aria-label') || (ownTitle(el) ? textContentOf(ownTitle(el)) : '') || attr(el, 'data-name');
  return collapse(given || (kind === 'text' ? textContentOf(el) : ''));
};

// The name of a group stands for its only shape: charts label their marks in this way.
const nameAround = (el, top) => {
  const group = parentOf(el);
  if (group === top || tagOf(group) !== 'g' || (childrenOf(group).length > 2)) return '';
  return shapeName(group, 'group');
};

const paintOf = (el, kind) => {
  const style = getComputedStyle(el);
  if (parseFloat(style.opacity) < FAINT) return null;
  const fill = kind === 'line' || parseFloat(style.fillOpacity) < FAINT ? '' : colourWord(style.fill);
  const stroke = parseFloat(style.strokeWidth) > 0 && parseFloat(style.strokeOpacity) >= FAINT ? colourWord(style.stroke) : '';
  if (kind === 'image' || kind === 'symbol' || tagOf(el) === 'foreignObject') return { colour: '', paint: '', isOutline: false };
  return fill || stroke ? { colour: fill || stroke, paint: fill ? style.fill : style.stroke, isOutline: !fill } : null;
};

const textBox = (el) => {
  const range = ownerDocumentOf(el).createRange();
  range.selectNodeContents(el);
  return range.getBoundingClientRect();
};

// Upright and level lines have no width or height of their own.
const boxOfShape = (el, kind) => {
  const box = tagOf(el) === 'foreignObject' ? textBox(el) : rectOf(el);
  const thickness = kind === 'line' ? parseFloat(getComputedStyle(el).strokeWidth) : 0;
  if (thickness < THICK || (box.width > 0 && box.height > 0)) return box;
  return box.width ? new DOMRect(box.x, box.y - thickness / 2, box.width, thickness) : new DOMRect(box.x - thickness / 2, box.y, thickness, box.height);
};

const shapeOf = (el, top) => {
  const kind = SHAPE_KINDS.get(tagOf(el));
  if (!kind || !isShown(el)) return null;
  const box = boxOfShape(el, kind);
  const paint = (box.width > 0 || box.height > 0) ? paintOf(el, kind) : null;
  if (!paint) return null;
  const name = shapeName(el, kind) || nameAround(el, top);
  if (kind === 'text' && !name) return null;
  return { el, kind, name, ...paint, x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width, height: box.height, box };
};

const shapesIn = (top) => {
  const found = [];
  const collect = (el) => {
    for (const kid of childrenOf(el)) {
      if (found.length >= MOST_SHAPES) return;
      if (UNPAINTED.has(tagOf(kid))) continue;
      const shape = shapeOf(kid, top);
      if (shape) found.push(shape);
      else if (!SHAPE_KINDS.has(tagOf(kid))) collect(kid);
    }
  };
  collect(top);
  return found;
};

const rounded = (value) => Math.round(value);
const placeOf = ({ x, y }) => `at ${rounded(x)},${rounded(y)}`;
const sizeOf = ({ width, height }) => `${rounded(width)}\u00d7${rounded(height)}`;

// A line such as: circle "Berlin" @e31 red 40×40 at 130,220
const shapeLine = (shape) => {
  const { el, kind, name, colour, isOutline } = shape;
  const ref = ` @e${numbered(el, kind, cut(name, SHAPE_NAME))}`;
  const paint = kind === 'text' || !colour ? '' : ` ${colour}${isOutline && !LINES_ONLY.has(kind) ? ' outline' : ''}`;
  const size = kind === 'text' ? '' : ` ${sizeOf(shape)}`;
  return `${kind}${name ? ' ' + quote(name, SHAPE_NAME) : ''}${ref}${paint}${size} ${placeOf(shape)}`;
};
