"""Applying a fingerprint profile: every page, frame and worker receives it before its first script runs."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from boathook.cdp.cdp_session import CdpSession
from boathook.cdp.connection import ANY_SESSION
from boathook.errors import BrowserGone

if TYPE_CHECKING:
    from boathook.cdp.connection import Connection
    from boathook.engine.emulation.fingerprint.fingerprint_profile import Command, FingerprintProfile

_DOCUMENTS = frozenset({"page", "iframe"})
_OF_THE_BROWSER: list[dict[str, Any]] = [
    {"type": "page"},
    {"type": "shared_worker"},
    {"type": "service_worker"},
    {"exclude": True},
]


class FingerprintInjector:
    """A separate session with each target, so that it does not matter when another client attaches to it.

    Targets are paused meanwhile; the commands and the one that resumes the target are sent together, so that nothing can
    interrupt and leave a target paused.
    """

    def __init__(self, connection: Connection, fingerprint: FingerprintProfile) -> None:
        self._connection = connection
        self._fingerprint = fingerprint
        self._ours = {""}
        """Sessions whose children we handle; the first is the browser's own."""
        self._applied: dict[str, asyncio.Future[list[Any]]] = {}
        """By the id of the target."""
        self._coming: dict[str, asyncio.Event] = {}
        """Targets that a caller waits for, and that are not attached to yet."""

    async def begin(self) -> None:
        """Apply it to every new target from now on."""
        self._connection.on("Target.attachedToTarget", self._on_attached, session_id=ANY_SESSION)
        self._connection.on("Target.detachedFromTarget", self._on_detached, session_id=ANY_SESSION)
        await self._connection.send(
            "Target.setAutoAttach", _attaching(_OF_THE_BROWSER, wait=self._fingerprint.whole)
        )

    async def wait_for_target(self, target_id: str) -> None:
        """Wait until it is applied to a target; the caller bounds the wait, since it is never applied to some types."""
        while target_id not in self._applied:
            came = self._coming.setdefault(target_id, asyncio.Event())
            try:
                await came.wait()
            finally:
                self._coming.pop(target_id, None)
        await asyncio.shield(self._applied[target_id])

    def _on_attached(self, params: dict[str, Any], parent: str) -> None:
        if parent not in self._ours:
            return  # another client's session
        session = CdpSession(self._connection, params["sessionId"])
        target = params["targetInfo"]["targetId"]
        replies: list[asyncio.Future[dict[str, Any]]] = []
        with suppress(BrowserGone):
            if target not in self._applied:
                self._ours.add(session.id)
                commands = self._commands(params["targetInfo"]["type"])
                replies = [session.post(method, **more) for method, more in commands]
            # Also when it is reported as not paused: `window.open` pauses as soon as any client auto-attaches.
            replies.append(session.post("Runtime.runIfWaitingForDebugger"))
        answered = asyncio.gather(*replies, return_exceptions=True)
        self._applied.setdefault(target, answered)
        if target in self._coming:
            self._coming[target].set()

    def _commands(self, kind: str) -> list[Command]:
        return [*self._fingerprint.overrides(), *self._scripts(kind), *self._children(kind)]

    def _scripts(self, kind: str) -> list[Command]:
        script = self._fingerprint.script()
        if not script:
            return []
        if kind not in _DOCUMENTS:
            return [("Runtime.evaluate", {"expression": script})]
        adding = {"source": script, "runImmediately": True}
        return [("Page.enable", {}), ("Page.addScriptToEvaluateOnNewDocument", adding)]

    def _children(self, kind: str) -> list[Command]:
        """Frames of other processes, and all kinds of workers.

        A document that pauses its frames pauses its workers too, whatever the filter says, so either nothing is paused or
        everything is attached to.
        """
        if self._fingerprint.whole:
            return [("Target.setAutoAttach", _attaching([{}], wait=True))]
        frames: list[dict[str, Any]] = [{"type": "iframe"}, {"exclude": True}]
        return [("Target.setAutoAttach", _attaching(frames, wait=False))] if kind in _DOCUMENTS else []

    def _on_detached(self, params: dict[str, Any], parent: str) -> None:
        session = str(params.get("sessionId", ""))
        if parent in self._ours and session in self._ours:
            self._ours.discard(session)
            self._applied.pop(str(params.get("targetId", "")), None)
            self._connection.forget_session(session)


def _attaching(wanted: list[dict[str, Any]], *, wait: bool) -> dict[str, Any]:
    return {"autoAttach": True, "waitForDebuggerOnStart": wait, "flatten": True, "filter": wanted}
