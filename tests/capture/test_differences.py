"""Diffs: of snapshots without their refs, of screenshots with masks, of two URLs."""

import io

import pytest
from PIL import Image, ImageDraw, ImageOps

from boathook.engine.diff.image_diff import GONE, NEW, compare_pictures
from boathook.errors import BadRequest, BadTarget, TargetNotFound
from boathook.presentation.all_renderers import as_data, as_text

PAGE = "<h1>Shop</h1><button>Buy</button><button id=sell>Sell</button><p class=clock>{time}</p><p class=clock>{time}</p>"
LOOK = "<body style='margin:0;background:#fff'><div class=clock style='width:100px;height:50px;background:{colour}'></div><div style='height:40px;width:10px;background:#000'></div>"


def png(size, *, black=()):
    image = Image.new("RGB", size, "white")
    for box in black:
        ImageDraw.Draw(image).rectangle(box, fill="black")
    out = io.BytesIO()
    image.save(out, format="png")
    return out.getvalue()


async def test_a_snapshot_is_compared_with_the_last_one(tab, site):
    await tab.goto(site.page(PAGE.format(time="9:00")))
    with pytest.raises(TargetNotFound, match="no earlier snapshot"):
        await tab.diff_snapshot()
    await tab.snapshot()
    same = await tab.diff_snapshot()
    assert (same.changed, same.additions, same.removals, same.lines) == (False, 0, 0, ())
    assert same.unchanged == 3
    assert "no difference" in str(same)
    await tab.evaluate(
        "sell.remove(); document.body.append(Object.assign(document.createElement('button'), {textContent: 'Rent'}))"
    )
    other = await tab.diff_snapshot()
    assert [line for line in other.lines if line[0] in "+-"] == ['-button "Sell"', '+button "Rent"']
    assert (other.additions, other.removals, other.unchanged) == (1, 1, 2)
    assert (await tab.diff_snapshot()).changed is False, "the last one is the one that was taken for it"


async def test_refs_do_not_count_and_a_file_is_what_was_printed(tab, site, tmp_path):
    page = site.page(PAGE.format(time="9:00"))
    await tab.goto(page)
    before = tmp_path / "before.txt"
    before.write_text(f"[page content begins 0f: x]\n{await tab.snapshot()}\n[page content ends 0f]\n")
    await tab.goto(page)
    assert (await tab.diff_snapshot(baseline=before)).changed is False, "other refs, the same page"
    await tab.evaluate("sell.textContent = 'Give away'")
    other = await tab.diff_snapshot(baseline=before)
    assert (other.additions, other.removals) == (1, 1)
    part = await tab.diff_snapshot(baseline=before, root="#sell")
    assert part.removals == 3
    with pytest.raises(BadRequest, match="cannot read"):
        await tab.diff_snapshot(baseline=tmp_path / "missing.txt")


async def test_a_picture_is_compared_with_a_file_and_shows_where_it_differs(tab, site, tmp_path):
    await tab.goto(site.page(LOOK.format(colour="#f00")))
    before = tmp_path / "before.png"
    await tab.screenshot(before)
    same = await tab.diff_screenshot(baseline=before)
    assert (same.changed, same.pixels, same.path) == (False, 0, None)
    assert as_text(same) == "the screenshots are identical"
    await tab.evaluate("document.querySelector('.clock').style.background = '#00f'")
    other = await tab.diff_screenshot(baseline=before, path=tmp_path / "diff.png")
    assert (other.pixels, other.total) == (100 * 50, 1365 * 768)
    shown = Image.open(tmp_path / "diff.png").convert("RGB")
    assert shown.getpixel((50, 25)) == NEW, "blue is further from the background than red"
    assert shown.getpixel((400, 300)) == (255, 255, 255)
    assert (await tab.diff_screenshot(baseline=before)).path.read_bytes()[:4] == b"\x89PNG"
    masked = await tab.diff_screenshot(baseline=before, mask=[".clock"])
    assert (masked.changed, masked.masked) == (False, 1)
    assert (await tab.diff_screenshot(baseline=before, threshold=1.0)).changed is False
    with pytest.raises(TargetNotFound):
        await tab.diff_screenshot(baseline=before, mask=["#nowhere"])
    with pytest.raises(BadTarget):
        await tab.diff_screenshot(baseline=before, mask=["!!"])


