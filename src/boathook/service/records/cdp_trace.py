"""The CDP trace of a call: which messages were sent to the browser and how long each took; for `--debug`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from boathook.clock import now

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.cdp.connection import Connection

MOST_LINES = 200


class _Envelope(msgspec.Struct):
    id: int = 0
    method: str = ""


class CdpTrace:
    """Messages of a browser while a call runs; their contents are omitted, since they may contain secrets."""

    def __init__(self) -> None:
        self._began = now()
        self._sent: dict[int, tuple[str, float]] = {}
        self._lines: list[str] = []
        self._calls = self._events = self._bytes = 0
        self._decode = msgspec.json.Decoder(_Envelope).decode

    def note(self, direction: str, _session_id: str, raw: bytes) -> None:
        """One message."""
        self._bytes += len(raw)
        try:
            message = self._decode(raw)
        except msgspec.DecodeError:
            return
        if direction == "sent":
            self._calls += 1
            self._sent[message.id] = (message.method, now())
        elif message.id in self._sent:
            method, at = self._sent.pop(message.id)
            self._add(f"{self._since(at)} {method} took {(now() - at) * 1_000:.1f} ms, {len(raw)} bytes")
        else:
            self._events += 1

    def lines(self) -> tuple[str, ...]:
        """The trace so far, its summary last."""
        waiting = [f"{self._since(at)} {method} has no response yet" for method, at in self._sent.values()]
        total = (now() - self._began) * 1_000
        left_out = self._calls - len(self._lines) - len(waiting)
        more = f" ({left_out} of them not shown)" if left_out > 0 else ""
        return (
            *self._lines,
            *waiting[:MOST_LINES],
            f"{total:.1f} ms, {self._calls} messages sent{more}, {self._events} events, {self._bytes} bytes",
        )

    def _since(self, at: float) -> str:
        return f"+{(at - self._began) * 1_000:.1f} ms"

    def _add(self, line: str) -> None:
        if len(self._lines) < MOST_LINES:
            self._lines.append(line)


@contextmanager
def trace_connection(connection: Connection) -> Iterator[CdpTrace]:
    """Trace a connection, regardless of the sender, until the end of the block."""
    account, before = CdpTrace(), connection.on_traffic

    def both(direction: str, session_id: str, raw: bytes) -> None:
        account.note(direction, session_id, raw)
        if before is not None:
            before(direction, session_id, raw)

    connection.on_traffic = both
    try:
        yield account
    finally:
        # A later trace has wrapped ours; then it stays, without an effect.
        if connection.on_traffic is both:
            connection.on_traffic = before
