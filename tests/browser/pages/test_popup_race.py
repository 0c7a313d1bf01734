"""A popup goes on to its page while we are still attaching to it."""

import asyncio

from boathook.cdp.cdp_session import CdpSession
from tests.support.engine import engine_of
from tests.support.popups import next_tab
from tests.support.waiting import until

SLOW = "Page.addScriptToEvaluateOnNewDocument"


async def test_a_popup_that_goes_on_while_it_is_attached_to_is_known_by_its_new_address(
    tab, browser, site, monkeypatch
):
    page = site.page("<button>Inside</button>", title="Popup")
    attaching, go_on = asyncio.Event(), asyncio.Event()
    real = CdpSession.post

    def post(session, method, **params):
        reply = real(session, method, **params)
        if method != SLOW:
            return reply
        attaching.set()

        async def late():
            value = await reply
            await go_on.wait()
            return value

        return asyncio.ensure_future(late())

    await tab.goto(site.page("<p>opener"))
    monkeypatch.setattr(CdpSession, "post", post)
    await tab.evaluate("(window.popup = window.open('about:blank')) && 0")
    await attaching.wait()
    await tab.evaluate(f"(window.popup.location = {page!r}) && 0")
    targets = engine_of(browser).targets
    await until(lambda: page in {info.url for info in targets.pages()}, named="the popup is at its page")
    go_on.set()
    popup = await next_tab(browser, opener=tab.id)
    await until(lambda: popup.url == page, named="its address is known")
    assert 'button "Inside"' in str(await popup.snapshot())
