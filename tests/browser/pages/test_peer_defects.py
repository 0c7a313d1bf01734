"""Defects that users of other tools reported: each once, as the behavior that replaces it here."""

import asyncio

import pytest

import boathook
from boathook.errors import BadRequest, BadTarget, BoathookError, NavigationFailed, NotEditable, TimedOut
from tests.support.chromium import foreign_chromium, port_of
from tests.support.engine import engine_of
from tests.support.waiting import until_asked

ENDLESS_MOTION = """
<style>@keyframes turn { to { transform: rotate(360deg) } } #wheel { width: 80px; height: 80px; background: teal;
animation: turn 1s linear infinite }</style><div id=wheel role=img aria-label=Wheel></div>
"""


async def test_an_element_that_never_stands_still_is_captured(tab, site):
    await tab.goto(site.page(ENDLESS_MOTION))
    picture = await tab.screenshot(target="#wheel")
    assert picture.data
    assert min(picture.width, picture.height) >= 80


async def test_names_and_passwords_in_an_address_are_never_shown(tab, site):
    address = site.page("<a href='#more'>More</a>").replace("http://", "http://bob:s3cret@")
    await tab.goto(address)
    # The control: the browser itself has them.
    history = await engine_of(tab).session.send("Page.getNavigationHistory")
    assert "s3cret" in history["entries"][-1]["url"]
    told = [tab.url, str(await tab.snapshot()), str(await tab.click("text=More")), str(await tab.frames())]
    told += [request.url for request in await tab.requests()]
    for bad in (site.url("never"), "http://127.0.0.1:9/"):
        with pytest.raises((NavigationFailed, TimedOut)) as error:
            await tab.goto(bad.replace("http://", "http://bob:s3cret@"), timeout=1)
        told.append(f"{error.value} {error.value.__dict__}")
    assert "127.0.0.1" in told[0]
    assert [text for text in told if "s3cret" in text or "bob" in text] == []


async def test_the_value_of_a_cookie_is_in_no_error_and_no_report(tab, site):
    await tab.goto(site.page("<button onclick=\"document.cookie = 'login=s3cret'\">Log in</button>"))
    told = [str(await tab.click("text=Log in")), str(await tab.snapshot(mode="full"))]
    with pytest.raises(BoathookError) as error:
        await tab.set_cookies({"name": "login", "value": "s3cret", "domain": "not a domain"})
    told.append(f"{error.value} {error.value.__dict__}")
    assert (await tab.cookies())[0]["value"] == "s3cret"
    assert [text for text in told if "s3cret" in text] == []


@pytest.mark.parametrize("target", [5, None, object(), {"ref": "@e1"}, ["#x"], b"#x"])
async def test_something_that_is_no_target_is_a_typed_error(tab, target):
    with pytest.raises(BadTarget, match="a target must be a string"):
        await tab.click(target)


async def test_values_of_a_wrong_type_are_typed_errors(tab, site):
    await tab.goto(site.page("<input id=i><select id=s><option>1</select>"))
    for call in (
        lambda: tab.fill("#i", 5),
        lambda: tab.type("#i", None),
        lambda: tab.press(13),
        lambda: tab.select("#s", 1),
        lambda: tab.goto(None),
    ):
        with pytest.raises(BoathookError):
            await call()
    assert await tab.evaluate("document.querySelector('#i').value") == ""


async def test_a_key_and_a_target_in_the_wrong_order_are_told_apart(tab, site):
    await tab.goto(site.page("<input id=i>"))
    with pytest.raises(BadRequest, match=r"not a key: '#i' \(the key comes first"):
        await tab.press("#i", "Enter")


async def test_typing_adds_to_what_a_field_holds_and_fill_replaces_it(tab, site):
    await tab.goto(site.page("<input id=i value=abc>"))
    await tab.type("#i", "def")
    assert await tab.evaluate("document.querySelector('#i').value") == "abcdef"
    await tab.fill("#i", "x")
    assert await tab.evaluate("document.querySelector('#i').value") == "x"


async def test_a_network_that_is_never_idle_is_told_with_what_was_under_way(tab, site):
    with pytest.raises(TimedOut, match="networkidle"):
        await tab.goto(site.page("<script>fetch('/never')</script>"), wait_until="networkidle", timeout=2)
    assert "/never" in [request.url.removeprefix(site.origin) for request in await tab.requests()]


async def test_focus_is_given_without_a_press_and_refused_where_there_is_none(tab, site):
    await tab.goto(site.page("<input id=i onclick=\"document.title = 'pressed'\"><p id=p>text</p>"))
    await tab.focus("#i")
    assert await tab.evaluate("[document.activeElement.id, document.title]") == ["i", "Test page"]
    with pytest.raises(NotEditable, match="cannot be focused"):
        await tab.focus("#p")


async def test_a_tab_behind_another_one_is_filled_and_clicked_in_a_browser_of_somebody_else(site):
    with foreign_chromium() as (_process, profile):
        browser = await boathook.attach(str(await port_of(profile)))
        try:
            behind = await browser.open(site.page(f"{ENDLESS_MOTION}<input id=i><button>Go</button>"))
            front = await browser.open(site.page("<p>front</p>"))
            await front.bring_to_front()
            await asyncio.gather(behind.fill("#i", "x"), front.title())
            await behind.click("text=Go")
            assert await behind.evaluate("document.querySelector('#i').value") == "x"
        finally:
            await browser.close()


async def test_a_page_that_is_not_painted_is_acted_on_all_the_same(site):
    with foreign_chromium() as (_process, profile):
        browser = await boathook.attach(str(await port_of(profile)))
        try:
            hidden = await browser.tab((await browser.pages())[0].target_id)
            page = f"{ENDLESS_MOTION}<button onclick='this.textContent = 1'>Go</button>"
            await hidden.goto(site.page(page))
            await engine_of(hidden).session.connection.send("Target.createTarget", {"url": "about:blank"})
            painted = "new Promise(done => { requestAnimationFrame(() => done(true)); setTimeout(() => done(false), 500) })"
            await until_asked(
                lambda: hidden.evaluate(f"{painted}.then(one => !one)"), named="the control: no frame comes"
            )
            await hidden.click("#wheel")
            assert "1" in str(await hidden.click("text=Go"))
        finally:
            await browser.close()
