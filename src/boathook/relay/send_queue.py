"""The send queue of one socket: in order, and bounded."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MOST_WAITING = 64 << 20
"""Characters that may be queued besides one message; a slower reader is disconnected."""
TOO_SLOW = 1013


class CdpRefusal(Exception):
    """A command that is answered with a protocol error."""

    def __init__(self, message: str, *, code: int = -32000) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotAnswered(CdpRefusal):
    """No reply: the tab is frozen, or the tab, its debugger or the extension is gone."""


class SendQueue:
    """Sends messages on a socket one after the other; `put` never waits."""

    def __init__(
        self,
        send: Callable[[str], Awaitable[None]],
        *,
        on_message: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self._send = send
        self._on_message = on_message
        self._waiting: deque[str] = deque()
        self._size = 0
        self._awake = asyncio.Event()
        self.is_closed = False
        self.has_overflown = False

    def put(self, message: dict[str, Any]) -> None:
        """Add a message; after the end it is dropped."""
        if self.is_closed:
            return
        text = msgspec.json.encode(message).decode()
        if self._waiting and self._size + len(text) > MOST_WAITING:
            self.has_overflown = True
            self._waiting.clear()
            self.close()
            return
        if self._on_message is not None:
            self._on_message(message)
        self._size += len(text)
        self._waiting.append(text)
        self._awake.set()

    def close(self) -> None:
        """Stop sending; `run` returns."""
        self.is_closed = True
        self._awake.set()

    async def run(self) -> None:
        """Send until closed; socket errors are raised to the caller."""
        while True:
            await self._awake.wait()
            while self._waiting:
                text = self._waiting.popleft()
                self._size -= len(text)
                await self._send(text)
            if self.is_closed:
                return
            self._awake.clear()
