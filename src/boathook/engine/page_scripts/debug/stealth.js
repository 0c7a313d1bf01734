// Stealth `full`: values that no browser override covers: the GPU and the height of the window.
// Runs in the page's own world, in every document and worker before their first line, and leaves no name behind.
(facts) => {
  'use strict';
  // Pages may replace all of these later; what they were at the beginning is kept here.
  const { apply, getOwnPropertyDescriptor, defineProperty } = Reflect;
  const hideFrames = Error.captureStackTrace;
  const nativeText = Function.prototype.toString;
  const { includes } = String.prototype;
  // The source of a function of ours → the source of the native one. Every realm runs this same script, so that
  // a function is recognised by its source also when another frame's `toString` is asked about it.
  const said = { __proto__: null };

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
