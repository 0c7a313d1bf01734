"""Pages on which something is dragged, in public libraries and with HTML drag and drop."""

from __future__ import annotations

from tests.browser.widgets.widget import Widget

_NATIVE = """<ul id=from><li draggable=true id=a>Apple</li><li draggable=true>Pear</li></ul><div id=box style="width:200px;height:80px">Basket</div>
<script>from.ondragstart = event => event.dataTransfer.setData('text/plain', event.target.id);
box.ondragover = event => event.preventDefault(); box.ondrop = event => { event.preventDefault();
  box.append(document.getElementById(event.dataTransfer.getData('text/plain'))) }</script>"""
NATIVE = Widget(
    name="html drag and drop",
    packages=(),
    page=_NATIVE,
    action="drag",
    target="text=Apple",
    value="text=Basket",
    model="box.innerText.replace(/\\s+/g, ' ')",
    expected="Basket Apple",
)
SORTABLE = Widget(
    name="sortable",
    packages=("sortablejs@1",),
    page="<ul id=list><li>One</li><li>Two</li><li>Three</li></ul><script src=/nm/sortablejs/Sortable.js></script>"
    "<script>sortable = new Sortable(list, { animation: 0, dataIdAttr: 'x' })</script>",
    action="drag",
    target="text=One",
    value="text=Three",
    model="[...list.children].map(item => item.textContent).join()",
    expected="Two,Three,One",
)
SORTABLE_MOUSE = Widget(
    name="sortable with mouse events, animated",
    packages=("sortablejs@1",),
    page="<ul id=list><li>One</li><li>Two</li><li>Three</li></ul><script src=/nm/sortablejs/Sortable.js></script>"
    "<script>sortable = new Sortable(list, { animation: 150, forceFallback: true })</script>",
    action="drag",
    target="text=One",
    value="text=Three",
    model="[...list.children].map(item => item.textContent).join()",
    expected="Two,Three,One",
)
SORTABLE_LISTS = Widget(
    name="sortable, to another list",
    packages=("sortablejs@1",),
    page="<ul id=todo><li>One</li><li>Two</li></ul><ul id=done><li>Three</li></ul><script src=/nm/sortablejs/Sortable.js></script>"
    "<script>for (const list of [todo, done]) new Sortable(list, { group: 'x', animation: 150 })</script>",
    action="drag",
    target="text=One",
    value="text=Three",
    model="[todo, done].map(list => [...list.children].map(item => item.textContent).sort().join()).join(' ')",
    expected="Two One,Three",
)
DND_KIT = Widget(
    name="dnd-kit sortable",
    packages=("react@18", "react-dom@18", "@dnd-kit/core@6", "@dnd-kit/sortable@8", "esbuild@0.25"),
    page="<div id=root></div><script src=bundle.js></script>",
    bundle="import React, { useState } from 'react'; import { createRoot } from 'react-dom/client'; const h = React.createElement;"
    "import { DndContext, closestCenter } from '@dnd-kit/core'; import { SortableContext, useSortable, arrayMove, verticalListSortingStrategy } from '@dnd-kit/sortable';"
    "const Item = ({ id }) => { const s = useSortable({ id }); const t = s.transform; return h('div', { ref: s.setNodeRef, ...s.attributes, ...s.listeners,"
    "style: { padding: 10, border: '1px solid', transition: s.transition, transform: t && `translate(${t.x}px,${t.y}px)` } }, id) };"
    "function App() { const [items, set] = useState(['One', 'Two', 'Three']); window.chosen = items.join();"
    "return h(DndContext, { collisionDetection: closestCenter, onDragEnd: ({ active, over }) => over && set(all => arrayMove(all, all.indexOf(active.id), all.indexOf(over.id))) },"
    "h(SortableContext, { items, strategy: verticalListSortingStrategy }, items.map(id => h(Item, { key: id, id })))) }"
    "createRoot(root).render(h(App))",
    action="drag",
    target="text=One",
    value="text=Three",
    model="chosen",
    expected="Two,Three,One",
)
DND_KIT_DROP = Widget(
    name="dnd-kit, onto a drop target",
    packages=("react@18", "react-dom@18", "@dnd-kit/core@6", "esbuild@0.25"),
    page="<div id=root></div><script src=bundle.js></script>",
    bundle="import React, { useState } from 'react'; import { createRoot } from 'react-dom/client'; const h = React.createElement;"
    "import { DndContext, useDraggable, useDroppable, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';"
    "const Card = () => { const d = useDraggable({ id: 'card' }); const t = d.transform; return h('button', { ref: d.setNodeRef, ...d.attributes, ...d.listeners,"
    "style: { transform: t && `translate(${t.x}px,${t.y}px)` } }, 'Card') };"
    "const Box = () => { const d = useDroppable({ id: 'box' }); return h('div', { ref: d.setNodeRef, style: { margin: 100, width: 200, height: 100, border: '1px solid' } }, 'Box') };"
    "function App() { const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 8 } }));"
    "return h(DndContext, { sensors, onDragEnd: ({ over }) => { window.chosen = over && over.id } }, h(Card), h(Box)) }"
    "createRoot(root).render(h(App))",
    action="drag",
    target="role=button",
    value="text=Box",
    model="chosen",
    expected="box",
)

LIGHT = (NATIVE, SORTABLE)
LARGE = (SORTABLE_MOUSE, SORTABLE_LISTS, DND_KIT, DND_KIT_DROP)
