"""The debugging pipe of a browser that we started: messages end with a NUL byte."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from boathook.cdp.transport import MESSAGE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable


class MessageSplitter:
    """Splits a byte stream at NUL bytes in time linear in its length, however it is chunked."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take one chunk, return the messages that it completes."""
        head, *rest = chunk.split(b"\0")
        if not rest:
            self._keep(head)
            return []
        self._parts.append(head)
        messages = [b"".join(self._parts), *rest[:-1]]
        self._parts, self._length = [], 0
        self._keep(rest[-1])
        return messages

    def _keep(self, piece: bytes) -> None:
        if piece:
            self._parts.append(piece)
            self._length += len(piece)
        if self._length > MESSAGE_LIMIT:
            raise ValueError(f"a message is larger than {MESSAGE_LIMIT} bytes")


class PipeTransport(asyncio.Protocol):
    """Messages over two pipe ends: `read_fd` from the browser, `write_fd` to it."""

    def __init__(self) -> None:
        self._splitter = MessageSplitter()
        self._reader: asyncio.ReadTransport | None = None
        self._writer: asyncio.WriteTransport | None = None
        self._early: list[bytes] = []
        self._on_message: Callable[[bytes], None] = self._early.append
        self._on_close: Callable[[str], None] | None = None
        self._closed_because: str | None = None
        self._unsent: list[bytes] = []

    @classmethod
    async def open(cls, *, read_fd: int, write_fd: int) -> PipeTransport:
        """Read and write on both file descriptors; closing them is left to the process that they belong to."""
        loop = asyncio.get_running_loop()
        pipe = cls()
        try:
            reading = os.fdopen(read_fd, "rb", 0, closefd=False)
            pipe._reader, _ = await loop.connect_read_pipe(lambda: pipe, reading)
            writing = os.fdopen(write_fd, "wb", 0, closefd=False)
            pipe._writer, _ = await loop.connect_write_pipe(_WriteEnd, writing)
        except BaseException:
            await pipe.close()
            raise
        return pipe

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        """Deliver what has already arrived, then everything else as it arrives."""
        self._on_message, self._on_close = on_message, on_close
        for message in self._early:
            on_message(message)
        if self._closed_because is not None:
            on_close(self._closed_because)

    def send(self, message: bytes) -> None:
        """Queue one message. What is sent in one step of the event loop is written at once: each write wakes the browser."""
        if not self._unsent:
            asyncio.get_running_loop().call_soon(self._flush)
        self._unsent.append(message)

    def _flush(self) -> None:
        unsent, self._unsent = self._unsent, []
        if unsent and self._writer is not None and not self._writer.is_closing():
            self._writer.write(b"\0".join([*unsent, b""]))

    async def close(self) -> None:
        """Stop reading and writing; may be called twice."""
        self._flush()
        for end in (self._writer, self._reader):
            if end is not None and not end.is_closing():
                end.close()

    def data_received(self, data: bytes) -> None:
        """Called by asyncio with received data."""
        try:
            messages = self._splitter.feed(data)
        except ValueError as error:
            self._end(str(error))
            return
        for message in messages:
            self._on_message(message)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio when the browser's end is closed."""
        self._end(str(exc) if exc else "the browser closed its pipe")

    def on_process_exit(self, reason: str) -> None:
        """The process behind the pipe has exited; its last output is not waited for."""
        self._end(reason)

    def _end(self, reason: str) -> None:
        if self._closed_because is not None:
            return
        self._closed_because = reason
        for end in (self._writer, self._reader):
            if end is not None and not end.is_closing():
                end.close()
        if self._on_close is not None:
            self._on_close(reason)


class _WriteEnd(asyncio.BaseProtocol):
    """asyncio requires a protocol for the write end too; a broken pipe shows at the read end."""
