"""Playwright on tabs that were there before it came."""

from __future__ import annotations

import pytest

BUTTON = "<button onclick=\"document.title='clicked'\">Press</button><input aria-label=Name>"


@pytest.fixture
async def connected(pair, playwright):
    relay, _ = pair
    browser = await playwright.chromium.connect_over_cdp(relay.url)
    yield browser
    await browser.close()


async def test_case_17_an_open_tab_can_be_used_and_others_stay_untouched(pair, playwright, site):
    relay, chrome = pair
    url, other = site.page(BUTTON, title="First"), site.page("quiet", title="Second")
    await chrome.open(url)
    await chrome.open(other)
    await relay.has_tab(url)
    await relay.has_tab(other)
    browser = await playwright.chromium.connect_over_cdp(relay.url)
    try:
        pages = browser.contexts[0].pages
        assert {url, other} <= {page.url for page in pages}
        assert await chrome.attached() == []
        page = next(page for page in pages if page.url == url)
        page.set_default_timeout(10_000)
        assert await page.title() == "First"
        assert await page.evaluate("6 * 7") == 42
        await page.get_by_role("button", name="Press").click()
        assert await page.title() == "clicked"
        await page.get_by_label("Name").fill("Ada")
        assert await page.get_by_label("Name").input_value() == "Ada"
        await page.reload()
        assert await page.title() == "First"
        await page.wait_for_load_state("load")
        assert await chrome.attached() == [url]
    finally:
        await browser.close()
