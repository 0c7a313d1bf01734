"""The endpoint: a WebSocket on loopback for one run, behind an address that nobody can guess."""

from __future__ import annotations

import asyncio
import hmac
import http
import logging
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from boathook.errors import BoathookError
from boathook.service.endpoint.guest import Guest
from boathook.service.endpoint.vocabulary import Sight

if TYPE_CHECKING:
    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

    from boathook.engine.tab import Tab

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
TOKEN_BYTES = 32
MOST_GUESTS = 4
LARGEST_MESSAGE = 64 << 20
CLOSE_SECONDS = 0.5
"""For a guest to say goodbye when the run is over."""
MOST_WAITING = 10_000
"""Messages that a guest has not read yet; one who reads slower than that is sent away."""


class Endpoint:
    """Opened when somebody asks for its address, and gone with `close`."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._token = secrets.token_urlsafe(TOKEN_BYTES)
        self._server: Server | None = None
        self._alone = asyncio.Lock()
        self._guests = 0

    @property
    def target_id(self) -> str:
        """The tab beside which it is, as guests know it."""
        return self._tab.target_id

    async def address(self) -> str:
        """Where it listens."""
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
        return f"ws://{LOOPBACK}:{self._port}/{self._token}"

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
        from_page = "Origin" in request.headers or "Sec-Fetch-Site" in request.headers
        if known and here and not from_page and self._guests < MOST_GUESTS:
            return None
        return connection.respond(http.HTTPStatus.FORBIDDEN, "")

    async def _serve(self, connection: ServerConnection) -> None:
        self._guests += 1
        outgoing: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)

        def send(message: bytes) -> None:
            try:
                outgoing.put_nowait(message)
            except asyncio.QueueFull:
                log.warning("endpoint.guest_too_slow", extra={"waiting": MOST_WAITING})
                connection.transport.abort()

        guest = Guest(self._tab.browser.connection, self._sight(), send=send)
        writing = asyncio.create_task(_written(connection, outgoing), name="to a guest")
        try:
            await guest.begin()
            async for message in connection:
                guest.take(message if isinstance(message, bytes) else message.encode())
        except (ConnectionClosed, BoathookError):
            pass  # he left, or the browser did
        finally:
            self._guests -= 1
            writing.cancel()
            await guest.end()

    def _sight(self) -> Sight:
        tab = self._tab
        info = tab.browser.targets.get(tab.target_id)
        only = None if tab.browser.managed else {tab.target_id}
        return Sight(context=info.context_id if info is not None else "", only=only)


async def _written(connection: ServerConnection, outgoing: asyncio.Queue[bytes]) -> None:
    with suppress(ConnectionClosed):
        while True:
            await connection.send((await outgoing.get()).decode())
