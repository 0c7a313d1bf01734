"""One tab of the user's: untouched until a command needs it, then attached once, however many clients ask."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from boathook.clock import now
from boathook.relay.extension.protocol import ExtensionRequest
from boathook.relay.rules.cdp_methods import CONTEXT_ID, is_init
from boathook.relay.rules.parameter_types import answering_errors
from boathook.relay.rules.site_rules import SiteRules
from boathook.relay.send_queue import CdpRefusal
from boathook.relay.sessions import placeholder
from boathook.relay.sessions.deferred_scripts import answer_deferred, is_deferred
from boathook.relay.sessions.lazy_attach import materialize
from boathook.relay.sessions.target_session import TargetSession

if TYPE_CHECKING:
    from boathook.relay.extension.extension_connection import Done, ExtensionConnection
    from boathook.relay.sessions.cdp_client import CdpClient
    from boathook.relay.sessions.client_session import ClientSession

COOLDOWN_SECONDS = 1.0
"""Seconds between a detach by the browser and the next attach."""
ACTIVATE_SECONDS = 0.15
_EXPLAINED = {
    "URL of different extension": "another extension has added a frame to this page, where Chrome allows no debugger:"
    " turn that extension off for this site",
    "Another debugger is already attached": "another extension is debugging this tab; detach it there first",
}
"""What to do about Chrome's messages."""


