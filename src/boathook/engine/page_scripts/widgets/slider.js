// Sliders made of other elements: their value and limits, as ARIA says them, and where the handle is.
// Evaluates to a function (question, field, details); needs the walker's API.

((question, field) => {
  const SLIDER = '[role=slider][aria-valuenow]';

  const slider = () => {
    if (field.matches(SLIDER)) return field;
    const inside = [...field.querySelectorAll(SLIDER)].filter((el) => __boathook.isShown(el));
    return inside.length === 1 ? inside[0] : null;
  };
  const numberIn = (el, name) => {
    const text = el.getAttribute(name);
    return text === null || text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text);
  };
  const point = (el) => {
    const rect = el.getBoundingClientRect();
    return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 };
  };
  const describe = (el) => ({
    now: numberIn(el, 'aria-valuenow'), least: numberIn(el, 'aria-valuemin'), most: numberIn(el, 'aria-valuemax'),
    upright: el.getAttribute('aria-orientation') === 'vertical', point: point(el),
  });

  const el = slider();
  if (!el) return {};
  if (question === 'focus') {
    el.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    el.focus({ preventScroll: true });
  }
  return describe(el);
})
