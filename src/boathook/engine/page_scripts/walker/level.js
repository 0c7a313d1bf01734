// One level of the walk: the children of an element, and what holds for all of them.

class Level {
  constructor() {
    this.holder = null;        // the element whose children are visited
    this.parent = null;        // the row they hang under, null at the top
    this.context = null;       // style scan, labels and owners of their root
    this.next = null;          // the sibling to visit next
    this.list = null;          // or a list of nodes to visit, when they are not simply the children
    this.at = 0;
    this.shown = UNKNOWN;      // does text directly below holder show?
    this.mute = false;         // words below are already part of the name of the parent row
    this.unboxed = false;      // inside canvas or select, where exposed things have no boxes
    this.pointer = false;      // the cursor is a pointer already, so nothing new is clickable
    this.inline = false;       // words go on in the same line after this level
    this.after = '';           // generated text to add at the end
    this.bits = 0;             // what rules may do to the words below by inheritance
    this.hiding = PLAIN;         // does what stands below look hidden?
    this.isStale = false;      // slices of the last walk do not hold here
    this.entry = -1;           // the state of the walk for its children, once there was one (entryOf)
    this.slice = null;         // what is kept of holder, complete when this level is left
  }

  reset(holder, parent, context) {
    this.holder = holder;
    this.parent = parent;
    this.context = context;
    this.next = this.list = null;
    this.at = 0;
    this.shown = UNKNOWN;
    this.mute = this.unboxed = this.pointer = this.inline = false;
    this.after = '';
    this.bits = 0;
    this.hiding = PLAIN;
    this.isStale = false;
    this.entry = -1;
    this.slice = null;
    return this;
  }
}