class RelayTab:
    """A row of the extension's list, and its sessions."""

    def __init__(self, link: ExtensionConnection, row: dict[str, Any]) -> None:
        self.link = link
        self.tab_id: int = row["tabId"]
        self.rules = SiteRules()
        self.root = TargetSession(self, session_id=None, target_id=row["targetId"])
        self.children: dict[str, TargetSession] = {}
        self.is_live = False
        self.is_closing = False
        self.is_locking = False
        self.owner: CdpClient | None = None
        self._attaching: asyncio.Task[None] | None = None
        self._activating: asyncio.TimerHandle | None = None
        self._not_before = 0.0
        self.update(row)

    def update(self, row: dict[str, Any]) -> None:
        """Apply the extension's report."""
        self.url: str = row["url"]
        self.title: str = row["title"]
        self.status: str = row["status"]
        self.origin: str = row["origin"]
        self.opener: int | None = row.get("openerTabId")
        self.creator: str = row.get("creator") or ""

    @property
    def is_users(self) -> bool:
        """Whether the user opened it; "manual" is one that the user attached."""
        return self.origin != "agent"

    @property
    def target_id(self) -> str:
        """Chrome's own tab id."""
        return self.root.target_id

    def info(self, *, attached: bool = True, opener_id: str | None = None) -> dict[str, Any]:
        """The tab as a CDP target."""
        return {
            "targetId": self.target_id,
            "type": "page",
            "title": self.title,
            "url": self.url,
            "attached": attached,
            "canAccessOpener": opener_id is not None,
            "browserContextId": CONTEXT_ID,
            **({"openerId": opener_id} if opener_id else {}),
        }

    def handle(self, client_session: ClientSession, method: str, params: dict[str, Any], done: Done) -> None:
        """A client's command; attaches if it needs the page."""
        if self.is_live:
            client_session.target_session.handle(client_session, method, params, done)
        elif self._attaching is None and is_init(method):
            done(placeholder.answer(client_session, method, params), None)
        elif not is_init(method) and self.prepares(client_session, method, params):
            done(answer_deferred(client_session, method, params), None)
        else:
            client_session.client.spawn(self._later(client_session, method, params, done))

    def prepares(self, client_session: ClientSession, method: str, params: dict[str, Any]) -> bool:
        """Whether a command is for every page alike, so that this one needs no debugger for it."""
        if is_init(method):
            return True
        waits = not self.is_live and self._attaching is None
        return waits and is_deferred(client_session, method, params)

    async def _later(
        self, client_session: ClientSession, method: str, params: dict[str, Any], done: Done
    ) -> None:
        with answering_errors(done):
            await self.ensure_attached()
            client_session.target_session.handle(client_session, method, params, done)

    async def ensure_attached(self) -> None:
        """Attach unless attached; concurrent callers share the attempt, and the next one after a failure is new."""
        if self.is_live:
            return
        if self._attaching is None:
            self._attaching = asyncio.create_task(self._attach(), name=f"attach {self.tab_id}")
            self._attaching.add_done_callback(_consume_error)
        await asyncio.shield(self._attaching)

    async def _attach(self) -> None:
        try:
            if (wait := self._not_before - now()) > 0:
                await asyncio.sleep(wait)
            reply = await self._request_attach()
            try:
                await materialize(self, is_fresh=bool(reply.get("fresh")))
            except CdpRefusal:
                if self.origin != "manual":
                    self.link.post(
                        ExtensionRequest.TAB_DETACH, {"tabId": self.tab_id}, lambda _result, _error: None
                    )
                raise
            self.is_live = True
            self.guard()
        finally:
            self._attaching = None

    async def _request_attach(self) -> dict[str, Any]:
        try:
            return await self.link.call(ExtensionRequest.TAB_ATTACH, tabId=self.tab_id)
        except CdpRefusal as refusal:
            explained = [more for words, more in _EXPLAINED.items() if words in refusal.message]
            raise CdpRefusal("; ".join([refusal.message, *explained]), code=refusal.code) from None

    def on_detached(self, why: str, *, by_browser: bool = False) -> None:
        """The debugger was detached: sessions stay, and the next command attaches again."""
        if by_browser:
            self._not_before = now() + COOLDOWN_SECONDS
        self.link.fail_tab(self.tab_id, f"the debugger was detached: {why}")
        if not self.is_live:
            return
        self.is_live = False
        for session_id in list(self.children):
            self.on_child_detached(session_id)
        self._forget()
        placeholder.renew(self.root)

    def activate_soon(self) -> None:
        """Bring a tab that a program opened to the front of its window, as a client requested.

        Not at once: Puppeteer requests it before every screenshot, which does not need it (tests/extension/test_users_things.py).
        """
        self.stay_behind()
        if not self.is_users:
            loop = asyncio.get_running_loop()
            self._activating = loop.call_later(ACTIVATE_SECONDS, self._activate)

    def stay_behind(self) -> None:
        """Drop a pending activation."""
        if self._activating is not None:
            self._activating.cancel()
            self._activating = None

    def _activate(self) -> None:
        self.link.post(ExtensionRequest.TAB_ACTIVATE, {"tabId": self.tab_id}, lambda _result, _error: None)

    def apply_settings(self, settings: dict[str, Any]) -> None:
        """Follow the user's lists of sites and the URL lock, now or when the tab is attached."""
        self.rules = SiteRules.of(settings)
        self.is_locking = bool(settings.get("lockUrl"))
        for session_id, child in list(self.children.items()):
            if self.rules.why_not(child.url):
                self.on_child_detached(session_id)
        if self.is_live:
            self.guard()

    def guard(self) -> None:
        """Decide about documents from now on."""
        self.root.lock.set(self.url if self.is_locking else "")
        for child in self.children.values():
            child.lock.set("")

    def _forget(self) -> None:
        self.root.lock.forget()
        self.root.contexts.clear()
        self.root.is_runtime_on = False
        self.root.is_auto_attached = False

    def on_moved(self) -> None:
        """The user navigated an untouched tab."""
        if not self.is_live and self._attaching is None:
            placeholder.renew(self.root)

    def on_loaded(self) -> None:
        """The document is complete."""
        for client_session in self.root.client_sessions:
            if not client_session.is_live:
                placeholder.announce_load(client_session)

    def on_gone(self, why: str) -> None:
        """The tab is closed or no longer available."""
        self.link.fail_tab(self.tab_id, why)
        self.stay_behind()
        self.is_live = False
        if self._attaching is not None:
            self._attaching.cancel()
        for target_session in [*self.children.values(), self.root]:
            for client_session in list(target_session.client_sessions):
                client_session.client.on_session_end(client_session)
            target_session.client_sessions.clear()
        self.children.clear()

    def children_of(self, target_session: TargetSession) -> list[TargetSession]:
        """Its frames and workers in other processes."""
        return [child for child in self.children.values() if child.parent is target_session]

    def on_child_attached(self, parent: TargetSession, params: dict[str, Any]) -> None:
        """Chrome attached to a frame or worker of this tab; those of denied sites do not exist for clients."""
        if self.rules.why_not(params["targetInfo"].get("url", "")):
            self._leave_child(parent, params["sessionId"])
            return
        info = {**params["targetInfo"], "browserContextId": CONTEXT_ID}
        child = TargetSession(self, session_id=params["sessionId"], target_id=info["targetId"], info=info)
        child.parent = parent
        child.info["waitingForDebugger"] = params.get("waitingForDebugger", False)
        self.children[params["sessionId"]] = child
        if info.get("type") == "iframe":
            child.lock.set("")
        shown = [
            client_session
            for client_session in parent.client_sessions
            if client_session.auto_attach is not None
        ]
        for client_session in shown:
            self.show_child(client_session, child)
        if not shown:
            child.send("Runtime.runIfWaitingForDebugger", {}, lambda _result, _error: None)

    def _leave_child(self, parent: TargetSession, session_id: str) -> None:
        """It is resumed, since its page would wait for it, and detached."""
        child = TargetSession(self, session_id=session_id, target_id="")
        child.send("Runtime.runIfWaitingForDebugger", {}, lambda _result, _error: None)
        parent.send("Target.detachFromTarget", {"sessionId": session_id}, lambda _result, _error: None)

    def show_child(self, client_session: ClientSession, child: TargetSession) -> None:
        """Announce a child to one session, under a separate session id."""
        made = client_session.client.add_session(child, wanted=child.session_id)
        made.is_live = True
        info = dict(child.info)
        waiting = info.pop("waitingForDebugger", False)
        client_session.emit(
            "Target.attachedToTarget",
            {"sessionId": made.session_id, "targetInfo": info, "waitingForDebugger": waiting},
        )

    def on_child_detached(self, session_id: str) -> None:
        """A frame or worker is gone."""
        child = self.children.pop(session_id, None)
        if child is None:
            return
        for grandchild in self.children_of(child):
            self.on_child_detached(str(grandchild.session_id))
        for client_session in list(child.client_sessions):
            parents = [
                parent_view
                for parent_view in (child.parent.client_sessions if child.parent else [])
                if parent_view.client is client_session.client
            ]
            client_session.client.forget(client_session)
            for parent in [] if self.is_closing else parents[:1]:
                parent.emit(
                    "Target.detachedFromTarget",
                    {"sessionId": client_session.session_id, "targetId": child.target_id},
                )


def _consume_error(task: asyncio.Task[None]) -> None:
    """Waiting callers have the error, or have disconnected."""
    if not task.cancelled():
        task.exception()
