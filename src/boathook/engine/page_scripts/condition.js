// One look at what matches a target: how many, and the state of each. Evaluates to a function; needs the walker's API.

((wanted, base) => {
  const TEXT_SHOWN = 2000;
  const state = (el) => {
    const shown = el.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })
      && (el.getClientRects().length > 0 || el.tagName === 'OPTION');
    const off = el.matches(':disabled, [aria-disabled=true], [aria-disabled=true] *');
    const held = 'value' in el && typeof el.value === 'string' ? el.value : null;
    const text = (shown && typeof el.innerText === 'string' ? el.innerText : el.textContent) || '';
    return { shown, enabled: !off, value: held === null ? null : held.slice(0, TEXT_SHOWN), text: text.slice(0, TEXT_SHOWN) };
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
