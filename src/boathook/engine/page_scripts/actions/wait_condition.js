// One look at what matches a target: how many, and the state of each. Evaluates to a function; needs the walker's API.

((wanted, base) => {
  // A form's fields hide its methods by their names, so everything is called from the prototypes.
  const TEXT_SHOWN = 2000;
  const { matches, checkVisibility, getClientRects } = Element.prototype;
  const textOf = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent').get;
  const shownTextOf = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'innerText').get;
  const state = (el) => {
    const shown = checkVisibility.call(el, { visibilityProperty: true })
      && (getClientRects.call(el).length > 0 || matches.call(el, 'option'));
    const off = matches.call(el, ':disabled, [aria-disabled=true], [aria-disabled=true] *');
    const value = typeof el.value === 'string' ? __boathook.markSecret(el, el.value.slice(0, TEXT_SHOWN)) : null;
    const text = shown && el instanceof HTMLElement ? shownTextOf.call(el) : textOf.call(el);
    return { shown, enabled: !off, value, text: (text || '').slice(0, TEXT_SHOWN) };
  };
  if (wanted.id) {
    const el = __boathook.get(wanted.id);
    return { count: el ? 1 : 0, hidden: 0, found: el ? [{ id: wanted.id, role: '', name: '', ...state(el) }] : [], first: 0, next: 0 };
  }
  const reply = __boathook.find(wanted, base);
  for (const one of reply.found) {
    const el = __boathook.get(one.id);
    if (el) Object.assign(one, state(el));
  }
  return reply;
})
