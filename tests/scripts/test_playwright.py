"""Playwright objects beside the helpers, through an endpoint that exists only for one run."""

import asyncio
import importlib.util
import json
import shutil
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from boathook.cdp.connection import Connection
from boathook.cdp.proxy_session import MOST_PENDING
from boathook.cdp.transport.fake import FakeTransport
from boathook.errors import PolicyBlocked, ScriptFailed
from boathook.sandbox import jail, playwright_scope
from boathook.service.endpoint.cdp_proxy_session import CdpProxySession
from boathook.service.endpoint.endpoint_server import CdpEndpoint
from boathook.service.endpoint.method_policy import TargetVisibility
from boathook.service.scripts.playwright_access import CdpAccess
from boathook.service.scripts.script_files import FileRules
from boathook.service.scripts.script_runner import ScriptRunner, _HelperDispatcher
from tests.support.engine import engine_of

pytestmark = [
    pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here"),
    pytest.mark.skipif(
        importlib.util.find_spec("playwright") is None, reason="Playwright is not installed here"
    ),
]

NO_FILES = FileRules(folder=Path("/"), usual=())
FORM = "<label>Name <input></label><button onclick=\"document.title='Hi'\">Greet</button>"


@pytest.fixture
async def shop(tab, site):
    await tab.goto(site.page(FORM, title="Shop"))
    return tab


@pytest.fixture
async def endpoint(shop):
    made = CdpEndpoint(engine_of(shop))
    yield made
    await made.close()


async def test_a_script_acts_on_the_same_tab_by_playwright_and_by_helpers(shop):
    code = """await tab.fill('label=Name', 'Ann')
seen = await page.get_by_label('Name').input_value()
await page.get_by_role('button').click()
await tab.wait_for_text('Greet')
return [seen, await page.title(), await tab.title(), page in context.pages, browser.is_connected()]"""
    assert (await shop.run(code, engine="unsafe")).value == ["Ann", "Hi", "Hi", True, True]
    assert await shop.title() == "Hi", "the tab outlives the guest"
    again = "await page.fill('input', 'Bob')\nawait page.evaluate(\"document.title = 'Again'\")"
    await shop.run(again, engine="unsafe")
    assert (await shop.run("return await page.title()")).value == "Again", "in the jail page is ours"


async def test_a_page_that_a_guest_opens_is_a_tab_of_the_same_context(shop):
    code = """await context.add_cookies([{'name': 'a', 'value': 'b', 'url': await tab.url()}])
other = await context.new_page()
await other.goto(await tab.url())
seen = await other.evaluate('document.cookie')
await other.close()
return seen"""
    assert (await shop.run(code, engine="unsafe")).value == "a=b"
    assert [cookie["name"] for cookie in await shop.cookies()] == ["a"]
    await shop.clear_cookies()


async def test_the_endpoint_is_gone_after_the_run(shop):
    ran = await shop.run(
        "return (await page.title()) and (await tab._calls.ask('cdp_endpoint', (), {}))", engine="unsafe"
    )
    assert ran.value["target"] == engine_of(shop).target_id
    with pytest.raises(OSError, match=r"refused|failed"):
        await connect(ran.value["url"])


async def test_who_does_not_know_the_address_hears_nothing(endpoint):
    address = await endpoint.address()
    parts = urlsplit(address)
    base = f"ws://{parts.netloc}"
    for url, headers in (
        (f"{base}/", {}),
        (f"{base}/{'x' * 43}", {}),
        (f"{address}x", {}),
        (address, {"Origin": "http://127.0.0.1"}),
        (address, {"Sec-Fetch-Site": "same-origin"}),
        (f"ws://localhost:{parts.port}{parts.path}", {}),
    ):
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, additional_headers=headers, proxy=None)
        assert refused.value.response.status_code == 403
    async with connect(address, proxy=None) as guest:
        assert "product" in (await asked(guest, "Browser.getVersion"))["result"]


async def asked(guest, method, **params):
    """The reply to one command; events before it are passed over."""
    session = params.pop("session", None)
    told = {"id": 7, "method": method, "params": params, **({"sessionId": session} if session else {})}
    await guest.send(json.dumps(told))
    while True:
        message = json.loads(await guest.recv())
        if message.get("id") == 7:
            return message


