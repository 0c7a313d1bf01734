"""Tabs that are hard to drive: watched by DevTools, idle, asleep, stuck."""

from __future__ import annotations

import asyncio

from tests.extension.chrome import RawClient
from tests.extension.test_worker_restart import attached_are, open_tab, session_at, title
from tests.support.waiting import PATIENCE, until, until_asked


async def test_a_tab_with_devtools_open_can_be_driven_and_devtools_stay(pair, site):
    """DevTools are a client of the tab like any other; theirs and ours do not disturb each other."""
    relay, chrome = pair
    url = site.page("<p>looked at", title="Looked at")
    await open_tab(pair, url)
    target = next(target for target in await chrome.targets() if target["url"] == url)
    devtools = await RawClient.connect(target["webSocketDebuggerUrl"])
    for domain in ("Page", "Runtime", "DOM", "Debugger", "Network"):
        await devtools.send(f"{domain}.enable")
    client = await RawClient.connect(relay.url)
    session = await session_at(client, url)
    assert await title(client, session) == "Looked at"
    await client.send("Page.enable", session=session)
    await client.send("Page.reload", session=session)
    await until(lambda: client.seen("Page.loadEventFired", session), named="we see it load")
    await until(lambda: devtools.seen("Page.loadEventFired"), named="so do they")
    await client.close()
    await attached_are(chrome, [])
    said = await devtools.send("Runtime.evaluate", {"expression": "document.title"})
    assert said["result"]["value"] == "Looked at", "theirs goes on after we have left"
    await devtools.close()


async def test_case_15_preparations_do_not_count_as_use(pair, site):
    relay, _ = pair
    url = site.page("idle", title="Idle")
    tab = await open_tab(pair, url)
    client = await RawClient.connect(relay.url)
    session = await session_at(client, url)
    assert await title(client, session) == "Idle"

    async def idle():
        rows = (await relay.profile.link.call("tabs.list"))["tabs"]
        return next(row["idleMs"] for row in rows if row["tabId"] == tab.tab_id)

    async def has_been_idle():
        return await idle() >= 150

    await until_asked(has_been_idle, named="time passes")
    for method, params in (
        ("Network.enable", {}),
        ("Audits.enable", {}),
        ("Page.setLifecycleEventsEnabled", {"enabled": True}),
        ("Page.createIsolatedWorld", {"frameId": tab.target_id, "worldName": "x"}),
        ("Page.getFrameTree", {}),
    ):
        await client.send(method, params, session=session)
    assert await idle() >= 150
    clock = asyncio.get_running_loop().time
    began = clock()
    assert await title(client, session) == "Idle"
    passed = await idle()
    assert passed <= (clock() - began) * 1000 + 50, "the control: a command that uses the tab counts"
    await client.close()


async def test_case_38_a_tab_that_does_not_answer_fails_and_others_go_on(pair, site, monkeypatch):
    """Frozen for all that matters: its scripts never end. It is reported as such, and works again when it responds."""
    relay, chrome = pair
    url, other = site.page("stuck", title="Stuck"), site.page("well", title="Well")
    await open_tab(pair, url)
    await open_tab(pair, other.replace("127.0.0.1", "localhost"))
    other = other.replace("127.0.0.1", "localhost")
    target = next(target for target in await chrome.targets() if target["url"] == url)
    client = await RawClient.connect(relay.url)
    stuck, well = await session_at(client, url), await session_at(client, other)
    assert await title(client, well) == "Well"
    hand = await RawClient.connect(target["webSocketDebuggerUrl"])
    await hand.send("Runtime.enable")
    hand.post("Runtime.evaluate", {"expression": "console.log('begins'); for (;;);"})
    await until(lambda: hand.seen("Runtime.consoleAPICalled"), named="the page is stuck")
    with monkeypatch.context() as impatient:  # only for the one that is stuck: others may take their time
        impatient.setattr("boathook.relay.sessions.lazy_attach.INIT_SECONDS", 1.0)
        waiting = client.post("Runtime.evaluate", {"expression": "document.title"}, session=stuck)
        assert await title(client, well) == "Well", "meanwhile"
        said = (await asyncio.wait_for(waiting, PATIENCE))["error"]["message"]
    assert "frozen" in said
    await hand.send("Runtime.terminateExecution")
    assert await title(client, stuck) == "Stuck", "the control: the same session, once it answers"
    await hand.close()
    await client.close()


async def test_case_38_a_tab_that_the_browser_put_to_sleep_is_loaded_again_behind_the_others(pair, site):
    relay, chrome = pair
    url, other = site.page("sleeping", title="Sleeping"), site.page("awake", title="Awake")
    tab = await open_tab(pair, url)
    await open_tab(pair, other)
    client = await RawClient.connect(relay.url)
    awake = await session_at(client, other)
    assert await chrome.in_worker(f"chrome.tabs.discard({tab.tab_id}).then(one => one.discarded)")
    await until(lambda: tab.tab_id not in relay.profile.tabs, named="the relay knows that it was replaced")
    asleep = await relay.has_tab(url)

    def attached():
        told = client.seen("Target.attachedToTarget")
        return [item["sessionId"] for item in told if item["targetInfo"]["targetId"] == asleep.target_id]

    await until(attached, named="the client is told of the tab in its place")
    [session] = attached()
    waiting = client.post("Runtime.evaluate", {"expression": "document.title"}, session=session)
    assert await title(client, awake) == "Awake", "others are not held up"
    assert (await asyncio.wait_for(waiting, 30))["result"]["result"]["value"] == "Sleeping"
    front = await chrome.in_worker("chrome.tabs.query({active: true}).then(all => all.map(one => one.url))")
    assert front == [other], "and it stays where it was"
    await client.close()
