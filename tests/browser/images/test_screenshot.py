"""Screenshots: what they show, how large they are, where they go."""

import io

import pytest
from PIL import Image

from boathook.errors import BadSetting, TargetError, TargetNotFound
from tests.support.popups import next_tab

TALL = "<body style='margin:0'><div style='height:3000px;background:rgb(0,128,0)'></div>"


def opened(shot):
    return Image.open(io.BytesIO(shot.data)).convert("RGB")


async def test_the_viewport_is_captured_as_it_is_scrolled(tab, site):
    await tab.goto(site.page(TALL + "<div style='height:800px;background:rgb(0,0,200)'></div>"))
    assert opened(await tab.screenshot()).size == (1365, 768)
    await tab.evaluate("scrollTo(0, 1e6)")
    assert opened(await tab.screenshot()).getpixel((600, 700)) == (0, 0, 200)


async def test_the_full_page_is_captured_whole(tab, site):
    await tab.goto(site.page(TALL))
    shot = await tab.screenshot(full_page=True)
    assert opened(shot).size[1] == 3000
    assert shot.shows.height == 3000


async def test_a_page_beyond_the_largest_texture_says_what_is_missing(tab, site):
    await tab.goto(site.page(TALL.replace("3000", "30000")))
    shot = await tab.screenshot(full_page=True)
    assert opened(shot).size[1] == 16384
    assert "30000" in shot.notes[0]


async def test_an_element_below_the_fold_is_captured_alone(tab, site):
    await tab.goto(
        site.page(TALL + "<div id=it style='width:120px;height:50px;background:rgb(200,0,0)'></div>")
    )
    image = opened(await tab.screenshot(target="#it"))
    assert image.size == (120, 50)
    assert image.getpixel((60, 25)) == (200, 0, 0)


async def test_an_element_in_a_frame_of_another_process_is_captured_in_its_place(tab, site):
    inner = site.page(
        "<button style='position:absolute;left:30px;top:20px;width:80px;height:30px;background:rgb(9,9,200);border:0'>In</button>"
    )
    inner = inner.replace("127.0.0.1", "localhost")
    await tab.goto(
        site.page(f"<div style='height:100px'></div><iframe width=300 height=200 src='{inner}'></iframe>")
    )
    view = await tab.snapshot()
    ref = next(line for line in view.lines if '"In"' in line).split("@")[1].split()[0]
    image = opened(await tab.screenshot(target=ref))
    assert image.size == (80, 30)
    assert image.getpixel((5, 5)) == (9, 9, 200)


async def test_tabs_that_lie_behind_others_are_captured_too(tab, browser, site):
    await tab.goto(site.page("<h1>Behind</h1>"))
    others = [await browser.open(site.page("<h1>Front</h1>")) for _ in range(3)]
    await tab.evaluate(f"window.open({site.page('<p>popup</p>')!r}) && 0")
    await next_tab(browser, opener=tab.id)
    for known in (tab, *others):
        assert (await known.screenshot(timeout=30)).data


async def test_annotations_draw_the_refs_of_the_snapshot(tab, site):
    await tab.goto(site.page("<button style='margin:100px;width:200px;height:60px'>Press</button>"))
    plain, drawn = opened(await tab.screenshot()), opened(await tab.screenshot(annotate=True))
    assert plain.size == drawn.size
    changed = [x for x in range(plain.width) if plain.getpixel((x, 108)) != drawn.getpixel((x, 108))]
    assert changed
    assert min(changed) >= 100
    assert max(changed) <= 320


async def test_formats_and_quality_are_checked(tab, site, tmp_path):
    await tab.goto(site.page("x"))
    assert (await tab.screenshot(format="jpeg", quality=40)).data.startswith(b"\xff\xd8")
    for wrong in (
        {"format": "gif"},
        {"quality": 50},
        {"format": "jpeg", "quality": 400},
        {"target": "body", "full_page": True},
    ):
        with pytest.raises(BadSetting):
            await tab.screenshot(**wrong)
    with pytest.raises(TargetNotFound):
        await tab.screenshot(target="#nonesuch")
    with pytest.raises(BadSetting, match="cannot be written"):
        await tab.screenshot("/proc/nonesuch/x.png")
    saved = await tab.screenshot(tmp_path / "deep" / "x.png")
    assert saved.path.read_bytes() == saved.data


async def test_an_element_without_a_box_says_so(tab, site):
    await tab.goto(site.page("<div id=none style='display:none'></div>"))
    with pytest.raises(TargetError, match="nothing to capture"):
        await tab.screenshot(target="#none")
