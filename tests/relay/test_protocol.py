"""What the relay answers and forwards, seen from both of its sides."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from boathook.relay.extension.protocol import VERSION, ExtensionRequest
from tests.extension.chrome import RawClient
from tests.relay.fake_extension import FakeExtension
from tests.support.waiting import until


@pytest.fixture
async def sessions(client):
    """Session ids by target id, after the usual greeting."""
    await client.send("Target.setAutoAttach", {"autoAttach": True, "flatten": True})
    return {
        event["targetInfo"]["targetId"]: event["sessionId"]
        for event in client.seen("Target.attachedToTarget")
    }


async def test_case_09_answers_have_exactly_the_session_of_the_question(client, sessions):
    assert "sessionId" not in await client.whole("Browser.getVersion")
    assert "sessionId" not in await client.whole("Target.setAutoAttach", {"autoAttach": True})
    browser = (await client.send("Target.attachToBrowserTarget"))["sessionId"]
    for method in ("Browser.getVersion", "Target.setAutoAttach", "Made.up"):
        answer = await client.whole(method, {"autoAttach": True}, session=browser)
        assert answer["sessionId"] == browser
    page = sessions["TARGET1"]
    assert (await client.whole("Page.enable", session=page))["sessionId"] == page
    assert (await client.whole("DOM.getDocument", session=page))["sessionId"] == page
    assert (await client.whole("Page.enable", session="nobody"))["error"]["code"] == -32001


async def test_case_10_each_attaching_is_a_session_of_its_own(client, sessions, extension, relay):
    made = [
        (await client.send("Target.attachToTarget", {"targetId": "TARGET1", "flatten": True}))["sessionId"]
        for _ in "ab"
    ]
    assert len({*made, sessions["TARGET1"]}) == 3
    await client.send("Target.detachFromTarget", {"sessionId": made[0]})
    assert "not found" in await client.error("DOM.getDocument", session=made[0])
    assert await client.send("DOM.getDocument", session=made[1])
    await extension.tell("tab.gone", tabId=1, why="closed")
    await until(lambda: len(client.seen("Target.detachedFromTarget")) == 2, named="both are told")
    assert {event["sessionId"] for event in client.seen("Target.detachedFromTarget")} == {
        made[1],
        sessions["TARGET1"],
    }
    assert "not found" in await client.error("DOM.getDocument", session=made[1])
    await client.error("Target.attachToTarget", {"targetId": "TARGET1"})


async def test_case_10_a_session_is_told_of_before_its_number_is_given(client, sessions, extension):
    root = (await client.send("Target.attachToBrowserTarget"))["sessionId"]
    known = len(client.seen("Target.attachedToTarget"))
    made = ""
    for asked_on in (None, root):
        wanted = {"targetId": "TARGET1", "flatten": True}
        made = (await client.send("Target.attachToTarget", wanted, session=asked_on))["sessionId"]
        known += 1
        told = [event for event in client.events if event["method"] == "Target.attachedToTarget"]
        assert len(told) == known, "the answer comes after it"
        assert told[-1].get("sessionId") == asked_on, "who asked is told"
        assert (told[-1]["params"]["sessionId"], told[-1]["params"]["targetInfo"]["attached"]) == (made, True)
    await extension.tell("tab.gone", tabId=1, why="closed")
    await until(lambda: len(client.seen("Target.detachedFromTarget")) == 3, named="all are told")
    ended = [event for event in client.events if event["method"] == "Target.detachedFromTarget"]
    assert {event["params"]["sessionId"]: event.get("sessionId") for event in ended}[made] == root


async def test_who_comes_next_is_told_where_a_page_has_gone_before_the_extension_lists_it(
    relay, client, sessions, extension
):
    await client.send("Target.setDiscoverTargets", {"discover": True})
    await client.send("DOM.getDocument", session=sessions["TARGET1"])

    async def listed():
        other = await RawClient.connect(relay.url)
        found = (await other.send("Target.getTargets"))["targetInfos"]
        await other.close()
        return next(match["url"] for match in found if match["targetId"] == "TARGET1")

    before = await listed()
    inner = {"id": "INNER", "parentId": "TARGET1", "url": "https://frame.test/", "loaderId": "L0"}
    await extension.event(1, "Page.frameNavigated", {"frame": inner, "type": "Navigation"})
    assert await listed() == before, "the control: a frame of the page is not the page"
    frame = {"id": "TARGET1", "url": "https://other.test/", "urlFragment": "#part", "loaderId": "L1"}
    await extension.event(1, "Page.frameNavigated", {"frame": frame, "type": "Navigation"})
    told = "https://other.test/#part"
    await until(
        lambda: told in [event["targetInfo"]["url"] for event in client.seen("Target.targetInfoChanged")],
        named="who is there already is told",
    )
    assert await listed() == told
    within = {"frameId": "TARGET1", "url": "https://other.test/next", "navigationType": "historyApi"}
    await extension.event(1, "Page.navigatedWithinDocument", within)
    await until(lambda: relay.profile.tabs[1].url == within["url"], named="its address is known")


async def test_case_11_every_target_has_a_context(client, sessions, extension):
    await client.send("Target.setDiscoverTargets", {"discover": True})
    session = sessions["TARGET1"]
    await client.send("Target.setAutoAttach", {"autoAttach": True}, session=session)
    await client.send("DOM.getDocument", session=session)
    child = {
        "targetId": "CHILD",
        "type": "iframe",
        "title": "",
        "url": "https://inner.test/",
        "attached": True,
    }
    event = {"sessionId": "S1", "targetInfo": child, "waitingForDebugger": False}
    await extension.event(1, "Target.attachedToTarget", event)
    await until(lambda: len(client.seen("Target.attachedToTarget")) == 3, named="the frame is announced")
    infos = [
        event["targetInfo"]
        for event in client.seen("Target.attachedToTarget") + client.seen("Target.targetCreated")
    ]
    infos += (await client.send("Target.getTargets"))["targetInfos"]
    infos.append((await client.send("Target.getTargetInfo"))["targetInfo"])
    assert len(infos) == 3 + 2 + 3 + 1
    assert all(info["browserContextId"] for info in infos)
    assert client.seen("Target.attachedToTarget", session)[0]["targetInfo"]["targetId"] == "CHILD"


async def test_case_12_an_extension_that_vanishes_fails_everything_and_the_client_stays(
    client, sessions, extension, relay
):
    extension.answers["debugger.send"] = lambda params: (
        None if params["method"] == "DOM.getDocument" else extension.debugger(params)
    )
    waiting = client.post("DOM.getDocument", session=sessions["TARGET1"])
    await until(
        lambda: any(p["method"] == "DOM.getDocument" for p in extension.called("debugger.send")),
        named="it is asked",
    )
    await extension.close()
    answer = await asyncio.wait_for(waiting, 5)
    assert "disconnected" in answer["error"]["message"]
    await until(lambda: len(client.seen("Target.detachedFromTarget")) == 2, named="sessions end")
    assert (await client.send("Target.getTargets"))["targetInfos"] == []
    again = await FakeExtension(relay, tabs=(1,)).connect()
    await until(lambda: len(client.seen("Target.attachedToTarget")) == 3, named="tabs come back")
    session = client.seen("Target.attachedToTarget")[-1]["sessionId"]
    assert await client.send("DOM.getDocument", session=session)
    await again.close()


async def test_case_13_a_failed_attach_is_tried_again_and_racing_commands_attach_once(
    client, sessions, extension
):
    session = sessions["TARGET1"]
    extension.answers["tab.attach"] = lambda params: RuntimeError("Another debugger is already attached")
    assert "Another debugger" in await client.error("DOM.getDocument", session=session)
    extension.answers["tab.attach"] = {"fresh": True}
    before = len(extension.called("tab.attach"))
    answers = await asyncio.gather(*(client.send("DOM.getDocument", session=session) for _ in range(10)))
    assert len(answers) == 10
    assert len(extension.called("tab.attach")) == before + 1


async def test_case_14_no_tab_is_opened_when_the_limits_cannot_be_read(client, extension, monkeypatch):
    extension.answers["settings.get"] = lambda params: None
    with monkeypatch.context() as impatient:
        impatient.setattr("boathook.relay.sessions.browser_commands.GUARD_SECONDS", 0.3)
        assert "settings.get" in await client.error("Target.createTarget", {"url": "https://new.test/"})
    assert extension.called("tab.create") == []
    extension.answers["settings.get"] = {"noNewTabs": False}
    extension.answers["tab.create"] = {
        **extension.rows[0],
        "tabId": 8,
        "targetId": "TARGET8",
        "url": "about:blank",
    }
    made = await client.send("Target.createTarget", {"url": "about:blank"})
    assert made == {"targetId": "TARGET8"}, "the control"


async def test_case_15_preparations_are_passive(client, sessions, extension):
    session = sessions["TARGET1"]
    await client.send("DOM.getDocument", session=session)
    for method in ("Network.enable", "WebMCP.enable", "Audits.enable", "Page.setLifecycleEventsEnabled"):
        await client.send(method, {"enabled": True}, session=session)
    sent = extension.called("debugger.send")
    assert all(message.get("passive") for message in sent if message["method"].endswith(".enable"))
    assert [message["method"] for message in sent if not message.get("passive")] == ["DOM.getDocument"]


async def test_case_16_preparations_attach_nothing(client, sessions, extension):
    for method in (
        "Page.enable",
        "Runtime.enable",
        "Brand.enable",
        "Network.enable",
        "Page.getFrameTree",
        "Page.createIsolatedWorld",
    ):
        await client.send(method, session=sessions["TARGET1"])
    assert extension.called("tab.attach") == []
    assert extension.called("debugger.send") == []
    created = [
        event["context"] for event in client.seen("Runtime.executionContextCreated", sessions["TARGET1"])
    ]
    assert [context["auxData"]["isDefault"] for context in created] == [True, False]
    await client.send("DOM.getDocument", session=sessions["TARGET1"])
    assert len(extension.called("tab.attach")) == 1, "the control"


async def test_case_38_a_frozen_tab_fails_and_others_go_on(client, sessions, extension, monkeypatch):
    extension.answers["debugger.send"] = lambda params: (
        None if params["tabId"] == 1 else extension.debugger(params)
    )
    with monkeypatch.context() as impatient:  # only for this one: others may take their time
        impatient.setattr("boathook.relay.sessions.lazy_attach.INIT_SECONDS", 0.3)
        assert "frozen" in await client.error("DOM.getDocument", session=sessions["TARGET1"])
    assert await client.send("DOM.getDocument", session=sessions["TARGET2"])
    assert {"tabId": 1} in extension.called("tab.detach")


@pytest.mark.parametrize(
    "method",
    ["Browser.madeUp", "Target.exposeDevToolsProtocol", "SystemInfo.getInfo", "Made.up", "Tracing.start"],
)
async def test_case_39_unknown_methods_of_the_browser_are_errors(client, method):
    answer = await client.whole(method)
    assert answer["error"]["code"] == -32601
    assert method in answer["error"]["message"]


async def test_tabs_that_are_owned_exist_for_their_first_client_only(client, sessions, relay):
    def by_target(one):
        return {
            event["targetInfo"]["targetId"]: event["sessionId"]
            for event in one.seen("Target.attachedToTarget")
        }

    second = await RawClient.connect(f"{relay.url}?label=second")
    for each_client in relay.hub.clients:
        each_client.owns_tabs = True
    await second.send("Target.setAutoAttach", {"autoAttach": True})
    theirs = by_target(second)
    await second.send("Page.addScriptToEvaluateOnNewDocument", {"source": "spy()"}, session=theirs["TARGET1"])
    await second.send("Fetch.enable", session=theirs["TARGET1"])
    await client.send("DOM.getDocument", session=sessions["TARGET1"])
    assert {"sessionId": theirs["TARGET1"], "targetId": "TARGET1"} in second.seen("Target.detachedFromTarget")
    for method in ("DOM.getDocument", "Fetch.enable", "Page.addScriptToEvaluateOnNewDocument"):
        assert "controlled by" in await second.error(method, session=theirs["TARGET1"])
    for method in ("Target.attachToTarget", "Target.closeTarget", "Target.activateTarget"):
        assert "controlled by" in await second.error(method, {"targetId": "TARGET1"})
    listed = (await second.send("Target.getTargets"))["targetInfos"]
    assert "TARGET1" not in {info["targetId"] for info in listed}
    assert await second.send("DOM.getDocument", session=theirs["TARGET2"]), "the control: another one is free"
    await client.close()
    await until(lambda: len(relay.hub.clients) == 1, named="the first has gone")
    await until(lambda: by_target(second)["TARGET1"] != theirs["TARGET1"], named="it is announced again")
    assert await second.send("DOM.getDocument", session=by_target(second)["TARGET1"])
    await second.close()


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "3",
        '"x"',
        "null",
        "{}",
        '{"id": "a"}',
        '{"id": 1}',
        '{"id": 1, "method": 5}',
        '{"id": 1, "method": "A.b", "params": []}',
        '{"id": 1, "method": "A.b", "sessionId": {}}',
    ],
)
async def test_malformed_commands_are_answered_with_an_error(relay, extension, text):
    async with connect(relay.url, proxy=None) as socket:
        await socket.send(text)
        assert "error" in json.loads(await asyncio.wait_for(socket.recv(), 10))
        await socket.send('{"id": 7, "method": "Browser.getVersion"}')
        assert json.loads(await asyncio.wait_for(socket.recv(), 10))["id"] == 7


@pytest.mark.parametrize("text", ["{", "\x00", "not json", b"\xff\xfe"])
async def test_what_is_no_json_ends_that_client_alone(relay, extension, client, text):
    async with connect(relay.url, proxy=None) as socket:
        await socket.send(text)
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(socket.recv(), 10)
    assert await client.send("Browser.getVersion")


async def test_a_frame_of_100_megabytes_ends_that_client_alone(relay, extension, client):
    async with connect(relay.url, proxy=None, max_size=None) as socket:
        with pytest.raises(ConnectionClosed):
            await asyncio.gather(socket.send("x" * 100_000_000), asyncio.wait_for(socket.recv(), 20))
    assert await client.send("Browser.getVersion")


async def test_a_client_that_vanishes_mid_command_leaves_nothing(relay, extension):
    extension.answers["debugger.send"] = lambda params: (
        None if params["method"] == "DOM.getDocument" else extension.debugger(params)
    )
    client = await RawClient.connect(relay.url)
    await client.send("Target.setAutoAttach", {"autoAttach": True})
    session = client.seen("Target.attachedToTarget")[0]["sessionId"]
    await client.send("Fetch.enable", session=session)
    waiting = client.post("DOM.getDocument", session=session)
    await until(
        lambda: any(p["method"] == "DOM.getDocument" for p in extension.called("debugger.send")),
        named="it is asked",
    )
    extension.calls.clear()
    client.socket.transport.abort()
    await until(lambda: not relay.hub.clients, named="the relay notices")
    await until(lambda: {"tabId": 1} in extension.called("tab.detach"), named="the debugger comes off")
    assert any(p["method"] == "Fetch.disable" for p in extension.called("debugger.send")), (
        "nothing stays paused"
    )
    await asyncio.gather(waiting, return_exceptions=True)
    await client.close()


async def test_an_extension_of_another_protocol_is_refused_with_what_to_do(relay):
    assert await FakeExtension(relay, install_id="older").connect(), "one without a version has the first"
    assert await FakeExtension(relay, install_id="same").connect(protocol=VERSION)
    with pytest.raises(ConnectionClosed, match="boathook relay install"):
        await FakeExtension(relay, install_id="newer").connect(protocol=VERSION + 1)


def test_the_extension_has_every_method_of_the_table():
    background = (Path(__file__).parents[2] / "extension/background.js").read_text()
    missing = [request.name for request in ExtensionRequest if f"[Request.{request.name}]:" not in background]
    assert missing == []
