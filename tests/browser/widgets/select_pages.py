"""Pages with selects and other fields of public libraries: each row is proven by the widget's own model."""

from __future__ import annotations

from dataclasses import replace

from tests.browser.widgets.widget import ANTD, ANTD_PAGE, JQUERY, REACT, SHOELACE, Widget

MANY = "Array.from({ length: 500 }, (_, at) => ({ value: 'v' + at, label: 'Item ' + at }))"

SELECT2 = Widget(
    name="select2",
    packages=("jquery@3.7.1", "select2@4.0.13"),
    page=f"{JQUERY}<link rel=stylesheet href=/nm/select2/dist/css/select2.css><script src=/nm/select2/dist/js/select2.js></script>"
    "<label for=s>Country</label><select id=s style=width:200px><option>Chile<option>Kenya<option>Nepal</select>"
    "<script>$(s).select2()</script>",
    action="select",
    target=".select2-selection",
    value="Nepal",
    model="$(s).val()",
    expected="Nepal",
)
TOM_SELECT = Widget(
    name="tom-select, several",
    packages=("tom-select@2",),
    page="<link rel=stylesheet href=/nm/tom-select/dist/css/tom-select.css><script src=/nm/tom-select/dist/js/tom-select.complete.js></script>"
    "<select id=s multiple placeholder=Tags><option>Red<option>Green<option>Blue</select><script>tom = new TomSelect(s, {})</script>",
    action="select",
    target=".ts-control input",
    value=["Red", "Blue"],
    model="tom.getValue().join()",
    expected="Red,Blue",
)
SELECTRIC = Widget(
    name="selectric",
    packages=("jquery@3.7.1", "selectric@1.13.0"),
    page=f"{JQUERY}<link rel=stylesheet href=/nm/selectric/public/selectric.css><script src=/nm/selectric/public/jquery.selectric.js></script>"
    "<select id=s><option>One<option>Two<option>Three</select><p><button id=next>Next</button><script>$(s).selectric()</script>",
    action="select",
    target=".selectric",
    value="Three",
    model="s.value + document.querySelectorAll('.selectric-open').length",
    expected="Three0",
)
SHOELACE_SELECT = Widget(
    name="shoelace select",
    packages=("@shoelace-style/shoelace@2.20.1",),
    page=f"{SHOELACE}<sl-select id=s label=Fruit><sl-option value=a>Apple</sl-option><sl-option value=b>Pear</sl-option></sl-select>",
    action="select",
    target="role=combobox",
    value="Pear",
    model="s.value + s.open",
    expected="bfalse",
)
SHOELACE_SWITCH = Widget(
    name="shoelace switch",
    packages=("@shoelace-style/shoelace@2.20.1",),
    page=f"{SHOELACE}<sl-switch id=s>Wi-Fi</sl-switch>",
    action="check",
    target="role=switch",
    model="s.checked",
    expected=True,
)
SHOELACE_CHECKBOX = Widget(
    name="shoelace checkbox",
    packages=("@shoelace-style/shoelace@2.20.1",),
    page=f"{SHOELACE}<sl-checkbox id=s>Gift</sl-checkbox>",
    action="check",
    target="role=checkbox",
    model="s.checked",
    expected=True,
)
ANTD_LONG = Widget(
    name="antd, 500 options",
    packages=ANTD,
    page=f"{ANTD_PAGE}<script>ReactDOM.createRoot(root).render(React.createElement(antd.Select,"
    f"{{ 'aria-label': 'Item', style: {{ width: 200 }}, options: {MANY}, onChange: value => chosen = value }}))</script>",
    action="select",
    target="role=combobox",
    value="Item 437",
    model="chosen",
    expected="v437",
)
ANTD_TAGS = Widget(
    name="antd, several, beside another",
    packages=ANTD,
    page=f"{ANTD_PAGE}<script>const h = React.createElement; const options = words => words.map(value => ({{ value, label: value }}));"
    "ReactDOM.createRoot(root).render(h('div', null, h(antd.Select, { 'aria-label': 'Size', style: { width: 200 }, options: options(['Small', 'Large']) }),"
    "h(antd.Select, { 'aria-label': 'Tags', mode: 'tags', style: { width: 300 }, options: options(['New', 'Old', 'Sale']), onChange: value => chosen = value.join() })))</script>",
    action="select",
    target="label=Tags",
    value=["New", "Sale"],
    model="chosen",
    expected="New,Sale",
)
MUI = Widget(
    name="mui",
    packages=("react@18", "react-dom@18", "@mui/material@5"),
    page=f"{REACT}<script src=/nm/@mui/material/umd/material-ui.production.min.js></script><script>const M = MaterialUI, h = React.createElement;"
    "ReactDOM.createRoot(root).render(h(M.TextField, { select: true, label: 'Age', defaultValue: '', sx: { width: 200 }, onChange: event => chosen = event.target.value },"
    "...['Ten', 'Twenty', 'Thirty'].map(value => h(M.MenuItem, { key: value, value }, value))))</script>",
    action="select",
    target="role=combobox",
    value="Twenty",
    model="chosen",
    expected="Twenty",
)
VUETIFY = Widget(
    name="vuetify",
    packages=("vue@3", "vuetify@3"),
    page="<link rel=stylesheet href=/nm/vuetify/dist/vuetify.min.css><script src=/nm/vue/dist/vue.global.prod.js></script>"
    "<script src=/nm/vuetify/dist/vuetify.min.js></script><div id=app><v-app><v-select label=State v-model=state :items=items></v-select></v-app></div>"
    "<script>app = Vue.createApp({ data: () => ({ state: null, items: ['Ohio', 'Texas', 'Utah'] }) }).use(Vuetify.createVuetify()).mount('#app')</script>",
    action="select",
    target=".v-field input",
    value="Texas",
    model="app.state",
    expected="Texas",
)
REACT_SELECT = Widget(
    name="react-select",
    packages=("react@18", "react-dom@18", "react-select@5.10.2", "esbuild@0.25"),
    page="<div id=root></div><script src=bundle.js></script>",
    bundle="import React from 'react'; import { createRoot } from 'react-dom/client'; import Select from 'react-select';"
    "createRoot(root).render(React.createElement(Select, { 'aria-label': 'Flavour', onChange: option => { window.chosen = option.value },"
    "options: ['Mint', 'Lime', 'Plum'].map(label => ({ label, value: label.toLowerCase() })) }))",
    action="select",
    target="role=combobox",
    value="Plum",
    model="chosen",
    expected="plum",
)
HEADLESS = Widget(
    name="headless ui",
    packages=("react@18", "react-dom@18", "@headlessui/react@2", "esbuild@0.25"),
    page="<div id=root></div><script src=bundle.js></script>",
    bundle="import React, { useState } from 'react'; import { createRoot } from 'react-dom/client'; const h = React.createElement;"
    "import { Listbox, ListboxButton, ListboxOptions, ListboxOption } from '@headlessui/react';"
    "function App() { const [value, set] = useState('Ann'); window.chosen = value; return h(Listbox, { value, onChange: set },"
    "h(ListboxButton, null, value), h(ListboxOptions, { anchor: 'bottom' }, ['Ann', 'Bob', 'Cid'].map(n => h(ListboxOption, { key: n, value: n }, n)))) }"
    "createRoot(root).render(h(App))",
    action="select",
    target="role=button",
    value="Bob",
    model="chosen",
    expected="Bob",
)
RADIX = Widget(
    name="radix",
    packages=("react@18", "react-dom@18", "@radix-ui/react-select@2", "esbuild@0.25"),
    page="<div id=root></div><script src=bundle.js></script>",
    bundle="import React from 'react'; import { createRoot } from 'react-dom/client'; import * as S from '@radix-ui/react-select'; const h = React.createElement;"
    "createRoot(root).render(h(S.Root, { onValueChange: value => { window.chosen = value } }, h(S.Trigger, { 'aria-label': 'Food' }, h(S.Value, { placeholder: 'Pick' })),"
    "h(S.Portal, null, h(S.Content, null, h(S.Viewport, null, ['Rice', 'Soup'].map(v => h(S.Item, { key: v, value: v }, h(S.ItemText, null, v))))))))",
    action="select",
    target="role=combobox",
    value="Soup",
    model="chosen",
    expected="Soup",
)
TABULATOR = Widget(
    name="tabulator header filter",
    packages=("tabulator-tables@6",),
    page="<link rel=stylesheet href=/nm/tabulator-tables/dist/css/tabulator.css><script src=/nm/tabulator-tables/dist/js/tabulator.js></script><div id=t></div>"
    "<script>table = new Tabulator('#t', { height: 200, data: ['Ann', 'Bob', 'Bo'].map((name, id) => ({ id, name })),"
    "columns: [{ title: 'Name', field: 'name', headerFilter: 'input' }] })</script>",
    action="fill",
    target=".tabulator-header-filter input",
    value="Bo",
    model="table.getDataCount('active')",
    expected=2,
)
IONIC = Widget(
    name="ionic",
    packages=("@ionic/core@8",),
    page="<link rel=stylesheet href=/nm/@ionic/core/css/ionic.bundle.css><script type=module src=/nm/@ionic/core/dist/ionic/ionic.esm.js></script>"
    "<ion-app><ion-select id=s label=Fruit interface=%s><ion-select-option value=a>Apple</ion-select-option><ion-select-option value=p>Pear</ion-select-option>"
    "</ion-select></ion-app>",
    action="select",
    target="ion-select",
    value="Pear",
    model="s.value + document.querySelectorAll('ion-popover, ion-alert, ion-action-sheet').length",
    expected="p0",
)
IONIC_FORMS = tuple(
    replace(IONIC, name=f"ionic {form}", page=IONIC.page % form)
    for form in ("alert", "popover", "action-sheet", "modal")
)

LIGHT = (SELECT2, TOM_SELECT, SELECTRIC, TABULATOR)
LARGE = (
    SHOELACE_SELECT, SHOELACE_SWITCH, SHOELACE_CHECKBOX, ANTD_LONG, ANTD_TAGS, MUI, VUETIFY, REACT_SELECT, HEADLESS, RADIX,
    *IONIC_FORMS,
)  # fmt: skip
