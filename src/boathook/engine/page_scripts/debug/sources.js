// Where an element comes from, as frameworks note it during development; runs in the page's own world, since only there it is seen.
((react, element, wanted) => {
  const MOST = 6, LONGEST = 500, DEEPEST = 60;
  const FILES = ['data-source-file', 'data-file', 'data-component-file', 'data-source', 'data-astro-source-file', 'data-v-inspector', 'data-insp-path'];
  const LINES = ['data-source-line', 'data-line'], COLUMNS = ['data-source-column', 'data-column'];
  const text = (value) => (typeof value === 'string' ? value.slice(0, LONGEST) : '');
  const number = (value) => (Number.isInteger(Number(value)) && Number(value) > 0 ? Number(value) : 0);
  const around = () => {
    const found = [];
    for (let at = element; at && found.length < DEEPEST; at = at.parentElement || (at.getRootNode && at.getRootNode().host)) found.push(at);
    return found;
  };
  const first = (at, names) => names.map((name) => at.getAttribute(name)).find(Boolean) || '';
  const attributes = () => around().flatMap((at, depth) => FILES.filter((name) => at.getAttribute(name)).map((name) => ({
    attribute: name, depth, file: text(at.getAttribute(name)),
    line: number(first(at, LINES)), column: number(first(at, COLUMNS)),
    place: text(at.getAttribute('data-astro-source-loc') || ''),
  }))).slice(0, MOST);
  const fiberOf = (at) => { for (const name in at) if (name.startsWith('__reactFiber$') || name.startsWith('__reactInternalInstance$')) return at[name]; return null; };
  const ownFiber = () => (wanted ? react.fiberOf(wanted) : around().map(fiberOf).find(Boolean) || null);
  const fibers = () => {
    const found = [];
    let left = DEEPEST;
    for (let fiber = ownFiber(); fiber && found.length < MOST && left > 0; fiber = fiber.return) {
      left -= 1;
      const source = fiber._debugSource, stack = fiber._debugStack;
      const isComponent = typeof fiber.type === 'function' || (fiber.type !== null && typeof fiber.type === 'object');
      if (!source && !stack && !isComponent) continue;
      found.push({
        name: isComponent ? text(react.names.nameOf(fiber)) : '', element: typeof fiber.type === 'string' ? text(fiber.type) : '',
        file: text(source && source.fileName), line: number(source && source.lineNumber), column: number(source && source.columnNumber),
        stack: stack && typeof stack.stack === 'string' ? stack.stack.slice(0, 4000) : '',
      });
    }
    return found;
  };
  const vue = () => {
    const found = [];
    const at = around().find((one) => one.__vueParentComponent || one.__vue__);
    for (let now = at && (at.__vueParentComponent || at.__vue__); now && found.length < MOST; now = now.parent || now.$parent) {
      const type = now.type || now.$options || {};
      found.push({ name: text(type.name || type.__name || type._componentTag || ''), file: text(type.__file) });
    }
    return found;
  };
  const svelte = () => around().map((at) => at.__svelte_meta && at.__svelte_meta.loc).filter(Boolean).slice(0, MOST)
    .map((loc) => ({ file: text(loc.file), line: number(loc.line), column: number(loc.column) + 1 }));
  const marks = () => (element ? ['id', 'data-testid', 'data-test-id', 'data-test', 'aria-label', 'name', 'placeholder']
    .map((name) => ({ name, value: text(element.getAttribute(name)) })).filter((mark) => mark.value) : []);
  return { attributes: attributes(), react: fibers(), vue: vue(), svelte: svelte(), marks: marks(), hasReact: react.present() };
})
