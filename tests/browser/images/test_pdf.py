"""Pages are printed to PDF, and PDFs that the browser shows are saved as they are."""

import pytest

from boathook.errors import BadRequest, BadSetting


async def test_a_page_is_printed_to_a_file(tab, site, tmp_path):
    await tab.goto(site.page("<h1>Report</h1><p style='break-before: page'>Second</p>"))
    path = tmp_path / "new" / "report.pdf"
    printed = await tab.pdf(path)
    assert (printed.path, printed.pages, printed.printed) == (path, 2, True)
    assert path.read_bytes() == printed.data
    assert printed.data.startswith(b"%PDF-")
    assert (await tab.pdf(pages="2")).pages == 1


async def test_paper_and_direction_are_those_that_were_asked_for(tab, site):
    await tab.goto(site.page("<p>x</p>"))
    assert b"/MediaBox [0 0 612 792]" in (await tab.pdf(format="letter")).data
    assert b"/MediaBox [0 0 792 612]" in (await tab.pdf(format="letter", landscape=True)).data


@pytest.mark.parametrize(
    "options",
    [{"format": "napkin"}, {"scale": 3}, {"scale": 0}, {"margin_mm": -1}, {"pages": "one"}, {"pages": "7-9"}],
)
async def test_paper_that_cannot_be_is_refused(tab, site, options):
    await tab.goto(site.page("<p>x</p>"))
    with pytest.raises(BadSetting):
        await tab.pdf(**options)


async def test_a_path_that_cannot_be_written_is_refused(tab, site, tmp_path):
    await tab.goto(site.page("<p>x</p>"))
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadRequest, match="cannot be written"):
        await tab.pdf(tmp_path / "file" / "x.pdf")


async def test_a_pdf_in_the_browsers_viewer_is_saved_as_it_is(tab, site, tmp_path):
    await tab.goto(site.page("<h1>Original</h1>"))
    original = (await tab.pdf()).data
    site._given["given/shown.pdf"] = ("application/pdf", original)
    await tab.goto(site.url("given/shown.pdf"))
    saved = await tab.pdf(tmp_path / "shown.pdf")
    assert saved.printed is False
    assert (tmp_path / "shown.pdf").read_bytes() == original
