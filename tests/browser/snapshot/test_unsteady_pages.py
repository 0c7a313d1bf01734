"""Snapshots of pages that replace themselves, are still loading, open dialogs while they load, or mislead about links."""

import re

import pytest

from boathook.errors import DialogOpen, TabCrashed


async def test_a_page_that_reloads_itself_all_the_time_is_read_every_time(tab, site):
    await tab.goto(site.page("<button>Go</button>", head="<meta http-equiv=refresh content=0.2>"))
    for _ in range(4):
        assert 'button "Go"' in str(await tab.snapshot())


async def test_a_page_that_is_still_loading_says_so(tab, site):
    await tab.goto(site.url("/two-parts"), wait_until="commit")
    text = str(await tab.snapshot())
    assert 'button "First"' in text
    assert "note: the page is still loading" in text
    site.release.set()
    await tab.wait_for_load("load")
    text = str(await tab.snapshot())
    assert 'button "Second"' in text
    assert "still loading" not in text


@pytest.mark.parametrize("kind", ["confirm", "prompt"])
async def test_opening_a_page_that_asks_names_the_dialog_and_how_to_answer(kind, tab, site):
    with pytest.raises(DialogOpen, match=rf"a {kind} dialog is open: 'Sure\?'") as caught:
        await tab.goto(site.page(f"<script>{kind}('Sure?')</script><p>after</p>"))
    assert "accept_dialog" in caught.value.hint
    await tab.accept_dialog()
    assert '"after"' in str(await tab.snapshot())


async def test_an_alert_while_a_page_loads_is_reported(tab, site):
    arrived = await tab.goto(site.page("<body onload=\"alert('Hello there')\">"))
    assert [(dialog.kind, dialog.message, dialog.answer) for dialog in arrived.dialogs] == [
        ("alert", "Hello there", "accepted")
    ]
    assert (await tab.goto(site.page("<p>quiet"))).dialogs == ()


async def test_a_page_stopped_for_its_alerts_is_not_called_crashed(tab, site):
    with pytest.raises(TabCrashed, match=r"Boathook stopped the page in tab .*: it opened dialogs"):
        await tab.goto(site.page("<script>while (true) alert('again')</script>"))
    with pytest.raises(TabCrashed, match="Boathook stopped the page"):
        await tab.snapshot()
    assert (await tab.goto(site.page("<p>next", title="Next"))).title == "Next"


async def test_a_link_whose_text_names_another_host_shows_where_it_leads(tab, site):
    await tab.goto(
        site.page(
            "<a href='http://evil.invalid/login'>bank.example</a><a href='http://evil.invalid/'>see https://bank.example/a now</a>"
            "<a href='http://www.bank.example/'>bank.example</a><a href='http://evil.invalid/'>README.md</a>"
            "<a href='http://evil.invalid/'>Sign in.</a><a href='mailto:me@bank.example'>me@bank.example</a>"
        )
    )
    text = str(await tab.snapshot())
    assert re.search(r'^link "bank.example" @e\d+ -> evil.invalid$', text, re.MULTILINE)
    assert re.search(r'^link "see https://bank.example/a now" @e\d+ -> evil.invalid$', text, re.MULTILINE)
    assert text.count("->") == 2
