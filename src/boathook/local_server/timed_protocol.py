"""HTTP connections that send no request are closed: half-open ones would use up the server's descriptors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

if TYPE_CHECKING:
    import asyncio

REQUEST_SECONDS = 10.0
"""How long a new connection may take to send the head of its first request."""

_Protocol: Any = AutoHTTPProtocol  # chosen by uvicorn when it is imported, by what is installed


class TimedHttpProtocol(_Protocol):  # type: ignore[misc]
    """uvicorn's protocol, with a limit for the first request."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start the time limit."""
        super().connection_made(transport)
        self._limit = self.loop.call_later(REQUEST_SECONDS, self._close_if_silent)

    def connection_lost(self, error: Exception | None) -> None:
        """The connection has ended by itself."""
        self._limit.cancel()
        super().connection_lost(error)

    def handle_websocket_upgrade(self, *event: Any) -> None:
        """A WebSocket takes over the connection, which has no HTTP request then."""
        self._limit.cancel()
        super().handle_websocket_upgrade(*event)

    def _close_if_silent(self) -> None:
        if self.cycle is None:
            self.transport.close()
