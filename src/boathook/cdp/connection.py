"""One connection to a browser: numbers calls, sorts replies and events, fails everything when it closes."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.cdp.errors_map import meaning_of
from boathook.errors import BoathookError, BrowserGone, TabGone

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from boathook.cdp.transport import Transport

    Handler = Callable[[dict[str, Any], str], None]
    HandOn = Callable[[dict[str, Any]], None]

log = logging.getLogger(__name__)

STREAM_LIMIT = 1_000
"""Events that a stream buffers for a slow reader before it drops the oldest and reports it."""

ANY_SESSION = "*"
LOST = -32000
"""The error code if the browser exited before it replied."""


class _Message(msgspec.Struct):
    """The envelope; the payload stays raw until it is needed."""

    id: int = 0
    method: str = ""
    sessionId: str = ""  # noqa: N815 - the wire's spelling
    params: msgspec.Raw = msgspec.Raw(b"{}")
    result: msgspec.Raw = msgspec.Raw(b"{}")
    error: dict[str, Any] | None = None


class _Call:
    """A call that waits for its reply."""

    __slots__ = ("future", "hand_on", "method", "session_id")

    def __init__(self, method: str, session_id: str, *, hand_on: HandOn | None = None) -> None:
        self.method = method
        self.hand_on = hand_on
        """Receives the reply as it arrives, errors too, instead of the future: in order with the events."""
        self.session_id = session_id
        self.future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    def fail(self, error: BoathookError) -> None:
        if self.future.done():
            return
        if self.hand_on is None:
            self.future.set_exception(error)
        else:
            self.deliver({"error": {"code": LOST, "message": error.message}})

    def deliver(self, reply: dict[str, Any]) -> None:
        self.future.cancel()
        if self.hand_on is not None:
            self.hand_on(reply)


class EventStream:
    """Events in order, for one reader; if the reader is slow, the oldest are dropped and `lost` counts them."""

    def __init__(self, limit: int) -> None:
        self._events: deque[tuple[str, dict[str, Any]]] = deque()
        self._limit = limit
        self._arrived = asyncio.Event()
        self._ended: BoathookError | None = None
        self.lost = 0

    def offer(self, method: str, params: dict[str, Any]) -> None:
        """Add one event; never blocks the reader loop."""
        if len(self._events) >= self._limit:
            self._events.popleft()
            self.lost += 1
            if self.lost == 1:
                log.warning("cdp.events_lost", extra={"method": method, "limit": self._limit})
        self._events.append((method, params))
        self._arrived.set()

    def end(self, error: BoathookError) -> None:
        """Nothing more will arrive."""
        self._ended = error
        self._arrived.set()

    def __aiter__(self) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        return self

    async def __anext__(self) -> tuple[str, dict[str, Any]]:
        while not self._events:
            if self._ended is not None:
                raise self._ended
            self._arrived.clear()
            await self._arrived.wait()
        return self._events.popleft()


class Connection:
    """Calls and events over one transport. The reader only dispatches: it awaits nothing and runs no foreign await."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._last_id = 0
        self._calls: dict[int, _Call] = {}
        self._handlers: dict[tuple[str, str], list[Handler]] = {}
        self._streams: list[EventStream] = []
        self._taps: dict[str, Callable[[str, dict[str, Any]], None]] = {}
        self._decode = msgspec.json.Decoder(_Message).decode
        self._encode = msgspec.json.Encoder().encode
        self.closed_because: str | None = None
        self.closed = asyncio.Event()
        self.on_traffic: Callable[[str, str, bytes], None] | None = None
        self.on_closed: Callable[[str], None] | None = None
        """Called once, with the reason: callers that wait without a call would not notice otherwise."""
        transport.start(self._sort, self._on_close)

    @property
    def pending(self) -> list[str]:
        """Methods of the pending calls."""
        return [call.method for call in self._calls.values()]

    async def send(
        self, method: str, params: dict[str, Any] | None = None, *, session_id: str = ""
    ) -> dict[str, Any]:
        """Send one command and wait for its result; the caller bounds the wait."""
        return await self.post(method, params, session_id=session_id)

    def post(
        self, method: str, params: dict[str, Any] | None = None, *, session_id: str = ""
    ) -> asyncio.Future[dict[str, Any]]:
        """Send one command now and return the future of its result; cancelling it leaves nothing behind."""
        return self._send_call(method, params, session_id=session_id)

    def forward(self, method: str, params: dict[str, Any], hand_on: HandOn, *, session_id: str) -> None:
        """Send a command of another client; `hand_on` receives the reply with its `result` or `error`, in order with events."""
        self._send_call(method, params, session_id=session_id, hand_on=hand_on)

    def tap(self, session_id: str, listener: Callable[[str, dict[str, Any]], None]) -> None:
        """Pass every event of a session to another handler, until the session is forgotten; no other handler receives them."""
        self._taps[session_id] = listener

    def _send_call(
        self, method: str, params: dict[str, Any] | None, *, session_id: str, hand_on: HandOn | None = None
    ) -> asyncio.Future[dict[str, Any]]:
        if self.closed_because is not None:
            raise BrowserGone(f"cannot send {method}: {self.closed_because}", method=method)
        self._last_id += 1
        number = self._last_id
        message: dict[str, Any] = {"id": number, "method": method, "params": params or {}}
        if session_id:
            message["sessionId"] = session_id
        call = _Call(method, session_id, hand_on=hand_on)
        self._calls[number] = call
        call.future.add_done_callback(lambda _future: self._calls.pop(number, None))
        encoded = self._encode(message)
        if self.on_traffic is not None:
            self.on_traffic("sent", session_id, encoded)
        self._transport.send(encoded)
        return call.future

    def on(self, method: str, handler: Handler, *, session_id: str = "") -> Callable[[], None]:
        """Call `handler(params, session_id)` for each such event; returns a function that stops it."""
        handlers = self._handlers.setdefault((session_id, method), [])
        handlers.append(handler)

        def stop() -> None:
            if handler in handlers:
                handlers.remove(handler)

        return stop

    def add_stream(self, limit: int = STREAM_LIMIT) -> EventStream:
        """A stream that ends when the connection does; `on` feeds it."""
        stream = EventStream(limit)
        self._streams.append(stream)
        return stream

    def drop_stream(self, stream: EventStream) -> None:
        """Remove a stream that is no longer read."""
        if stream in self._streams:
            self._streams.remove(stream)

    def fail_session(self, session_id: str, error: BoathookError) -> None:
        """Fail every call that is pending on one session, since its target will never reply."""
        for call in list(self._calls.values()):
            if call.session_id == session_id:
                call.fail(error)

    def forget_session(self, session_id: str) -> None:
        """Drop the handlers of a session that has ended."""
        for key in [key for key in self._handlers if key[0] == session_id]:
            del self._handlers[key]
        self._taps.pop(session_id, None)

    async def close(self) -> None:
        """Close the transport and fail what is still pending; may be called twice."""
        await self._transport.close()
        self._on_close("the connection was closed by boathook")

    def _sort(self, raw: bytes) -> None:
        if self.on_traffic is not None:
            self.on_traffic("received", "", raw)
        try:
            message = self._decode(raw)
        except ValueError:
            try:
                message = self._decode(_repair_json(raw))
            except ValueError:
                log.warning("cdp.unreadable_message", extra={"bytes": len(raw)})
                return
        if message.id:
            self._settle(message)
        elif message.method:
            self._deliver(message)

    def _settle(self, message: _Message) -> None:
        call = self._calls.get(message.id)
        if call is None or call.future.done():
            return  # a reply after its caller gave up
        if call.hand_on is not None:
            call.deliver({"error": message.error} if message.error else {"result": _payload(message.result)})
            return
        if message.error is not None:
            error = message.error
            call.fail(
                meaning_of(
                    call.method,
                    error.get("code", 0),
                    str(error.get("message", "")),
                    str(error.get("data", "")),
                )
            )
            return
        call.future.set_result(_payload(message.result))

    def _deliver(self, message: _Message) -> None:
        handlers = self._handlers_of(message)
        if message.method == "Target.detachedFromTarget":
            self._on_detached(message)
        if not handlers:
            return
        params = _payload(message.params)
        for handler in handlers:
            try:
                handler(params, message.sessionId)
            except Exception:
                log.exception("cdp.handler_failed", extra={"method": message.method})

    def _handlers_of(self, message: _Message) -> list[Handler]:
        tap = self._taps.get(message.sessionId) if self._taps else None
        if tap is not None:  # events of a proxied session go to its client only
            return [lambda params, _session: tap(message.method, params)]
        return [
            *self._handlers.get((message.sessionId, message.method), ()),
            *self._handlers.get((ANY_SESSION, message.method), ()),
        ]

    def _on_detached(self, message: _Message) -> None:
        session_id = str(_payload(message.params).get("sessionId", ""))
        self.fail_session(session_id, TabGone("the tab or frame was closed while the call was running"))

    def _on_close(self, reason: str) -> None:
        if self.closed_because is not None:
            return
        self.closed_because = reason
        for call in list(self._calls.values()):
            call.fail(
                BrowserGone(
                    f"the browser disconnected while {call.method} was running: {reason}", method=call.method
                )
            )
        for stream in self._streams:
            stream.end(BrowserGone(f"the browser disconnected: {reason}"))
        self.closed.set()
        if self.on_closed is not None:
            self.on_closed(reason)


def _payload(raw: msgspec.Raw) -> dict[str, Any]:
    try:
        decoded = msgspec.json.decode(raw)
    except ValueError:
        decoded = msgspec.json.decode(_repair_json(bytes(raw)))
    return decoded if isinstance(decoded, dict) else {}


def _repair_json(raw: bytes) -> bytes:
    """The same JSON without lone surrogates: a page can put one into any string, and Chromium passes it on."""
    return msgspec.json.encode(_without_lone_surrogates(json.loads(raw.decode("utf-8", "replace"))))


def _without_lone_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_without_lone_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {key: _without_lone_surrogates(item) for key, item in value.items()}
    return value
