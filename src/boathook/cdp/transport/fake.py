"""A scripted peer, for races that cannot be reproduced with a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable


class FakeTransport:
    """Keeps what was sent; the test decides what is returned, and when."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.on_sent: Callable[[dict[str, Any]], None] = lambda _message: None
        self._on_message: Callable[[bytes], None] = lambda _message: None
        self._on_close: Callable[[str], None] = lambda _reason: None

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        """Remember the callbacks."""
        self._on_message, self._on_close = on_message, on_close

    def send(self, message: bytes) -> None:
        """Record one message and let the script react."""
        decoded = msgspec.json.decode(message)
        self.sent.append(decoded)
        self.on_sent(decoded)

    async def close(self) -> None:
        """Behave like a peer that closed the connection."""
        self.hang_up("closed by boathook")

    def reply(self, message: dict[str, Any], **result: object) -> None:
        """Answer one recorded message."""
        self.push(id=message["id"], result=result)

    def event(self, method: str, *, session_id: str = "", **params: object) -> None:
        """Send an event."""
        extra = {"sessionId": session_id} if session_id else {}
        self.push(method=method, params=params, **extra)

    def push(self, **message: object) -> None:
        """Send any message."""
        self._on_message(msgspec.json.encode(message))

    def hang_up(self, reason: str) -> None:
        """Close the connection from the other side."""
        self._on_close(reason)
