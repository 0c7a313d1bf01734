// Questions about one element: what it says, holds and looks like.

const TOLD_STYLES = ['display', 'visibility', 'opacity', 'position', 'color', 'background-color', 'font-family', 'font-size',
  'font-weight', 'line-height', 'text-align', 'margin', 'padding', 'border', 'width', 'height', 'z-index', 'overflow', 'cursor'];

const stylesOf = (el, names) => {
  const style = getComputedStyle(el);
  return Object.fromEntries((names && names.length ? names : TOLD_STYLES).map((name) => [name, style.getPropertyValue(name)]));
};

const selectedNow = (el) => (tagOf(el) === 'OPTION' ? el.selected : attr(el, 'aria-selected') === null ? null : attr(el, 'aria-selected') === 'true');

const FACTS = {
  text: (el) => wellFormed(el.innerText === undefined ? el.textContent || '' : el.innerText),
  html: (el) => wellFormed(el.outerHTML),
  value: (el) => { const chosen = chosenIn(fieldIn(el)); return chosen === null ? readField(fieldIn(el)) : chosen.join(', '); },
  innerHtml: (el) => wellFormed(el.innerHTML),
  rawValue: (el) => (typeof el.value === 'string' ? markSecret(el, el.value) : readField(fieldIn(el))),
  attribute: (el, name) => (name.toLowerCase() === 'value' ? markSecret(el, attr(el, name)) : attr(el, name)),
  box: (el) => { const { x, y, width, height } = el.getBoundingClientRect(); return [x, y, width, height]; },
  styles: stylesOf,
  visible: (el) => isShown(el) && el.getClientRects().length > 0,
  enabled: (el) => !isOff(fieldIn(el)),
  checked: (el, _given, id) => { const { checked } = checkedNow(id); return checked === null ? selectedNow(el) : checked; },
};

const factOf = (id, what, given) => {
  const el = elementOf(id);
  if (!el) throw failure('gone');
  return { answer: FACTS[what](el, given, id) };
};
