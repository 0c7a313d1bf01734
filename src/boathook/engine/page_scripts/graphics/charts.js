// Charts: the labels of their axes, and series of marks with the label and value that each stands for. A value that the
// page does not say is worked out from the axis, and marked as such.

const NEAR = 2;
const FEWEST_TICKS = 3;
const FEWEST_MARKS = 3;
const LARGEST_POINT = 16;
const MOST_TICKS = 14;
const LEAST_LINE_WIDTH = 0.3;
const MOST_VERTICES = 40;

const NUMBER = /^[^\d+\u2212-]{0,3}([+\u2212-]?\d[\d,\u00a0\u202f' ]*(?:\.\d+)?)\s*([kKmMbB%]?)\S{0,3}$/;
const FACTORS = new Map(Object.entries({ k: 1e3, m: 1e6, b: 1e9 }));
const numberIn = (text) => {
  const found = NUMBER.exec(text);
  if (!found) return NaN;
  return Number(found[1].replace('\u2212', '-').replace(/[^\d.-]/g, '')) * (FACTORS.get(found[2].toLowerCase()) || 1);
};

// Groups of shapes that agree in a measure within a few pixels.
const groupsBy = (shapes, measure) => {
  const sorted = [...shapes].sort((one, other) => measure(one) - measure(other));
  const groups = [];
  for (const shape of sorted) {
    const last = groups[groups.length - 1];
    if (last && measure(shape) - measure(last[last.length - 1]) <= NEAR) last.push(shape);
    else groups.push([shape]);
  }
  return groups;
};

const isSpread = (ticks, measure) => {
  const places = ticks.map(measure).sort((a, b) => a - b);
  return places.every((place, i) => i === 0 || place - places[i - 1] > NEAR * 2);
};

// The longest row or column of labels; of equals, the outermost.
const ticksAlong = (texts, sides, along) => {
  const rows = sides.flatMap((side) => groupsBy(texts, side)).filter((row) => row.length >= FEWEST_TICKS && isSpread(row, along));
  const best = rows.sort((one, other) => other.length - one.length)[0];
  return best ? best.sort((one, other) => along(one) - along(other)) : [];
};

const across = ({ x }) => x;
const down = ({ y }) => y;
const ROW_SIDES = [down, ({ box }) => box.top];
const COLUMN_SIDES = [({ box }) => box.right, across, ({ box }) => box.left];

// From a place on the screen to a value, if the labels are numbers at even distances.
const scaleOf = (ticks, places) => {
  const points = ticks.map((tick, at) => [places[at], numberIn(tick.name)]);
  if (points.length < FEWEST_TICKS || points.some(([, value]) => Number.isNaN(value))) return null;
  const [[from, low], [to, high]] = [points[0], points[points.length - 1]];
  const slope = (high - low) / (to - from);
  const range = Math.abs(high - low);
  if (!range || points.some(([at, value]) => Math.abs(low + (at - from) * slope - value) > range / 50)) return null;
  return (at) => low + (at - from) * slope;
};

// Where the ticks are: at the lines of the grid if there is one for each label, since labels may stand above their line.
const placesOf = (ticks, along, rules) => {
  const lines = groupsBy(rules, along).map(([line]) => along(line));
  const shift = ticks.length > 0 && lines.length === ticks.length ? along(ticks[0]) - lines[0] : NaN;
  const isGrid = ticks.length > 0 && ticks.every((tick, at) => Math.abs(along(tick) - lines[at] - shift) <= NEAR);
  return isGrid ? lines : ticks.map(along);
};

const axesOf = (texts, marks) => {
  const row = ticksAlong(texts, ROW_SIDES, across);
  const column = ticksAlong(texts.filter((text) => !row.includes(text)), COLUMN_SIDES, down);
  const upright = marks.filter(({ width, height }) => width <= 1 && height > LARGEST_POINT);
  const level = marks.filter(({ width, height }) => height <= 1 && width > LARGEST_POINT);
  return { row, column, atX: scaleOf(row, placesOf(row, across, upright)), atY: scaleOf(column, placesOf(column, down, level)) };
};

const tickNear = (ticks, along, place) => {
  if (ticks.length < 2) return '';
  const gap = Math.abs(along(ticks[1]) - along(ticks[0]));
  const near = ticks.find((tick) => Math.abs(along(tick) - place) < gap / 2);
  return near ? near.name : '';
};

// A place is known to a pixel, so a value only to what a pixel stands for.
const valueAt = (scale, place) => {
  const step = 10 ** Math.ceil(Math.log10(Math.abs(scale(place + 1) - scale(place))));
  return String(Number((Math.round(scale(place) / step) * step).toPrecision(6)) || 0);
};
const isBetween = (ticks, along, place) => {
  const places = ticks.map(along);
  const margin = Math.abs(places[places.length - 1] - places[0]) / 10;
  return place >= Math.min(...places) - margin && place <= Math.max(...places) + margin;
};

// What a mark at a place stands for, in the words of the axes. Bars stand beside labels, even if these are numbers.
const meaningOf = (axes, x, y, labelled = '') => {
  const [isLabelX, isLabelY] = [labelled === 'x' || !axes.atX, labelled === 'y' || !axes.atY];
  const label = isLabelX ? tickNear(axes.row, across, x) : '';
  const other = isLabelY ? tickNear(axes.column, down, y) : '';
  const values = [];
  if (!isLabelX && isBetween(axes.row, across, x)) values.push(valueAt(axes.atX, x));
  if (!isLabelY && isBetween(axes.column, down, y)) values.push(valueAt(axes.atY, y));
  return { label: label || other, value: values.length ? `\u2248 ${values.join(', ')}` : '' };
};

const looksOf = ({ kind, paint }) => `${kind} ${paint}`;
const byLooks = (shapes) => {
  const kinds = new Map();
  for (const shape of shapes) kinds.set(looksOf(shape), [...(kinds.get(looksOf(shape)) || []), shape]);
  return [...kinds.values()];
};

// Bars stand on one line and are equally thick: upright ones share their lower edge, others their left edge.
const BARS = [
  { edge: ({ box }) => box.bottom, thickness: ({ width }) => width, tip: ({ box, x }) => [x, box.top], labelled: 'x' },
  { edge: ({ box }) => box.left, thickness: ({ height }) => height, tip: ({ box, y }) => [box.right, y], labelled: 'y' },
];
const barsIn = (shapes) => {
  const solid = shapes.filter(({ kind, width, height }) => kind !== 'polyline' && width > 2 && height > 0);
  const found = [];
  for (const { edge, thickness, tip, labelled } of BARS) {
    for (const row of byLooks(solid).flatMap((same) => groupsBy(same, edge))) {
      for (const marks of groupsBy(row, thickness)) {
        const isNew = !found.some((series) => series.marks.includes(marks[0]));
        if (marks.length >= FEWEST_MARKS && isNew) found.push({ what: 'bar', marks, tip, labelled });
      }
    }
  }
  return found;
};

const pointsIn = (shapes) => byLooks(shapes.filter(({ width, height }) => width <= LARGEST_POINT && height <= LARGEST_POINT && width > 1 && height > 1))
  .filter((same) => same.length >= FEWEST_MARKS && new Set(same.map(({ x }) => rounded(x))).size >= FEWEST_MARKS)
  .map((marks) => ({ what: 'point', marks, tip: ({ x, y }) => [x, y] }));

const VERTEX = /([MLHVCSQT])([^A-Za-z]*)/g;
const STRIDES = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2 };

// The points that a line passes through, on the screen; nothing for paths with arcs or relative steps.
const verticesOf = ({ el, kind }) => {
  const matrix = el.getScreenCTM();
  const points = [];
  if (kind === 'polyline') points.push(...[...el.points].map(({ x, y }) => [x, y]));
  const d = kind === 'path' ? attr(el, 'd') || '' : '';
  if (/[a-zA]/.test(d.replace(/[zZe]/g, ''))) return [];
  for (const [, command, text] of d.matchAll(VERTEX)) {
    const numbers = (text.match(/-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/g) || []).map(Number);
    const stride = STRIDES[command];
    for (let at = 0; at + stride <= numbers.length; at += stride) {
      const [lastX, lastY] = points[points.length - 1] || [0, 0];
      if (command === 'H') points.push([numbers[at], lastY]);
      else if (command === 'V') points.push([lastX, numbers[at]]);
      else points.push([numbers[at + stride - 2], numbers[at + stride - 1]]);
    }
  }
  return matrix ? points.map(([x, y]) => [matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f]) : [];
};

const linesIn = (shapes, width) => shapes.filter((shape) => (shape.kind === 'path' || shape.kind === 'polyline') && shape.isOutline &&
  shape.width >= LEAST_LINE_WIDTH * width).map((shape) => ({ shape, vertices: verticesOf(shape) }))
  // The line of an axis turns only at its ends.
  .filter(({ vertices }) => new Set(vertices.map(([x]) => rounded(x))).size >= FEWEST_MARKS);

// The text beside a small mark names the series that is painted like it.
const legendOf = (shapes, texts) => {
  const names = new Map();
  const marks = new Set();
  for (const mark of shapes) {
    if (mark.width > 2 * LARGEST_POINT || mark.height > LARGEST_POINT + 4) continue;
    const beside = texts.find(({ box, y }) => Math.abs(y - mark.y) <= mark.height / 2 + 4 && box.left >= mark.box.right && box.left - mark.box.right < 12);
    if (!beside || !Number.isNaN(numberIn(beside.name))) continue;
    marks.add(mark);
    if (!names.has(mark.paint)) names.set(mark.paint, beside);
  }
  return { names, marks };
};
