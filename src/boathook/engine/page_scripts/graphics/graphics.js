// Drawings as text: charts with axes, series and values; other drawings as a list of their shapes; canvases by name.

const SHORT = { graphics: 2, lines: 8 };
const LONG = { graphics: 12, lines: 60 };
const SMALLEST_GRAPHIC = 48;
const FEWEST_SHAPES = 8;
const LEAST_OF_VIEW = 0.25;
const MOST_LOOKED_AT = 40;

const namedTicks = (ticks) => ticks.slice(0, MOST_TICKS).map(({ name }) => quote(name, 24)).join(' ') + (ticks.length > MOST_TICKS ? ` \u2026 ${ticks.length} in all` : '');

const axisLines = ({ row, column }) => [
  row.length ? `axis horizontal: ${namedTicks(row)}` : '', column.length ? `axis vertical: ${namedTicks([...column].reverse())}` : '',
].filter(Boolean);

const seriesName = (legend, { paint }) => (legend.names.has(paint) ? ' ' + quote(legend.names.get(paint).name, SHAPE_NAME) : '');

const markLine = (axes, { what, tip, labelled }, mark) => {
  const [x, y] = tip(mark);
  const { label, value } = meaningOf(axes, x, y, labelled);
  const name = mark.name || label;
  const ref = numbered(mark.el, what, cut(name, SHAPE_NAME));
  return `  ${what}${name ? ' ' + quote(name, SHAPE_NAME) : ''} @e${ref}${mark.name || !value ? '' : ' ' + value} ${placeOf(mark)}`;
};

const seriesLines = (axes, legend, series) => {
  const [first] = series.marks;
  const marks = [...series.marks].sort((one, other) => one.x - other.x || one.y - other.y);
  return [`${series.what}s${seriesName(legend, first)}${first.colour ? ' ' + first.colour : ''}: ${marks.length}`, ...marks.map((mark) => markLine(axes, series, mark))];
};

const lineLines = (axes, legend, { shape, vertices }) => {
  const points = vertices.slice(0, MOST_VERTICES).map(([x, y]) => {
    const { label, value } = meaningOf(axes, x, y);
    return [label && quote(label, 24), value].filter(Boolean).join(' ');
  }).filter(Boolean);
  const name = shape.name ? ' ' + quote(shape.name, SHAPE_NAME) : seriesName(legend, shape);
  const ref = numbered(shape.el, 'line', cut(shape.name, SHAPE_NAME));
  return [`line${name} @e${ref} ${shape.colour}: ${vertices.length} points${points.length ? ', ' + points.join('; ') : ''}`];
};

// Nothing unless there is an axis and something that it measures.
const chartLines = (shapes, width) => {
  const texts = shapes.filter(({ kind }) => kind === 'text');
  const drawn = shapes.filter(({ kind }) => kind !== 'text');
  const axes = axesOf(texts, drawn);
  if (!axes.row.length && !axes.column.length) return null;
  const legend = legendOf(drawn, texts);
  const marks = drawn.filter((mark) => !legend.marks.has(mark));
  const [bars, lines] = [barsIn(marks), linesIn(marks, width)];
  const used = new Set(bars.flatMap((series) => series.marks));
  const points = pointsIn(marks.filter((mark) => !used.has(mark)));
  if (!bars.length && !lines.length && !points.length) return null;
  const ticks = new Set([...axes.row, ...axes.column, ...legend.names.values()]);
  return [
    ...texts.filter((text) => !ticks.has(text)).map(shapeLine), ...axisLines(axes),
    ...bars.flatMap((series) => seriesLines(axes, legend, series)), ...lines.flatMap((line) => lineLines(axes, legend, line)),
    ...points.flatMap((series) => seriesLines(axes, legend, series)),
  ];
};

const capped = (lines, most) => (lines.length <= most ? lines : [...lines.slice(0, most), `\u2026 ${lines.length - most} more lines`]);

const graphicName = (el) => collapse(attr(el, 'aria-label') || (ownTitle(el) ? textContentOf(ownTitle(el)) : '') || '');

// A chart on a canvas, as its library stores it.
const modelLines = ({ kind, labels, series }) => series.map(({ name, values }) => {
  const items = values.map((value, at) => `${labels[at] ? quote(labels[at], 24) + ' = ' : ''}${quote(value, 24).slice(1, -1)}`);
  return `${quote(kind, 24).slice(1, -1)} series${name ? ' ' + quote(name, SHAPE_NAME) : ''}: ${items.join('; ')}`;
});

const graphicLines = (el, most, models) => {
  const box = rectOf(el);
  const name = graphicName(el);
  const tag = tagOf(el).toLowerCase();
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width, height: box.height };
  const head = `${tag}${name ? ' ' + quote(name, SHAPE_NAME) : ''} @e${numbered(el, tag, cut(name, SHAPE_NAME))} ${sizeOf(place)} ${placeOf(place)}`;
  const model = models.get(el);
  if (model) return [`${head}: a chart`, ...capped(modelLines(model), most).map((line) => `  ${line}`)];
  if (tag === 'canvas') return [`${head}: pixels, which only a screenshot shows`];
  const shapes = shapesIn(el);
  const inside = chartLines(shapes, box.width) || shapes.map(shapeLine);
  return [`${head}: ${shapes.length} shapes`, ...capped(inside, most).map((line) => `  ${line}`)];
};

const isLarge = (el) => {
  const box = rectOf(el);
  return box.width >= SMALLEST_GRAPHIC && box.height >= SMALLEST_GRAPHIC && isShown(el);
};

const graphicsIn = (root) => [...queryAllIn(root, 'svg, canvas')].filter((el) => !(parentOf(el) && closest(parentOf(el), 'svg')) && isLarge(el));
const queryAllIn = (root, selector) => (kindOf(root) === ELEMENT
  ? [...(matches(root, selector) ? [root] : []), ...root.querySelectorAll(selector)] : queryAll(root, selector));

const isText = (value) => typeof value === 'string';
const isChart = (model) => Boolean(model) && isText(model.kind) && [model.labels, model.series].every(Array.isArray) && model.labels.every(isText) &&
  model.series.every((one) => one && isText(one.name) && Array.isArray(one.values) && one.values.every(isText));

// `charts` comes from the page's own scripts, a chart or null for each canvas of the document.
const graphics = ({ base, root, short, charts }) => {
  raiseBase(base);
  const models = new Map([...queryAll(document, 'canvas')].flatMap((el, at) => (isChart(charts[at]) ? [[el, charts[at]]] : [])));
  const limits = short ? SHORT : LONG;
  const top = root ? elementOf(root) : null;
  const roots = top ? [top] : allRoots();
  const found = roots.flatMap((at) => graphicsIn(at));
  const lines = found.slice(0, limits.graphics).flatMap((el) => graphicLines(el, limits.lines, models));
  if (found.length > limits.graphics) lines.push(`\u2026 ${found.length - limits.graphics} more graphics`);
  forgetWalk();
  return JSON.stringify({ first: firstNewId, next: nextId }) + '\n' + lines.join('\n');
};

// Whether most of what is seen is drawn. Icons are told apart without layout, by how little is in them.
const isMainlyGraphic = () => {
  const drawn = [...queryAll(document, 'svg, canvas')].slice(0, MOST_LOOKED_AT)
    .filter((el) => tagOf(el) === 'CANVAS' || elementsInside(el, '*').length >= FEWEST_SHAPES);
  return drawn.some((el) => {
    const { width, height } = rectOf(el);
    return width * height >= LEAST_OF_VIEW * innerWidth * innerHeight;
  });
};
