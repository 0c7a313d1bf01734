"""A WebSocket server on loopback, behind an unguessable URL, for programs that talk to our browser."""

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
from boathook.local_server.guard import HOST, LocalGuard, RequestHeaders

if TYPE_CHECKING:
    from collections.abc import Callable

    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

log = logging.getLogger(__name__)

TOKEN_BYTES = 32
MOST_GUESTS = 4
LARGEST_MESSAGE = 64 << 20
CLOSE_SECONDS = 0.5
"""For a client to close when the server closes."""
MOST_WAITING = 10_000
"""Messages that a client has not read yet; a client that reads slower is disconnected."""


class PeerHandler(Protocol):
    """A connected client: talks to the browser while the connection is open."""

    async def begin(self) -> None:
        """Prepare what the client needs before its first message is read."""

    def handle(self, raw: bytes) -> None:
        """Handle one message from the client."""

    async def ready(self) -> None:
        """Wait until the next message may be read."""

    async def end(self) -> None:
        """Undo everything that the client enabled."""


class Peer:
    """The connection to one client."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._outgoing: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)

    def send(self, message: bytes) -> None:
        """Send a message, after all earlier ones."""
        try:
            self._outgoing.put_nowait(message)
        except asyncio.QueueFull:
            log.warning("doorway.guest_too_slow", extra={"waiting": MOST_WAITING})
            self.hang_up()

    def hang_up(self) -> None:
        """Disconnect the client at once."""
        self._connection.transport.abort()

    async def write(self) -> None:
        """Forward messages until the connection is closed."""
        with suppress(ConnectionClosed):
            while True:
                await self._connection.send((await self._outgoing.get()).decode())


class TokenWebSocketServer:
    """Started when its URL is requested, and stopped by `close`."""

    def __init__(self, welcome: Callable[[Peer], PeerHandler], *, origin: str = "") -> None:
        self._welcome = welcome
        self._origin = origin
        """The one origin that documents may connect from; none without it."""
        self._token = secrets.token_urlsafe(TOKEN_BYTES)
        self._server: Server | None = None
        self._alone = asyncio.Lock()
        self._guests = 0
        self.visited = asyncio.Event()
        """Set when a client has connected."""

    async def url(self) -> str:
        """Where it listens: host, port and path."""
        async with self._alone:
            if self._server is None:
                self._server = await serve(
                    self._serve,
                    HOST,
                    0,
                    process_request=self._refusal,
                    max_size=LARGEST_MESSAGE,
                    compression=None,
                    close_timeout=CLOSE_SECONDS,
                    server_header=None,
                )
        return f"{HOST}:{self._port}/{self._token}"

    async def close(self) -> None:
        """Stop it and disconnect its clients; may be called twice."""
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
        """No response to clients that do not know the path, to other host names, and to pages."""
        known = hmac.compare_digest(request.path.encode(), f"/{self._token}".encode())
        headers = RequestHeaders(
            (name.encode(), value.encode()) for name, value in request.headers.raw_items()
        )
        guard = LocalGuard(port=self._port, names=(HOST,))
        # Browsers send the origin of the calling document, which no document can prevent.
        refused = guard.check_source(headers, only_from=self._origin)
        if known and refused is None and self._guests < MOST_GUESTS:
            return None
        return connection.respond(http.HTTPStatus.FORBIDDEN, "")

    async def _serve(self, connection: ServerConnection) -> None:
        self._guests += 1
        line = Peer(connection)
        caller = self._welcome(line)
        writing = asyncio.create_task(line.write(), name="to a guest")
        try:
            await caller.begin()
            self.visited.set()
            async for message in connection:
                caller.handle(message if isinstance(message, bytes) else message.encode())
                await caller.ready()
        except (ConnectionClosed, BoathookError):
            pass  # the client or the browser disconnected
        finally:
            self._guests -= 1
            writing.cancel()
            await caller.end()
