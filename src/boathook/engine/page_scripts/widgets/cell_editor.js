// The field that a grid shows for a cell while it is edited, and the text of the cell.
// Evaluates to a function (question, field, details); needs the walker's API.

((question, field) => {
  const isTyped = (el) => el.matches('textarea, [contenteditable]')
    || (el.matches('input') && !el.matches('[type=checkbox], [type=radio], [type=button], [type=submit], [type=file], [type=range]'));
  const overlaps = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

  if (question === 'text') return { text: (field.innerText || '').trim() };
  const root = field.getRootNode();
  const active = root.activeElement;
  if (!active || active === field || !isTyped(active) || !overlaps(active.getBoundingClientRect(), field.getBoundingClientRect())) return {};
  if (active.select) active.select();
  else getSelection().selectAllChildren(active);
  return { ready: true };
})
