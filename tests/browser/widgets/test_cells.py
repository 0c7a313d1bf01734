"""Cells of tables and grids, named by the text of another cell in their row and the header of their column."""

import pytest

from boathook.errors import AmbiguousTarget, BadTarget, NotEditable, TargetNotFound

TABLE = """<table><thead><tr><th>Name<th>Due<th>City</thead><tbody>
<tr><td>Ann<td>01/02/2026<td>Oslo<tr><td>Bob<td>03/02/2026<td>Rome<tr><td>Bob<td>04/02/2026<td>Bonn</table>"""


async def test_a_cell_is_named_by_its_row_and_column(tab, site):
    await tab.goto(site.page(TABLE))
    assert await tab.get_text("cell=Ann/City") == "Oslo"
    assert await tab.get_text("cell=03/02/2026/city") == "Rome"


async def test_rows_that_say_the_same_are_an_error(tab, site):
    await tab.goto(site.page(TABLE))
    with pytest.raises(AmbiguousTarget, match=r"'Rome'.*'Bonn'"):
        await tab.get_text("cell=Bob/City")
    assert await tab.get_text("cell=Bob/City", nth=1) == "Bonn"


async def test_a_cell_without_a_column_is_refused(tab, site):
    await tab.goto(site.page(TABLE))
    with pytest.raises(BadTarget, match="invalid cell"):
        await tab.get_text("cell=Ann")


async def test_a_cell_that_opens_no_field_is_not_filled(tab, site):
    await tab.goto(site.page(TABLE))
    with pytest.raises(NotEditable, match="opens no text field"):
        await tab.fill("cell=Ann/City", "Paris")


VIRTUAL = """<div role=grid><div role=row style="height:20px"><span role=columnheader>Name</span></div>
<div id=box style="height:100px;overflow:auto"><div id=all style="height:2000px;position:relative"></div></div></div><script>
const rows = Array.from({ length: 5 }, () => all.appendChild(document.createElement('div')));
const render = () => rows.forEach((row, at) => {
  const number = Math.floor(box.scrollTop / 20) + at;
  row.innerHTML = `<span role=gridcell>Row ${number}</span>`;
  row.style = `position:absolute;height:20px;top:${number * 20}px`;
  row.onclick = () => { chosen = number };
});
box.onscroll = () => requestAnimationFrame(render); render();
</script>"""


async def test_a_grid_is_scrolled_to_a_row_that_it_has_not_rendered(tab, site):
    await tab.goto(site.page(VIRTUAL))
    await tab.click("cell=Row 83/Name")
    assert await tab.evaluate("chosen") == 83
    await tab.click("cell=Row 2/Name")
    assert await tab.evaluate("chosen") == 2


async def test_a_row_that_does_not_exist_is_an_error_and_leaves_the_grid_where_it_was(tab, site):
    await tab.goto(site.page(VIRTUAL))
    await tab.evaluate("box.scrollTop = 400")
    with pytest.raises(TargetNotFound):
        await tab.click("cell=Row 9999/Name", timeout=20)
    assert await tab.evaluate("box.scrollTop") == 400