async def test_a_guest_sees_and_reaches_only_pages_of_the_context(shop, browser, endpoint):
    other = await browser.open("about:blank", isolated=True)
    theirs = engine_of(other).target_id
    async with connect(await endpoint.address(), proxy=None) as guest:
        seen = {
            info["targetId"] for info in (await asked(guest, "Target.getTargets"))["result"]["targetInfos"]
        }
        assert engine_of(shop).target_id in seen
        assert theirs not in seen
        for method in ("Target.attachToTarget", "Target.closeTarget", "Target.getTargetInfo"):
            assert "error" in await asked(guest, method, targetId=theirs)
            assert "result" in await asked(guest, "Target.getTargetInfo", targetId=engine_of(shop).target_id)
        for method in ("Target.createBrowserContext", "Browser.crash", "Tracing.start", "SystemInfo.getInfo"):
            assert "not allowed" in (await asked(guest, method))["error"]["message"]
        assert "result" in await asked(guest, "Browser.close"), "said, and not done"
        assert "error" in await asked(
            guest, "Runtime.evaluate", expression="1", session=engine_of(shop).session.id
        ), "our own session is nobody else's"
        attached = await asked(
            guest, "Target.attachToTarget", targetId=engine_of(shop).target_id, flatten=True
        )
        session = attached["result"]["sessionId"]
        value = await asked(guest, "Runtime.evaluate", expression="document.title", session=session)
        assert value["result"]["result"]["value"] == "Shop"
        await guest.send("no JSON")
        assert "error" in json.loads(await guest.recv())
    await other.close()


async def session_of(guest, tab):
    """A session of the guest's on the tab's own page."""
    given = {"targetId": engine_of(tab).target_id, "flatten": True}
    return (await asked(guest, "Target.attachToTarget", **given))["result"]["sessionId"]


async def test_a_session_of_a_page_does_not_lead_to_other_pages_or_to_the_browser(shop, browser, endpoint):
    other = await browser.open("about:blank", isolated=True)
    theirs = engine_of(other).target_id
    async with connect(await endpoint.address(), proxy=None) as guest:
        session = await session_of(guest, shop)
        for method in ("Target.attachToTarget", "Target.closeTarget", "Target.getTargetInfo"):
            told = await asked(guest, method, targetId=theirs, flatten=True, session=session)
            assert "No target" in told["error"]["message"], method
        for method in ("Browser.crashGpuProcess", "Browser.crash", "Target.exposeDevToolsProtocol"):
            assert "not allowed" in (await asked(guest, method, session=session))["error"]["message"]
        for method in ("Browser.close", "Browser.setDownloadBehavior", "Page.setDownloadBehavior"):
            assert (await asked(guest, method, behavior="deny", session=session))["result"] == {}
        listed = await asked(guest, "Target.getTargets", session=session)
        assert theirs not in {info["targetId"] for info in listed["result"]["targetInfos"]}
        itself = (await asked(guest, "Target.getTargetInfo", session=session))["result"]["targetInfo"]
        assert itself["targetId"] == engine_of(shop).target_id
    assert engine_of(other).state == "ready"
    await shop.goto("data:text/html,<a download=a.txt href='data:,hello'>File</a>")
    assert (await shop.download("text=File")).size == 5, "downloads are as they were"
    await other.close()


async def test_a_guest_uploads_only_from_folders_that_the_user_has_named(shop, site, tmp_path):
    (tmp_path / "in.txt").write_text("x")
    await shop.goto(site.page("<input type=file>"))
    files = {True: [str(tmp_path / "in.txt")], False: ["/etc/passwd"]}
    for roots in ((tmp_path,), None):
        endpoint = CdpEndpoint(engine_of(shop), upload_roots=roots)
        async with connect(await endpoint.address(), proxy=None) as guest:
            session = await session_of(guest, shop)
            root = (await asked(guest, "DOM.getDocument", session=session))["result"]["root"]["nodeId"]
            found = await asked(guest, "DOM.querySelector", nodeId=root, selector="input", session=session)
            for allowed, paths in files.items():
                given = {"nodeId": found["result"]["nodeId"], "files": paths, "session": session}
                told = await asked(guest, "DOM.setFileInputFiles", **given)
                assert ("result" in told) is (allowed or roots is None), told
                drag = {"type": "dragEnter", "x": 1, "y": 1, "session": session}
                data = {"items": [], "files": paths, "dragOperationsMask": 1}
                told = await asked(guest, "Input.dispatchDragEvent", data=data, **drag)
                assert ("upload_roots" in str(told)) is not (allowed or roots is None), told
        await endpoint.close()


async def test_commands_of_a_guest_are_passed_on_few_at_a_time(shop, endpoint):
    connection, most = engine_of(shop).browser.connection, 0
    async with connect(await endpoint.address(), proxy=None) as guest:
        session = await session_of(guest, shop)
        given = {"method": "Runtime.evaluate", "params": {"expression": "1"}, "sessionId": session}
        for number in range(1000):
            await guest.send(json.dumps({"id": 100 + number, **given}))
        replies = 0
        while replies < 1000:
            replies += "result" in json.loads(await guest.recv())
            most = max(most, len(connection.pending))
    assert 1 < most <= 2 * MOST_PENDING


async def test_a_guest_is_sent_away_when_the_run_ends(endpoint):
    async with connect(await endpoint.address(), proxy=None) as guest:
        await asked(guest, "Browser.getVersion")
        await endpoint.close()
        with pytest.raises(ConnectionClosed):
            await asked(guest, "Browser.getVersion")


