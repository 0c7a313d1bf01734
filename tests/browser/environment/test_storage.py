"""Cookies, storage, and state that survives in a file."""

import json
import stat

import pytest

from boathook.errors import BadRequest, PageError


@pytest.fixture
async def own(browser, site):
    """A tab with separate cookies and storage."""
    tab = await browser.open(site.page("<p>x</p>"), isolated=True)
    yield tab
    await tab.close()


async def test_cookies_are_set_read_and_cleared(own, site):
    await own.set_cookies(
        {"name": "a", "value": "1"},
        {
            "name": "b",
            "value": "2",
            "domain": "127.0.0.1",
            "path": "/",
            "httpOnly": True,
            "expires": 4_000_000_000,
            "sameSite": "Strict",
        },
        {"name": "c", "value": "3", "url": site.other_origin},
    )
    jar = {cookie["name"]: cookie for cookie in await own.cookies()}
    assert set(jar) == {"a", "b", "c"}
    assert jar["a"]["expires"] == -1
    assert (jar["b"]["httpOnly"], jar["b"]["sameSite"]) == (True, "Strict")
    assert await own.evaluate("document.cookie") == "a=1"
    assert {cookie["name"] for cookie in await own.cookies(site.origin)} == {"a", "b"}
    assert await own.clear_cookies("b") == 1
    assert {cookie["name"] for cookie in await own.cookies()} == {"a", "c"}
    assert await own.clear_cookies() == 2
    assert await own.cookies() == []


async def test_one_cookie_is_set_by_its_parts(own, site):
    await own.set_cookie("a", "1")
    await own.set_cookie(
        "b", "2", domain="127.0.0.1", path="/", expires=4e9, http_only=True, same_site="Strict"
    )
    await own.set_cookie("c", "3", url=site.other_origin)
    jar = {cookie["name"]: cookie for cookie in await own.cookies()}
    assert set(jar) == {"a", "b", "c"}
    assert (jar["a"]["httpOnly"], jar["a"]["secure"], jar["a"]["expires"]) == (False, False, -1)
    assert (jar["b"]["httpOnly"], jar["b"]["sameSite"]) == (True, "Strict")
    assert jar["b"]["expires"] > 0
    with pytest.raises(BadRequest):
        await own.set_cookie("a", "x;y")


@pytest.mark.parametrize(
    "cookie",
    [
        {},
        {"name": "a"},
        {"name": "", "value": "x"},
        {"name": "a", "value": 7},
        {"name": "a", "value": "x;y"},
        {"name": "a\r\n", "value": "x"},
        {"name": "a", "value": "x" * 5000},
        {"name": "a", "value": "secret-x", "sameSite": "Maybe"},
        {"name": "a", "value": "secret-x", "colour": "red"},
        {"name": "a", "value": "secret-x", "domain": "not a domain/"},
    ],
)
async def test_a_cookie_that_cannot_be_is_refused_without_showing_its_value(own, cookie):
    with pytest.raises(BadRequest) as caught:
        await own.set_cookies(cookie)
    assert "secret" not in str(caught.value)
    assert await own.cookies() == []


@pytest.mark.parametrize("area", ["local", "session"])
async def test_storage_is_set_read_and_cleared(own, area):
    await own.set_storage({"a": "1", "b": 'quote " and \u2028', "length": "7"}, area=area)
    assert await own.storage(area) == {"a": "1", "b": 'quote " and \u2028', "length": "7"}
    assert await own.evaluate(f"{area}Storage.getItem('b')") == 'quote " and \u2028'
    await own.clear_storage("a", area=area)
    assert set(await own.storage(area)) == {"b", "length"}
    await own.clear_storage(area=area)
    assert await own.storage(area) == {}


async def test_a_page_without_storage_says_so(own):
    await own.goto("data:text/html,x")
    with pytest.raises(PageError, match="no storage"):
        await own.storage()
    with pytest.raises(BadRequest):
        await own.storage("global")
    with pytest.raises(BadRequest):
        await own.set_storage({"a": 1})


async def test_full_storage_says_so(own):
    with pytest.raises(PageError, match="full"):
        await own.set_storage({"a": "x" * 6_000_000})


async def test_state_is_saved_privately_and_loaded_into_another_context(own, browser, site, tmp_path):
    inner = site.page("<script>localStorage.inner = 'yes'</script>").replace(site.origin, site.other_origin)
    await own.goto(site.page(f"<iframe src={inner}></iframe>"))
    await own.set_cookies({"name": "login", "value": "token"})
    await own.set_storage({"theme": "dark"})
    await own.set_storage({"step": "2"}, area="session")
    path = tmp_path / "new" / "state.json"
    saved = await own.save_state(path)
    assert (saved.cookies, set(saved.origins), saved.skipped) == (1, {site.origin, site.other_origin}, ())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    raw = json.loads(path.read_text())
    assert set(raw["cookies"][0]) >= {
        "name",
        "value",
        "domain",
        "path",
        "expires",
        "httpOnly",
        "secure",
        "sameSite",
    }
    assert raw["origins"][0]["localStorage"] == [{"name": "theme", "value": "dark"}]

    before = {tab.id for tab in await browser.tabs()}
    other = await browser.open(site.page("<p>y</p>"), isolated=True)
    asked = len(site.requests)
    loaded = await other.load_state(path)
    assert (loaded.cookies, set(loaded.origins), loaded.skipped) == (1, {site.origin, site.other_origin}, ())
    assert set(site.requests[asked:]) <= {"/favicon.ico"}, (
        "other origins are visited without asking their servers"
    )
    assert await other.storage() == {"theme": "dark"}
    assert await other.storage("session") == {"step": "2"}
    assert await other.evaluate("document.cookie") == "login=token"
    await other.goto(site.page("<p>z</p>").replace(site.origin, site.other_origin))
    assert await other.storage() == {"inner": "yes"}
    assert {tab.id for tab in await browser.tabs()} - before == {other.id}, "no visitor is left"
    await other.close()


async def test_a_file_that_playwright_wrote_is_understood_and_odd_origins_are_reported(own, tmp_path, site):
    path = tmp_path / "state.json"
    cookie = {
        "name": "a",
        "value": "b",
        "domain": "127.0.0.1",
        "path": "/",
        "expires": -1,
        "httpOnly": False,
        "secure": False,
        "sameSite": "Lax",
    }
    origins = [
        {"origin": site.origin, "localStorage": [{"name": "k", "value": "v"}]},
        {"origin": "app://x", "localStorage": []},
    ]
    path.write_text(json.dumps({"cookies": [cookie], "origins": origins}))
    loaded = await own.load_state(path)
    assert (loaded.origins, loaded.skipped) == ((site.origin,), ("app://x",))
    assert await own.storage() == {"k": "v"}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"cookies": 1}', '{"origins": ["x"]}', "\x00\x01"])
async def test_a_file_that_is_no_state_is_refused(own, tmp_path, text):
    path = tmp_path / "state.json"
    path.write_text(text)
    with pytest.raises(BadRequest, match="not a state file"):
        await own.load_state(path)
    with pytest.raises(BadRequest, match="no such state file"):
        await own.load_state(tmp_path / "missing.json")
    with pytest.raises(BadRequest, match="cannot be written"):
        await own.save_state(path / "below" / "state.json")
