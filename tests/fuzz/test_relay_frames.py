"""Whatever a CDP client or an extension sends to the relay: no failure inside, and the others go on."""

import asyncio
import json
import logging
import traceback
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from boathook.surfaces.python.portal import Portal
from tests.extension.chrome import RawClient
from tests.extension.conftest import Relay
from tests.fuzz.strategies import LONGEST, ODD, changed, tried
from tests.relay.fake_extension import SETTINGS, FakeExtension, row
from tests.support.waiting import until

SESSION = "SESSION"
"""Stands for the session of a page."""
METHODS = (
    "Target.getTargets",
    "Target.setAutoAttach",
    "Target.attachToTarget",
    "Target.attachToBrowserTarget",
    "Target.detachFromTarget",
    "Target.createTarget",
    "Target.closeTarget",
    "Target.activateTarget",
    "Target.setDiscoverTargets",
    "Target.getTargetInfo",
    "Target.createBrowserContext",
    "Browser.getVersion",
    "Browser.setDownloadBehavior",
    "Page.enable",
    "Page.navigate",
    "Page.captureScreenshot",
    "Runtime.enable",
    "Runtime.evaluate",
    "Network.getCookies",
    "Storage.getCookies",
    "DOM.getDocument",
    "No.such",
)
PARAMETERS = {
    "targetId": "TARGET1",
    "sessionId": SESSION,
    "flatten": True,
    "autoAttach": True,
    "discover": True,
    "url": "https://site-1.test/",
    "expression": "1",
    "filter": [{"type": "page"}],
}
REQUESTS = [{"id": 1, "method": method, "params": PARAMETERS} for method in METHODS]
REQUESTS += [{**request, "sessionId": SESSION} for request in REQUESTS]
PAGE_EVENTS = (
    ("Page.frameNavigated", {"frame": {"id": "TARGET1", "url": "https://site-1.test/#a", "loaderId": "L"}}),
    ("Page.navigatedWithinDocument", {"frameId": "TARGET1", "url": "https://site-1.test/next"}),
    ("Target.attachedToTarget", {"sessionId": "S", "targetInfo": {"targetId": "C", "type": "iframe"}}),
    ("Target.detachedFromTarget", {"sessionId": "S"}),
    ("Runtime.consoleAPICalled", {"type": "log", "args": []}),
)
NOTICES = [
    *({"method": "debugger.event", "params": {"tabId": 1, "method": name, "params": params}}
      for name, params in PAGE_EVENTS),
    {"method": "tab.detached", "params": {"tabId": 1, "reason": "target_closed"}},
    {"method": "tab.changed", "params": {"tab": row(1), "changed": {"status": "loading"}}},
    {"method": "tab.changed", "params": {"tab": row(3), "changed": {"created": True}}},
    {"method": "tab.gone", "params": {"tabId": 3, "why": "closed"}},
    {"method": "settings", "params": SETTINGS},
    {"method": "stopped", "params": {"why": "the user"}},
    {"method": "download", "params": {"tabId": 1, "id": 1, "url": "https://site-1.test/a", "state": "complete"}},
    {"method": "ready", "params": {"tabs": [row(1), row(2)], "settings": SETTINGS, "stopped": ""}},
    {"method": "pong", "params": {}},
    {"id": 1, "result": {}},
    {"id": 2, "error": {"code": -32000, "message": "no"}},
]  # fmt: skip


