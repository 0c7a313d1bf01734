"""Playwright on tabs that were there before it came."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager

import pytest

from tests.extension.chrome import RawClient
from tests.support.waiting import PATIENCE, until, until_asked

BUTTON = "<button onclick=\"document.title='clicked'\">Press</button><input aria-label=Name>"
SECONDS = 20_000


@asynccontextmanager
async def connected(relay, playwright):
    browser = await playwright.chromium.connect_over_cdp(relay.url)
    try:
        yield browser
    finally:
        await browser.close()


def page_at(browser, url):
    page = next(page for page in browser.contexts[0].pages if page.url == url)
    page.set_default_timeout(SECONDS)
    return page


async def opened(pair, *urls):
    relay, chrome = pair
    for url in urls:
        await chrome.open(url)
        await relay.has_tab(url)
        await until(lambda url=url: _is_complete(relay, url), named=f"{url} is loaded")


def _is_complete(relay, url):
    return any(
        tab.url == url and tab.status == "complete" and tab.title for tab in relay.profile.tabs.values()
    )


async def in_front(chrome):
    return await chrome.in_worker("chrome.tabs.query({active: true}).then(all => all.map(one => one.url))")


async def test_case_16_all_tabs_are_there_right_after_connecting_and_none_has_a_debugger(
    pair, playwright, site
):
    relay, chrome = pair
    urls = [site.page(f"page {number}") for number in range(3)]
    await opened(pair, *urls)
    async with connected(relay, playwright) as browser:
        assert set(urls) <= {page.url for page in browser.contexts[0].pages}
        assert await chrome.attached() == []
        await page_at(browser, urls[0]).title()
        assert await chrome.attached() == [urls[0]], "the control: a command attaches"


async def test_case_17_an_open_tab_can_be_used_and_others_stay_untouched(pair, playwright, site):
    relay, chrome = pair
    url, other = site.page(BUTTON, title="First"), site.page("quiet", title="Second")
    await opened(pair, url, other)
    async with connected(relay, playwright) as browser:
        page = page_at(browser, url)
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
    await until_async(chrome.attached, [], "the last client takes the debugger along")


async def until_async(ask, wanted, named):
    async def holds():
        return await ask() == wanted

    await until_asked(holds, named=named)


async def test_case_18_a_frame_of_another_process_can_be_read_and_clicked(pair, playwright, site):
    relay, _ = pair
    inner = site.page(BUTTON + "<p>inner words</p>", title="Inner").replace("127.0.0.1", "localhost")
    same = site.page("<p>same words</p>")
    url = site.page(f"<iframe src='{inner}'></iframe><iframe src='{same}'></iframe>", title="Outer")
    await opened(pair, url)
    async with connected(relay, playwright) as browser:
        page = page_at(browser, url)
        assert await page.title() == "Outer"
        await until(lambda: inner in {frame.url for frame in page.frames}, named="the frame is listed")
        frame = next(frame for frame in page.frames if frame.url == inner)
        assert await frame.inner_text("p") == "inner words"
        await frame.get_by_role("button", name="Press").click()
        assert await frame.title() == "clicked"
        nearby = next(frame for frame in page.frames if frame.url == same)
        assert await nearby.locator("p").inner_text() == "same words"


async def test_case_20_two_clients_read_and_click_the_same_tab(pair, playwright, site):
    relay, _ = pair
    url = site.page("<button onclick='this.textContent = ++n'>go</button><script>n = 0</script>")
    await opened(pair, url)
    async with connected(relay, playwright) as first:
        one = page_at(first, url)
        await one.click("button")
        async with connected(relay, playwright) as second:
            other = page_at(second, url)
            assert await other.inner_text("button") == "1"
            await other.click("button")
            assert await one.inner_text("button") == "2"
            await one.reload()
            assert await other.inner_text("button") == "go"
        await one.click("button")
        assert await one.inner_text("button") == "1", "one client's leaving does not disturb the other"


async def test_case_21_sessions_of_their_own_on_pages_and_frames(pair, playwright, site):
    relay, _ = pair
    inner = site.page("inside").replace("127.0.0.1", "localhost")
    same = site.page("nearby")
    url = site.page(f"<h1>Tree</h1><iframe src='{inner}'></iframe><iframe src='{same}'></iframe>")
    await opened(pair, url)
    async with connected(relay, playwright) as browser:
        page = page_at(browser, url)
        session = await page.context.new_cdp_session(page)
        tree = await session.send("Accessibility.getFullAXTree")
        assert "Tree" in str(tree)
        await until(lambda: {inner, same} <= {frame.url for frame in page.frames}, named="frames are listed")
        frame = next(frame for frame in page.frames if frame.url == inner)
        of_frame = await page.context.new_cdp_session(frame)
        answer = await of_frame.send("Runtime.evaluate", {"expression": "document.body.innerText"})
        assert answer["result"]["value"] == "inside"
        nearby = next(frame for frame in page.frames if frame.url == same)
        with pytest.raises(Exception, match=r"(?i)separate CDP session|target"):
            await page.context.new_cdp_session(nearby)
        assert await page.title(), "the page's own session goes on"


async def test_case_25_a_tab_closed_by_the_user_fails_the_command_at_once(pair, playwright, site):
    relay, chrome = pair
    url = site.page("going")
    await opened(pair, url)
    client = await RawClient.connect(relay.url)
    await client.send(
        "Target.setAutoAttach", {"autoAttach": True, "flatten": True, "waitForDebuggerOnStart": False}
    )
    tab = await relay.has_tab(url)
    session = next(
        event["sessionId"]
        for event in client.seen("Target.attachedToTarget")
        if event["targetInfo"]["url"] == url
    )
    never = client.post(
        "Runtime.evaluate", {"expression": "new Promise(() => 0)", "awaitPromise": True}, session=session
    )
    await until(lambda: tab.is_live, named="the command is under way")
    await chrome.close(tab.target_id)
    answer = await asyncio.wait_for(never, PATIENCE)
    assert re.search("closed|detached|gone", answer["error"]["message"])
    await client.close()


WORKERS = """
<!doctype html><title>Workers</title><output id=own>none</output><output id=shared>none</output><output id=service>none</output><script>
const show = (id, text) => { document.getElementById(id).textContent = text };
const source = text => URL.createObjectURL(new Blob([text]));
new Worker(source('postMessage(6 * 7)')).onmessage = event => show('own', event.data);
new SharedWorker(source('onconnect = event => event.ports[0].postMessage(43)')).port.onmessage = event => show('shared', event.data);
const ask = () => fetch('/workers/from-worker').then(answer => answer.text())
  .then(text => text === '44' ? show('service', text) : setTimeout(ask, 50));  // until it has claimed this page
