"""What happens when a part of it dies, or the user steps in."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from boathook.relay.server.access import EXTENSION_ID
from tests.extension.chrome import RawClient
from tests.support.attacks import answer_to
from tests.support.thorough import at_most
from tests.support.waiting import until, until_asked

AUTO = {"autoAttach": True, "flatten": True, "waitForDebuggerOnStart": False}
POPUP = f"chrome-extension://{EXTENSION_ID}/popup.html"
pytestmark = pytest.mark.timeout(150)


async def open_tab(pair, url):
    relay, chrome = pair
    await chrome.open(url)
    tab = await relay.has_tab(url)
    await until(lambda: tab.status == "complete", named="it is loaded")
    return tab


async def by_hand(chrome, tab):
    """Attach a tab in the popup."""
    popup = await chrome.open(POPUP)
    await chrome.settled(popup)
    reply = await chrome.evaluate(popup, f"chrome.runtime.sendMessage({{ask: 'share', tabId: {tab.tab_id}}})")
    assert reply["ok"], reply
    return popup


async def session_at(client, url):
    await client.send("Target.setAutoAttach", AUTO)
    found = []

    def there():
        found[:] = [
            event["sessionId"]
            for event in client.seen("Target.attachedToTarget")
            if event["targetInfo"]["url"] == url
        ]
        return found

    await until(there, named=f"{url} is announced")
    return found[-1]


async def title(client, session):
    answer = await client.send("Runtime.evaluate", {"expression": "document.title"}, session=session)
    return answer["result"]["value"]


async def attached_are(chrome, urls):
    async def are_attached():
        return sorted(await chrome.attached()) == sorted(urls)

    await until_asked(are_attached, named=f"debuggers are at {urls}")


async def test_case_22_a_killed_worker_comes_back_with_tabs_attached_by_hand(own_pair, site):
    relay, chrome = own_pair
    url, other = site.page("mine", title="Mine"), site.page("driven", title="Driven")
    tab = await open_tab(own_pair, url)
    await open_tab(own_pair, other)
    await by_hand(chrome, tab)
    client = await RawClient.connect(relay.url)
    session = await session_at(client, other)
    assert await title(client, session) == "Driven"
    link = relay.profile.link
    await chrome.kill_worker()
    await until(lambda: link.is_lost, named="the worker is gone")
    await until(
        lambda: any(event["sessionId"] == session for event in client.seen("Target.detachedFromTarget")),
        named="the session ends",
    )
    client.events.clear()
    # A debugger event wakes it, as any page that does something sends; an idle one waits for the alarm.
    target = next(target for target in await chrome.targets() if target["url"] == url)
    await chrome.evaluate(target, "console.log('awake'), document.title = 'Mine'")
    await relay.has_extension(seconds=60)
    row = next(tab for tab in relay.profile.tabs.values() if tab.url == url)
    assert row.origin == "manual"
    assert url in await chrome.attached()
    assert await title(client, await session_at(client, url)) == "Mine"
    assert await title(client, await session_at(client, other)) == "Driven"
    await client.close()
    await attached_are(chrome, [url])


async def test_case_23_a_relay_that_was_restarted_finds_the_tabs_again(own_pair, site):
    relay, chrome = own_pair
    url = site.page("kept", title="Kept")
    await open_tab(own_pair, url)
    client = await RawClient.connect(relay.url)
    assert await title(client, await session_at(client, url)) == "Kept"
    assert await chrome.attached() == [url]
    await relay.stop()
    await client.close()
    await attached_are(chrome, [])
    await relay.start()
    await relay.has_extension()
    await relay.has_tab(url)
    again = await RawClient.connect(relay.url)
    assert await title(again, await session_at(again, url)) == "Kept"
    await again.close()


async def test_case_24_cancelling_detaches_everything_and_it_stays_so(own_pair, site):
    relay, chrome = own_pair
    url, other, mine = (site.page(name, title=name.title()) for name in ("one", "two", "mine"))
    tab = await open_tab(own_pair, url)
    await open_tab(own_pair, other)
    await by_hand(chrome, await open_tab(own_pair, mine))
    client = await RawClient.connect(relay.url)
    own = site.page("own", title="Own")
    await client.send("Target.createTarget", {"url": own})
    sessions = [await session_at(client, item) for item in (url, other, mine, own)]
    for session in sessions:
        await title(client, session)
    assert await chrome.attached() == sorted([url, other, mine, own])
    groups = "chrome.tabGroups.query({title: 'Boathook'}).then(all => all.length)"
    assert await until_asked(lambda: chrome.in_worker(groups), named="the group is there")
    # Headless has no bar to press: Chrome detaches, and tells why.
    await chrome.in_worker(
        f"chrome.debugger.detach({{tabId: {tab.tab_id}}}).then(() =>"
        f" chrome.debugger.onDetach.dispatch({{tabId: {tab.tab_id}}}, 'canceled_by_user'))"
    )
    await attached_are(chrome, [])
    await until(lambda: relay.profile.stopped == "cancelled", named="the relay knows")
    for session in sessions:
        assert "cancelled" in await client.error("Runtime.evaluate", {"expression": "1"}, session=session)

    async def no_group_is_left():
        return await chrome.in_worker(groups) == 0

    await until_asked(no_group_is_left, named="no tab is in our group")
    # It holds for programs that come later, and for a worker that restarts.
    link = relay.profile.link
    await chrome.kill_worker()
    await until(lambda: link.is_lost, named="the worker is gone")
    await chrome.open(POPUP)  # its question wakes the worker
    await relay.has_extension(seconds=60)
    assert relay.profile.stopped == "cancelled"
    second = await RawClient.connect(relay.url)
    for item in (client, second):
        session = await session_at(item, url)
        assert "cancelled" in await item.error("DOM.getDocument", session=session)
        assert "cancelled" in await item.error("Target.createTarget", {"url": url})
    assert await all_debuggers(chrome) == 0, "by what Chrome itself says"
    await second.close()
    popup = await chrome.open(POPUP)
    await chrome.settled(popup)
    await chrome.evaluate(popup, "chrome.runtime.sendMessage({ask: 'stop', why: ''})")
    await until(lambda: relay.profile.stopped == "", named="the user hands back")
    assert await title(client, await session_at(client, url)) == "One", "the control: programs go on"
    assert await all_debuggers(chrome) == 1
    await client.close()


async def all_debuggers(chrome):
    """How many tabs have any debugger; the one that asks is at the worker."""
    return await chrome.in_worker(
        "chrome.debugger.getTargets().then(all => all.filter(one => one.tabId && one.attached).length)"
    )


async def test_case_35_many_tabs_cost_one_list_and_no_debugger(own_pair, site, playwright):
    relay, chrome = own_pair
    urls = [site.page(f"tab {number}") for number in range(at_most(30, 100))]
    for url in urls:
        await chrome.open(url)
    await until(
        lambda: set(urls) <= {tab.url for tab in relay.profile.tabs.values() if tab.status == "complete"},
        named="all are known",
        seconds=60,
    )
    calls = []
    post = relay.profile.link.post

    def counted(method, *rest, **more):
        calls.append(method)
        post(method, *rest, **more)

    relay.profile.link.post = counted
    async with asyncio.timeout(30):
        browser = await playwright.chromium.connect_over_cdp(relay.url)
    pages = {page.url for page in browser.contexts[0].pages}
    assert set(urls) <= pages
    assert await chrome.attached() == []
    assert set(calls) <= {"tabs.drivers", "programs"}, "nothing is asked of the extension"
    page = next(page for page in browser.contexts[0].pages if page.url == urls[20])
    assert await page.inner_text("body") == "tab 20"
    assert await chrome.attached() == [urls[20]]
    await browser.close()


async def test_case_36_idle_tabs_are_let_go_also_after_the_worker_was_killed(own_pair, site):
    relay, chrome = own_pair
    mine, driven = site.page("by hand", title="Mine"), site.page("driven", title="Driven")
    tab = await open_tab(own_pair, mine)
    await open_tab(own_pair, driven)
    await by_hand(chrome, tab)
    client = await RawClient.connect(relay.url)
    await title(client, await session_at(client, driven))
    made = await client.send("Target.createTarget", {"url": site.page("made")})
    assert len(await chrome.attached()) == 2
    await chrome.change_settings(detachMinutes=5, closeMinutes=10)
    await until(lambda: relay.profile.settings["closeMinutes"] == 10, named="the settings hold")
    await chrome.in_worker("chrome.alarms.onAlarm.dispatch({name: 'wake'})")
    assert len(await chrome.attached()) == 2, "the control: tabs in use are left alone"
    link = relay.profile.link
    await chrome.kill_worker()
    await until(lambda: link.is_lost, named="the worker is gone")
    target = next(target for target in await chrome.targets() if target["url"] == mine)
    await chrome.evaluate(target, "document.title = 'wake'")
    await relay.has_extension(seconds=60)
    await chrome.in_worker("self.now = Date.now; Date.now = () => now() + 11 * 60000; 1")
    await chrome.in_worker("chrome.alarms.onAlarm.dispatch({name: 'wake'})")
    await attached_are(chrome, [mine])

    async def is_closed():
        return made["targetId"] not in {target["id"] for target in await chrome.targets()}

    await until_asked(is_closed, named="the tab that a program made is closed")
    urls = {target["url"] for target in await chrome.targets()}
    assert {mine, driven} <= urls, "tabs of the user are never closed"
    await client.close()


def taken_away(path):
    text = Path(path).read_text()
    Path(path).unlink()
    return text


async def test_case_37_a_download_is_told_with_its_path(own_pair, site, tmp_path):
    relay, _ = own_pair
    url = site.page("<a download=report.txt href='data:text/plain,hello'>get</a>")
    await open_tab(own_pair, url)
    client = await RawClient.connect(relay.url)
    await client.send("Browser.setDownloadBehavior", {"behavior": "allowAndName", "eventsEnabled": True})
    session = await session_at(client, url)
    await client.send(
        "Runtime.evaluate",
        {"expression": "document.querySelector('a').click()", "userGesture": True},
        session=session,
    )

    def finished():
        return [event for event in client.seen("Browser.downloadProgress") if event["state"] == "completed"]

    await until(finished, named="the download is complete")
    begun = client.seen("Browser.downloadWillBegin")[0]
    done = finished()[0]
    assert done["guid"] == begun["guid"]
    assert done["receivedBytes"] == 5
    path = done["filePath"]
    assert path.endswith(".txt")
    assert taken_away(path) == "hello"
    await client.close()


async def test_taking_over_in_the_popup_stops_programs_until_it_is_handed_back(own_pair, site):
    relay, chrome = own_pair
    url = site.page("mine", title="Mine")
    await open_tab(own_pair, url)
    client = await RawClient.connect(f"{relay.url}?label=tester")
    session = await session_at(client, url)
    await title(client, session)
    popup = await chrome.open(POPUP)
    await chrome.settled(popup, "document.body.innerText.includes('controlled by tester')")
    await chrome.evaluate(popup, "document.getElementById('stop').click()")
    await until(lambda: relay.profile.stopped == "paused", named="the relay knows")
    await attached_are(chrome, [])
    assert "taken over" in await client.error("DOM.getDocument", session=session)
    await chrome.settled(popup, "document.getElementById('stop').textContent === 'Hand back'")
    await chrome.evaluate(popup, "document.getElementById('stop').click()")
    await until(lambda: relay.profile.stopped == "", named="handed back")
    assert await title(client, session) == "Mine"
    await client.close()


async def test_a_detach_by_the_browser_is_followed_by_a_new_attach(own_pair, site):
    relay, chrome = own_pair
    url = site.page("kept", title="Kept")
    tab = await open_tab(own_pair, url)
    client = await RawClient.connect(relay.url)
    session = await session_at(client, url)
    await client.send("Runtime.enable", session=session)
    assert await title(client, session) == "Kept"
    await chrome.in_worker(
        f"chrome.debugger.detach({{tabId: {tab.tab_id}}}).then(() =>"
        f" chrome.debugger.onDetach.dispatch({{tabId: {tab.tab_id}}}, 'target_closed'))"
    )
    await until(lambda: client.seen("Runtime.executionContextsCleared", session), named="the client is told")
    assert await title(client, session) == "Kept"
    assert await chrome.attached() == [url]
    await client.close()


async def test_an_update_of_the_extension_brings_its_tabs_back(own_pair, site, tmp_path):
    """New files in its folder, and `boathook extension install` tells it to load them."""
    relay, chrome = own_pair
    url = site.page("kept", title="Kept")
    await open_tab(own_pair, url)
    client = await RawClient.connect(relay.url)
    session = await session_at(client, url)
    assert await title(client, session) == "Kept"
    manifest = tmp_path / "extension" / "manifest.json"
    manifest.write_text(
        manifest.read_text().replace(f'"version": "{relay.profile.version}"', '"version": "9.9.9"')
    )
    waiting = client.post(
        "Runtime.evaluate", {"expression": "new Promise(() => 0)", "awaitPromise": True}, session=session
    )
    client.events.clear()
    known = ("Content-Type: application/json", f"Authorization: Bearer {relay.files.token()}")
    status, text = await answer_to(
        relay.port, "POST /extension/reload", f"Host: 127.0.0.1:{relay.port}", *known
    )
    assert (status, '"reloaded":true' in text) == (200, True)
    assert "error" in await asyncio.wait_for(waiting, 30), "what was under way fails at once"
    await until(
        lambda: relay.profile is not None and relay.profile.version == "9.9.9", named="the new one is there"
    )
    assert await title(client, await session_at(client, url)) == "Kept", "the same client goes on"
    assert url in {target["url"] for target in await chrome.targets()}
    await client.close()
    await attached_are(chrome, [])
