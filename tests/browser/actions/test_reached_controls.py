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


NEIGHBOUR = """<style>#box { position: relative } #c { position: absolute; z-index: -1 } label { background: #fff; padding: 1em }</style>
<div id=box><input type=checkbox id=c><label>Gift</label></div><script>
document.querySelector('label').onclick = () => { c.checked = !c.checked }</script>"""


async def test_a_covered_checkbox_is_checked_through_the_label_that_follows_it(tab, site):
    await tab.goto(site.page(NEIGHBOUR))
    assert (await tab.check("role=checkbox")).value is True
    assert await tab.evaluate("c.checked") is True


CANCELLED = """<label for=s>News</label><div id=box><input type=checkbox role=switch id=s aria-checked=false style="position:absolute;width:0;height:0;opacity:0">
<span style="display:inline-block;width:40px;height:20px;background:#ccc"></span></div><script>
box.onclick = event => { event.preventDefault(); s.setAttribute('aria-checked', on = s.getAttribute('aria-checked') === 'false') }</script>"""


async def test_a_drawn_switch_whose_input_does_not_take_part_is_judged_by_what_it_says(tab, site):
    await tab.goto(site.page(CANCELLED))
    assert (await tab.check("role=switch")).value is True
    assert await tab.evaluate("on") is True
    assert (await tab.check("role=switch")).value is True
    assert await tab.evaluate("on") is True


MENU = """<div id=menu class=dropdown style="width:100px;height:20px">Country<div id=items hidden><div>Chile</div><div>Kenya</div></div></div><script>
menu.onclick = event => { if (event.target.parentNode === items) { menu.firstChild.data = event.target.textContent; items.hidden = true } else items.hidden = false }
</script>"""


async def test_an_option_without_a_role_inside_the_box_that_opens_it_is_selected(tab, site):
    await tab.goto(site.page(MENU))
    assert (await tab.select("#menu", "Kenya")).value == ["Kenya"]
    assert await tab.evaluate("menu.firstChild.data + items.hidden") == "Kenyatrue"


HANDLED = """<style>.row { width: 300px; position: relative } .handle { width: 20px; height: 20px; background: #999 }</style>
<div class=row id=row onclick=1><div class=handle></div>Run</div><script>
document.querySelector('.handle').onmousedown = event => { onmousemove = move => { row.style.top = move.clientY - event.clientY + 'px' }; onmouseup = () => { onmousemove = null } }
</script>"""


async def test_an_item_with_a_handle_is_dragged_by_it(tab, site):
    await tab.goto(site.page(HANDLED))
    await tab.drag("#row", offset=(0, 80))
    assert await tab.evaluate("row.style.top") == "80px"


ACTIONS = """<style>.row, .row b { cursor: pointer }</style><div class=row>Lunch <b class=reply>Reply</b><b class=forward>Forward</b></div><script>
done = []; for (const el of document.querySelectorAll('.row, .row b')) el.addEventListener('click', event => done.push(el.className));
</script>"""


async def test_each_of_several_actions_in_a_clickable_row_is_clicked(tab, site):
    await tab.goto(site.page(ACTIONS))
    text = (await tab.snapshot()).text
    ref = next(line for line in text.splitlines() if '"Forward" @' in line).split("@")[1].split()[0]
    await tab.click(f"@{ref}")
    assert (await tab.evaluate("done"))[0] == "forward"


OPENING = """<div id=menu class=dropdown style="width:100px;height:20px">Country</div><div id=items style="width:100px" hidden><p>Chile</p><p>Kenya</p></div><script>
chosen = []; items.style.pointerEvents = 'none'; let frames = 0;
const wait = () => { if (frames++ < 20) requestAnimationFrame(wait); else items.style.pointerEvents = 'auto' };
menu.onclick = () => { items.hidden = false; wait() };
items.onclick = event => { chosen.push(event.target.textContent); menu.textContent = event.target.textContent; items.hidden = true };
</script>"""


async def test_an_option_of_a_list_that_ignores_the_pointer_while_it_opens_is_selected(tab, site):
    await tab.goto(site.page(OPENING))
    await tab.select("#menu", "Kenya")
    assert await tab.evaluate("chosen") == ["Kenya"]
