"""A doorway: a WebSocket on loopback, behind an address that nobody can guess, for programs that speak to our browser."""

from __future__ import annotations

import asyncio
import hmac
import http
import logging
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from boathook.errors import BoathookError

if TYPE_CHECKING:
    from collections.abc import Callable

    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
TOKEN_BYTES = 32
MOST_GUESTS = 4
LARGEST_MESSAGE = 64 << 20
CLOSE_SECONDS = 0.5
"""For a guest to say goodbye when the door closes."""
MOST_WAITING = 10_000
"""Messages that a guest has not read yet; one who reads slower than that is sent away."""


class Caller(Protocol):
    """Whoever came in: speaks to the browser for as long as the line is open."""

    async def begin(self) -> None:
        """Get him what he needs before his first message is read."""

    def take(self, raw: bytes) -> None:
        """One message of his."""

    async def end(self) -> None:
        """Take back all that he turned on."""


class Line:
    """The line to one caller."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._outgoing: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)

    def send(self, message: bytes) -> None:
        """Tell him something, after all that he was told before."""
        try:
            self._outgoing.put_nowait(message)
        except asyncio.QueueFull:
            log.warning("doorway.guest_too_slow", extra={"waiting": MOST_WAITING})
            self.hang_up()

    def hang_up(self) -> None:
        """Send him away at once."""
        self._connection.transport.abort()

    async def write(self) -> None:
        """Pass on what is sent, until the line is closed."""
        with suppress(ConnectionClosed):
            while True:
                await self._connection.send((await self._outgoing.get()).decode())


class Doorway:
    """Opened when somebody asks for its place, and gone with `close`."""

    def __init__(self, welcome: Callable[[Line], Caller], *, origin: str = "") -> None:
        self._welcome = welcome
        self._origin = origin
        """The one origin that documents may call from; none without it."""
        self._token = secrets.token_urlsafe(TOKEN_BYTES)
        self._server: Server | None = None
        self._alone = asyncio.Lock()
        self._guests = 0
        self.visited = asyncio.Event()
        """Set when a caller has come in."""

    async def place(self) -> str:
        """Where it listens: host, port and path."""
        async with self._alone:
            if self._server is None:
                self._server = await serve(
                    self._serve,
                    LOOPBACK,
                    0,
                    process_request=self._refusal,
                    max_size=LARGEST_MESSAGE,
                    compression=None,
                    close_timeout=CLOSE_SECONDS,
                    server_header=None,
                )
        return f"{LOOPBACK}:{self._port}/{self._token}"

    async def close(self) -> None:
        """End it, and whoever is there; harmless when repeated."""
        server, self._server = self._server, None
        if server is not None:
            server.close()
            await server.wait_closed()

    @property
    def _port(self) -> int:
        if self._server is None:
            return 0
        port: int = next(iter(self._server.sockets)).getsockname()[1]
        return port

    def _refusal(self, connection: ServerConnection, request: Request) -> Response | None:
        """No word to whoever does not know the address, to names that lead here by another way, and to pages."""
        known = hmac.compare_digest(request.path.encode(), f"/{self._token}".encode())
        here = request.headers.get_all("Host") == [f"{LOOPBACK}:{self._port}"]
        if known and here and self._may_call(request) and self._guests < MOST_GUESTS:
            return None
        return connection.respond(http.HTTPStatus.FORBIDDEN, "")

    def _may_call(self, request: Request) -> bool:
        """Browsers tell whose document calls, and no document can keep them from it."""
        if self._origin:
            return request.headers.get_all("Origin") == [self._origin]
        return "Origin" not in request.headers and "Sec-Fetch-Site" not in request.headers

    async def _serve(self, connection: ServerConnection) -> None:
        self._guests += 1
        line = Line(connection)
        caller = self._welcome(line)
        writing = asyncio.create_task(line.write(), name="to a guest")
        try:
            await caller.begin()
            self.visited.set()
            async for message in connection:
                caller.take(message if isinstance(message, bytes) else message.encode())
        except (ConnectionClosed, BoathookError):
            pass  # he left, or the browser did
        finally:
            self._guests -= 1
            writing.cancel()
            await caller.end()
