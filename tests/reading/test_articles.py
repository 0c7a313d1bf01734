"""Articles: only their text, with headline, byline and date on top; comments on request."""

from __future__ import annotations

import pytest

from boathook.engine.content.pdf_text import _harmless

PARAGRAPHS = "".join(
    f"<p>On day {day} the ferry left late again, and the crew said that the tide had been lower than expected.</p>"
    for day in range(1, 7)
)
HEAD = """<meta property="og:type" content="article"><meta name="author" content="Ada Quay">
<meta property="article:published_time" content="2024-03-05T08:00:00Z">"""


@pytest.fixture
def tab(lasting_tab):
    return lasting_tab


async def read(tab, site, around, **options):
    body = f"<h1>Ferries run late</h1><div class=story>{PARAGRAPHS}</div>"
    await tab.goto(
        site.page(f"<div id=page>{around.format(body)}</div>", title="Ferries run late", head=HEAD)
    )
    return await tab.read(**options)


COMMENTS = "<ol class=commentlist>" + "".join(
    f"<li class=comment id=comment-{at}><b>Reader {at}</b><p>Remark {at}: {'I waited at the pier for hours. ' * 9}</p></li>"
    for at in range(9)
)
LEFT_OUT = {
    "comments": f"{{}}<div id=comments><h3>9 thoughts on Ferries</h3>{COMMENTS}</ol></div>",
    "related stories": "{}<div class=box><h3>Ähnliche Beiträge</h3><div><a href=/a>Ebb at noon</a></div></div>",
    "teasers": "{}<div>"
    + "<article><h3><a href=/b>Gulls steal lunch again</a></h3><p>Gulls took the lunch of four people on Monday.</p></article>"
    * 3
    + "</div>",
    "author box": "{}<div class=author-bio><p>Ada Quay has written about boats for eleven years, mostly from the pier.</p></div>",
    "tags": "{}<div><p>Filed under</p><p><a href=/t>Harbours of the north</a></p></div>",
    "gallery": "{}<div class=photo-gallery><ul>"
    + "<li><p>A boat in the harbour, seen from the western pier in the early morning light.</p></li>" * 12
    + "</ul></div>",
}


@pytest.mark.parametrize("around", LEFT_OUT.values(), ids=LEFT_OUT)
async def test_what_stands_around_an_article_is_not_read(tab, site, around):
    reading = await read(tab, site, around)
    first, byline, *text = reading.text.split("\n\n")
    assert first == "# Ferries run late"
    assert byline == "Ada Quay · 2024-03-05"
    assert len(text) == 6
    assert text[-1].startswith("On day 6 ")


async def test_headline_byline_and_date_are_printed_once(tab, site):
    reading = await read(tab, site, "<p class=byline>By Ada Quay</p><p>5 March 2024</p>{}")
    assert reading.text.count("Ada Quay") == 1
    assert reading.text.count("March") + reading.text.count("2024-03") == 1
    assert reading.byline == "Ada Quay"
    assert reading.published == "2024-03-05T08:00:00Z"


async def test_comments_are_read_on_request_after_the_text(tab, site):
    reading = await read(tab, site, LEFT_OUT["comments"], comments=True)
    text, _, comments = reading.text.partition("9 thoughts on Ferries")
    assert "On day 6 " in text
    assert "Remark 0" not in text
    assert "Remark 8" in comments


async def test_a_caption_is_said_with_its_picture(tab, site):
    figure = (
        "<figure><img alt='' src=/b.jpg width=90 height=90><figcaption>The pier at dawn</figcaption></figure>"
    )
    reading = await read(
        tab, site, f"{{}}{figure}<p>The harbour office did not want to say more about it on Tuesday.</p>"
    )
    assert f"![The pier at dawn]({site.origin}/b.jpg)" in reading.text
    assert reading.text.count("The pier at dawn") == 1


async def test_only_the_article_with_the_title_is_read_when_others_follow(tab, site):
    other = f"<div class=entry><h1>Another day</h1>{PARAGRAPHS.replace('ferry', 'train')}</div>"
    reading = await read(tab, site, f"<div class=list><div class=entry>{{}}</div>{other}{other}</div>")
    assert "ferry" in reading.text
    assert "train" not in reading.text


