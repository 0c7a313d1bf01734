"""Selecting pages of an attached browser on the command line."""

import asyncio
from urllib.request import Request, urlopen

import pytest

from tests.support.chromium import foreign_chromium, port_of
from tests.support.waiting import until

pytestmark = pytest.mark.slow


async def test_a_page_is_taken_by_words_of_its_title_or_address_when_only_one_has_them(program, site):
    shop, news = site.page("<p>x</p>", title="The Shop"), site.page("<p>x</p>", title="The News") + "?t77"
    with foreign_chromium() as (_process, profile):
        port = await port_of(profile)
        for url in (shop, news):
            asked = Request(f"http://127.0.0.1:{port}/json/new?{url}", method="PUT")
            (await asyncio.to_thread(urlopen, asked)).close()
        theirs = ("--session", "theirs", "--cdp", str(port))

        def both_are_there():
            seen = program(*theirs, "pages").stdout
            return "The Shop" in seen and "The News" in seen

        await until(both_are_there, named="both pages have their titles")
        assert shop in program(*theirs, "tab", "the shop").stdout.split()
        assert program(*theirs, "get", "title").stdout == "The Shop\n"
        assert program(*theirs, "--tab", news, "get", "title").stdout == "The News\n"
        for words, said in (
            ("the", "several pages match 'the'"),
            ("bank", "no page matches 'bank'"),
        ):
            refused = program(*theirs, "tab", words)
            assert refused.returncode != 0
            assert said in refused.stderr
            assert f"'The News' {news}" in refused.stderr
        gone = program(*theirs, "tab", "t77")
        assert "no such tab in this session: 't77'" in gone.stderr, (
            "an id is no words, whatever addresses look like"
        )
        program(*theirs, "close")


def test_in_a_browser_of_ours_tabs_have_ids_and_labels_only(program, site):
    program("open", site.page("<p>x</p>", title="The Shop"))
    refused = program("tab", "The Shop")
    assert "no such tab in this session: 'The Shop'; open: t1" in refused.stderr
