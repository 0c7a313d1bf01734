// SVG shapes in words: their kind and colour, as a person would name them.

const SHAPES = { rect: 'rectangle', circle: 'circle', ellipse: 'ellipse', line: 'line', path: 'shape', polygon: 'polygon',
  polyline: 'line', image: 'image' };
const shapeWords = (el) => {
  const kind = SHAPES[tagOf(el)];
  if (!kind) return '';
  const style = getComputedStyle(el);
  const colour = colourWord(style.fill) || colourWord(style.stroke);
  return colour ? `${colour} ${kind}` : kind;
};
