"""The channel of a script: framed messages to and from the daemon; the only way out of the jail."""

from __future__ import annotations

import asyncio
import select
import socket
from contextlib import suppress

from boathook.wire.framing import HEADER_BYTES, body_length, pack, unpack
from boathook.wire.script_messages import LARGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Message = dict[str, Any]


class Gone(Exception):
    """The other end is closed."""


class Channel:
    """Messages over one socket; blocking until `open`, then with a loop."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    @property
    def number(self) -> int:
        """The descriptor."""
        return self._socket.fileno()

    def receive(self) -> Message:
        """The next message, without a time limit: the first one starts the run."""
        header = self._exactly(HEADER_BYTES)
        return unpack(self._exactly(body_length(header, limit=LARGEST)))

    def send_now(self, message: Message) -> None:
        """Send everything, blocking; without a loop."""
        self._socket.sendall(pack(message))

    def send_hearing(self, message: Message, hear: Callable[[Message], None]) -> None:
        """Send everything, and pass on what arrives meanwhile; without a loop."""
        left = memoryview(pack(message))
        while left:
            readable, writable, _ = select.select([self._socket], [self._socket], [])
            if readable:
                hear(self.receive())
            if writable:
                with suppress(BlockingIOError):
                    left = left[self._socket.send(left, socket.MSG_DONTWAIT) :]

    def wait(self, seconds: float | None) -> bool:
        """Wait for a message, for a limited number of seconds; returns whether there is one, or the end."""
        ready, _, _ = select.select([self._socket], [], [], seconds)
        return bool(ready)

    def _exactly(self, size: int) -> bytes:
        parts = b""
        while len(parts) < size:
            part = self._socket.recv(size - len(parts))
            if not part:
                raise Gone
            parts += part
        return parts

    async def open(self) -> None:
        """Switch to the running loop."""
        self._reader, self._writer = await asyncio.open_unix_connection(sock=self._socket)
        # Else `drain` leaves a last part to a loop that does not go on after it.
        self._writer.transport.set_write_buffer_limits(high=0)

    async def next(self) -> Message:
        """The next message; Gone at the end."""
        if self._reader is None:
            raise Gone
        try:
            header = await self._reader.readexactly(HEADER_BYTES)
            return unpack(await self._reader.readexactly(body_length(header, limit=LARGEST)))
        except (asyncio.IncompleteReadError, ConnectionError):
            raise Gone from None

    def send(self, message: Message) -> None:
        """Send without waiting."""
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(pack(message))

    async def drain(self) -> None:
        """Wait until everything is sent."""
        if self._writer is not None:
            await self._writer.drain()
