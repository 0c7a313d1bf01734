// Whether the focused element is a combobox that says if it is expanded, while the page shows no list and no option.

(() => {
  let active = document.activeElement;
  while (active && active.shadowRoot && active.shadowRoot.activeElement) active = active.shadowRoot.activeElement;
  if (!active || !active.hasAttribute('aria-expanded')) return false;
  const isShown = (el) => el.getClientRects().length > 0 && getComputedStyle(el).visibility !== 'hidden';
  const options = '[role=listbox], [role=option]';
  const root = active.getRootNode();
  const beside = root instanceof ShadowRoot ? root.querySelectorAll(options) : [];
  const listed = [...document.querySelectorAll(options), ...beside];
  return !listed.some((el) => el !== active && isShown(el));
})()
