"""DevTools connect to a tab: the real ones can, and no other client can."""

import asyncio
import json
import shutil
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed, InvalidStatus

import boathook
from boathook.cdp.errors_map import ContextGone
from boathook.commands import catalogue
from boathook.errors import ProtocolError
from boathook.registry.tool_sets import families
from tests.support.engine import engine_of
from tests.support.waiting import PATIENCE, until, until_asked

if TYPE_CHECKING:
    from websockets.typing import Origin

ORIGIN = "devtools://devtools"
SHOWN = """(() => {
  const words = [];
  const look = root => {
    words.push(root.textContent ?? '');
    for (const one of root.querySelectorAll('*')) if (one.shadowRoot) look(one.shadowRoot);
  };
  look(document.body);
  return words.join(' ');
})()"""

CALLS = """address => new Promise(done => {
  const line = new WebSocket(address);
  line.onopen = () => { line.close(); done('open'); };
  line.onerror = () => done('refused');
})"""


@pytest.fixture
async def page(tab, site):
    await tab.goto(site.page("<p id=unmistakable>Words</p>", title="Inspected"))
    yield tab
    await tab.inspect(stop=True)


@pytest.fixture(scope="module")
async def own_browser():
    """That of the person who looks."""
    async with await boathook.launch() as started:
        yield started


def place_of(address):
    return f"ws://{address.partition('?ws=')[2]}"


def caller(address, origin=ORIGIN):
    return connect(place_of(address), origin=origin, proxy=None)


async def asked(line, method, **params):
    """The reply to one command; events before it are passed over."""
    session = params.pop("session", None)
    await line.send(
        json.dumps(
            {"id": 7, "method": method, "params": params, **({"sessionId": session} if session else {})}
        )
    )
    while (message := json.loads(await line.recv())).get("id") != 7:
        pass
    return message


async def opened(own_browser, address):
    """The developer tools in that person's browser: the way to learn what they show."""
    connection = engine_of(own_browser).connection
    target = (await connection.send("Target.createTarget", {"url": address}))["targetId"]
    options = {"targetId": target, "flatten": True}
    session = (await connection.send("Target.attachToTarget", options))["sessionId"]

    async def shown():
        options = {"expression": SHOWN, "returnByValue": True}
        with suppress(ContextGone, ProtocolError):  # the blank document gives way to theirs
            reply = await connection.send("Runtime.evaluate", options, session_id=session)
            return reply["result"].get("value", "")
        return ""

    return shown


async def test_the_developer_tools_of_another_chromium_show_the_page(page, own_browser):
    address = await page.inspect()
    shown = await opened(own_browser, address)

    async def shows(words):
        return words in await shown()

    await until_asked(lambda: shows("unmistakable"), named="the developer tools show an element of the page")
    await page.evaluate("document.querySelector('p').id = 'renamed-meanwhile'")
    await until_asked(lambda: shows("renamed-meanwhile"), named="the developer tools show what changes")
    assert "Words" in str(await page.snapshot(mode="full")), "our own work goes on beside it"


async def test_messages_without_a_session_are_about_the_page(page):
    async with caller(await page.inspect()) as line:
        title = await asked(line, "Runtime.evaluate", expression="document.title")
        assert title == {"id": 7, "result": {"result": {"type": "string", "value": "Inspected"}}}
        await asked(line, "Runtime.enable")
        await page.evaluate("console.log('heard')")
        async with asyncio.timeout(PATIENCE):
            while (event := json.loads(await line.recv()))["method"] != "Runtime.consoleAPICalled":
                pass
        assert "sessionId" not in event
        assert event["params"]["args"][0]["value"] == "heard"


async def test_workers_of_the_page_have_sessions_of_their_own(page):
    async with caller(await page.inspect()) as line:
        options = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}
        await asked(line, "Target.setAutoAttach", **options)
        await page.evaluate("worker = new Worker('data:text/javascript,self.here = 42'), 1")
        async with asyncio.timeout(PATIENCE):
            while (event := json.loads(await line.recv())).get("method") != "Target.attachedToTarget":
                pass
        session = event["params"]["sessionId"]

        async def told():
            reply = await asked(line, "Runtime.evaluate", expression="self.here", session=session)
            return reply["sessionId"] == session and reply["result"]["result"].get("value") == 42

        await until_asked(told, named="the worker answers")


async def test_nobody_else_is_let_in(page, own_browser, site):
    address = await page.inspect()
    parts = urlsplit(place_of(address))
    base = f"ws://{parts.netloc}"
    for url, origin in (
        (f"{base}/", ORIGIN),
        (f"{base}/{'x' * 43}", ORIGIN),
        (f"{place_of(address)}x", ORIGIN),
        (f"ws://localhost:{parts.port}{parts.path}", ORIGIN),
        (place_of(address), None),
        (place_of(address), "null"),
        (place_of(address), "http://127.0.0.1"),
        (place_of(address), f"{ORIGIN}.example"),
        (place_of(address), "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
    ):
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, origin=cast("Origin", origin), proxy=None)
        assert (refused.value.response.status_code, refused.value.response.body) == (403, b"")
    elsewhere = await own_browser.open(site.page("<p>a page that knows the address</p>"))
    async with serve(lambda line: line.wait_closed(), "127.0.0.1", 0) as open_to_all:
        other = f"ws://127.0.0.1:{next(iter(open_to_all.sockets)).getsockname()[1]}/"
        assert await elsewhere.evaluate(CALLS, other) == "open", "such a page can call"
    assert await elsewhere.evaluate(CALLS, place_of(address)) == "refused"
    async with caller(address) as line:
        assert "result" in await asked(line, "Browser.getVersion")


