"""Pages with grids of public libraries that render only the rows in view; a cell is double-clicked to edit it."""

from __future__ import annotations

from dataclasses import replace

from tests.browser.widgets.widget import Widget

ROWS = "rows = Array.from({ length: 200 }, (_, at) => ({ name: 'Person ' + at, city: 'City ' + at % 7, amount: at * 3 }))"
AG_GRID = Widget(
    name="ag grid",
    packages=("ag-grid-community@33",),
    page="<div id=box style='height:300px;width:600px'></div><script src=/nm/ag-grid-community/dist/ag-grid-community.min.js></script>"
    f"<script>{ROWS}; agGrid.ModuleRegistry.registerModules([agGrid.AllCommunityModule]);"
    "grid = agGrid.createGrid(box, { columnDefs: [{ field: 'name', pinned: 'left' }, { field: 'city' }, { field: 'amount' }], rowData: rows,"
    "onCellClicked: event => { chosen = event.data.name + ' ' + event.colDef.field } })</script>",
    action="click",
    target="cell=Person 137/City",
    model="chosen",
    expected="Person 137 city",
)
TABULATOR = Widget(
    name="tabulator",
    packages=("tabulator-tables@6",),
    page="<link rel=stylesheet href=/nm/tabulator-tables/dist/css/tabulator.css><script src=/nm/tabulator-tables/dist/js/tabulator.js></script><div id=t></div>"
    f"<script>{ROWS}; table = new Tabulator('#t', {{ height: 200, data: rows, columns: [{{ title: 'Name', field: 'name' }}, {{ title: 'City', field: 'city' }}, {{ title: 'Amount', field: 'amount' }}] }});"
    "table.on('cellClick', (_, cell) => { chosen = cell.getData().name + ' ' + cell.getField() })</script>",
    action="click",
    target="cell=Person 137/Amount",
    model="chosen",
    expected="Person 137 amount",
)
HANDSONTABLE = Widget(
    name="handsontable",
    packages=("handsontable@15",),
    page="<link rel=stylesheet href=/nm/handsontable/dist/handsontable.full.min.css><script src=/nm/handsontable/dist/handsontable.full.min.js></script><div id=h></div>"
    f"<script>{ROWS}; table = new Handsontable(h, {{ data: rows.map(Object.values), colHeaders: ['Name', 'City', 'Amount'], rowHeaders: true, height: 300, width: 500,"
    "licenseKey: 'non-commercial-and-evaluation' })</script>",
    action="click",
    target="cell=Person 137/City",
    model="table.getSelectedLast().join()",
    expected="137,1,137,1",
)


def _filled(widget, model, *, page):
    return replace(
        widget,
        name=f"{widget.name}, edited",
        action="fill",
        value="Quito (1)",
        page=page,
        model=model,
        expected="Quito (1)",
    )


AG_GRID_EDITED = _filled(
    AG_GRID,
    "rows[137].city",
    page=AG_GRID.page.replace("{ field: 'city' }", "{ field: 'city', editable: true }"),
)
TABULATOR_EDITED = _filled(
    TABULATOR,
    "table.getData()[137].amount",
    page=TABULATOR.page.replace(
        "field: 'amount' }", "field: 'amount', editor: 'input', editTriggerEvent: 'dblclick' }"
    ),
)
TABULATOR_CLICKED = replace(
    _filled(
        TABULATOR,
        "table.getData()[137].amount",
        page=TABULATOR.page.replace("field: 'amount' }", "field: 'amount', editor: 'input' }"),
    ),
    name="tabulator, edited after one click",
)
HANDSONTABLE_EDITED = _filled(HANDSONTABLE, "table.getDataAtCell(137, 1)", page=HANDSONTABLE.page)

LIGHT = (TABULATOR_CLICKED,)
LARGE = (TABULATOR, AG_GRID, HANDSONTABLE, AG_GRID_EDITED, TABULATOR_EDITED, HANDSONTABLE_EDITED)