async def test_sizes_that_differ_are_told_and_count(tab, site, tmp_path):
    await tab.goto(site.page(LOOK.format(colour="#f00")))
    before = tmp_path / "before.png"
    await tab.screenshot(before, target=".clock")
    other = await tab.diff_screenshot(baseline=before, full_page=True)
    assert (other.before_size, other.after_size, other.same_size) == ((100, 50), (1365, 768), False)
    assert "the sizes differ: 100x50 before, 1365x768 now" in as_text(other)
    assert not (await tab.diff_screenshot(baseline=before, target=".clock")).changed
    told, shown = await compare_pictures(png((10, 20)), png((20, 10)))
    assert (told.pixels, told.total) == (400 - 100, 400)
    assert Image.open(io.BytesIO(shown)).size == (20, 20)


async def test_what_is_gone_and_what_is_new_have_different_colours():
    before, after = png((30, 10), black=[(2, 2, 5, 5)]), png((30, 10), black=[(20, 2, 23, 5)])
    _, shown = await compare_pictures(before, after)
    image = Image.open(io.BytesIO(shown)).convert("RGB")
    assert (image.getpixel((3, 3)), image.getpixel((21, 3)), image.getpixel((12, 3))) == (
        GONE,
        NEW,
        (255, 255, 255),
    )
    inverted = [io.BytesIO(), io.BytesIO()]
    for data, out in zip((before, after), inverted, strict=True):
        ImageOps.invert(Image.open(io.BytesIO(data))).save(out, format="png")
    _, shown = await compare_pictures(inverted[0].getvalue(), inverted[1].getvalue())
    image = Image.open(io.BytesIO(shown)).convert("RGB")
    assert (image.getpixel((3, 3)), image.getpixel((21, 3))) == (GONE, NEW), "on a dark page too"


async def test_masks_cover_exactly_their_pixels():
    dotted = png((10, 10), black=[(2, 2, 3, 3)])
    told, _ = await compare_pictures(png((10, 10)), dotted)
    assert told.pixels == 4
    told, _ = await compare_pictures(png((10, 10)), dotted, masks=[(2, 2, 4, 3)])
    assert told.pixels == 2
    told, _ = await compare_pictures(png((10, 10)), dotted, masks=[(-5, -5, 40, 40)])
    assert told.pixels == 0


async def test_files_that_are_no_pictures_are_told(tab, site, tmp_path):
    await tab.goto(site.page("<h1>x</h1>"))
    for content in (b"", b"words", b"\x89PNG\r\n\x1a\nbroken", png((50, 50))[:80]):
        (tmp_path / "x.png").write_bytes(content)
        with pytest.raises(BadRequest, match="not a readable image"):
            await tab.diff_screenshot(baseline=tmp_path / "x.png")
    with pytest.raises(BadRequest, match="cannot read"):
        await tab.diff_screenshot(baseline=tmp_path / "missing.png")


async def test_two_addresses_are_compared_and_the_present_page_stays(browser, tab, site):
    await tab.goto(site.page("<h1>Mine</h1>"))
    await tab.evaluate("window.kept = 1")
    before = await browser.tabs()
    first, second = (
        site.page(LOOK.format(colour=colour) + f"<button>{name}</button>")
        for colour, name in (("#f00", "Old"), ("#00f", "New"))
    )
    told = await tab.diff_url(first, second, screenshot=True)
    assert [line for line in told.lines if line[0] in "+-"] == ['-button "Old"', '+button "New"']
    assert told.pictures.pixels >= 100 * 50
    assert told.pictures.path.read_bytes()[:4] == b"\x89PNG"
    assert await tab.evaluate("window.kept") == 1
    assert len(await browser.tabs()) == len(before)
    same = await tab.diff_url(first, first, screenshot=True, compact=True)
    assert (same.changed, same.pictures.changed) == (False, False)
    assert as_data(same.pictures)["share"] == 0


async def test_rows_that_were_folded_in_the_file_are_folded_now(tab, site, tmp_path):
    rows = "".join(
        f"<li><a href=/{number}>Row {number}</a> <button>Take</button></li>" for number in range(40)
    )
    page = site.page(f"<ul>{rows}</ul>")
    await tab.goto(page)
    folded, whole = tmp_path / "folded.txt", tmp_path / "whole.txt"
    folded.write_text(str(await tab.snapshot()))
    whole.write_text(str(await tab.snapshot(fold=False, budget=None)))
    assert "more" in folded.read_text()
    await tab.goto(page)
    assert (await tab.diff_snapshot(baseline=folded)).changed is False
    assert (await tab.diff_snapshot(baseline=whole)).changed is False
    await tab.evaluate("document.querySelectorAll('a')[30].textContent = 'Other'")
    assert (await tab.diff_snapshot(baseline=whole)).additions == 1


async def test_two_addresses_of_one_document_are_loaded_both(tab, site):
    page = site.page("<h1></h1><script>document.querySelector('h1').textContent = location.hash</script>")
    told = await tab.diff_url(f"{page}#one", f"{page}#two")
    assert (told.additions, told.removals) == (1, 1)
