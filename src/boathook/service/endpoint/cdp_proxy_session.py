"""One guest: a CDP client of somebody else's on a connection of ours, with sessions of its own."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.cdp.connection import LOST
from boathook.cdp.requests import BAD_REQUEST, NO_SESSION, REFUSED, read_request, refusal
from boathook.errors import BoathookError, TabGone
from boathook.service.endpoint.method_policy import way_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from boathook.cdp.connection import Connection
    from boathook.service.endpoint.method_policy import Sight

    Reply = dict[str, Any]

PAGES = [{"type": "page", "exclude": False}, {"type": "webview", "exclude": False}]
_ABOUT_TARGETS = {"Target.targetCreated", "Target.targetInfoChanged"}


class Guest:
    """Passes messages on in both directions.

    He speaks to the browser through a session that the browser made for him, so what he turns on or attaches to is his alone.
    """

    def __init__(self, connection: Connection, sight: Sight, *, send: Callable[[bytes], None]) -> None:
        self._connection = connection
        self._sight = sight
        self._send = send
        self._root = ""
        self._sessions: set[str] = set()
        self._browsers: set[str] = set()
        """Those of them that are about the browser as a whole, as the first one is."""
        self._attached: dict[str, asyncio.Future[Reply]] = {}
        """Pages that he is attached to, or will be in a moment."""
        self._attaches = False
        """Whether he wants to be attached to new pages."""
        self._discovers = False
        """Whether he wants to be told of pages."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self) -> None:
        """Get a session for him, and begin to see pages."""
        reply = await self._connection.send("Target.attachToBrowserTarget")
        self._root = str(reply["sessionId"])
        self._connection.tap(self._root, self._on_root_event)
        options = {"discover": True, "filter": PAGES}
        await self._connection.send("Target.setDiscoverTargets", options, session_id=self._root)

    async def end(self) -> None:
        """Take back all that he turned on."""
        for task in self._tasks:
            task.cancel()
        if not self._root:
            return  # he never got in
        for session in self._sessions:  # what he still waits for there is never answered
            self._connection.fail_session(session, TabGone("whoever asked has left"))
        for session in (*self._sessions, self._root):
            self._connection.forget_session(session)
        with suppress(BoathookError):
            await self._connection.send("Target.detachFromTarget", {"sessionId": self._root})

    def take(self, raw: bytes) -> None:
        """One message of his; what he asks for goes to the browser in the order in which he asks."""
        asked = read_request(raw)
        if asked is None:
            self._tell(refusal(BAD_REQUEST, "this is no CDP message"))
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
        way = way_of(method)
        if way == "nothing":
            self._tell(about | {"result": {}})
        elif way == "ours":
            self._begin(self._served(method, params, about))
        elif way == "about a target" and params.get("targetId", "") not in {"", *self._sight.known}:
            self._tell(about | refusal(REFUSED, "No target with given id found"))
        elif way == "refuse":
            self._tell(about | refusal(REFUSED, f"{method[:80]} is not allowed beside a tab of boathook"))
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
        """What is answered from the pages that he sees."""
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
        """A page of his own; he is attached to it before he is told that there is one, as by the browser itself."""
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
