"""A page with 3,000 delegated listeners, 5,000 items and 500 icons."""

PAGE = """<!doctype html><title>Busy</title><style>.icon { display: inline-block; width: 16px; height: 16px }</style>
<main id=main></main><script>
pressed = new Set();
for (let list = 0; list < 500; list++) {
  const ul = document.createElement('ul');
  for (let item = 0; item < 10; item++) {
    const li = document.createElement('li');
    li.append(`Item ${list}-${item} `);
    if (item < 5) {
      const part = document.createElement('span');
      part.className = 'part';
      part.textContent = `part ${item}`;
      part.addEventListener('click', event => { event.stopPropagation(); pressed.add(part) });
      li.append(part);
    }
    if (item === 9) {
      const icon = document.createElement('i');
      icon.className = 'icon trash';
      li.append(icon);
    }
    ul.append(li);
  }
  ul.addEventListener('click', event => {
    const icon = event.target.closest('.icon');
    pressed.add(icon || event.target.closest('li'));
  });
  main.append(ul);
}
</script>"""
