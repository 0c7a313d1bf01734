// Everything a page can do to the functions that stealth `full` replaces, and what each attempt gives or throws.
(() => {
  const out = [];
  const note = (what, f) => { let r; try { r = ['ok', String(f()).slice(0,300)]; } catch (e) { const d = Object.getOwnPropertyDescriptor(e,'stack'); r = ['threw', e.name, e.message, e.constructor === TypeError, String(e.stack).replace(/\(?(http|<anonymous>|pptr|debugger)[^\n]*/g, (m)=> m.startsWith('(<anonymous>)')?m:'@'), JSON.stringify(Object.keys(d)), d.writable, d.enumerable, d.configurable, typeof d.get, Reflect.ownKeys(e).join()]; } out.push([what, ...r]); };
  const gets = Object.getOwnPropertyDescriptor;
  const targets = {
    toString: [Function.prototype, 'toString', 'value'],
    getParameter: [WebGLRenderingContext.prototype, 'getParameter', 'value'],
    getParameter2: [WebGL2RenderingContext.prototype, 'getParameter', 'value'],
    outerHeight: [globalThis, 'outerHeight', 'get'],
  };
  for (const [label, [owner, key, kind]] of Object.entries(targets)) {
    const d = gets(owner, key); const fn = d[kind];
    const n = (what, f) => note(label + ' ' + what, f);
    n('desc', () => JSON.stringify([Object.keys(d), d.writable, d.enumerable, d.configurable, typeof d.set]));
    n('ownkeys', () => Reflect.ownKeys(fn).join());
    n('lenname', () => JSON.stringify([gets(fn,'length'), gets(fn,'name')]));
    n('proto', () => Object.getPrototypeOf(fn) === Function.prototype);
    n('text', () => fn.toString()); n('text2', () => Function.prototype.toString.call(fn)); n('text3', () => fn + '');
    n('wrong {}', () => Reflect.apply(fn, {}, [])); n('wrong null', () => Reflect.apply(fn, null, [])); n('wrong undef', () => Reflect.apply(fn, undefined, []));
    n('wrong proto', () => fn.call(owner)); n('wrong 1', () => fn.call(1)); n('wrong str', () => fn.call('x', 1, 2));
    n('apply', () => fn.apply({})); n('bind', () => fn.bind({})());
    n('create', () => Object.create(fn).toString()); n('create2', () => Object.create(fn) + '');
    n('create3', () => Object.create(new Proxy(fn, {})).toString());
    n('proxy', () => new Proxy(fn, {}).toString()); n('proxycall', () => new Proxy(fn, {}).call({}));
    n('new', () => new fn()); n('construct', () => Reflect.construct(fn, [])); n('construct2', () => Reflect.construct(Object, [], fn));
    n('extends', () => class extends fn {}); n('instanceof', () => ({}) instanceof fn);
    n('arguments', () => fn.arguments); n('caller', () => fn.caller); n('hasproto', () => 'prototype' in fn);
    n('cycle', () => { const p = Object.getPrototypeOf(fn); try { Object.setPrototypeOf(fn, Object.create(fn)); } finally { Object.setPrototypeOf(fn, p); } });
    n('json', () => JSON.stringify(fn)); n('isExt', () => Object.isExtensible(fn)); n('symbol', () => fn[Symbol.toPrimitive]);
    n('deep', () => { const r = (k) => k ? r(k - 1) : fn.call({}); return r(15); });
    n('limit', () => { const l = Error.stackTraceLimit; Error.stackTraceLimit = 2; try { return fn.call({}); } finally { Error.stackTraceLimit = l; } });
    n('limit0', () => { const l = Error.stackTraceLimit; Error.stackTraceLimit = 0; try { return fn.call({}); } finally { Error.stackTraceLimit = l; } });
    n('prepare', () => { Error.prepareStackTrace = (e, s) => s.map((x) => x.getFunctionName() + ':' + x.isNative() + ':' + x.getTypeName()).join('|'); try { fn.call({}); } catch (e) { return e.stack; } finally { delete Error.prepareStackTrace; } });
    n('order', () => { const e0 = []; try { fn.call({}); } catch (e) { e0.push(e.stack.split('\n').length); } return e0; });
    n('named', () => { function outer() { return fn.call({}); } return outer(); });
    n('method', () => { const o = { m() { return Reflect.apply(fn, this, []); } }; return o.m(); });
  }
  for (const f of [Math.max, Array.prototype.map, fetch, function a() { }, class A { }]) { note('other create ' + f.name, () => Object.create(f).toString()); note('other text ' + f.name, () => f.toString()); }
  note('symbol', () => Function.prototype.toString.call(Symbol()));
  return out;
})()
