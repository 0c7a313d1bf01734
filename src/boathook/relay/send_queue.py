"""What waits to be sent on one socket: in order, and never more than memory should hold."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

MOST_WAITING = 256 << 20
"""Characters that may wait; a reader that far behind is gone for all that matters."""
TOO_SLOW = 1013


class CdpRefusal(Exception):
    """A command that is answered with a protocol error."""

    def __init__(self, message: str, *, code: int = -32000) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotAnswered(CdpRefusal):
    """Nobody answered: the tab is frozen, or the tab, its debugger or the extension is gone."""


class Mailbox:
    """Puts messages on a socket one after the other; `put` never waits."""

    def __init__(self, send: Callable[[str], Awaitable[None]]) -> None:
        self._send = send
        self._waiting: deque[str] = deque()
        self._size = 0
        self._awake = asyncio.Event()
        self.is_closed = False
        self.has_overflown = False

    def put(self, message: dict[str, Any]) -> None:
        """Add a message; what comes after the end goes nowhere."""
        if self.is_closed:
            return
        text = msgspec.json.encode(message).decode()
        self._size += len(text)
        if self._size > MOST_WAITING:
            self.has_overflown = True
            self.close()
            return
        self._waiting.append(text)
        self._awake.set()

    def close(self) -> None:
        """Send no more; `run` ends."""
        self.is_closed = True
        self._awake.set()

    async def run(self) -> None:
        """Send until closed; an error of the socket goes to whoever runs this."""
        while True:
            await self._awake.wait()
            while self._waiting:
                text = self._waiting.popleft()
                self._size -= len(text)
                await self._send(text)
            if self.is_closed:
                return
            self._awake.clear()
