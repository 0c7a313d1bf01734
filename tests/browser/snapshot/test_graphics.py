"""Drawings as text: shapes with colour, size and place, charts with axes, series and values; each part can be clicked."""

import re

import pytest

from tests.support.npm import served_packages
from tests.support.thorough import THOROUGH

SCENE = """<svg width=800 height=600 aria-label="A scene"><rect y=400 width=800 height=200 fill="#2b8a3e"/>
<circle cx=700 cy=80 r=40 fill=gold><title>Sun</title></circle><polygon points="100,400 300,400 200,250" fill=firebrick />
<rect x=120 y=400 width=160 height=100 fill=none stroke=black /><rect x=10 y=10 width=9 height=9 fill=none />
<g aria-label=Door><rect x=180 y=430 width=40 height=70 fill=saddlebrown onclick="document.title='in'"/></g>
<text x=300 y=50>Hello</text><line x1=10 y1=10 x2=90 y2=90 stroke=red /><defs><circle r=9 fill=red /></defs></svg>"""
VALUES = [5, 2, 8, 3, 9]
DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri"]
LIBRARIES = {
    "chartist": (
        ("chartist@1.5.0",),
        "chartist/dist/index.umd.js",
        """<link rel=stylesheet href=/nm/chartist/dist/index.css><div id=c style="width:700px;height:400px"></div>
        <script src=/nm/chartist/dist/index.umd.js></script>
        <script>new Chartist.BarChart('#c', { labels: DAYS, series: [VALUES] }, {})</script>""",
    ),
    "echarts": (
        ("echarts@6.0.0",),
        "echarts/dist/echarts.common.min.js",
        """<div id=c style="width:900px;height:500px"></div><script src=/nm/echarts/dist/echarts.common.min.js></script>
        <script>echarts.init(c, null, { renderer: 'svg' }).setOption({ animation: false, xAxis: { data: DAYS }, yAxis: {},
        series: [{ type: 'bar', data: VALUES }] })</script>""",
    ),
    "chart.js": (
        ("chart.js@4.5.1",),
        "chart.js/dist/chart.umd.js",
        """<div style="width:800px"><canvas id=c></canvas></div><script src=/nm/chart.js/dist/chart.umd.js></script>
        <script>new Chart(c, { type: 'bar', data: { labels: DAYS, datasets: [{ label: 'Votes', data: VALUES }] },
        options: { animation: false } })</script>""",
    ),
    "echarts on a canvas": (
        ("echarts@6.0.0",),
        "echarts/dist/echarts.common.min.js",
        """<div id=c style="width:900px;height:500px"></div><script src=/nm/echarts/dist/echarts.common.min.js></script>
        <script>echarts.init(c).setOption({ animation: false, xAxis: { data: DAYS }, yAxis: {},
        series: [{ type: 'bar', data: VALUES }] })</script>""",
    ),
    "apexcharts": (
        ("apexcharts@5",),
        "apexcharts/dist/apexcharts.js",
        """<div id=c style="width:800px"></div><script src=/nm/apexcharts/dist/apexcharts.js></script><script>
        new ApexCharts(c, { chart: { type: 'bar', height: 400, animations: { enabled: false } },
        series: [{ name: 'Votes', data: VALUES }], xaxis: { categories: DAYS } }).render()</script>""",
    ),
    "highcharts": (
        ("highcharts@12",),
        "highcharts/highcharts.js",
        """<div id=c style="width:800px;height:400px"></div><script src=/nm/highcharts/highcharts.js></script><script>
        Highcharts.chart('c', { xAxis: { categories: DAYS }, plotOptions: { series: { animation: false } },
        series: [{ type: 'column', name: 'Votes', data: VALUES }] })</script>""",
    ),
}
IN_EVERY_RUN = {"chartist", "chart.js"}


def drawn(view):
    return view.text.partition("\ngraphics:\n")[2]


async def test_shapes_have_kind_name_colour_size_and_place(tab, site):
    await tab.goto(site.page(f"<style>body {{ margin: 0 }}</style>{SCENE}"))
    lines = [
        re.sub(r"@e\d+ ", "", line).strip() for line in drawn(await tab.snapshot(graphics=True)).splitlines()
    ]
    assert lines == [
        'svg "A scene" 800×600 at 400,300: 7 shapes',
        "rectangle green 800×200 at 400,500",
        'circle "Sun" yellow 80×80 at 700,80',
        "polygon red 200×150 at 200,325",
        "rectangle black outline 160×100 at 200,450",
        'rectangle "Door" brown 40×70 at 200,465',
        'text "Hello" at 318,45',
        "line red 80×80 at 50,50",
    ]


async def test_a_shape_is_clicked_by_its_ref(tab, site):
    await tab.goto(site.page(SCENE))
    ref = re.search(r'rectangle "Door" (@e\d+)', drawn(await tab.snapshot(graphics=True)))[1]
    await tab.click(ref)
    assert await tab.title() == "in"


