"""Cookies of the user's profile, as programs read, set and clear them."""

from __future__ import annotations

import pytest

from tests.extension.chrome import RawClient
from tests.extension.test_fidelity import own_page
from tests.support.waiting import until

USERS = "http://user.test/"
OTHER = "http://other.test/"
DENIED = "http://denied.test/"


async def set_by_user(chrome, url, name, **more):
    given = {"url": url, "name": name, "value": "v", **more}
    await chrome.in_worker(f"chrome.cookies.set({given!r}).then(made => made.name)".replace("True", "true"))


@pytest.fixture
async def jar(pair):
    """The browser, without cookies before and after."""
    _, chrome = pair
    clear = (
        "chrome.cookies.getAll({partitionKey: {}}).then(all => Promise.all(all.map(one => chrome.cookies.remove("
        "{url: `http${one.secure ? 's' : ''}://${one.domain.replace(/^[.]/, '')}${one.path}`, name: one.name}))))"
    )
    await chrome.in_worker(clear)
    yield chrome
    await chrome.in_worker(clear)


async def names_of(chrome):
    return sorted(await chrome.in_worker("chrome.cookies.getAll({}).then(all => all.map(one => one.name))"))


def names(cookies):
    return sorted(cookie["name"] for cookie in cookies)


async def test_playwright_reads_sets_and_clears_cookies(pair, jar, playwright, site):
    async with own_page(pair[0], playwright) as page:
        context = page.context
        await page.goto(site.page("cookies"))
        await page.evaluate("document.cookie = 'page=1; path=/'")
        given = {"name": "made", "value": "2", "url": site.origin, "httpOnly": True, "sameSite": "Strict"}
        await context.add_cookies([given, {**given, "name": "later", "expires": 4_000_000_000}])
        seen = {cookie["name"]: cookie for cookie in await context.cookies(site.origin)}
        made = {
            "value": "2",
            "httpOnly": True,
            "secure": False,
            "sameSite": "Strict",
            "expires": -1,
            "path": "/",
        }
        assert {name: seen["made"][name] for name in made} == made
        assert seen["later"]["expires"] > 0
        assert seen["page"]["sameSite"] == "Lax"
        assert names((await context.storage_state())["cookies"]) == ["later", "made", "page"]
        await context.clear_cookies(name="made")
        assert names(await context.cookies()) == ["later", "page"]
        await context.clear_cookies()
        assert await context.cookies() == []


async def test_clearing_cookies_leaves_those_of_sites_that_only_the_user_visited(pair, jar, playwright, site):
    until_later = {"expirationDate": 4_000_000_000}
    await set_by_user(jar, USERS, "login", **until_later, sameSite="lax")
    await set_by_user(jar, site.origin, "visited", **until_later)
    async with own_page(pair[0], playwright) as page:
        context = page.context
        await page.goto(site.page("the program's own tab"))
        assert names(await context.cookies()) == ["login", "visited"]
        await context.clear_cookies()
        assert names(await context.cookies()) == ["login"]
        await context.add_cookies([{"name": "own", "value": "1", "url": OTHER}])
        await context.clear_cookies()
        assert await names_of(jar) == ["login"], "and what it set itself is gone"


async def test_cookies_that_a_program_writes_back_unchanged_are_not_written(pair, jar, raw):
    await set_by_user(jar, "https://user.test/", "kept", secure=True, expirationDate=4_000_000_000.5)
    cookies = (await raw.send("Storage.getCookies"))["cookies"]
    changes = []
    link = pair[0].profile.link
    post = link.post

    def noting(method, params, *rest, **more):
        changes.extend(cookie["name"] for cookie in params.get("set", []))
        post(method, params, *rest, **more)

    link.post = noting
    try:
        await raw.send("Storage.setCookies", {"cookies": cookies})
        assert changes == []
        await raw.send("Storage.setCookies", {"cookies": [{**cookies[0], "value": "other"}]})
    finally:
        del link.post
    assert changes == ["kept"], "the control: another value is written"


async def test_cookies_of_denied_sites_do_not_exist_and_are_never_cleared(pair, jar, playwright, site):
    for url, name in ((DENIED, "secret"), (OTHER, "seen")):
        await set_by_user(jar, url, name)
    await jar.change_settings(deny=["denied.test"])
    await until(lambda: pair[0].profile.settings.get("deny") == ["denied.test"], named="it is denied")
    async with own_page(pair[0], playwright) as page:
        await page.goto(site.page("own"))
        assert names(await page.context.cookies()) == ["seen"]
        assert await page.context.cookies(DENIED) == []
        with pytest.raises(Exception, match="denied"):
            await page.context.add_cookies([{"name": "secret", "value": "mine", "url": DENIED}])
        await page.context.clear_cookies()
    assert await names_of(jar) == ["secret", "seen"]


@pytest.mark.parametrize("limits", [{"readOnly": True}, {"attach": "manual"}])
async def test_cookies_follow_the_limits_that_the_user_sets(pair, jar, raw, limits):
    await set_by_user(jar, USERS, "login")
    assert names((await raw.send("Storage.getCookies"))["cookies"]) == ["login"], (
        "the control: without limits"
    )
    await jar.change_settings(**limits)
    name = next(iter(limits))
    await until(lambda: pair[0].profile.settings.get(name) == limits[name], named="the limit is known")
    answer = await raw.whole("Storage.getCookies")
    assert answer.get("result", {}).get("cookies", []) == []
    assert "error" in await raw.whole(
        "Storage.setCookies", {"cookies": [{"name": "a", "value": "b", "url": USERS}]}
    )
    assert await names_of(jar) == ["login"]


@pytest.mark.parametrize("method", ["Storage.clearCookies", "Network.clearBrowserCookies"])
async def test_a_tabs_own_session_clears_no_more_than_that(pair, jar, site, method):
    await set_by_user(jar, USERS, "login")
    client = await RawClient.connect(pair[0].url)
    try:
        await set_by_user(jar, site.origin, "visited")
        url = site.page("own")
        target = (await client.send("Target.createTarget", {"url": url}))["targetId"]
        attach = {"targetId": target, "flatten": True}
        session = (await client.send("Target.attachToTarget", attach))["sessionId"]
        await client.send(method, session=session)
        assert await names_of(jar) == ["login"]
        await client.send("Target.closeTarget", {"targetId": target})
    finally:
        await client.close()


async def test_a_cookie_that_cannot_be_is_an_error(raw, jar):
    for cookie in ({"name": "x"}, {"name": "a", "value": "b", "url": USERS, "sameSite": "None"}):
        answer = await raw.whole("Storage.setCookies", {"cookies": [cookie]})
        assert answer["error"]["code"] == -32602
    assert await names_of(jar) == []
