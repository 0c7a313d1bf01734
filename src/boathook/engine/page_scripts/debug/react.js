// What React keeps of its components, read from the elements that it has drawn; runs in the page's own world, since only there they are seen.
(() => {
  const CLASS = 1, ROOT = 3, HOST = 5, SUSPENSE = 13;
  const SKIPPED = new Set([ROOT, 4, HOST, 6, 7, 8, 12, 18, 22, 26, 27]);
  const key = (node, start) => { for (const name in node) if (name.startsWith(start)) return name; return ''; };
  const roots = () => {
    const found = new Set();
    for (const node of document.querySelectorAll('*')) {
      const name = key(node, '__reactContainer$');
      const fiber = name ? node[name] : node._reactRootContainer && (node._reactRootContainer._internalRoot || node._reactRootContainer).current;
      if (fiber && fiber.stateNode) found.add(fiber.stateNode.current || fiber);
    }
    return [...found];
  };
  const nameOf = (fiber) => {
    const type = fiber.type;
    if (fiber.tag === SUSPENSE) return 'Suspense';
    if (typeof type === 'function') return type.displayName || type.name || 'Anonymous';
    if (typeof type === 'string') return type;
    if (!type) return 'Anonymous';
    if (type.displayName) return String(type.displayName);
    if (type.render) return type.render.displayName || type.render.name || 'ForwardRef';
    if (type.type) return nameOf({ type: type.type, tag: fiber.tag });
    if (type._context || type.Provider || type.Consumer) return (type._context || type).displayName || 'Context';
    return 'Anonymous';
  };
  // Depth first, without recursion: pages nest thousands deep. Numbers are places in this walk.
  const walk = (visit) => {
    let number = 0;
    for (const root of roots()) {
      const stack = [[root, 0]];
      while (stack.length) {
        const [fiber, depth] = stack.pop();
        const shown = !SKIPPED.has(fiber.tag);
        if (shown) { number += 1; if (visit(fiber, depth, number) === false) return number; }
        const children = [];
        for (let child = fiber.child; child; child = child.sibling) children.push(child);
        for (let i = children.length - 1; i >= 0; i--) stack.push([children[i], depth + (shown ? 1 : 0)]);
      }
    }
    return number;
  };
  const plain = (value, depth = 0, seen = new Set()) => {
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
    if (typeof value === 'string') return value.slice(0, 200);
    if (typeof value === 'function') return 'function ' + (value.name || '');
    if (typeof value !== 'object') return String(value);
    if (value instanceof Node) return '<' + value.nodeName.toLowerCase() + ('id' in value && value.id ? '#' + value.id : '') + '>';
    if (value.$$typeof) return '<' + nameOf({ type: value.type, tag: -1 }) + ' />';
    if (depth > 2 || seen.has(value)) return Array.isArray(value) ? '[…]' : '{…}';
    seen.add(value);
    if (Array.isArray(value)) return value.slice(0, 20).map((one) => plain(one, depth + 1, seen));
    const told = {};
    for (const name of Object.keys(value).slice(0, 30)) told[name] = plain(value[name], depth + 1, seen);
    return told;
  };
  const hooksOf = (fiber) => {
    if (fiber.tag === CLASS) return [plain(fiber.memoizedState)];
    const told = [];
    for (let hook = fiber.memoizedState; hook && 'next' in hook && told.length < 30; hook = hook.next) {
      const state = hook.memoizedState;
      // Effects keep their own data; that is not state of the component.
      if (state && typeof state === 'object' && 'create' in state && 'deps' in state) continue;
      told.push(plain(state && typeof state === 'object' && 'current' in state && Object.keys(state).length === 1 ? state.current : state));
    }
    return told;
  };
  const elementOf = (fiber) => {
    for (let node = fiber; node; node = node.child) if (node.tag === HOST && node.stateNode instanceof Element) return node.stateNode;
    return null;
  };
  const fiberOf = (wanted) => {
    let found = null;
    walk((fiber, level, number) => {
      if (number !== wanted) return true;
      found = fiber;
      return false;
    });
    return found;
  };
  return {
    fiberOf,
    tree(most, depth) {
      const nodes = [];
      const count = walk((fiber, level, number) => {
        if (nodes.length < most && (!depth || level < depth)) nodes.push({ id: number, depth: level, name: nameOf(fiber).slice(0, 80), key: fiber.key === null ? '' : String(fiber.key).slice(0, 80) });
      });
      return { nodes, count };
    },
    inspect(wanted) {
      const found = fiberOf(wanted);
      if (!found) return null;
      const element = elementOf(found), parents = [];
      for (let up = found.return; up && parents.length < 20; up = up.return) if (!SKIPPED.has(up.tag)) parents.push(nameOf(up));
      return {
        name: nameOf(found), key: found.key === null ? '' : String(found.key), props: plain(found.memoizedProps), state: hooksOf(found),
        parents, element: element ? element.localName + (element.id ? '#' + element.id : '') : '',
      };
    },
    suspense() {
      const told = [];
      walk((fiber, level, number) => {
        if (fiber.tag !== SUSPENSE || told.length >= 200) return;
        let up = fiber.return;
        while (up && SKIPPED.has(up.tag)) up = up.return;
        told.push({ id: number, within: up ? nameOf(up) : '', waiting: fiber.memoizedState !== null });
      });
      return told;
    },
    names: { nameOf, skipped: SKIPPED },
    present: () => roots().length > 0,
  };
})()
