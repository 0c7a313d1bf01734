// Stealth `full`: values that no browser override covers: the GPU and the height of the window.
// Runs in the page's own world, in every document and worker before their first line, and leaves no name behind.
(facts) => {
  'use strict';
  // Pages may replace all of these later; what they were at the beginning is kept here.
  const { apply, getOwnPropertyDescriptor, defineProperty } = Reflect;
  const NativeError = Error;
  const { captureStackTrace } = NativeError;
  const nativeText = Function.prototype.toString;
  const { includes, indexOf, lastIndexOf, slice } = String.prototype;
  // The source of a function of ours → the source of the native one. Every realm runs this same script, so that
  // a function is recognised by its source also when another frame's `toString` is asked about it.
  const said = { __proto__: null };

  const valueOf = (key) => getOwnPropertyDescriptor(NativeError, key)?.value;

  // The line of the native function, where Chromium shows one: builtins have a line, functions of the DOM have none.
  const nativeFrame = (stack) => {
    const start = apply(indexOf, stack, ['\n']);
    if (start < 0) return '';
    const end = apply(indexOf, stack, ['\n', start + 1]);
    const line = apply(slice, stack, [start, end < 0 ? stack.length : end]);
    return apply(includes, line, ['(<anonymous>)']) ? line : '';
  };

  const countLines = (text) => {
    let count = 0;
    for (let at = apply(indexOf, text, ['\n']); at >= 0; at = apply(indexOf, text, ['\n', at + 1])) count++;
    return count;
  };

  // The error as the native function would have thrown it: with its line, and without ours. A page that formats stacks
  // itself would notice that they are read, so there the line stays out.
  const hideFrames = (error, ours) => {
    const isRead = valueOf('prepareStackTrace') === undefined;
    const frame = isRead && typeof error.stack === 'string' ? nativeFrame(error.stack) : '';
    captureStackTrace(error, ours);
    if (frame === '') return;
    const { stack } = error;
    const start = apply(indexOf, stack, ['\n']);
    const head = start < 0 ? stack : apply(slice, stack, [0, start]);
    const rest = start < 0 ? '' : apply(slice, stack, [start]);
    const isFull = countLines(rest) >= valueOf('stackTraceLimit');
    error.stack = head + frame + (isFull ? apply(slice, rest, [0, apply(lastIndexOf, rest, ['\n'])]) : rest);
  };

  const put = (owner, key, kind, make) => {
    const descriptor = owner && getOwnPropertyDescriptor(owner, key);
    const native = descriptor && descriptor[kind];
    if (!native) return;
    const ours = make(native);
    for (const name of ['length', 'name']) defineProperty(ours, name, getOwnPropertyDescriptor(native, name));
    said[apply(nativeText, ours, [])] = apply(nativeText, native, []);
    descriptor[kind] = ours;
    defineProperty(owner, key, descriptor);
  };

  put(Function.prototype, 'toString', 'value', (native) => {
    const ours = {
      toString() {
        try {
          const text = apply(native, this, []);
          return said[text] ?? text;
        } catch (error) {
          hideFrames(error, ours);
          throw error;
        }
      },
    }.toString;
    return ours;
  });

  // Only what software draws is renamed: a real GPU is reported as it is.
  const named = (value) => {
    if (typeof value !== 'string') return value;
    for (const vendor of facts.vendors) if (value === vendor) return facts.vendor;
    for (const name of facts.software) if (apply(includes, value, [name])) return facts.renderer;
    return value;
  };
  for (const kind of ['WebGLRenderingContext', 'WebGL2RenderingContext']) {
    put(globalThis[kind]?.prototype, 'getParameter', 'value', (native) => {
      const ours = {
        getParameter(...given) {
          try {
            return named(apply(native, this, given));
          } catch (error) {
            hideFrames(error, ours);
            throw error;
          }
        },
      }.getParameter;
      return ours;
    });
  }

  // A headless browser has no toolbar. A page as large as its screen is that of a phone, which has none.
  const height = facts.toolbar && globalThis.screen && getOwnPropertyDescriptor(Screen.prototype, 'height').get;
  if (height) {
    const { screen } = globalThis;
    put(globalThis, 'outerHeight', 'get', (native) => {
      const ours = getOwnPropertyDescriptor({
        get outerHeight() {
          try {
            const real = apply(native, this, []);
            return real > 0 && real + facts.toolbar <= apply(height, screen, []) ? real + facts.toolbar : real;
          } catch (error) {
            hideFrames(error, ours);
            throw error;
          }
        },
      }, 'outerHeight').get;
      return ours;
    });
  }
}
