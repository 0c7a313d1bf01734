// In-page snapshot walker: one pass over the rendered DOM, open shadow roots and same-origin frames.
// mode "text": returns the finished text; mode "rows": returns rows [depth, role, name, states, ref].
// Marker lines "\u0001FRAME n" are left where an out-of-process frame stands, so that the caller can splice.
(mode) => {
  const S = (globalThis.__w ||= {els: [], ids: new WeakMap(), n: 0});
  const ROLE = {A: e => e.hasAttribute('href') ? 'link' : '', BUTTON: 'button', H1: 'heading', H2: 'heading', H3: 'heading',
    H4: 'heading', H5: 'heading', H6: 'heading', UL: 'list', OL: 'list', LI: 'listitem', NAV: 'navigation', MAIN: 'main',
    HEADER: 'banner', FOOTER: 'contentinfo', ASIDE: 'complementary', ARTICLE: 'article', TABLE: 'table', TR: 'row',
    TD: 'cell', TH: 'columnheader', IMG: 'img', TEXTAREA: 'textbox', FORM: 'form', P: 'paragraph', OPTION: 'option',
    DIALOG: 'dialog', SUMMARY: 'button', FIELDSET: 'group', IFRAME: 'iframe', PROGRESS: 'progressbar',
    SELECT: e => e.multiple || e.size > 1 ? 'listbox' : 'combobox',
    INPUT: e => ({checkbox: 'checkbox', radio: 'radio', button: 'button', submit: 'button', reset: 'button',
      range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: '', image: 'button'})[e.type] ?? 'textbox'};
  const CONTENT = new Set(['button', 'link', 'heading', 'option', 'cell', 'columnheader', 'checkbox', 'radio', 'tab', 'menuitem', 'switch', 'treeitem']);
  const INTERACTIVE = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio', 'slider',
    'spinbutton', 'option', 'tab', 'menuitem', 'switch', 'treeitem', 'iframe']);
  const SKIP = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'HEAD', 'META', 'LINK', 'TITLE']);
  const out = [], frames = [];
  // One map of labels a walk: reading element.labels instead costs a walk over the tree for each field.
  const labels = new Map();
  const readLabels = root => {
    for (const l of root.querySelectorAll('label')) {
      const c = l.control;
      if (c) { const had = labels.get(c); if (had) had.push(l); else labels.set(c, [l]); }
    }
  };
  const sq = s => s.replace(/\s+/g, ' ').trim();
  const nameOf = (e, role) => {
    let v = e.getAttribute('aria-label');
    if (v) return sq(v);
    v = e.getAttribute('aria-labelledby');
    if (v) return sq(v.split(/\s+/).map(i => e.getRootNode().getElementById?.(i)?.textContent || '').join(' '));
    const t = e.tagName;
    if (t === 'IMG') return sq(e.alt || '');
    if (t === 'INPUT' || t === 'TEXTAREA' || t === 'SELECT') {
      if (t === 'INPUT' && (e.type === 'submit' || e.type === 'button' || e.type === 'reset')) return e.value;
      const l = labels.get(e);
      if (l && l.length) {
        let s = '';
        for (const x of l) for (const c of x.childNodes) if (c !== e && c.tagName !== 'SELECT') s += ' ' + c.textContent;
        return sq(s);
      }
      return sq(e.placeholder || e.title || '');
    }
    if (CONTENT.has(role)) { const s = sq(e.textContent || ''); if (s) return s; const i = e.querySelector('img[alt]'); if (i) return i.alt; }
    return e.title || '';
  };
  const emit = mode === 'rows'
    ? (d, role, name, st, ref) => out.push([d, role, name, st, ref])
    : (d, role, name, st, ref) => out.push(' '.repeat(d * 2) + '- ' + role + (name ? ' "' + name + '"' : '') + st + (ref ? ' [ref=e' + ref + ']' : ''));
  const walk = (node, d, mute) => {
    for (let c = node.firstChild; c; c = c.nextSibling) {
      const nt = c.nodeType;
      if (nt === 3) { if (!mute) { const s = sq(c.data); if (s) emit(d, 'text', s, '', 0); } continue; }
      if (nt !== 1 || SKIP.has(c.tagName)) continue;
      if (c.hidden || c.getAttribute('aria-hidden') === 'true' || !c.checkVisibility({visibilityProperty: true})) {
        if (c.tagName !== 'OPTION' && getComputedStyle(c).display !== 'contents') continue;
      }
      let role = c.getAttribute('role');
      if (!role) { const r = ROLE[c.tagName]; role = typeof r === 'function' ? r(c) : r || ''; }
      if (c.tagName === 'LABEL' && c.control) { walk(c, d, true); continue; }
      let nd = d, m = mute;
      if (role) {
        const name = nameOf(c, role);
        let st = '';
        if (role === 'heading') st += ' [level=' + c.tagName[1] + ']';
        if (c.checked) st += ' [checked]';
        if (c.disabled) st += ' [disabled]';
        const ex = c.getAttribute('aria-expanded'); if (ex) st += ' [expanded=' + ex + ']';
        if ((role === 'textbox' || role === 'combobox' || role === 'searchbox') && c.value) st += ': ' + c.value;
        let ref = 0;
        if (INTERACTIVE.has(role)) { ref = S.ids.get(c); if (!ref) { ref = ++S.n; S.ids.set(c, ref); S.els[ref] = new WeakRef(c); } }
        emit(d, role, name, st, ref);
        nd = d + 1;
        if (name && CONTENT.has(role)) m = true;
        if (c.tagName === 'IFRAME') {
          let doc = null; try { doc = c.contentDocument; } catch {}
          if (doc && doc.body) { readLabels(doc); walk(doc.body, nd, false); }
          else if (mode === 'rows') { frames.push(out.length); } else { out.push('\u0001' + nd + ' ' + frames.length); frames.push(1); }
          continue;
        }
      }
      if (c.shadowRoot) readLabels(c.shadowRoot);
      walk(c.shadowRoot || c, nd, m);
    }
  };
  const t0 = performance.now();
  readLabels(document);
  walk(document.body, 0, false);
  const ms = performance.now() - t0;
  return mode === 'rows' ? {ms, rows: out} : {ms, text: out.join('\n')};
}
