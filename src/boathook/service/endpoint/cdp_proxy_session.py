"""One CDP client of another program on a connection of ours, with separate sessions."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from boathook.cdp.connection import LOST
from boathook.cdp.proxy_session import CdpProxy
from boathook.cdp.requests import REFUSED, refusal
from boathook.errors import BoathookError
from boathook.service.endpoint.method_policy import files_of, method_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from boathook.cdp.connection import Connection
    from boathook.cdp.requests import ClientCommand
    from boathook.service.endpoint.method_policy import TargetVisibility

    Reply = dict[str, Any]

PAGES = [{"type": "page", "exclude": False}, {"type": "webview", "exclude": False}]
_ABOUT_TARGETS = {"Target.targetCreated", "Target.targetInfoChanged"}


class CdpProxySession(CdpProxy):
    """A CDP client that sees the pages of one context only."""

    def __init__(
        self, connection: Connection, sight: TargetVisibility, *, send: Callable[[bytes], None]
    ) -> None:
        super().__init__(connection, send=send)
        self._sight = sight
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
        await super().begin()
        options = {"discover": True, "filter": PAGES}
        await self._connection.send("Target.setDiscoverTargets", options, session_id=self._root)

    async def end(self) -> None:
        """Undo everything that the client enabled."""
        for task in self._tasks:
            task.cancel()
        await super().end()

    def _handle(self, asked: ClientCommand) -> None:
        method, params, session, about = asked.method, asked.params, asked.session, asked.about
        if "browserContextId" in params:
            params["browserContextId"] = self._sight.context
        if not self._sight.may_read(files_of(params)):
            told = "a file is outside the folders that may be read from (upload_roots)"
            self._deliver(about | refusal(REFUSED, told))
            return
        if not self._sight.may_send(method, params):
            self._deliver(
                about | refusal(REFUSED, f"{method[:80]} is not allowed here, or not with this URL")
            )
            return
        of_page = bool(session) and session not in self._browsers
        way = method_policy(method, of_page=of_page)
        if way == "nothing":
            self._deliver(about | {"result": {}})
        elif way == "ours":
            self._begin(self._serve(method, params, about))
        elif way == "about a target" and params.get("targetId", "") not in {"", *self._sight.known}:
            self._deliver(about | refusal(REFUSED, "No target with given id found"))
        elif way == "refuse":
            self._deliver(about | refusal(REFUSED, f"{method[:80]} is not allowed on this endpoint"))
        else:
            if way == "in context" and self._sight.context:
                params["browserContextId"] = self._sight.context
            self._forward(method, params, session=session or self._root, about=about)

    async def _serve(self, method: str, params: dict[str, Any], about: Reply) -> None:
        """Commands that are answered from the pages that the client sees."""
        try:
            result = await self._result(method, params)
        except BoathookError as error:
            self._deliver(about | refusal(LOST, error.message))
        else:
            self._deliver(about | {"result": result})

    async def _result(self, method: str, params: dict[str, Any]) -> Reply:
        if method == "Target.getBrowserContexts":
            return {"browserContextIds": []}
        if method == "Target.createTarget":
            return await self._create_page(params)
        seen = await self._visible_targets()
        if method == "Target.getTargets":
            return {"targetInfos": seen}
        if method == "Target.setDiscoverTargets":
            self._discovers = bool(params.get("discover"))
            for info in seen if self._discovers else []:
                self._deliver({"method": "Target.targetCreated", "params": {"targetInfo": info}})
            return {}
        self._attaches = bool(params.get("autoAttach"))
        if self._attaches:
            await asyncio.gather(*(self._attach(str(info["targetId"])) for info in seen))
        return {}

    async def _create_page(self, params: dict[str, Any]) -> Reply:
        """A page that the client creates; it is attached before the target event is sent, as in the browser itself."""
        if self._sight.context:
            params["browserContextId"] = self._sight.context
        reply = await self._connection.send("Target.createTarget", params, session_id=self._root)
        self._sight.admit(str(reply["targetId"]))
        if self._attaches:
            await self._attach(str(reply["targetId"]))
        return reply

    async def _visible_targets(self) -> list[dict[str, Any]]:
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
                self._deliver({"method": method, "params": params})
            self._attached.pop(str(params.get("targetId")), None)
        else:
            self._on_event("", method, params)

    def _on_target(self, method: str, params: dict[str, Any]) -> None:
        info = params["targetInfo"]
        if not self._sight.sees(info):
            return
        if self._discovers:
            self._deliver({"method": method, "params": params})
        if self._attaches and method == "Target.targetCreated":
            self._begin(self._attach(str(info["targetId"])))

    def _adopt(self, session: str, kind: str) -> None:
        super()._adopt(session, kind)
        if kind == "browser":
            self._browsers.add(session)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="for a guest")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
