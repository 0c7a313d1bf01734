"""One CDP client of another program on a connection of ours, with separate sessions."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.cdp.connection import LOST
from boathook.cdp.requests import BAD_REQUEST, NO_SESSION, REFUSED, read_request, refusal
from boathook.errors import BoathookError, TabGone
from boathook.service.endpoint.method_policy import method_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from boathook.cdp.connection import Connection
    from boathook.service.endpoint.method_policy import TargetVisibility

    Reply = dict[str, Any]

PAGES = [{"type": "page", "exclude": False}, {"type": "webview", "exclude": False}]
_ABOUT_TARGETS = {"Target.targetCreated", "Target.targetInfoChanged"}


class CdpProxySession:
    """Forwards messages in both directions.

    The client talks to the browser through a session that the browser created for it, so what it enables or attaches to is
    its own.
    """

    def __init__(
        self, connection: Connection, sight: TargetVisibility, *, send: Callable[[bytes], None]
    ) -> None:
        self._connection = connection
        self._sight = sight
        self._send = send
        self._root = ""
        self._sessions: set[str] = set()
        self._browsers: set[str] = set()
        """Sessions that are about the browser as a whole, like the first one."""
        self._attached: dict[str, asyncio.Future[Reply]] = {}
        """Pages that the client is attached to, or will be in a moment."""
        self._attaches = False
        """Whether the client wants to be attached to new pages."""
        self._discovers = False
        """Whether the client wants target events."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Create a session for the client, and start to watch pages."""
        reply = await self._connection.send("Target.attachToBrowserTarget")
        self._root = str(reply["sessionId"])
        self._connection.tap(self._root, self._on_root_event)
        options = {"discover": True, "filter": PAGES}
        await self._connection.send("Target.setDiscoverTargets", options, session_id=self._root)

    async def end(self) -> None:
        """Undo everything that the client enabled."""
        for task in self._tasks:
            task.cancel()
        if not self._root:
            return  # it never connected
        for session in self._sessions:  # its pending calls there are never answered
            self._connection.fail_session(session, TabGone("the client disconnected"))
        for session in (*self._sessions, self._root):
            self._connection.forget_session(session)
        with suppress(BoathookError):
            await self._connection.send("Target.detachFromTarget", {"sessionId": self._root})

    def take(self, raw: bytes) -> None:
        """One message of the client; its commands go to the browser in order."""
        asked = read_request(raw)
        if asked is None:
            self._tell(refusal(BAD_REQUEST, "not a CDP message"))
            return
        method, params, session, about = asked.method, asked.params, asked.session, asked.about
        if "browserContextId" in params:
            params["browserContextId"] = self._sight.context
        if session and session not in self._sessions:
            self._tell(about | refusal(NO_SESSION, "Session with given id not found."))
        elif session and session not in self._browsers:
            self._forward(method, params, session=session, about=about)
        else:
            self._to_browser(method, params, session=session or self._root, about=about)

    def _to_browser(self, method: str, params: dict[str, Any], *, session: str, about: Reply) -> None:
        way = method_policy(method)
        if way == "nothing":
            self._tell(about | {"result": {}})
        elif way == "ours":
            self._begin(self._served(method, params, about))
        elif way == "about a target" and params.get("targetId", "") not in {"", *self._sight.known}:
            self._tell(about | refusal(REFUSED, "No target with given id found"))
        elif way == "refuse":
            self._tell(about | refusal(REFUSED, f"{method[:80]} is not allowed on this endpoint"))
        else:
            if way == "in context" and self._sight.context:
                params["browserContextId"] = self._sight.context
            self._forward(method, params, session=session, about=about)

    def _forward(self, method: str, params: dict[str, Any], *, session: str, about: Reply) -> None:
        try:
            self._connection.forward(
                method, params, lambda reply: self._tell(about | reply), session_id=session
            )
        except BoathookError as error:
            self._tell(about | refusal(LOST, error.message))

    async def _served(self, method: str, params: dict[str, Any], about: Reply) -> None:
        """Commands that are answered from the pages that the client sees."""
        try:
            result = await self._result(method, params)
        except BoathookError as error:
            self._tell(about | refusal(LOST, error.message))
        else:
            self._tell(about | {"result": result})

    async def _result(self, method: str, params: dict[str, Any]) -> Reply:
        if method == "Target.getBrowserContexts":
            return {"browserContextIds": []}
        if method == "Target.createTarget":
            return await self._created(params)
        seen = await self._seen()
        if method == "Target.getTargets":
            return {"targetInfos": seen}
        if method == "Target.setDiscoverTargets":
            self._discovers = bool(params.get("discover"))
            for info in seen if self._discovers else []:
                self._tell({"method": "Target.targetCreated", "params": {"targetInfo": info}})
            return {}
        self._attaches = bool(params.get("autoAttach"))
        if self._attaches:
            await asyncio.gather(*(self._attach(str(info["targetId"])) for info in seen))
        return {}

    async def _created(self, params: dict[str, Any]) -> Reply:
        """A page that the client creates; it is attached before the target event is sent, as in the browser itself."""
        if self._sight.context:
            params["browserContextId"] = self._sight.context
        reply = await self._connection.send("Target.createTarget", params, session_id=self._root)
        self._sight.admit(str(reply["targetId"]))
        if self._attaches:
            await self._attach(str(reply["targetId"]))
        return reply

    async def _seen(self) -> list[dict[str, Any]]:
        reply = await self._connection.send("Target.getTargets", session_id=self._root)
        return [info for info in reply["targetInfos"] if self._sight.sees(info)]

    async def _attach(self, target_id: str) -> None:
        if target_id not in self._attached:
            options = {"targetId": target_id, "flatten": True}
            attaching = self._connection.post("Target.attachToTarget", options, session_id=self._root)
            self._attached[target_id] = attaching
        with suppress(BoathookError):  # it closed meanwhile
            await asyncio.shield(self._attached[target_id])

    def _on_root_event(self, method: str, params: dict[str, Any]) -> None:
        if method in _ABOUT_TARGETS:
            self._on_target(method, params)
        elif method in {"Target.targetDestroyed", "Target.targetCrashed"}:
            if params.get("targetId") in self._sight.known and self._discovers:
                self._tell({"method": method, "params": params})
            self._attached.pop(str(params.get("targetId")), None)
        else:
            self._on_event("", method, params)

    def _on_target(self, method: str, params: dict[str, Any]) -> None:
        info = params["targetInfo"]
        if not self._sight.sees(info):
            return
        if self._discovers:
            self._tell({"method": method, "params": params})
        if self._attaches and method == "Target.targetCreated":
            self._begin(self._attach(str(info["targetId"])))

    def _on_event(self, session: str, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            self._adopt(str(params["sessionId"]), str(params["targetInfo"]["type"]))
        self._tell({"method": method, "params": params, **({"sessionId": session} if session else {})})
        if method == "Target.detachedFromTarget":
            self._sessions.discard(str(params["sessionId"]))
            self._connection.forget_session(str(params["sessionId"]))

    def _adopt(self, session: str, kind: str) -> None:
        self._sessions.add(session)
        if kind == "browser":
            self._browsers.add(session)
        self._connection.tap(session, lambda method, params: self._on_event(session, method, params))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="for a guest")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _tell(self, message: Reply) -> None:
        self._send(msgspec.json.encode(message))
