"""Shapes of SVG images with kind, color, text, place and size, as targets."""

CHART = """<title>t</title><svg width=300 height=200><rect class=bar x=10 y=50 width=40 height=150 fill=green><title>Q1: 150</title></rect>
<rect class=bar x=60 y=100 width=40 height=100 fill=#c00></rect><text x=10 y=20>Sales</text>
<defs><circle r=9></circle></defs></svg><button><svg width=16 height=16><circle r=8></circle></svg></button>
<script>document.querySelectorAll('.bar')[1].addEventListener('click', () => { chosen = 'red' })</script>"""


async def test_graphics_lists_the_shapes_of_an_image_and_not_those_of_icons(tab, site):
    await tab.goto(site.page(CHART))
    shapes = [
        line for line in (await tab.snapshot(graphics=True)).text.splitlines() if "graphics-symbol" in line
    ]
    assert [line.split(" @")[0] for line in shapes] == [
        'graphics-symbol ~"bar, green rectangle" "Q1: 150"',
        'graphics-symbol ~"bar, red rectangle"',
        'graphics-symbol ~"black text" "Sales"',
    ]
    assert shapes[0].endswith("40\u00d7150}")
    await tab.click("@" + shapes[1].split("@")[1].split()[0])
    assert await tab.evaluate("chosen") == "red"


async def test_without_the_option_only_shapes_that_act_are_listed(tab, site):
    await tab.goto(site.page(CHART))
    text = (await tab.snapshot()).text
    assert "graphics-symbol" not in text
    assert '~"bar, red rectangle"' in text
