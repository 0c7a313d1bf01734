"""What came to screenshots and PDF: several elements, thresholds, kinds by name; margins, headers, outlines."""

import io
import re
from typing import TYPE_CHECKING, cast

import pytest
from PIL import Image, ImageChops
from pypdf import PdfReader

from boathook.commands import catalogue
from boathook.commands.results import ScreenshotResult
from boathook.engine.capture.images.grid import centers
from boathook.errors import BadSetting
from boathook.presentation.all_renderers import as_data
from boathook.service.input.command_line import read_line, table_of

if TYPE_CHECKING:
    from boathook.engine.capture.images.screenshot import Picture

BOXES = "<body style='margin:0'>" + "".join(
    f"<div id={name} style='position:absolute;left:{left}px;top:{top}px;width:40px;height:30px;background:{colour}'></div>"
    for name, left, top, colour in (("a", 10, 20, "#f00"), ("b", 200, 100, "#00f"))
)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("page.png", {"path": "page.png"}),
        ("./page.png", {"path": "./page.png"}),
        ("@e4", {"target": "@e4"}),
        ("#press", {"target": "#press"}),
        (".card", {"target": ".card"}),
        ("text=Buy", {"target": "text=Buy"}),
        ("button page.png", {"target": "button", "path": "page.png"}),
        ("@e4 part.png", {"target": "@e4", "path": "part.png"}),
        ("@e4 @e5", {"target": "@e4", "also_show": ["@e5"]}),
        ("@e4 @e5 #x both.png", {"target": "@e4", "also_show": ["@e5", "#x"], "path": "both.png"}),
        ("--target #x page.png", {"target": "#x", "path": "page.png"}),
        ("--screenshot-format jpeg --screenshot-quality 40", {"format": "jpeg", "quality": 40}),
        ("", {}),
    ],
)
def test_words_of_a_line_are_elements_or_the_file(words, meant):
    assert read_line(["screenshot", *words.split()], table_of(catalogue())).arguments == meant


async def test_a_picture_of_several_elements_is_of_the_place_around_them(tab, site):
    await tab.goto(site.page(BOXES))
    shot = await tab.screenshot(target="#a", also_show=["#b"])
    image = Image.open(io.BytesIO(shot.data)).convert("RGB")
    assert image.size == (230, 110)
    assert image.getpixel((5, 5)) == (255, 0, 0)
    assert image.getpixel((225, 105)) == (0, 0, 255)


async def test_a_file_is_what_its_name_says(tab, site, tmp_path):
    await tab.goto(site.page(BOXES))
    for name, kind in (("x.jpg", "JPEG"), ("x.webp", "WEBP"), ("x.png", "PNG"), ("x", "PNG")):
        await tab.screenshot(tmp_path / name)
        assert Image.open(io.BytesIO((tmp_path / name).read_bytes())).format == kind


async def test_if_changed_tells_how_much_and_a_threshold_decides(tab, site, tmp_path):
    await tab.goto(site.page(BOXES))
    first = await tab.screenshot(tmp_path / "1.png", if_changed=True)
    assert (first.changed, first.revision) == (True, 1)
    await tab.evaluate("a.style.background = '#0f0'")
    share = 40 * 30 / (1365 * 768)
    within = await tab.screenshot(tmp_path / "2.png", if_changed=True, threshold=0.01)
    assert (within.changed, within.revision, within.path) == (False, 1, None)
    assert within.ratio == pytest.approx(share)
    assert not (tmp_path / "2.png").exists()
    beyond = await tab.screenshot(tmp_path / "3.png", if_changed=True)
    assert (beyond.changed, beyond.revision, beyond.ratio) == (True, 2, pytest.approx(share))
    assert (tmp_path / "3.png").exists()


def test_data_of_a_picture_has_a_path_only_when_it_was_saved():
    class Fake:
        data = b"12345"
        legend = ()

    shot = ScreenshotResult(picture=cast("Picture", Fake()), changed=False, ratio=0.0, revision=3)
    assert as_data(shot) == {"changed": False, "bytes": 5, "revision": 3, "ratio": 0.0}


async def test_a_pdf_has_headers_margins_outline_and_its_own_size(tab, site):
    await tab.goto(
        site.page(
            "<style>@page { size: 80mm 120mm }</style><h1>First</h1><h2>Part</h2><p style='break-before:page'>More words</p>"
        )
    )
    footer = "<div style='font-size:12px'>Sheet <span class=pageNumber></span> of <span class=totalPages></span></div>"
    read = PdfReader(io.BytesIO((await tab.pdf(footer=footer, outline=True, margins="20,15")).data))
    assert len(read.pages) == 2
    assert "Sheet 2 of 2" in re.sub(r"\s+", " ", read.pages[1].extract_text())
    assert [item.title for item in read.outline if not isinstance(item, list)] == ["First"]
    assert "/StructTreeRoot" in read.root_object
    own = PdfReader(io.BytesIO((await tab.pdf(page_size=True, tagged=False)).data))
    assert [round(float(side) / 72 * 25.4) for side in own.pages[0].mediabox[2:]] == [80, 120]
    assert "/StructTreeRoot" not in own.root_object
    given = PdfReader(io.BytesIO((await tab.pdf(format="100x150")).data))
    assert [round(float(side) / 72 * 25.4) for side in given.pages[0].mediabox[2:]] == [100, 150]


async def test_paper_that_cannot_be_is_refused(lasting_tab):
    for wrong in ({"format": "1x1"}, {"margins": "1,2,3,4,5"}, {"margins": "wide"}, {"margins": "101"}):
        with pytest.raises(BadSetting):
            await lasting_tab.pdf(**wrong)


async def test_a_grid_labels_cells_with_points_that_can_be_pressed(tab, site):
    await tab.goto(
        site.page(BOXES + "<script>onclick = event => { document.title = event.target.id }</script>")
    )
    plain, shot = await tab.screenshot(), await tab.screenshot(grid=100)
    before, after = (Image.open(io.BytesIO(view.data)).convert("RGB") for view in (plain, shot))
    assert before.size == after.size
    different = ImageChops.difference(before, after)
    assert different.crop((100, 0, 101, 50)).getbbox() is not None, "the line between two cells"
    assert different.crop((2, 2, 40, 12)).getbbox() is not None, "the label of the first one"
    assert different.crop((45, 45, 55, 55)).getbbox() is None, "its middle is clear"
    assert centers(250, 100, cell=100) == [(50, 50), (150, 50), (225, 50)]
    await tab.click("220,110")
    assert await tab.title() == "b"


async def test_a_grid_is_of_the_viewport(tab):
    for other in ({"full_page": True}, {"target": "body"}):
        with pytest.raises(BadSetting, match="points of the viewport"):
            await tab.screenshot(grid=100, **other)
