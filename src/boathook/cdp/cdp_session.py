"""One target's session on a connection: send, listen, and enable a domain only while it is needed."""

from __future__ import annotations

from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Any

from boathook.errors import BrowserGone, ProtocolError, TabGone

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Callable, Iterator

    from boathook.cdp.connection import Connection, EventStream
    from boathook.errors import BoathookError


class CdpSession:
    """A flat session: the connection with its id filled in."""

    def __init__(self, connection: Connection, session_id: str) -> None:
        self.connection = connection
        self.id = session_id
        self._needed: dict[str, int] = {}
        self.on_send: Callable[[str, dict[str, Any]], None] | None = None
        """Called with each command before it is sent: a recording derives the pointer position from it."""

    async def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send one command to this target and wait for its result."""
        if self.on_send is not None:
            self.on_send(method, params)
        return await self.connection.send(method, params, session_id=self.id)

    def post(self, method: str, **params: Any) -> asyncio.Future[dict[str, Any]]:
        """Send now, read the result later."""
        if self.on_send is not None:
            self.on_send(method, params)
        return self.connection.post(method, params, session_id=self.id)

    def on(self, method: str, handler: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        """Call `handler(params)` for each such event of this target."""
        return self.connection.on(method, lambda params, _session: handler(params), session_id=self.id)

    @contextmanager
    def events(self, *methods: str, limit: int = 1_000) -> Iterator[EventStream]:
        """A bounded stream of these events, open before the block starts so that none is missed."""
        stream = self.connection.add_stream(limit)

        def offer_as(method: str) -> Callable[[dict[str, Any]], None]:
            return lambda params: stream.offer(method, params)

        stops = [self.on(method, offer_as(method)) for method in methods]
        try:
            yield stream
        finally:
            for stop in stops:
                stop()
            self.connection.drop_stream(stream)

    @asynccontextmanager
    async def domain(self, name: str) -> AsyncIterator[None]:
        """Keep a domain enabled while at least one block needs it."""
        self._needed[name] = self._needed.get(name, 0) + 1
        try:
            if self._needed[name] == 1:
                await self.send(f"{name}.enable")
            yield
        finally:
            self._needed[name] -= 1
            if self._needed[name] == 0:
                with suppress(TabGone, BrowserGone, ProtocolError):
                    await self.send(f"{name}.disable")

    def fail(self, error: BoathookError) -> None:
        """Fail every call that is pending on this target."""
        self.connection.fail_session(self.id, error)

    def forget(self) -> None:
        """Drop this session's handlers; its target is closed."""
        self.connection.forget_session(self.id)
