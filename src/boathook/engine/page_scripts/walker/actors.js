// Rows of things that act without a role: what they are called, and which of them only wrap what acts.

const LONGEST_ROW_WORDS = 120;

const isOnlyListening = (row) => row.clickable && actsAt(row.el) === PRESSED &&
  (row.flags & (HAS.CLICK | HAS.DRAGGABLE | HAS.TABINDEX | HAS.EDITABLE)) === 0;

// The texts in a row that do not belong to something in it that acts by itself.
const ownWords = (rows, index) => {
  const words = [];
  let within = Infinity;
  for (let j = index + 1; j < rows.length && rows[j].depth > rows[index].depth; j++) {
    const row = rows[j];
    if (row.depth > within) continue;
    within = Infinity;
    if (row.el === null) words.push(row.name);
    else if (isControl(row)) within = row.depth;
    else if (row.source === 'content' && row.name) {
      words.push(` ${row.name} `);
      within = row.depth;
    }
  }
  return collapse(words.join(' '));
};

const controlAround = (rows, index) => {
  let at = rows[index].parent;
  while (at >= 0 && !isControl(rows[at])) at = rows[at].parent;
  return at;
};

// A listener inside a control that only repeats it.
const repeatsControl = (rows, index, words) => {
  const around = controlAround(rows, index);
  if (around < 0 || rows[around].clickable) return false;
  return rows[around].name === '' || rows[around].name === words;
};

// Libraries copy the label of a field to the box around it.
const holdsNamesake = (rows, index) => {
  for (let j = index + 1; j < rows.length && rows[j].depth > rows[index].depth; j++) {
    if (isControl(rows[j]) && rows[j].name === rows[index].name) return true;
  }
  return false;
};

// Edges of columns and panes: one per cell, and of little use.
const isResizer = (el) => getComputedStyle(el).cursor.endsWith('resize');

// Something that acts without a role is known by its words. True if one turned out to be a wrapper.
const nameActors = (rows, holdsControl) => {
  let dropped = false;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (!row.clickable || row.flags & HAS.EDITABLE) continue;
    const named = row.name !== '';
    const words = named ? row.name : ownWords(rows, i);
    if (!named && words.length <= (holdsControl[i] ? LONGEST_ROW_WORDS : Infinity)) row.rename(words);
    if (actors === null || !isOnlyListening(row)) continue;
    if ((holdsControl[i] && (!words || holdsNamesake(rows, i))) || repeatsControl(rows, i, words) || (!words && isResizer(row.el))) {
      row.wrapsOnly();
      dropped = true;
    }
  }
  return dropped;
};

// Is the text part of the name of something around it that acts?
const isSaidByActor = (rows, index, text) => {
  const around = controlAround(rows, index);
  return around >= 0 && rows[around].clickable && rows[around].name.includes(text);
};
