// Rows of a walk: an element or a run of words, under the row it stands in.

class Row {
  constructor(up, context, at) {
    this.el = null;            // null: a run of words
    this.tag = this.role = this.name = this.source = '';
    this.flags = this.tagKind = this.roleKind = 0;
    this.up = up;
    this.depth = up === null ? 0 : up.depth + 1;
    this.context = context;
    this.at = at;              // its place among all rows of the last walk
    this.place = this.parent = -1;    // its place and that of `up` among those that count
    this.isHolding = false;
    this.clickable = this.visuallyHidden = this.holdsWords = false;
    this.label = '';
    this.line = this.lineKey = this.lineName = this.lineLabel = '';    // kept_lines.js
    this.given = null;         // its own name, while it is called something else
    this.wasClickable = false;
  }

  // For one walk: what it is called for a reader.
  rename(name) {
    if (this.given === null) this.given = this.name;
    this.name = name;
  }

  // For one walk: it only wraps what acts.
  wrapsOnly() {
    this.clickable = false;
    this.wasClickable = true;
  }

  // As it was before a reader of its last walk changed it, under another row and at another place.
  moveTo(at, shift) {
    this.at = at;
    this.depth += shift;
    this.isHolding = this.holdsWords = false;
    this.label = '';
    if (this.given !== null) {
      this.name = this.given;
      this.given = null;
    }
    if (this.wasClickable) {
      this.clickable = true;
      this.wasClickable = false;
    }
  }
}

// Chromium leaves out paragraphs that hold nothing.
const isEmptyParagraph = (row) => row.role === 'paragraph' && !row.isHolding && !row.name && !row.clickable;

// Gives the rows that count their places and those of their parents.
const settleRows = (walk) => {
  const { rows } = walk;
  let hasEmpty = false;
  for (let i = 0; i < rows.length; i++) if (rows[i].up !== null) rows[i].up.isHolding = true;
  for (let i = 0; i < rows.length; i++) hasEmpty = hasEmpty || isEmptyParagraph(rows[i]);
  const left = hasEmpty ? rows.filter((row) => !isEmptyParagraph(row)) : rows;
  for (let i = 0; i < left.length; i++) {
    const row = left[i];
    row.place = i;
    row.parent = row.up === null ? -1 : row.up.place;
  }
  walk.rows = left;
  walk.frames = walk.frames.filter((row) => row !== null).map((row) => row.place);
};
