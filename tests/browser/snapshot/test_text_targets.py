"""Targets by text: the text that the page shows, then accessible names; never the source of scripts and styles."""

import pytest

from boathook.errors import AmbiguousTarget, NotVisible, TargetNotFound, TimedOut

PAGE = """<style>.price { color: red } /* styled words */</style>
<div><script>const secret = 'scripted words';</script><p id=status>Status: all systems normal</p></div>
<p id=price>Price: <b>12</b> EUR</p><p id=split>Hello <span hidden>inner secret</span>world</p>
<p style="display:none">concealed words</p><button aria-label="Close the dialog">✕</button>
<img alt="Chart of sales" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<label>Email <input type=email></label><div id=outer>Save <b id=inner>Save</b></div>
<table><tr><td>Total</td><td>5</td></tr></table><input type=submit value="Send now"><p>İstanbul is large</p><p id=after>After it</p>"""


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("all systems normal", "status"),
        ("Price: 12 EUR", "price"),
        ("Hello world", "split"),
        ("Save", "inner"),
        ("after it", "after"),
    ],
)
async def test_shown_text_leads_to_the_smallest_element_that_contains_it(tab, site, text, id):
    await tab.goto(site.page(PAGE))
    assert await tab.evaluate("element => element.id", target=f"text={text}") == id


@pytest.mark.parametrize(
    ("text", "tag"), [("Close the dialog", "BUTTON"), ("Chart of sales", "IMG"), ("Send now", "INPUT")]
)
async def test_an_accessible_name_that_no_text_shows_is_found(tab, site, text, tag):
    await tab.goto(site.page(PAGE))
    assert await tab.evaluate("element => element.tagName", target=f"text={text}") == tag


async def test_a_label_is_found_once_and_not_again_as_the_name_of_its_field(tab, site):
    await tab.goto(site.page(PAGE))
    assert await tab.evaluate("element => element.tagName", target="text=Email") == "LABEL"


@pytest.mark.parametrize("text", ["scripted words", "styled words"])
async def test_the_source_of_scripts_and_styles_is_not_text(tab, site, text):
    await tab.goto(site.page(PAGE))
    with pytest.raises(TargetNotFound):
        await tab.click(f"text={text}")
    with pytest.raises(TimedOut):
        await tab.wait_for_text(text, timeout=0.3)
    await tab.wait_for_text("all systems normal", timeout=5)


@pytest.mark.parametrize("text", ["concealed words", "inner secret"])
async def test_hidden_text_is_called_hidden(tab, site, text):
    await tab.goto(site.page(PAGE))
    with pytest.raises(NotVisible):
        await tab.click(f"text={text}")


async def test_exact_text_is_all_the_text_of_an_element(tab, site):
    await tab.goto(site.page("<p>Save</p><p>Save as</p><p>save</p>"))
    assert await tab.evaluate("element => element.textContent", target='text="Save"') == "Save"
    with pytest.raises(AmbiguousTarget):
        await tab.click("text=Sav")
