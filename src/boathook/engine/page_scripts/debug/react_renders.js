// Stands where React looks for developer tools before the page's first script, and counts what each commit renders.
(() => {
  if (globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__) return;
  const PERFORMED = 1;
  const counts = new Map();
  let commits = 0, last = 0;
  const named = (type) => !type ? '' : typeof type === 'function' ? type.displayName || type.name || 'Anonymous'
    : typeof type === 'object' ? type.displayName || named(type.render || type.type) : '';
  const count = (root) => {
    commits += 1;
    const stack = [root.current];
    while (stack.length) {
      const fiber = stack.pop();
      const before = fiber.alternate;
      const name = fiber.tag <= 2 || fiber.tag === 11 || fiber.tag === 14 || fiber.tag === 15 ? named(fiber.type) : '';
      if (name && (fiber.flags ?? fiber.effectTag) & PERFORMED) {
        const told = counts.get(name) || { renders: 0, mounts: 0, milliseconds: 0 };
        told.renders += 1;
        if (!before) told.mounts += 1;
        told.milliseconds += fiber.actualDuration || 0;
        counts.set(name, told);
      }
      // What did not change keeps its children; looking into them would count earlier work again.
      if (before && fiber.child === before.child) { if (fiber.sibling) stack.push(fiber.sibling); continue; }
      if (fiber.sibling) stack.push(fiber.sibling);
      if (fiber.child) stack.push(fiber.child);
    }
  };
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    renderers: new Map(), supportsFiber: true, checkDCE() {}, onCommitFiberUnmount() {}, onPostCommitFiberRoot() {},
    inject(renderer) { this.renderers.set(++last, renderer); return last; },
    onCommitFiberRoot(_id, root) { try { count(root); } catch { /* a version whose trees look otherwise */ } },
    renders: { reset() { counts.clear(); commits = 0; }, told: () => ({ commits, components: [...counts].map(([name, one]) => ({ name, ...one })) }) },
  };
})()
