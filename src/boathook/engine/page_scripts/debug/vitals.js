// Web vitals so far: paint and layout-shift entries, and interaction latency, as the browser has recorded them.
(wait) => new Promise((done) => {
  const seen = { lcp: null, fcp: null, ttfb: null, cls: 0, inp: null, element: '' };
  const answers = new Map();
  let first = 0, last = 0, window_ = 0;
  const take = {
    'largest-contentful-paint': (entry) => {
      seen.lcp = entry.startTime;
      const node = entry.element;
      seen.element = node ? node.localName + (node.id ? '#' + node.id : '') : '';
    },
    paint: (entry) => { if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime; },
    'layout-shift': (entry) => {
      if (entry.hadRecentInput) return;
      // Shifts close to one another count together, for at most five seconds; the worst such time is what counts.
      if (entry.startTime - last > 1000 || entry.startTime - first > 5000) { window_ = 0; first = entry.startTime; }
      last = entry.startTime;
      window_ += entry.value;
      if (window_ > seen.cls) seen.cls = window_;
    },
    event: (entry) => {
      if (entry.interactionId) answers.set(entry.interactionId, Math.max(entry.duration, answers.get(entry.interactionId) || 0));
    },
    navigation: (entry) => { seen.ttfb = entry.responseStart; },
  };
  for (const type in take) {
    try {
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) take[type](entry); })
        .observe({ type, buffered: true, durationThreshold: 16 });
    } catch { /* a kind that this browser does not know */ }
  }
  setTimeout(() => {
    const slow = [...answers.values()].sort((a, b) => b - a);
    if (slow.length) seen.inp = slow[Math.min(slow.length - 1, Math.floor(slow.length / 50))];
    done(seen);
  }, wait);
})
