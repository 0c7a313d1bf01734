// Runs in the pages of tools/stress_walks.py: changes of the tree, of attributes, styles and states, of anything on the page,
// shown or not. `__change(seed)` makes one and says which. Removed parts may come back elsewhere.

(() => {
  const chance = (seed) => {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
  };
  let random = chance(1);
  const below = (count) => Math.floor(random() * count);
  const pick = (list) => (list.length ? list[below(list.length)] : null);
  const word = () => `${pick(['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord'])} ${below(1000)}`;
  const roots = () => {
    const found = [];
    const enter = (root) => {
      found.push(root);
      for (const el of root.querySelectorAll('*')) {
        if (el.shadowRoot) enter(el.shadowRoot);
        if (el.tagName === 'IFRAME' && el.contentDocument && el.contentDocument.body) enter(el.contentDocument);
      }
    };
    enter(document);
    return found;
  };
  const UNTOUCHED = /^(?:SCRIPT|STYLE|HEAD|HTML|BODY|TITLE|META|LINK|TEMPLATE)$/i;
  const all = (selector = '*') => roots().flatMap((root) => [...(root.body || root).querySelectorAll(selector)])
    .filter((el) => !UNTOUCHED.test(el.tagName));
  const some = (selector) => pick(all(selector));
  const removed = [];
  const TAGS = ['div', 'span', 'p', 'button', 'a', 'h2', 'ul', 'li', 'table', 'label', 'section', 'article', 'aside', 'nav', 'input', 'select',
    'img', 'b', 'details', 'summary', 'fieldset', 'legend', 'figure', 'dialog', 'slot', 'q', 'iframe', 'x-part', 'header', 'footer', 'main'];
  const made = () => {
    const el = document.createElement(pick(TAGS));
    if (el.tagName === 'TABLE') el.innerHTML = pick(['<tr><th>H<td>1', '<tr><td>1<td>2', '<caption>C</caption><tr><td>1']);
    else if (el.tagName === 'SELECT') el.innerHTML = '<option>One<option>Two';
    else if (el.tagName === 'IFRAME') el.srcdoc = `<p>${word()}</p><button>In</button>`;
    else if (el.tagName === 'IMG') el.alt = word();
    else el.innerHTML = pick([word(), `<b>${word()}</b> tail`, `<a href=x>${word()}</a>`, `<label>${word()} <input></label>`, `<span class=off>${word()}</span>`, '']);
    return el;
  };
  const NAMES = {
    role: ['button', 'none', 'list', 'listitem', 'presentation', 'table', 'row', 'cell', 'grid', 'gridcell', 'img', 'heading', 'group', 'tree', 'treeitem', 'textbox', 'alert', 'listbox', 'option', 'link', 'region'],
    'aria-hidden': ['true', 'false'], 'aria-label': ['Amber label', ''], 'aria-expanded': ['true', 'false'], 'aria-disabled': ['true'],
    'aria-checked': ['true'], 'aria-level': ['3'], 'aria-owns': ['i1'], 'aria-labelledby': ['i1', 'i2 i3', 'i0'], 'aria-describedby': ['i2'],
    hidden: ['', 'until-found'], inert: [''], title: ['A title', ''], tabindex: ['0', '-1'], contenteditable: ['true', 'false'], lang: ['de', 'fr', 'en'],
    id: ['i0', 'i1', 'i2', 'i3'], for: ['i0', 'i1', 'i2'], slot: ['', 'one'], name: ['one', 'two'], class: ['off', 'dim', 'up', 'far', 'say', 'tiny', 'point', 'ghost', 'off dim', ''],
    'data-x': ['1', 'say'], href: ['#a', 'http://evil.invalid/'], type: ['text', 'checkbox', 'button', 'hidden'], open: [''], disabled: [''], draggable: ['true'],
    onclick: ['void 0'], alt: ['Picture', ''], scope: ['row', 'col'], style: ['display:none', 'opacity:0', 'visibility:hidden', 'display:contents', 'position:absolute;left:-999px', 'color:#fff', 'text-transform:uppercase', 'cursor:pointer', 'font-size:0', 'display:block', 'width:0;overflow:hidden', ''],
    popover: ['auto'], placeholder: ['Type here'], 'xml:lang': ['fr'],
  };
  const RULES = ['display:none', 'visibility:hidden', 'visibility:visible', 'opacity:0', 'text-transform:uppercase', 'cursor:pointer', 'display:contents',
    'position:absolute;left:-9999px', 'clip-path:inset(50%)', 'color:transparent', 'color:#fff;background:#fff', 'font-size:0', 'width:1px;height:1px;overflow:hidden', 'display:inline-block', 'float:left', 'transform:scale(0)'];
  const SELECTORS = ['.off', '.dim', '.up', '.far', 'li', 'p > b', 'li:first-child', 'li:nth-child(2n)', 'p:empty', '[data-x]', ':has(> .off) b', 'a[href="#a"]', 'label + *', '.off ~ *',
    'button', 'section *', 'td:last-child', 'span', 'input:checked + *', ':focus', 'h2', 'details[open] p', 'div:not(.off) > a', 'a', 'div', 'article', '*|*.ghost'];
  const SAYS = ['.say::before{content:"said "}', 'b::after{content:" after"}', '[data-x]::before{content:attr(data-x)}', 'li::before{content:counter(c) ". ";counter-increment:c}', 'button::after{content:"!"}'];
  const own = new CSSStyleSheet();
  const nested = (text) => pick([text, `@media (max-width: 99999px){${text}}`, `@supports (display:block){${text}}`]);
  const KINDS = {
    text: () => { const el = some(); const node = el && pick([...el.childNodes].filter((one) => one.nodeType === 3)); if (node) node.data = pick([word(), '', `${node.data} ${word()}`]); return el; },
    textContent: () => { const el = some(':not(:has(*))'); if (el) el.textContent = pick([word(), '']); return el; },
    attribute: () => { const el = some(); if (!el) return el; const name = pick(Object.keys(NAMES)); if (random() < 0.3) el.removeAttribute(name); else el.setAttribute(name, pick(NAMES[name])); return el; },
    looks: () => { const el = some(); if (el) el.setAttribute(...pick([['class', pick(NAMES.class)], ['style', pick(NAMES.style)]])); return el; },
    known: () => { const el = some('[class], [id], [role], [aria-label], [hidden], [style]'); const one = el && pick([...el.attributes]); if (one) el.removeAttribute(one.name); return el; },
    add: () => { const el = some(); if (el) el[pick(['after', 'before', 'append', 'prepend'])](made()); return el; },
    addText: () => { const el = some(); if (el) el[pick(['after', 'before', 'append', 'prepend'])](word()); return el; },
    remove: () => { const el = some(); if (!el || el.querySelectorAll('*').length > 60) return null; el.remove(); if (removed.length < 20) removed.push(el); return el; },
    restore: () => { const back = removed.splice(below(removed.length), 1)[0]; const el = some(); if (!back || !el || back.contains(el) || (back.firstElementChild && random() < 0.3 && (back.firstElementChild.textContent = word(), false))) return null; el[pick(['after', 'append'])](back); return back; },
    changeRemoved: () => { const back = pick(removed); const el = back && pick([back, ...back.querySelectorAll('*')]); if (el) el.setAttribute('aria-label', word()); return el; },
    move: () => { const el = some(); const to = some(); if (!el || !to || el.contains(to)) return null; to[pick(['after', 'append', 'prepend'])](el); return el; },
    swap: () => { const el = some(':has(+ *)'); if (el) el.nextElementSibling.after(el); return el; },
    wrap: () => { const el = some(); if (!el || !el.parentNode) return null; const box = document.createElement(pick(['div', 'span', 'section', 'label', 'article', 'b'])); el.replaceWith(box); box.append(el); return el; },
    unwrap: () => { const el = some(); if (el && el.parentNode && el.tagName !== 'IFRAME') el.replaceWith(...el.childNodes); return el; },
    html: () => { const el = some(); if (!el || el.querySelectorAll('*').length > 30) return null; el.innerHTML = pick([word(), '<label for=i0>L</label><input id=i0>', '<ul><li>1<li>2</ul>', '<table><tr><td>1<td>2</table>', '<details><summary>S</summary><p>D</p></details>', '<select><option>A<option>B</select>', '<q>said</q>', '<svg><title>Icon</title><path d="M0 0"/></svg>']); return el; },
    rule: () => { own.insertRule(nested(`${pick(SELECTORS)}{${pick(RULES)}}`)); return document.body; },
    says: () => { own.insertRule(nested(pick(SAYS))); return document.body; },
    hostRule: () => { const root = pick(roots().filter((one) => one.host)); if (!root) return null; const sheet = new CSSStyleSheet(); sheet.replaceSync(pick([':host{display:block;opacity:0}', '::slotted(*){visibility:hidden}', `*{${pick(RULES)}}`, ':host{text-transform:uppercase}'])); root.adoptedStyleSheets.push(sheet); return root.host; },
    unrule: () => { if (own.cssRules.length) own.deleteRule(below(own.cssRules.length)); return document.body; },
    styleText: () => { let el = document.querySelector('style.made'); if (!el) { el = document.createElement('style'); el.className = 'made'; document.head.append(el); } el.textContent = `${pick(SELECTORS)}{${pick(RULES)}} ${pick(SAYS)}`; return el; },
    value: () => { const el = some('input, textarea, select'); if (!el) return el; if (el.tagName === 'SELECT') el.selectedIndex = below(el.options.length); else if (el.type === 'checkbox' || el.type === 'radio') el.checked = !el.checked; else if (el.type !== 'file') el.value = word(); return el; },
    disable: () => { const el = some('input, button, select, textarea, fieldset'); if (el) el.disabled = !el.disabled; return el; },
    focus: () => { const el = some('input, button, select, textarea, a[href], [tabindex]'); if (el) el.focus(); return el; },
    blur: () => { if (document.activeElement) document.activeElement.blur(); return document.body; },
    scroll: () => { const el = some(); if (el) el.scrollTop = el.scrollLeft = below(200); scrollTo(0, below(2000)); return el; },
    open: () => { const el = some('details'); if (el) el.open = !el.open; return el; },
    dialog: () => { const el = some('dialog'); if (!el || !el.isConnected) return null; try { if (el.open) el.close(); else if (random() < 0.3) el.show(); else el.showModal(); } catch { return null; } return el; },
    popover: () => { const el = some('[popover]'); try { if (el) el.togglePopover(); } catch { return null; } return el; },
    animate: () => { const el = some(); if (el) el.animate(pick([{ opacity: [0, 0] }, { visibility: ['hidden', 'hidden'] }, { transform: ['scale(0)', 'scale(0)'] }]), { duration: pick([1, 1e6]), fill: 'forwards' }); return el; },
    unanimate: () => { const one = pick(document.getAnimations()); if (one) one.cancel(); return document.body; },
    shadow: () => { const el = some('div, span, p, section, article, h2, x-part'); try { if (!el || el.shadowRoot) return null; el.attachShadow({ mode: pick(['open', 'open', 'closed']) }).innerHTML = pick(['<slot></slot>', '<b>shadow</b><slot name=one></slot>', `<button>${word()}</button>`, '<h2>In</h2><slot>fallback</slot>']); } catch { return null; } return el; },
    inShadow: () => { const root = pick(roots().filter((one) => one.host)); const el = root && pick([...root.querySelectorAll('*')]); if (el) el.append(word()); return el; },
    define: () => { const name = pick(['x-part', 'x-late', `x-${below(1000)}`]); if (customElements.get(name)) return null; customElements.define(name, class extends HTMLElement { connectedCallback() { if (!this.shadowRoot && random() < 0.5) this.attachShadow({ mode: 'open' }).innerHTML = '<i>defined</i><slot></slot>'; } }); return document.body; },
    custom: () => { const el = some(); if (!el) return el; const one = document.createElement('x-late'); one.textContent = word(); el.append(one); return el; },
    frameText: () => { const frame = some('iframe'); const inner = frame && frame.contentDocument && frame.contentDocument.body; if (inner) inner.append(Object.assign(document.createElement('p'), { textContent: word() })); return frame; },
    frameSource: () => { const frame = some('iframe'); if (frame) frame.srcdoc = `<h2>${word()}</h2>`; return frame; },
    listen: () => { const el = some(); if (el) el.addEventListener('click', () => {}); return el; },
    title: () => { document.title = word(); return document.body; },
    push: () => { try { history.pushState(null, '', `?${below(100)}`); } catch { return null; } return document.body; },
    map: () => { const el = some('img'); if (!el) return el; el.useMap = '#m'; const map = document.createElement('map'); map.name = 'm'; map.innerHTML = '<area href=a alt=Area shape=rect coords=0,0,5,5>'; el.after(map); return el; },
    write: () => { const el = some('textarea, [contenteditable]'); if (el) el.textContent = word(); return el; },
  };
  const kinds = Object.keys(KINDS);
  globalThis.__change = (seed) => {
    random = chance(seed);
    if (!document.adoptedStyleSheets.includes(own)) document.adoptedStyleSheets.push(own);
    for (let left = 5; left > 0; left--) {
      const kind = pick(kinds);
      const el = KINDS[kind]();
      if (el) return `${kind} ${el.tagName.toLowerCase()}${el.id ? `#${el.id}` : ''}`;
    }
    return 'nothing';
  };
})();
