"""Waiting for tabs that pages open by themselves."""

from tests.support.engine import engine_of
from tests.support.waiting import until


async def next_tab(browser, *, opener, seconds=30):
    """The tab that another one opened, once we work with it."""

    def adopted():
        return [
            tab
            for tab in engine_of(browser).tabs
            if tab.opener and tab.opener.id == opener and tab.frames.main_id
        ]

    await until(adopted, seconds=seconds, named="the popup is a tab of ours")
    return await browser.tab(adopted()[0].id)
