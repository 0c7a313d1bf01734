"""Widgets of public libraries: after one call the widget's own model holds what was asked for."""

import json
import subprocess
from contextlib import suppress

import pytest

from boathook.errors import TimedOut, ValueNotTaken
from tests.browser.widgets import (
    date_pages,
    drag_pages,
    grid_pages,
    rich_text_pages,
    select_pages,
    slider_pages,
    upload_pages,
)
from tests.support.npm import CACHE, served_packages
from tests.support.thorough import THOROUGH

FAMILIES = (select_pages, date_pages, rich_text_pages, slider_pages, drag_pages, upload_pages, grid_pages)
LIGHT = [widget for family in FAMILIES for widget in family.LIGHT]
LARGE = [widget for family in FAMILIES for widget in family.LARGE]

needs_large_packages = pytest.mark.skipif(not THOROUGH, reason="large packages: make widgets tests with them")


@pytest.fixture
def packages(site, monkeypatch):
    return served_packages(site, monkeypatch)


def _bundled(module):
    """The module with all that it imports, as one script."""
    folder = CACHE / "widgets"
    program = next(folder.glob("node_modules/@esbuild/*/bin/esbuild"))
    line = [str(program), "--bundle", "--define:process.env.NODE_ENV='production'", "--loader=js"]
    return subprocess.run(line, input=module, cwd=folder, capture_output=True, text=True, check=True).stdout


def _installed(packages, widget):
    names = [package.rpartition("@")[0] for package in widget.packages]
    if names:
        packages(*widget.packages, there=[f"{name}/package.json" for name in names])


def _file(folder, name):
    path = folder / name
    path.write_text("five!")
    return path


async def _acted_on(tab, site, packages, folder, widget):
    _installed(packages, widget)
    page = widget.page
    if widget.bundle:
        page = page.replace("<script src=bundle.js>", f"<script>{_bundled(widget.bundle)}")
    await tab.goto(site.page(page))
    await tab.wait_for("role=gridcell" if widget.target.startswith("cell=") else widget.target)
    if widget.ready:
        await tab.wait_for_function(widget.ready)
    await tab.snapshot()
    given = widget.value if isinstance(widget.value, list) else [widget.value] if widget.value else []
    given = [_file(folder, name) for name in given] if widget.action == "upload" else given
    chosen = {} if widget.nth is None else {"nth": widget.nth}
    await getattr(tab, widget.action)(widget.target, *given, **chosen)
    # Some models follow a timer.
    held = f"(() => {{ try {{ return {widget.model} }} catch {{ return undefined }} }})()"
    with suppress(TimedOut):
        await tab.wait_for_function(
            f"JSON.stringify({held}) === {json.dumps(json.dumps(widget.expected))}", timeout=2
        )
    if widget.holds:
        assert await tab.get_value(widget.target) == widget.holds
    return await tab.evaluate(widget.model)


@pytest.mark.parametrize("widget", LIGHT, ids=lambda widget: widget.name)
async def test_one_call_changes_the_model_of_a_widget(tab, site, packages, tmp_path, widget):
    assert await _acted_on(tab, site, packages, tmp_path, widget) == widget.expected


@needs_large_packages
@pytest.mark.parametrize("widget", LARGE, ids=lambda widget: widget.name)
async def test_one_call_changes_the_model_of_a_widget_of_a_large_library(
    tab, site, packages, tmp_path, widget
):
    assert await _acted_on(tab, site, packages, tmp_path, widget) == widget.expected


SEALED_EDITOR = """<div class=monaco-editor style="width:300px;height:80px"><textarea aria-label=Code></textarea><div id=view></div></div>
<script>const area = document.querySelector('textarea'); area.oninput = () => { %s }</script>"""


async def test_an_editor_whose_model_is_out_of_reach_is_judged_by_what_it_shows(tab, site):
    await tab.goto(site.page(SEALED_EDITOR % "view.textContent = area.value"))
    await tab.fill("label=Code", "let a = 1;\nlet b = 2;")
    assert await tab.get_text("#view") == "let a = 1; let b = 2;"
    await tab.goto(site.page(SEALED_EDITOR % "area.value = ''"))
    with pytest.raises(ValueNotTaken, match="does not show"):
        await tab.fill("label=Code", "let a = 1;")


TABLE = "<h2>Title</h2><p>one<br>two</p><ul><li>a<li>b</ul><table><tr><td>c1<td><p>c2</p><tr><td>d1<td>d2</table><p><br></p><p>end</p>"


async def test_the_value_of_an_editable_region_has_its_lines_items_and_cells(tab, site):
    await tab.goto(site.page(f"<div contenteditable aria-label=Text role=textbox>{TABLE}</div>"))
    assert await tab.get_value("label=Text") == "Title\none\ntwo\na\nb\nc1\tc2\nd1\td2\n\nend"
    assert '= "Title one two a b c1 c2 d1 d2 end"' in str(await tab.snapshot())


async def test_a_text_that_loses_a_line_is_an_error(tab, site):
    page = "<div contenteditable aria-label=Text role=textbox></div>"
    await tab.goto(site.page(page))
    assert (await tab.fill("label=Text", "one\n\ntwo")).value == "one\n\ntwo"
    await tab.goto(
        site.page(
            f"{page}<script>document.querySelector('div').oninput = event => {{ event.target.querySelector('div:has(br)')?.remove() }}</script>"
        )
    )
    with pytest.raises(ValueNotTaken):
        await tab.fill("label=Text", "one\n\ntwo")
