"""Records: pending requests, filled from the events of the browser."""

from __future__ import annotations

import base64
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.engine.hosts.urls import without_credentials
from boathook.engine.network.log.request import Initiator, Message, Request, Waterfall

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.network.log.request import Direction

LONGEST_ADDRESS = 8_000
MOST_MESSAGES = 200
"""Messages of one WebSocket or event stream; older ones are dropped."""
LONGEST_MESSAGE = 4_096
MOST_CALLS = 10
"""Frames of the stack that led to a request."""
_TEXT = 1

CLOCK_SECONDS = 0.001
"""How far two clocks of the browser may differ."""


@dataclass(slots=True, eq=False)
class RequestRecord:
    """A pending request."""

    number: int
    id: str
    session: CdpSession
    method: str
    url: str
    type: str
    frame: str = ""
    loader: str = ""
    at: float = 0.0
    began: float = 0.0
    """On the browser's own clock, in seconds, as `answered` and `ended` are."""
    sent_bytes: int = 0
    has_post_data: bool = False
    post_data: str = ""
    request_headers: Mapping[str, str] = field(default_factory=dict)
    initiator: Mapping[str, Any] = field(default_factory=dict)
    status: int = 0
    status_text: str = ""
    failure: str = ""
    mime: str = ""
    response_headers: Mapping[str, str] = field(default_factory=dict)
    protocol: str = ""
    remote_address: str = ""
    connection: str = ""
    timing: Mapping[str, Any] = field(default_factory=dict)
    finished: bool = False
    from_cache: bool = False
    answered: float = 0.0
    ended: float = 0.0
    received_bytes: int = 0
    routed: str = ""
    redirected_to: str = ""
    messages: deque[Message] = field(default_factory=deque)
    message_count: int = 0

    def frozen(self) -> Request:
        """Its current state as a value."""
        return Request(
            number=self.number,
            method=self.method,
            url=self.url,
            type=self.type,
            status=self.status,
            failure=self.failure,
            mime=self.mime,
            finished=self.finished,
            from_cache=self.from_cache,
            at=self.at,
            seconds=round(self.ended - self.began, 4) if self.ended else None,
            sent_bytes=self.sent_bytes,
            received_bytes=self.received_bytes,
            routed=self.routed,
            messages=self.message_count,
        )

    def take_response(self, response: Mapping[str, Any], *, at: float = 0.0) -> None:
        """Record a response; its body may still be pending."""
        self.status = int(response.get("status", 0))
        self.status_text = str(response.get("statusText", ""))
        self.mime = str(response.get("mimeType", ""))
        self.response_headers = self.response_headers or _texts(response.get("headers"))
        self.request_headers = _texts(response.get("requestHeaders")) or self.request_headers
        self.protocol = str(response.get("protocol", ""))
        address, port = response.get("remoteIPAddress"), response.get("remotePort")
        self.remote_address = f"{address}:{port}" if address else ""
        self.connection = str(response.get("connectionId", "") or "")
        self.timing = response.get("timing") or {}
        self.answered = at
        self.from_cache = self.from_cache or bool(
            response.get("fromDiskCache") or response.get("fromPrefetchCache")
        )

    def end(self, at: float, *, failure: str = "", received: int = 0) -> None:
        """The request has ended."""
        self.finished, self.ended = True, at
        self.failure = failure
        self.received_bytes = received or self.received_bytes

    def add_message(
        self, direction: Direction, text: str, *, opcode: int, at: float, event: str = ""
    ) -> None:
        """Keep one message of a stream, cut if it is long; the oldest is dropped if there are many."""
        size = len(text) if opcode == _TEXT else _decoded_size(text)
        if len(self.messages) >= MOST_MESSAGES:
            self.messages.popleft()
        self.messages.append(
            Message(
                direction=direction,
                opcode=opcode,
                size=size,
                text=text[:LONGEST_MESSAGE],
                # Streams use the browser's own clock.
                at=round(self.at + at - self.began, 4) if self.at and self.began else 0.0,
                event=event,
                cut=len(text) > LONGEST_MESSAGE,
            )
        )
        self.message_count += 1

    def waterfall(self) -> Waterfall | None:
        """The timing phases; None before the end."""
        if not self.ended or not self.began:
            return None
        total = max(0.0, (self.ended - self.began) * 1_000)
        if self.timing.get("sendStart", -1) < 0 or self._has_old_timing():
            return self._without_phases(total)
        marks = self.timing
        tls = _span(marks, "sslStart", "sslEnd")
        connect = _span(marks, "connectStart", "connectEnd")
        connect = max(0.0, connect - tls) if connect is not None and tls is not None else connect
        headers_at = float(marks.get("receiveHeadersEnd", 0))
        # Reused connections have timestamps from before the request.
        parts = {
            "dns": _span(marks, "dnsStart", "dnsEnd"),
            "connect": connect,
            "tls": tls,
            "send": _span(marks, "sendStart", "sendEnd"),
            "wait": max(0.0, headers_at - float(marks["sendEnd"])),
            "receive": max(0.0, (self.ended - float(marks.get("requestTime", 0))) * 1_000 - headers_at),
        }
        spent = sum(part for part in parts.values() if part is not None)
        return _round_waterfall(queue=max(0.0, total - spent), **parts)

    def _has_old_timing(self) -> bool:
        """Whether the phases are those of an earlier request, whose response was in the memory cache."""
        return float(self.timing.get("requestTime", 0)) < self.began - CLOCK_SECONDS

    def _without_phases(self, total: float) -> Waterfall:
        """A response from a cache, from a route, or none at all: there was no connection to measure."""
        if not self.answered:
            return _round_waterfall(wait=total)
        receive = min(total, max(0.0, (self.ended - self.answered) * 1_000))
        return _round_waterfall(wait=total - receive, receive=receive)

    def why(self) -> Initiator | None:
        """What made the page send it."""
        given = self.initiator
        if not given:
            return None
        stack = tuple(_calls(given.get("stack")))[:MOST_CALLS]
        line = given.get("lineNumber")
        return Initiator(
            kind=str(given.get("type", "other")),
            url=without_credentials(str(given.get("url", "")))[:LONGEST_ADDRESS],
            line=int(line) + 1 if line is not None else 0,
            stack=stack,
        )


def _texts(headers: Any) -> dict[str, str]:
    return {str(name): str(value) for name, value in (headers or {}).items()}


def _decoded_size(encoded: str) -> int:
    try:
        return len(base64.b64decode(encoded))
    except ValueError:
        return len(encoded)


def _span(marks: Mapping[str, Any], first: str, last: str) -> float | None:
    start, end = float(marks.get(first, -1)), float(marks.get(last, -1))
    return end - start if start >= 0 and end >= start else None


def _round_waterfall(**parts: float | None) -> Waterfall:
    """To a thousandth of a millisecond; the total is the sum of the rounded parts, so that they add up."""
    short = {name: None if part is None else round(part, 3) for name, part in parts.items()}
    return Waterfall(total=round(sum(part for part in short.values() if part is not None), 3), **short)


def _calls(stack: Any) -> list[str]:
    """Stack frames from the innermost on, across asynchronous calls."""
    calls: list[str] = []
    while isinstance(stack, dict) and len(calls) < MOST_CALLS:
        for call in stack.get("callFrames", ()):
            name = call.get("functionName") or "(anonymous)"
            url = without_credentials(str(call.get("url", "")))[:200]
            calls.append(
                f"{name} {url}:{int(call.get('lineNumber', 0)) + 1}:{int(call.get('columnNumber', 0)) + 1}"
            )
        stack = stack.get("parent")
    return calls