REMARKS = "".join(
    f"<div class=comment><p>Remark {at}: {'I waited at the pier for hours. ' * 5}</p></div>"
    for at in range(4)
)
ASIDE = "<div class=column><p>{}</p></div>".format(
    "The harbour office is open on weekdays from nine to five, and on the first Saturday of each month. " * 8
)
WRAPPED = {
    "beside comments": f"<div class=left><div class=text>{PARAGRAPHS}</div>{REMARKS}</div>{ASIDE}",
    "named for comments": f"<div class=article-comments><div class=text>{PARAGRAPHS}</div>{REMARKS}</div>{ASIDE}",
    "named for a gallery": f"<div class=gallery><img src=/a><img src=/b><img src=/c>{PARAGRAPHS}</div>{ASIDE}",
    "outside main": f"<main><p>{'The pier is closed today. ' * 30}</p></main><div class=text>{PARAGRAPHS * 2}</div>",
    "in sections with headings": "<section class=part><h2>Ferries run late</h2>{0}</section>"
    "<section class=part><h2>What the crew says</h2>{0}</section>".format(
        PARAGRAPHS.replace("day", "trip", 1)
    ),
}


@pytest.mark.parametrize("body", WRAPPED.values(), ids=WRAPPED)
async def test_an_article_is_found_whatever_is_around_it(tab, site, body):
    heading = "" if "<h2>" in body else "<h1>Ferries run late</h1>"
    await tab.goto(site.page(f"<div id=page>{heading}{body}</div>", title="Ferries run late", head=HEAD))
    reading = await tab.read()
    assert reading.text.count("the ferry left late again") == body.count("the ferry left late again")
    assert "Remark" not in reading.text


LINE = (
    "The ferry left late again, and the crew said that the tide had been lower than expected, as it often is."
)
KEPT_WHOLE = {
    "paragraphs marked as behind a paywall": f"<div class=story>{f'<p>{LINE}</p>' * 4}"
    + f"<p class=paywall>{LINE}</p>" * 2
    + "</div>",
    "columns with a few paragraphs each": f"<div class=row><div class=column><p>{LINE}</p><p>{LINE}</p></div></div>"
    * 3,
    "a section called discussion": f"<section><h2>Results</h2>{f'<p>{LINE}</p>' * 4}</section>"
    f"<section><h2>Discussion</h2>{f'<p>{LINE}</p>' * 2}</section>",
    "a list of other stories as microdata beside it": f"<div class=story>{f'<p>{LINE}</p>' * 6}</div>"
    "<div itemscope itemtype=http://schema.org/ItemList>"
    + "<p><a href=/g>Gulls steal lunch again</a> Gulls took the lunch of four visitors on Monday.</p>" * 9
    + "</div>",
    "a long notice of another kind above it": "<div class=notice><p>"
    + "We use this site to show timetables, prices, maps and pictures of boats. " * 12
    + f"</p></div><h1>Ferries run late</h1><div class=story>{f'<p>{LINE}</p>' * 6}</div>",
    "other stories above it": "".join(
        f"<div class=entry><h2><a href=/{at}>Gulls steal lunch number {at}</a></h2><p>{'Gulls took a lunch on Monday, as they do. ' * 4}</p></div>"
        for at in range(8)
    )
    + f"<h1>Ferries run late</h1><div class=story>{f'<p>{LINE}</p>' * 6}</div>",
}


@pytest.mark.parametrize("body", KEPT_WHOLE.values(), ids=KEPT_WHOLE)
async def test_all_of_an_article_is_read_and_nothing_else(tab, site, body):
    await tab.goto(site.page(f"<div id=page>{body}</div>", title="Ferries run late", head=HEAD))
    reading = await tab.read()
    assert reading.text.count(LINE) == 6
    assert "Gulls" not in reading.text
    assert "timetables" not in reading.text


SHORT_LINES = {
    "a first sentence with a year": "<p>The line has been running since 1998, with one ferry.</p>{}",
    "a last paragraph that begins as a notice does": "{}<p>For more than a decade nobody on the island had asked for a "
    "timetable, and now that there is one, it hangs in the wind beside the ticket office, torn, and "
    "read by gulls and by visitors from the mainland, who laugh about it and then wait, for hours, as "
    "everyone before them has waited, until a light is seen between the rocks.</p>",
    "a poem": "{}"
    + "".join(
        f"<p>{line} the water, slow and wide</p>"
        for line in ["Over", "Under", "Across", "Along", "Beside", "Below", "Above"]
    ),
}


@pytest.mark.parametrize("around", SHORT_LINES.values(), ids=SHORT_LINES)
async def test_short_lines_at_the_ends_of_an_article_are_read(tab, site, around):
    reading = await read(tab, site, around)
    wanted = around.replace("{}", "").replace("</p>", "").split("<p>")[1:]
    assert [line for line in wanted if line not in reading.text.split("\n\n")] == []


def test_ligatures_of_a_pdf_are_spelled_out():
    assert _harmless("e\ufb03cient \ufb01les \ufb02ow o\ufb00") == "efficient files flow off"