async def test_it_does_not_lead_out_of_the_tab(page, browser):
    other = await browser.open("about:blank", isolated=True)
    theirs, own = engine_of(other).target_id, engine_of(page).target_id
    context = engine_of(browser).targets.get(theirs).context_id
    async with caller(await page.inspect()) as line:
        for method, params in (
            ("Target.getTargets", {}),
            ("Target.attachToTarget", {"targetId": theirs, "flatten": True}),
            ("Target.attachToBrowserTarget", {}),
            ("Target.getTargetInfo", {"targetId": theirs}),
            ("Target.createTarget", {"url": "about:blank"}),
            ("Browser.close", {}),
            ("Storage.getCookies", {"browserContextId": context}),
        ):
            assert (
                "reaches outside the inspected tab"
                in (await asked(line, method, **params))["error"]["message"]
            ), method
        about = (await asked(line, "Target.getTargetInfo", targetId=own))["result"]["targetInfo"]
        assert about["targetId"] == own
        assert "cookies" in (await asked(line, "Storage.getCookies"))["result"]
        ours = engine_of(page).session.id
        assert (
            "not found"
            in (await asked(line, "Runtime.evaluate", expression="1", session=ours))["error"]["message"]
        )
        await line.send("no JSON")
        assert "not a CDP message" in (await line.recv())


async def test_what_the_tab_pretends_is_not_turned_off_by_who_did_not_turn_it_on(page):
    dark = "matchMedia('(prefers-color-scheme: dark)').matches"
    await page.emulate(color_scheme="dark")
    async with caller(await page.inspect()) as line:

        async def taste(value):
            features = [{"name": "prefers-color-scheme", "value": value}]
            assert (await asked(line, "Emulation.setEmulatedMedia", media="", features=features))[
                "result"
            ] == {}
            return await page.evaluate(dark)

        assert await taste("") is True, "it was ours"
        assert await taste("light") is False
        assert await taste("dark") is True
        assert await taste("") is False, "it was theirs"


async def test_it_stays_until_it_is_stopped(page):
    address = await page.inspect()
    assert await page.inspect() == address
    async with caller(address) as line:
        assert await page.inspect(stop=True) is None
        with pytest.raises(ConnectionClosed):
            await asked(line, "Browser.getVersion")
    with pytest.raises(OSError, match=r"refused|failed"):
        await caller(address)
    await page.inspect(stop=True)
    again = await page.inspect()
    assert again.partition("?ws=")[2].partition("/")[2] != address.partition("?ws=")[2].partition("/")[2]
    async with caller(again) as line:
        assert "result" in await asked(line, "Browser.getVersion")


async def test_it_ends_with_the_tab(page, browser):
    other = await browser.open("about:blank")
    address = await other.inspect()
    async with caller(address) as line, caller(await page.inspect()) as stays:
        await asked(line, "Browser.getVersion")
        await other.close()
        with pytest.raises(ConnectionClosed):
            await asked(line, "Browser.getVersion")
        assert "result" in await asked(stays, "Browser.getVersion")
    with pytest.raises(OSError, match=r"refused|failed"):
        await caller(address)


async def test_what_was_turned_on_goes_with_whoever_looked(page):
    sessions = engine_of(page).browser.connection._taps
    async with caller(await page.inspect()) as line:
        await asked(line, "Debugger.enable")
        await asked(line, "Debugger.pause")
        stuck = asyncio.create_task(page.evaluate("1 + 1"))
        async with asyncio.timeout(PATIENCE):
            while json.loads(await line.recv()).get("method") != "Debugger.paused":
                pass
        assert not stuck.done()
    assert await stuck == 2
    await until(lambda: not sessions, named="no session of theirs is left")


@pytest.fixture
def display(monkeypatch):
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    words = ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x900x24"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        monkeypatch.setenv("DISPLAY", ":" + server.stdout.readline().decode().strip())
        yield
        server.terminate()


async def test_a_browser_with_windows_shows_them_in_one_and_all_ends_with_it(display, browser_with, site):
    browser = await browser_with(headless=False)
    tab = await browser.open(site.page("<p>Words</p>"))
    engine = engine_of(tab)

    async def windows():
        found = (await engine.browser.connection.send("Target.getTargets"))["targetInfos"]
        return [match for match in found if match["url"].startswith(ORIGIN)]

    address = await tab.inspect()
    await until_asked(windows, named="the window has its address")
    assert [window["url"] for window in await windows()] == [address]
    assert "window of this browser" in engine.news[-1]
    assert [tab.id for tab in await browser.tabs()] == [tab.id]
    await tab.inspect()
    assert len(await windows()) == 1
    await tab.inspect(stop=True)

    async def none_is_left():
        return not await windows()

    await until_asked(none_is_left, named="the window is closed")
    again = await tab.inspect()
    async with caller(again) as line:
        await asked(line, "Browser.getVersion")
        await browser.close()
        with pytest.raises(ConnectionClosed):
            await asked(line, "Browser.getVersion")
    with pytest.raises(OSError, match=r"refused|failed"):
        await caller(again)


def test_models_are_not_offered_it():
    command = catalogue()["inspect"]
    offered = {
        kind for tools in families(catalogue()).values() for tool in tools for kind in tool.kinds.values()
    }
    assert command.name not in offered
    assert "highlight" in offered
