"""The protocol layer against a scripted peer: races that a real browser cannot be asked to make."""

import asyncio

import pytest

from boathook.cdp.cdp_session import CdpSession
from boathook.cdp.connection import Connection
from boathook.cdp.errors_map import ContextGone
from boathook.cdp.transport.fake import FakeTransport
from boathook.errors import BrowserGone, ProtocolError, TabGone, Unsupported


@pytest.fixture
async def line():
    peer = FakeTransport()
    connection = Connection(peer)
    yield connection, peer
    await connection.close()


async def test_a_handler_that_sends_a_command_does_not_hang_the_reader(line):
    connection, peer = line
    peer.on_sent = lambda message: (
        peer.reply(message, ok=True) if message["method"] == "Runtime.evaluate" else None
    )
    answers = []

    def on_event(params, _session):
        connection.post("Runtime.evaluate").add_done_callback(lambda done: answers.append(done.result()))

    connection.on("Page.loaded", on_event)
    peer.event("Page.loaded")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert answers == [{"ok": True}]


async def test_a_cancelled_call_leaves_nothing_pending(line):
    connection, _peer = line
    call = asyncio.create_task(connection.send("Page.navigate"))
    await asyncio.sleep(0)
    assert connection.pending == ["Page.navigate"]
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert connection.pending == []


async def test_a_closed_socket_fails_every_pending_call_by_its_method(line):
    connection, peer = line
    calls = [asyncio.create_task(connection.send(method)) for method in ("Page.navigate", "DOM.describeNode")]
    await asyncio.sleep(0)
    peer.hang_up("cable cut")
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(result) for result in results] == [BrowserGone, BrowserGone]
    assert "Page.navigate" in str(results[0])
    assert "cable cut" in str(results[0])
    assert "DOM.describeNode" in str(results[1])
    with pytest.raises(BrowserGone, match=r"Runtime\.evaluate"):
        await connection.send("Runtime.evaluate")


async def test_an_event_subscribed_before_the_action_is_not_lost(line):
    connection, peer = line
    session = CdpSession(connection, "S1")
    peer.on_sent = lambda message: (peer.event("Page.moved", session_id="S1", n=1), peer.reply(message))
    with session.events("Page.moved") as stream:
        await session.send("Input.press")
        assert await anext(stream) == ("Page.moved", {"n": 1})


async def test_a_full_buffer_neither_blocks_the_reader_nor_loses_silently(line, caplog):
    connection, peer = line
    session = CdpSession(connection, "S1")
    with session.events("Log.entry", limit=3) as stream:
        for number in range(10):
            peer.event("Log.entry", session_id="S1", n=number)
        kept = [(await anext(stream))[1]["n"] for _ in range(3)]
        assert kept == [7, 8, 9]
        assert stream.lost == 7
    assert any(record.message == "cdp.events_lost" for record in caplog.records)


async def test_a_late_response_after_a_timeout_is_ignored(line):
    connection, peer = line
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await connection.send("Page.navigate")
    peer.reply(peer.sent[0], late=True)
    peer.on_sent = lambda message: peer.reply(message, fresh=True)
    assert await connection.send("Page.reload") == {"fresh": True}


async def test_two_sessions_interleaved_get_their_own_answers(line):
    connection, peer = line
    one, two = CdpSession(connection, "S1"), CdpSession(connection, "S2")
    calls = [
        asyncio.create_task(session.send("Runtime.evaluate", n=n)) for n in range(5) for session in (one, two)
    ]
    await asyncio.sleep(0)
    for message in reversed(peer.sent):
        peer.reply(message, who=message["sessionId"], n=message["params"]["n"])
    results = await asyncio.gather(*calls)
    assert [(result["who"], result["n"]) for result in results] == [
        (who, n) for n in range(5) for who in ("S1", "S2")
    ]


async def test_events_of_one_session_do_not_reach_another(line):
    connection, peer = line
    seen = []
    CdpSession(connection, "S1").on("Page.moved", lambda params: seen.append(("S1", params["n"])))
    CdpSession(connection, "S2").on("Page.moved", lambda params: seen.append(("S2", params["n"])))
    peer.event("Page.moved", session_id="S2", n=1)
    peer.event("Page.moved", session_id="S1", n=2)
    assert seen == [("S2", 1), ("S1", 2)]


async def test_a_detached_session_fails_its_calls_only(line):
    connection, peer = line
    lost = asyncio.create_task(connection.send("Runtime.evaluate", session_id="S1"))
    kept = asyncio.create_task(connection.send("Runtime.evaluate", session_id="S2"))
    await asyncio.sleep(0)
    peer.event("Target.detachedFromTarget", sessionId="S1")
    with pytest.raises(TabGone):
        await lost
    peer.reply(peer.sent[1], ok=1)
    assert await kept == {"ok": 1}


async def test_a_handler_that_fails_does_not_stop_the_others(line, caplog):
    connection, peer = line
    seen = []
    connection.on("Page.moved", lambda params, _session: 1 / 0)
    connection.on("Page.moved", lambda params, _session: seen.append(params))
    peer.event("Page.moved", n=1)
    assert seen == [{"n": 1}]
    assert any(record.message == "cdp.handler_failed" for record in caplog.records)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": -32000, "message": "Cannot find context with specified id"}, ContextGone),
        ({"code": -32001, "message": "Session with given id not found."}, TabGone),
        ({"code": -32601, "message": "'Foo.bar' wasn't found"}, Unsupported),
        ({"code": -32000, "message": "Something new"}, ProtocolError),
    ],
)
async def test_error_replies_become_typed_errors_with_their_method(line, error, kind):
    connection, peer = line
    peer.on_sent = lambda message: peer.push(id=message["id"], error=error)
    with pytest.raises(kind, match=r"Foo\.bar"):
        await connection.send("Foo.bar")


async def test_a_lone_surrogate_from_a_page_does_not_break_the_message(line):
    connection, peer = line
    peer.on_sent = lambda message: peer._on_message(
        b'{"id":%d,"result":{"value":"a\\ud800b"}}' % message["id"]
    )
    assert await connection.send("Runtime.evaluate") == {"value": "a\ufffdb"}


async def test_rubbish_on_the_line_is_skipped(line, caplog):
    connection, peer = line
    peer._on_message(b"not json")
    peer.on_sent = lambda message: peer.reply(message, ok=True)
    assert await connection.send("Browser.getVersion") == {"ok": True}
    assert any(record.message == "cdp.unreadable_message" for record in caplog.records)


async def test_a_domain_is_enabled_once_and_disabled_with_its_last_user(line):
    connection, peer = line
    peer.on_sent = peer.reply
    session = CdpSession(connection, "S1")
    async with session.domain("Network"):
        async with session.domain("Network"):
            pass
        assert [message["method"] for message in peer.sent] == ["Network.enable"]
    assert [message["method"] for message in peer.sent] == ["Network.enable", "Network.disable"]
