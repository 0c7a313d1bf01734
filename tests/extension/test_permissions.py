"""Permissions that programs are granted: they take effect in their own tabs, or fail, and end with the program."""

from __future__ import annotations

import pytest

from tests.extension.test_fidelity import own_page
from tests.extension.test_playwright import connected, opened, page_at
from tests.support.waiting import until_asked

STATE = "name => navigator.permissions.query({name}).then(found => found.state)"
NAMES = ("geolocation", "notifications", "camera", "microphone", "clipboard-read")


async def test_granted_permissions_take_effect_and_are_cleared(pair, playwright, site):
    async with own_page(pair[0], playwright) as page:
        await page.goto(site.page("asks"))
        assert [await page.evaluate(STATE, name) for name in NAMES] == ["prompt"] * len(NAMES)
        for name in NAMES:
            await page.context.grant_permissions([name])
            assert await page.evaluate(STATE, name) == "granted"
        await page.context.clear_permissions()
        assert [await page.evaluate(STATE, name) for name in NAMES] == ["prompt"] * len(NAMES)


async def test_permissions_are_there_when_the_next_page_asks_for_them(pair, playwright, site):
    asks = site.page("<script>seen = navigator.permissions.query({name: 'geolocation'})</script>")
    async with own_page(pair[0], playwright) as page:
        await page.context.grant_permissions(["geolocation"])
        for origin in (site.origin, site.other_origin, "http://third.test:" + str(site.port)):
            await page.goto(asks.replace(site.origin, origin))
            expected = "prompt" if "third" in origin else "granted"  # not in an insecure context
            state = (
                await page.evaluate("seen.then(found => found.state)") if expected == "granted" else expected
            )
            assert state == expected


async def test_permissions_of_one_origin_are_for_that_alone(pair, playwright, site):
    url = site.page("asks")
    async with own_page(pair[0], playwright) as page:
        await page.context.grant_permissions(["geolocation"], origin=site.other_origin)
        await page.goto(url)
        assert await page.evaluate(STATE, "geolocation") == "prompt"
        await page.goto(url.replace(site.origin, site.other_origin))
        assert await page.evaluate(STATE, "geolocation") == "granted", "the control"


async def test_permissions_end_with_the_program(pair, playwright, site):
    relay, chrome = pair
    url = site.page("asks", title="Asks")
    async with own_page(relay, playwright) as page:
        await page.goto(url)
        await page.context.grant_permissions(["geolocation"])
        assert await page.evaluate(STATE, "geolocation") == "granted", "the control"
    users = await chrome.open(url)
    await chrome.settled(users)

    async def is_as_before():
        return await chrome.evaluate(users, f"({STATE})('geolocation')") == "prompt"

    await until_asked(is_as_before, named="the site has no permission")


async def test_what_cannot_be_granted_fails(pair, playwright, site):
    relay, _ = pair
    url = site.page("asks", title="Asks")
    await opened(pair, url)
    async with connected(relay, playwright) as browser:
        users = page_at(browser, url)
        assert await users.evaluate(STATE, "geolocation") == "prompt"
        with pytest.raises(Exception, match="not in tabs of the user"):
            await users.context.grant_permissions(["geolocation"])
        assert await users.evaluate(STATE, "geolocation") == "prompt"
    async with own_page(relay, playwright) as page:
        await page.goto(site.page("own"))
        with pytest.raises(Exception, match="cannot change the permission"):
            await page.context.grant_permissions(["midi"])


async def test_what_the_user_has_blocked_stays_blocked(pair, playwright, site):
    relay, chrome = pair
    settings = "chrome.contentSettings.location"
    async with own_page(relay, playwright) as page:
        await page.goto(site.page("own"))
        blocked = "() => Promise.resolve({setting: 'block'})"  # no command of Chrome sets what its settings page does
        await chrome.in_worker(f"kept = {settings}.get; {settings}.get = {blocked}; 1")
        try:
            with pytest.raises(Exception, match="the user has blocked location"):
                await page.context.grant_permissions(["geolocation"])
        finally:
            await chrome.in_worker(f"{settings}.get = kept; 1")
        assert await page.evaluate(STATE, "geolocation") == "prompt"
        await page.context.grant_permissions(["geolocation"])
        assert await page.evaluate(STATE, "geolocation") == "granted", "the control"
