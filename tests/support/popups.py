"""Waiting for tabs that pages open by themselves."""

import asyncio


async def next_tab(browser, *, opener, seconds=10):
    """The tab that another one opened, once we work with it."""
    async with asyncio.timeout(seconds):
        while True:
            for tab in await browser.tabs():
                if tab.opener == opener and tab._engine.frames.main_id:
                    return tab
            await asyncio.sleep(0.01)
