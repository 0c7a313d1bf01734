"""Boathook itself through the relay: one more CDP client."""

from __future__ import annotations

import boathook


async def test_boathook_works_through_the_relay(pair, site):
    relay, chrome = pair
    url = site.page(
        "<button onclick=\"document.title='clicked'\">Press</button><label>Name<input></label>", title="Own"
    )
    async with await boathook.attach(relay.url) as browser:
        tab = await browser.open(url)
        assert 'button "Press"' in (await tab.snapshot()).text
        await tab.fill("label=Name", "Ada")
        await tab.click("text=Press")
        assert await tab.evaluate("document.title + document.querySelector('input').value") == "clickedAda"
        assert url in await chrome.attached()