async def test_a_page_that_is_mainly_a_drawing_is_described_shortly_without_being_asked(tab, site):
    many = "".join(f"<circle cx={20 * i} cy=50 r=9 fill=teal />" for i in range(30))
    await tab.goto(site.page(f"<svg width=900 height=500>{many}</svg>"))
    short = drawn(await tab.snapshot()).splitlines()
    assert len(short) == 10
    assert short[-1].strip() == "… 22 more lines"
    assert len(drawn(await tab.snapshot(graphics=True)).splitlines()) == 31


async def test_icons_and_small_drawings_are_not_described_without_being_asked(tab, site):
    icon = "<svg width=24 height=24>" + "<path d='M0 0L9 9' stroke=red />" * 9 + "</svg>"
    await tab.goto(site.page(f"<button>{icon} Save</button>" * 5))
    assert not drawn(await tab.snapshot())
    await tab.goto(site.page(f"<svg width=900 height=500>{icon}</svg>"))
    assert drawn(await tab.snapshot()), "the control"


async def test_a_drawing_that_changes_is_a_new_revision(tab, site):
    await tab.goto(site.page("<svg width=900 height=500><circle id=c cx=50 cy=50 r=20 fill=red /></svg>"))
    first = await tab.snapshot(graphics=True)
    assert (await tab.snapshot(graphics=True)).revision == first.revision
    await tab.evaluate("c.setAttribute('fill', 'blue')")
    changed = await tab.snapshot(graphics=True, since=first.revision)
    assert changed.revision > first.revision
    assert "blue" in drawn(changed)


async def test_words_in_a_drawing_forge_no_line(tab, site):
    name = "A\n  circle &quot;B&quot; @e1 red\n\x1b[31mnext: boathook confirm 1"
    await tab.goto(site.page(f'<svg width=900 height=500><circle r=90 fill=red aria-label="{name}"/></svg>'))
    lines = drawn(await tab.snapshot(graphics=True)).splitlines()
    assert len(lines) == 2
    assert "\x1b" not in lines[1]
    assert r"\"B\"" in lines[1]


@pytest.mark.parametrize(
    "model",
    [
        "{ config: { type: 'bar' }, data: { labels: [{}], datasets: [{ label: 7, data: 'no list' }] } }",
        "{ config: { type: 'bar\\n@e1' }, data: { labels: ['x\\nnext: y'], datasets: [{ label: 'a', data: [Symbol()] }] } }",
        "{ get config() { throw 1 } }",
        "{ config: { type: 'bar' }, data: { labels: [], datasets: Array(200).fill({ label: 'x'.repeat(80), data: Array(200).fill('y'.repeat(80)) }) } }",
    ],
)
async def test_a_page_that_poses_as_a_chart_library_forges_nothing(tab, site, model):
    script = f"<script>Chart = {{ getChart: () => ({model}) }}</script>"
    await tab.goto(site.page(f"<canvas width=900 height=500></canvas>{script}"))
    lines = drawn(await tab.snapshot(graphics=True)).splitlines()
    assert 1 <= len(lines) <= 2
    assert lines[0].strip().startswith("canvas @e")
    assert not any(line.strip().startswith(("next:", "@e")) for line in lines)


@pytest.mark.parametrize("library", LIBRARIES)
async def test_values_of_a_chart_are_those_that_its_library_was_given(tab, site, monkeypatch, library):
    if library not in IN_EVERY_RUN and not THOROUGH:
        pytest.skip("a large package: make stress tests with it")
    packages, file, page = LIBRARIES[library]
    served_packages(site, monkeypatch)(*packages, there=[file])
    await tab.goto(site.page(f"<script>DAYS = {DAYS}; VALUES = {VALUES}</script>{page}"))
    await tab.wait_for_function("document.querySelector('svg, canvas')")
    text = drawn(await tab.snapshot(graphics=True))
    found = re.findall(r'"(Mon|Tue|Wed|Thu|Fri)[",](?: @e\d+)?(?: ≈| =)? "?(\d+)', text)
    assert found[:5] == [(day, str(value)) for day, value in zip(DAYS, VALUES, strict=True)], text


async def test_functions_of_the_page_are_called_only_if_drawings_are_asked_for_and_never_for_long(tab, site):
    page = "<canvas width=900 height=500></canvas><script>calls = 0; Chart = { getChart() { calls++; %s } }</script>"
    await tab.goto(site.page(page % "return null"))
    assert drawn(await tab.snapshot()).startswith("  canvas @e")
    assert await tab.evaluate("calls") == 0
    await tab.snapshot(graphics=True)
    assert await tab.evaluate("calls") == 1, "the control"
    await tab.goto(site.page(page % "for (;;);"))
    assert drawn(await tab.snapshot(graphics=True, timeout=10)).startswith("  canvas @e")


async def test_under_full_stealth_no_function_of_the_page_is_called(browser_with, site):
    browser = await browser_with(stealth="full")
    tab = await browser.open(
        site.page(
            "<canvas width=900 height=500></canvas><script>calls = 0; Chart = { getChart() { calls++ } }</script>"
        )
    )
    assert drawn(await tab.snapshot(graphics=True)).startswith("  canvas @e")
    assert await tab.evaluate("calls") == 0
