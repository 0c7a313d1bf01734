"""Controls that take no pointer themselves: they are reached through what is drawn for them."""

import pytest

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
MAP = f"""<img usemap=#m width=200 height=100 src={PIXEL}><map name=m>
<area shape=rect coords=0,0,50,50 alt=North href=#north><area shape=circle coords=150,50,20 alt=South href=#south></map>"""
LABELLED = """<style>input { %s }</style><input type=checkbox id=c><label for=c>Gift</label>"""


@pytest.mark.parametrize("name", ["North", "South"])
async def test_an_area_of_an_image_map_is_clicked(tab, site, name):
    await tab.goto(site.page(MAP))
    assert f'link "{name}" @e' in (await tab.snapshot()).text
    await tab.click(f"role=link[name={name}]")
    assert await tab.evaluate("location.hash") == f"#{name.lower()}"


async def test_an_area_at_the_edge_of_a_large_image_is_scrolled_into_view(tab, site):
    large = MAP.replace("width=200 height=100", "width=4000 height=4000").replace("150,50,20", "3900,3900,20")
    await tab.goto(site.page(large))
    await tab.click("role=link[name=South]")
    assert await tab.evaluate("location.hash") == "#south"


@pytest.mark.parametrize(
    "style",
    [
        "pointer-events: none",
        "opacity: 0; position: absolute; pointer-events: none",
        "position: absolute; width: 0; height: 0; opacity: 0",
        "position: absolute; left: -9999px",
        "clip-path: inset(50%); position: absolute; width: 1px; height: 1px",
    ],
)
async def test_a_checkbox_that_takes_no_pointer_is_checked_through_its_label(tab, site, style):
    await tab.goto(site.page(LABELLED % style))
    assert (await tab.check("label=Gift")).value is True
    assert await tab.evaluate("c.checked") is True


ACTIONS = """<style>.row, .row b { cursor: pointer }</style><div class=row>Lunch <b class=reply>Reply</b><b class=forward>Forward</b></div><script>
done = []; for (const el of document.querySelectorAll('.row, .row b')) el.addEventListener('click', event => done.push(el.className));
</script>"""


async def test_each_of_several_actions_in_a_clickable_row_is_clicked(tab, site):
    await tab.goto(site.page(ACTIONS))
    text = (await tab.snapshot()).text
    ref = next(line for line in text.splitlines() if '"Forward" @' in line).split("@")[1].split()[0]
    await tab.click(f"@{ref}")
    assert (await tab.evaluate("done"))[0] == "forward"