navigator.serviceWorker.register('/workers/worker.js').then(ask);
</script>
"""
SERVICE = (
    b"oninstall = () => skipWaiting(); onactivate = event => event.waitUntil(clients.claim());"
    b"addEventListener('fetch', event => event.respondWith(event.request.url.endsWith('/from-worker')"
    b" ? new Response('44') : fetch(event.request)));"
)


async def test_case_26_pages_with_workers_of_every_kind_go_on(pair, playwright, site):
    relay, _ = pair
    site._given["workers/worker.js"] = (
        "text/javascript",
        SERVICE,
    )  # in a folder of its own, which is its scope
    site._given["workers/page"] = ("text/html", WORKERS.encode())
    url = site.url("workers/page")
    await opened(pair, url)
    link = relay.profile.link
    async with connected(relay, playwright) as browser:
        page = page_at(browser, url)
        for _ in range(3):
            await page.reload()
            for name, said in (("own", "42"), ("shared", "43"), ("service", "44")):
                await page.locator(f"#{name}", has_text=said).wait_for()
        assert page.workers, "the control: workers are attached to, and go on all the same"
        assert browser.is_connected()
        await page.evaluate(
            "navigator.serviceWorker.getRegistration().then(found => found && found.unregister())"
        )
    assert relay.profile.link is link, "the extension stayed connected"


async def test_case_31_a_new_tab_stays_in_the_background(pair, playwright, site):
    relay, chrome = pair
    url, wanted = site.page("the user looks here"), site.page("<p>new</p>", title="New")
    await opened(pair, url)

    await until_async(
        lambda: in_front(chrome), [url], "the control: the tab that the user opened is in front"
    )
    async with connected(relay, playwright) as browser:
        page = await browser.contexts[0].new_page()
        page.set_default_timeout(SECONDS)
        await page.goto(wanted)
        assert await page.title() == "New"
        await page_at(browser, url).bring_to_front()
        assert await in_front(chrome) == [url]
        await page.close()


async def test_a_new_tab_is_handed_over_after_all_that_has_befallen_it_was_told(pair, raw, monkeypatch):
    """Told later that its blank page began to load, a program would take what it loads there as broken off."""
    relay, chrome = pair
    told = []
    listener = relay.profile.on_message
    monkeypatch.setattr(relay.profile, "on_message", lambda *event: (told.append(event), listener(*event)))
    slower = "(...all) => new Promise((on) => setTimeout(on, 200)).then(() => chrome.tabs.quick(...all))"
    await chrome.in_worker(f"chrome.tabs.quick = chrome.tabs.get; chrome.tabs.get = {slower}; 1")
    try:
        await raw.send("Target.createTarget", {"url": "about:blank"})
        by_then = [params["changed"].get("status") for method, params in told if method == "tab.changed"]
    finally:
        await chrome.in_worker("chrome.tabs.get = chrome.tabs.quick; 1")
    assert {"loading", "complete"} <= set(by_then)


async def test_a_tab_behind_the_users_own_is_pictured_again_and_again(pair, playwright, site):
    relay, chrome = pair
    url, front = site.page(BUTTON, title="Behind"), site.page("in front")
    await opened(pair, url, front)
    await until_async(lambda: in_front(chrome), [front], "the control: another tab is in front")
    async with connected(relay, playwright) as browser:
        page = page_at(browser, url)
        for _ in range(6):
            assert await page.screenshot()
    assert await in_front(chrome) == [front]


async def test_case_32_the_colour_scheme_of_a_tab_of_the_user_stays(pair, playwright, site):
    relay, chrome = pair
    url = site.page("scheme")
    await opened(pair, url)
    target = next(target for target in await chrome.targets() if target["url"] == url)
    await chrome.settled(target)
    ask = "['dark', 'light', 'no-preference'].filter(s => matchMedia(`(prefers-color-scheme: ${s})`).matches) + '/' + innerWidth + '/' + devicePixelRatio"
    await chrome.command(
        target["webSocketDebuggerUrl"], "Page.bringToFront"
    )  # an occluded tab answers media queries late
    before = await chrome.evaluate(target, ask)
    async with connected(relay, playwright) as browser:
        page = page_at(browser, url)
        assert await page.evaluate(ask) == before
        await page.emulate_media(color_scheme="dark" if "light" in before else "light")
        await page.set_viewport_size({"width": 333, "height": 444})
        assert await chrome.evaluate(target, ask) == before
        own = await browser.contexts[0].new_page()
        await own.emulate_media(color_scheme="dark" if "light" in before else "light")
        assert (await own.evaluate(ask)).split("/")[0] != before.split("/")[0], (
            "the control: its own tab obeys"
        )
        await own.close()


async def test_case_33_a_popup_of_a_driven_tab_is_there(pair, playwright, site):
    relay, _ = pair
    wanted = site.page("<p>popped</p>", title="Popup")
    url = site.page(f"<a href='{wanted}' target=_blank>open</a>")
    await opened(pair, url)
    async with connected(relay, playwright) as browser:
        page = page_at(browser, url)
        async with page.context.expect_page(timeout=SECONDS) as coming:
            await page.click("a")
        popup = await coming.value
        await popup.wait_for_url(wanted)
        assert await popup.inner_text("p") == "popped"
        await popup.close()


async def test_case_34_an_open_alert_holds_up_nobody_and_two_may_answer_it(pair, playwright, site):
    relay, _ = pair
    url = site.page("<button onclick='alert(1); document.title = \"over\"'>alert</button>")
    await opened(pair, url)
    async with connected(relay, playwright) as first, connected(relay, playwright) as second:
        one, other = page_at(first, url), page_at(second, url)
        assert await other.title()
        answered = []
        for page in (one, other):
            page.on("dialog", lambda dialog: answered.append(asyncio.ensure_future(dialog.dismiss())))
        await one.click("button")
        await one.wait_for_function("document.title === 'over'")
        assert await other.title() == "over"
        assert answered
        await asyncio.gather(*answered)


async def test_a_user_may_lead_an_untouched_tab_elsewhere(pair, playwright, site):
    relay, chrome = pair
    url, later = site.page("before", title="Before"), site.page(BUTTON, title="Later")
    await opened(pair, url)
    async with connected(relay, playwright) as browser:
        page = page_at(browser, url)
        target = next(target for target in await chrome.targets() if target["url"] == url)
        await chrome.command(target["webSocketDebuggerUrl"], "Page.navigate", url=later)
        await until(lambda: page.url == later, named="the client hears of it")
        await until(lambda: _is_complete(relay, later), named="it is loaded")
        assert await chrome.attached() == []
        assert await page.title() == "Later"
        await page.get_by_role("button", name="Press").click()
        assert await page.title() == "clicked"
