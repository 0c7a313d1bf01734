// Runs in the page's main world, where chart libraries that draw on canvases store their data: [most marks of a series].
// For each canvas of the document its chart as {kind, labels, series: [{name, values}]}, or null.

((limit) => {
  const plain = (value) => {
    if (value === null || value === undefined) return '';
    if (Array.isArray(value)) return value.map(plain).join(', ');
    if (typeof value === 'object') return 'value' in value ? plain(value.value) : Object.values(value).map(plain).join(', ');
    return String(value).slice(0, 80);
  };
  const texts = (list) => (Array.isArray(list) ? list : []).slice(0, limit).map(plain);
  const seriesOf = (list, name) => list.slice(0, limit).map((one) => ({ name: plain(one[name]), values: texts(one.data) }));
  const chartJs = (canvas) => {
    const chart = globalThis.Chart && globalThis.Chart.getChart && globalThis.Chart.getChart(canvas);
    return chart && { kind: plain(chart.config.type), labels: texts(chart.data.labels), series: seriesOf(chart.data.datasets, 'label') };
  };
  const echarts = (canvas) => {
    const holder = canvas.closest('[_echarts_instance_]');
    const chart = holder && globalThis.echarts && globalThis.echarts.getInstanceByDom(holder);
    const option = chart && chart.getOption();
    const axis = option && [...(option.xAxis || []), ...(option.yAxis || [])].find((one) => Array.isArray(one.data) && one.data.length);
    return option && { kind: plain(option.series[0] && option.series[0].type), labels: texts(axis && axis.data), series: seriesOf(option.series, 'name') };
  };
  return [...document.querySelectorAll('canvas')].slice(0, limit).map((canvas) => {
    try {
      return chartJs(canvas) || echarts(canvas) || null;
    } catch {
      return null;
    }
  });
})
