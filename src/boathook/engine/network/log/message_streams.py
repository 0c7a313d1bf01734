"""WebSockets and event streams: endless requests, with their messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.hosts.urls import without_credentials
from boathook.engine.network.log.request_record import LONGEST_ADDRESS, RequestRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.network.log.request import Direction

MOST_SOCKETS = 200
"""Open streams that are recorded in one tab."""
TEXT = 1


class Streams:
    """Reports sockets to the log, and messages to their records."""

    def __init__(
        self,
        *,
        began: Callable[[CdpSession, RequestRecord], None],
        ended: Callable[[RequestRecord], None],
        find: Callable[[CdpSession, str], RequestRecord | None],
        tick: Callable[[], int],
    ) -> None:
        self._began = began
        self._ended = ended
        self._find = find
        """The request of an event stream, which is an ordinary one."""
        self._tick = tick
        self._sockets: dict[tuple[str, str], RequestRecord] = {}

    def watch(self, session: CdpSession) -> None:
        """Listen on a session whose Network domain is enabled."""
        for method, handle in {
            "Network.webSocketCreated": self._on_created,
            "Network.webSocketWillSendHandshakeRequest": self._on_asked,
            "Network.webSocketHandshakeResponseReceived": self._on_answered,
            "Network.webSocketFrameSent": self._on_sent,
            "Network.webSocketFrameReceived": self._on_received,
            "Network.webSocketFrameError": self._on_error,
            "Network.webSocketClosed": self._on_closed,
            "Network.eventSourceMessageReceived": self._on_event,
        }.items():
            session.on(method, _bind_session(handle, session))

    def _on_created(self, session: CdpSession, params: dict[str, Any]) -> None:
        while len(self._sockets) >= MOST_SOCKETS:
            self._sockets.pop(next(iter(self._sockets)))
        record = RequestRecord(
            number=self._tick(),
            id=params["requestId"],
            session=session,
            method="GET",
            url=without_credentials(str(params.get("url", "")))[:LONGEST_ADDRESS],
            type="WebSocket",
            initiator=params.get("initiator", {}),
        )
        self._sockets[session.id, record.id] = record
        self._began(session, record)

    def _on_asked(self, session: CdpSession, params: dict[str, Any]) -> None:
        record = self._sockets.get((session.id, params["requestId"]))
        if record is not None:
            record.at, record.began = float(params.get("wallTime", 0)), float(params.get("timestamp", 0))
            record.request_headers = params.get("request", {}).get("headers", {})

    def _on_answered(self, session: CdpSession, params: dict[str, Any]) -> None:
        record = self._sockets.get((session.id, params["requestId"]))
        if record is not None:
            record.take_response(params.get("response", {}), at=float(params.get("timestamp", 0)))
            self._tick()

    def _on_sent(self, session: CdpSession, params: dict[str, Any]) -> None:
        self._add(session, params, "sent")

    def _on_received(self, session: CdpSession, params: dict[str, Any]) -> None:
        self._add(session, params, "received")

    def _add(self, session: CdpSession, params: dict[str, Any], direction: Direction) -> None:
        record = self._sockets.get((session.id, params["requestId"]))
        if record is not None:
            frame = params.get("response", {})
            record.add_message(
                direction,
                str(frame.get("payloadData", "")),
                opcode=int(frame.get("opcode", TEXT)),
                at=float(params.get("timestamp", 0)),
            )
            self._tick()

    def _on_error(self, session: CdpSession, params: dict[str, Any]) -> None:
        record = self._sockets.get((session.id, params["requestId"]))
        if record is not None:
            record.failure = str(params.get("errorMessage", "failed"))[:300]
            self._tick()

    def _on_closed(self, session: CdpSession, params: dict[str, Any]) -> None:
        record = self._sockets.pop((session.id, params["requestId"]), None)
        if record is not None:
            record.end(float(params.get("timestamp", 0)), failure=record.failure)
            self._ended(record)
            self._tick()

    def _on_event(self, session: CdpSession, params: dict[str, Any]) -> None:
        record = self._find(session, params["requestId"])
        if record is not None:
            at = float(params.get("timestamp", 0))
            record.add_message(
                "received",
                str(params.get("data", "")),
                opcode=TEXT,
                at=at,
                event=str(params.get("eventName", ""))[:200],
            )
            self._tick()


def _bind_session(
    handle: Callable[[CdpSession, dict[str, Any]], None], session: CdpSession
) -> Callable[[dict[str, Any]], None]:
    return lambda params: handle(session, params)