class Stage:
    """A relay with an extension in a background loop, and the failures that it logged."""

    def __init__(self, folder):
        self._failures = []
        self.portal = Portal()
        self.relay = self.portal.call(self._begin(folder))

    async def _begin(self, folder):
        asyncio.get_running_loop().set_exception_handler(
            lambda _loop, context: self._failures.append(context.get("exception") or context["message"])
        )
        relay = await Relay(folder).start(wait_seconds=0.2)
        self.extension = await self._connected(relay)
        return relay

    async def _connected(self, relay):
        extension = FakeExtension(relay)
        extension.answers["tab.create"] = row(4)
        await extension.connect()
        await relay.has_extension()
        return extension

    def new_failures(self):
        """What tasks of the relay have raised since the last look."""
        found, self._failures = self._failures, []
        return [
            "".join(traceback.format_exception(each)) if isinstance(each, Exception) else each
            for each in found
        ]

    async def as_client(self, frames):
        """Send them as a client with a page; every answer is an answer."""
        client = await RawClient.connect(self.relay.url)
        await client.send("Target.setAutoAttach", {"autoAttach": True, "flatten": True})
        session = client.seen("Target.attachedToTarget")[0]["sessionId"]
        with suppress(ConnectionClosed):
            for frame in frames:
                await client.socket.send(frame.replace(SESSION, session) if isinstance(frame, str) else frame)
            await client.socket.send(json.dumps({"id": 10**6, "method": "Browser.getVersion"}))
            await until(
                lambda: (
                    client.socket.close_code is not None
                    or any(event.get("id") == 10**6 for event in client.events)
                ),
                named="an answer after odd frames",
                seconds=LONGEST,
            )
        await client.close()
        return [event for event in client.events if "method" not in event]

    async def as_extension(self, frames):
        """Send them as the extension; one that is refused for it connects again."""
        with suppress(ConnectionClosed):
            for frame in frames:
                await self.extension.socket.send(frame)
            await self.extension.socket.ping()

    async def goes_on(self):
        """Another client works with the page of a connected extension."""
        if self.extension.socket.close_code is not None or self.relay.profile is None:
            await self.extension.close()
            self.extension = await self._connected(self.relay)
        else:
            await self.extension.tell("ready", tabs=[row(1), row(2)], settings=SETTINGS, stopped="")
        client = await RawClient.connect(self.relay.url)
        await client.send("Target.setAutoAttach", {"autoAttach": True, "flatten": True})
        version = await client.send("Browser.getVersion")
        targets = (await client.send("Target.getTargets"))["targetInfos"]
        await client.close()
        return version["protocolVersion"] and len(targets)

    def close(self):
        self.portal.call(self._end())
        self.portal.close()

    async def _end(self):
        await self.extension.close()
        await self.relay.stop()


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    made = Stage(tmp_path_factory.mktemp("relay") / "secrets")
    yield made
    made.close()


def frames_of(messages):
    """Messages, other JSON, and bytes."""
    return st.lists(
        st.one_of(
            changed(messages).map(json.dumps),
            changed(messages).map(json.dumps),
            ODD.map(json.dumps),
            st.text(max_size=30).filter(lambda text: text.isprintable()),
            st.binary(max_size=30),
        ),
        min_size=1,
        max_size=5,
    )


@pytest.mark.timeout(7_200)
@tried
@given(frames=frames_of(REQUESTS))
def test_any_frames_of_a_client_are_answered_or_refused(stage, caplog, frames):
    with caplog.at_level(logging.ERROR):
        answers = stage.portal.call(stage.as_client(frames))
    assert stage.portal.call(stage.goes_on())
    assert stage.new_failures() == []
    assert [record.getMessage() for record in caplog.records] == []
    assert "Traceback" not in json.dumps(answers)


@pytest.mark.timeout(7_200)
@tried
@given(frames=frames_of(NOTICES))
def test_any_frames_of_an_extension_leave_the_relay_working(stage, caplog, frames):
    with caplog.at_level(logging.ERROR):
        stage.portal.call(stage.as_extension(frames))
    assert stage.portal.call(stage.goes_on())
    assert stage.new_failures() == []
    assert [record.getMessage() for record in caplog.records] == []


async def test_a_connection_without_a_token_gets_nothing(stage):
    """The control for what follows a greeting."""
    with pytest.raises(Exception, match=r"40[13]"):
        await connect(f"ws://127.0.0.1:{stage.relay.port}/cdp/nothing", proxy=None)