async def test_replies_and_events_reach_a_guest_in_the_order_in_which_the_browser_sent_them():
    wire = FakeTransport()
    connection = Connection(wire)
    heard: list[Any] = []
    ours = []
    connection.on("Page.loaded", lambda params, session: ours.append(session), session_id="*")
    connection.tap("S", lambda method, params: heard.append(method))
    connection.forward("Page.enable", {}, heard.append, session_id="S")
    connection.forward("Page.fail", {}, heard.append, session_id="S")
    connection.forward("Page.never", {}, heard.append, session_id="S")
    wire.reply(wire.sent[0], a=1)
    wire.event("Page.loaded", session_id="S")
    wire.push(id=wire.sent[1]["id"], error={"code": -1, "message": "no"})
    wire.event("Page.loaded", session_id="T")
    wire.hang_up("gone")
    assert heard[:3] == [{"result": {"a": 1}}, "Page.loaded", {"error": {"code": -1, "message": "no"}}]
    assert "disconnected" in heard[3]["error"]["message"]
    assert ours == ["T"], "what is a guest's is not ours"
    await asyncio.sleep(0)
    assert connection.pending == []


async def test_a_guest_of_a_browser_that_takes_none_leaves_our_own_handlers_alone():
    wire = FakeTransport()
    connection = Connection(wire)
    heard = []
    connection.on("Target.targetCreated", lambda params, _session: heard.append(params))
    await CdpProxySession(connection, TargetVisibility(context=""), send=cast("Any", heard.append)).end()
    wire.event("Target.targetCreated", a=1)
    assert heard == [{"a": 1}]
    assert wire.sent == []


async def test_scripts_in_a_jail_and_those_that_may_not_touch_pages_get_no_endpoint(tab):
    async def nothing(*_given):
        return None

    with pytest.raises(PolicyBlocked, match="Playwright"):
        await _HelperDispatcher(engine_of(tab), nothing, nothing).serve("", "cdp_endpoint", [], {})


async def test_where_scripts_in_pages_are_off_playwright_is_off(shop):
    async def nothing(*_given):
        return None

    desk = ScriptRunner()
    given: dict[str, Any] = {
        "language": "python",
        "engine": "unsafe",
        "seconds": 20,
        "files": NO_FILES,
        "run_command": nothing,
        "find_tab": nothing,
    }
    try:
        with pytest.raises(ScriptFailed, match="are disabled"):
            await desk.run(
                engine_of(shop), "return await page.title()", access=CdpAccess(evaluate=False), **given
            )
        assert (await desk.run(engine_of(shop), "return await page.title()", **given)).value == "Shop"
    finally:
        desk.close()


def test_playwright_is_brought_along_only_for_code_that_speaks_of_it():
    assert playwright_scope.is_used_in("await page.click('x')")
    assert playwright_scope.is_used_in("x = [p async for p in context.pages]")
    assert not playwright_scope.is_used_in("return await tab.title()")
    assert not playwright_scope.is_used_in("browser = await launch()\nreturn browser.pages")


async def test_without_playwright_an_error_says_how_to_get_it(shop, monkeypatch):
    monkeypatch.setattr("boathook.service.scripts.script_run.packages_of", lambda _name: "")
    with pytest.raises(ScriptFailed, match=r"pip install 'boathook\[playwright\]'"):
        await shop.run("return await page.title()", engine="unsafe")
    assert (await shop.run("return await tab.title()", engine="unsafe")).value == "Shop"


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node here")
async def test_javascript_has_the_objects_of_what_the_project_has_installed(shop, tmp_path):
    async def run_command(name, _arguments, _files, _tab):
        assert name == "title"
        return await shop.title()

    desk = ScriptRunner()
    given: dict[str, Any] = {
        "language": "js",
        "engine": "unsafe",
        "seconds": 60,
        "files": NO_FILES,
        "run_command": run_command,
        "find_tab": run_command,
    }
    code = "await page.getByRole('button').click(); return [await page.title(), await tab.title(), browser.contexts().length]"
    try:
        with pytest.raises(ScriptFailed, match="npm install playwright-core"):
            await desk.run(engine_of(shop), code, folder=str(tmp_path), **given)
        await asyncio.to_thread(_install, tmp_path)
        ran = await desk.run(engine_of(shop), code, folder=str(tmp_path), **given)
        assert ran.value == ["Hi", "Hi", 1]
    finally:
        desk.close()


def _install(project):
    """The package that Playwright for Python brings along, as npm would have put it there."""
    brought = (
        Path(importlib.util.find_spec("playwright").submodule_search_locations[0]) / "driver" / "package"
    )
    (project / "node_modules").mkdir()
    (project / "node_modules" / "playwright-core").symlink_to(brought)
