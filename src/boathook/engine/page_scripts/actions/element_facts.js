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
  checked: (el) => { const { checked } = checkedIn(el); return checked === null ? selectedNow(el) : checked; },
};

const factOf = (id, what, given) => {
  const el = elementOf(id);
  if (!el) throw failure('gone');
  return { answer: FACTS[what](el, given, id), editor: what === 'value' || what === 'rawValue' ? editorNumber(fieldIn(el)) : -1 };
};

// What acting on an element would send: the request of its form, without secret values, or of its link.
// A field named `elements` hides the property of its form, so the getter is taken from the prototype.
const controlsOf = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements').get;
/** @type {(el: Element, selector: string) => any} */
const closestTo = (el, selector) => Element.prototype.closest.call(el, selector);

const sentBy = (el) => {
  const link = closestTo(el, 'a[href], area[href]');
  const control = closestTo(el, 'button, input, select, textarea');
  const form = control && control.form;
  if (!form) return link ? `GET ${link.href}` : '';
  const submitter = control.matches('button:not([type=button]):not([type=reset]), input[type=submit], input[type=image]') ? control : null;
  const method = ((submitter && attr(submitter, 'formmethod')) || attr(form, 'method') || 'get').toUpperCase();
  const action = (submitter && submitter.hasAttribute('formaction') && submitter.formAction) || attr(form, 'action') || '';
  const fields = [...controlsOf.call(form)].filter((field) => field.name && !field.disabled && (field.type !== 'checkbox' && field.type !== 'radio' || field.checked))
    .filter((field) => !field.matches('button, input[type=submit], input[type=image], input[type=reset], fieldset, output'))
    .map((field) => `${field.name}=${isSecret(field) ? SECRET_DOTS : field.type === 'file' ? [...field.files].map((file) => file.name).join(', ') : field.value}`);
  if (submitter && submitter.name) fields.push(`${submitter.name}=${submitter.value}`);
  return `${method} ${new URL(action, document.baseURI).href}${fields.length ? `: ${fields.join(', ')}` : ''}`;
};

const purposeOf = (id, longest) => {
  const el = elementOf(id);
  if (!el) throw failure('gone');
  const about = aboutId(id) || { role: '', name: '' };
  return { role: about.role || tagOf(el).toLowerCase(), name: wellFormed(String(about.name || '')).slice(0, longest), sends: wellFormed(sentBy(el)).slice(0, longest), secret: isSecret(el) };
};
