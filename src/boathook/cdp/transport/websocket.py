"""A WebSocket to a running browser."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from boathook.cdp.endpoint_url import is_loopback
from boathook.cdp.transport import MESSAGE_LIMIT
from boathook.errors import EndpointError

if TYPE_CHECKING:
    from collections.abc import Callable

    from websockets.asyncio.client import ClientConnection

CLOSE_SECONDS = 1.0


class WebSocketTransport:
    """Messages over one WebSocket, with one writer so that order is kept."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, url: str) -> WebSocketTransport:
        """Do the handshake; the caller's deadline bounds it."""
        proxy: Literal[True] | None = None if is_loopback(urlsplit(url).hostname or "") else True
        try:
            socket = await connect(
                url,
                proxy=proxy,
                max_size=MESSAGE_LIMIT,
                max_queue=None,
                compression=None,
                ping_interval=None,
                open_timeout=None,
                close_timeout=CLOSE_SECONDS,
                user_agent_header=None,
            )
        except InvalidURI as error:
            raise EndpointError(f"{url} is not a WebSocket URL", url=url) from error
        except (OSError, InvalidHandshake, EOFError) as error:
            raise EndpointError(f"{url} refused the WebSocket connection: {error}", url=url) from error
        return cls(socket)

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        """Begin to read and write."""
        self._tasks = [
            asyncio.create_task(self._read(on_message, on_close), name="cdp websocket reader"),
            asyncio.create_task(self._write(), name="cdp websocket writer"),
        ]

    def send(self, message: bytes) -> None:
        """Queue one message; CDP wants text frames."""
        self._outbox.put_nowait(message.decode())

    async def close(self) -> None:
        """Close the connection, then stop both tasks."""
        await self._socket.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _read(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        reason = "the endpoint closed the WebSocket"
        try:
            while True:
                on_message(await self._socket.recv(decode=False))
        except ConnectionClosed as error:
            reason = f"the endpoint closed the WebSocket: {error}"
        finally:
            on_close(reason)

    async def _write(self) -> None:
        with suppress(ConnectionClosed):
            while True:
                await self._socket.send(await self._outbox.get())
