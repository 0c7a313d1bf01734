// Drops files on an element, as a person would from a file manager. A function for `this`; says whether they were taken.

/** @this {Element} */
function (files) {
  const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const data = new DataTransfer();
  for (const file of files) {
    data.items.add(new File([bytes(file.data)], file.name, { type: file.type, lastModified: file.modified }));
  }
  const rect = Element.prototype.getBoundingClientRect.call(this);
  const place = { clientX: rect.x + rect.width / 2, clientY: rect.y + rect.height / 2 };
  const send = (type) => !EventTarget.prototype.dispatchEvent.call(this, new DragEvent(type, {
    bubbles: true, cancelable: true, composed: true, dataTransfer: data, ...place,
  }));
  const entered = send('dragenter');
  const over = send('dragover');
  const dropped = send('drop');
  return { taken: dropped || over || entered, dropped, names: [...data.files].map((file) => file.name) };
}
