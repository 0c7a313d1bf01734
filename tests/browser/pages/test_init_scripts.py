"""Scripts that run before those of a page: in every new document, frame and tab, until they are removed."""

import pytest

from boathook.errors import BadRequest
from tests.support.engine import engine_of
from tests.support.popups import next_tab

SAW = "<script>window.saw = window.early || 'nothing'</script>"


async def test_a_script_runs_before_those_of_the_page_until_it_is_removed(tab, site):
    page = site.page(SAW)
    number = await tab.add_init_script("window.early = 'first'")
    await tab.goto(page)
    assert await tab.evaluate("saw") == "first"
    await tab.remove_init_script(number)
    await tab.goto(page)
    assert await tab.evaluate("saw") == "nothing"
    with pytest.raises(BadRequest, match="no such init script"):
        await tab.remove_init_script(number)


async def test_frames_and_popups_have_it_too(browser, tab, site):
    inner = site.page(SAW + "<script>parent.postMessage(saw, '*')</script>")
    opened = site.page(SAW)
    outer = site.page(
        "<script>window.told = new Promise(done => addEventListener('message', event => done(event.data)))</script>"
        f"<iframe src='{inner}'></iframe>"
        f"<button onclick=\"window.open('{opened}')\">Open</button>"
    )
    number = await tab.add_init_script("window.early = 'everywhere'")
    try:
        await tab.goto(outer)
        assert await tab.evaluate("told") == "everywhere"
        await tab.click("text=Open")
        popup = await next_tab(browser, opener=tab.id)
        await popup.wait_for_url(opened)
        await popup.wait_for_load()
        await popup.reload()
        assert await popup.evaluate("saw") == "everywhere"
    finally:
        await tab.remove_init_script(number)


async def test_a_page_that_had_to_be_replaced_has_it_too(browser_with, site):
    tab = await (await browser_with()).open()
    await tab.add_init_script("window.early = 'lasting'")
    before = engine_of(tab).session.id
    await engine_of(tab).replace_target()
    assert engine_of(tab).session.id != before, "the control: another target is under the tab"
    await tab.goto(site.page(SAW))
    assert await tab.evaluate("saw") == "lasting"


@pytest.mark.parametrize("script", ["", "  "])
async def test_a_script_that_says_nothing_is_refused(tab, script):
    with pytest.raises(BadRequest):
        await tab.add_init_script(script)
