"""The base of CDP proxies: a client of ours that takes us for the browser, with its own sessions on our connection."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.cdp.connection import LOST
from boathook.cdp.requests import BAD_REQUEST, NO_SESSION, read_request, refusal
from boathook.errors import BoathookError, TabGone

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.cdp.connection import Connection
    from boathook.cdp.requests import ClientCommand

    Reply = dict[str, Any]

MOST_PENDING = 64
PATIENCE_SECONDS = 0.05
"""How long the next command waits for others: one of them may be waiting for it, such as for a dialog that it closes."""


class CdpProxy:
    """Forwards messages in both directions; subclasses decide which.

    The client talks to the browser through a session that the browser created for it, so what it enables or attaches to is
    its own.
    """

    def __init__(self, connection: Connection, *, send: Callable[[bytes], None]) -> None:
        self._connection = connection
        self._send = send
        self._root = ""
        """The session about the browser as a whole."""
        self._sessions: set[str] = set()
        """Sessions that the client may use."""
        self._pending = 0
        self._replied = asyncio.Event()

    async def begin(self) -> None:
        """Create a session for the client."""
        reply = await self._connection.send("Target.attachToBrowserTarget")
        self._root = str(reply["sessionId"])
        self._connection.tap(self._root, self._on_root_event)

    async def ready(self) -> None:
        """Wait until few commands are pending: others use the same browser, and have their turn."""
        await asyncio.sleep(0)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                while self._pending >= MOST_PENDING:
                    self._replied.clear()
                    await self._replied.wait()

    async def end(self) -> None:
        """Undo everything that the client enabled."""
        if not self._root:
            return  # it never connected
        for session in (*self._sessions, self._root):
            # The browser never answers pending commands of a closed session, such as waiting for a style change.
            self._connection.fail_session(session, TabGone("the client disconnected"))
            self._connection.forget_session(session)
        with suppress(BoathookError):
            await self._connection.send("Target.detachFromTarget", {"sessionId": self._root})

    def handle(self, raw: bytes) -> None:
        """One message of the client; the browser receives its commands in order."""
        asked = read_request(raw)
        if asked is None:
            self._deliver(refusal(BAD_REQUEST, "not a CDP message"))
        elif asked.session and asked.session not in self._sessions:
            self._deliver(asked.about | refusal(NO_SESSION, "Session with given id not found."))
        else:
            self._handle(asked)

    def _handle(self, asked: ClientCommand) -> None:
        """Answer, refuse or forward a command of a known session."""
        raise NotImplementedError

    def _on_root_event(self, method: str, params: dict[str, Any]) -> None:
        """An event about the browser as a whole."""
        raise NotImplementedError

    def _forward(self, method: str, params: dict[str, Any], *, session: str, about: Reply) -> None:
        def on_reply(reply: Reply) -> None:
            self._pending -= 1
            self._replied.set()
            self._deliver(about | reply)

        self._pending += 1
        try:
            self._connection.forward(method, params, on_reply, session_id=session)
        except BoathookError as error:
            on_reply(refusal(LOST, error.message))

    def _on_event(self, session: str, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            self._adopt(str(params["sessionId"]), str(params["targetInfo"]["type"]))
        self._deliver({"method": method, "params": params, **({"sessionId": session} if session else {})})
        if method == "Target.detachedFromTarget":
            self._sessions.discard(str(params["sessionId"]))
            self._connection.forget_session(str(params["sessionId"]))

    def _adopt(self, session: str, kind: str) -> None:
        """A session that the browser created for the client."""
        del kind
        self._sessions.add(session)
        self._connection.tap(session, lambda method, params: self._on_event(session, method, params))

    def _deliver(self, message: Reply) -> None:
        self._send(msgspec.json.encode(message))
