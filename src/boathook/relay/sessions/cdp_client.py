"""One CDP client: its sessions, its commands, and what it receives."""

from __future__ import annotations

import asyncio
import itertools
import secrets
from typing import TYPE_CHECKING, Any

from boathook.cdp.errors_map import IGNORED
from boathook.clock import now
from boathook.relay.rules.cdp_methods import ACTIVATION, domain_of
from boathook.relay.rules.overrides import is_override
from boathook.relay.rules.parameter_types import answering_errors, check_types
from boathook.relay.rules.user_limits import apply_limits, check_ownership, check_turn, owned_by
from boathook.relay.send_queue import CdpRefusal
from boathook.relay.sessions.browser_commands import BrowserCommands
from boathook.relay.sessions.client_session import ClientSession
from boathook.relay.sessions.cookie_commands import CLEARING, CookieCommands
from boathook.relay.sessions.downloads import DownloadBehavior
from boathook.relay.sessions.own_tabs import OwnTabs
from boathook.relay.sessions.permission_commands import PermissionCommands
from boathook.relay.sessions.placeholder import origin_of

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from boathook.relay.extension.extension_connection import Done
    from boathook.relay.send_queue import SendQueue
    from boathook.relay.sessions.profile import RelayProfile
    from boathook.relay.sessions.target_session import TargetSession
    from boathook.relay.sessions.user_tab import RelayTab

_numbers = itertools.count(1)
_AT_BROWSER_LEVEL = frozenset({"Browser", "Target"})
NO_SESSION = -32001
BAD_MESSAGE = -32600
_LARGEST_ID = 2**31


class CdpClient:
    """Commands arrive by `handle`; replies and events are sent by `send`."""

    def __init__(
        self, send_queue: SendQueue, profile: RelayProfile, *, name: str, label: str, owns_tabs: bool = False
    ) -> None:
        self.id = f"client-{next(_numbers)}"
        self.name = name
        self.label = label or name
        self.profile = profile
        self.owns_tabs = owns_tabs
        self.sessions: dict[str, ClientSession] = {}
        self.primary: dict[int, ClientSession] = {}
        self.is_auto_attaching = False
        self.discovering: set[str] = set()
        """Browser sessions that receive target events; "" is the one without a name."""
        self.downloads = DownloadBehavior()
        self.own_tabs = OwnTabs()
        self.cookies = CookieCommands(self)
        self.permissions = PermissionCommands(self)
        self.browser = BrowserCommands(self)
        self._driven: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._send_queue = send_queue
        self.worked_at: float | None = None
        """When it last did more than to prepare."""
        self.token: str | None = None
        """What it connected with."""
        self.is_revoked = False
        self.creator_key = secrets.token_hex(8)
        """Sent with tabs that it creates, and reported with them: it says whose they are."""
        self.taken: dict[str, str] = {}
        """Sessions that ended because another client owns their tab, and why."""

    def send(self, message: dict[str, Any]) -> None:
        """Send to the client."""
        self._send_queue.put(message)

    def revoke(self) -> None:
        """Disconnect it: its token is no longer valid."""
        self.is_revoked = True
        self._send_queue.close()

    def answer_later(self, work: Coroutine[Any, Any, dict[str, Any]], done: Done) -> None:
        """Answer a command with what takes time to find out, or with its error."""

        async def answer() -> None:
            with answering_errors(done):
                done(await work, None)

        self.spawn(answer())

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something that takes time; it is cancelled with the client."""
        task = asyncio.create_task(work, name=self.id)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def handle(self, message: Any) -> None:
        """Handle a command; every valid one gets exactly one reply."""
        if not isinstance(message, dict) or not _is_id(message.get("id")):
            self.send({"error": {"code": BAD_MESSAGE, "message": "a command must be an object with an id"}})
            return
        number, method = message["id"], message.get("method")
        session_id, params = message.get("sessionId"), message.get("params")
        params = {} if params is None else params
        done = self._answer(number, session_id if isinstance(session_id, str) else None)
        if (
            not isinstance(method, str)
            or not isinstance(params, dict)
            or not isinstance(session_id, str | None)
        ):
            done(
                None,
                CdpRefusal("a command must have a method, and params must be an object", code=BAD_MESSAGE),
            )
            return
        with answering_errors(done):
            check_types(method, params)
            self._route(session_id, method, params, done)

    def _route(self, session_id: str | None, method: str, params: dict[str, Any], done: Done) -> None:
        if session_id is None or session_id in self.browser.sessions:
            self.browser.handle(method, params, done, session_id=session_id)
            return
        client_session = self.sessions.get(session_id)
        if client_session is None and session_id in self.taken:
            raise CdpRefusal(self.taken[session_id])
        if client_session is None:
            raise CdpRefusal(f"Session with given id not found: {session_id}", code=NO_SESSION)
        if domain_of(method) in _AT_BROWSER_LEVEL and method != "Target.setAutoAttach":
            self.browser.handle(method, params, done, client_session=client_session, session_id=session_id)
            return
        tab = client_session.target_session.tab
        params = apply_limits(
            method, params, settings=self.profile.settings, stopped=self.profile.stopped, tab=tab
        )
        params = client_session.target_session.sites.check(method, params)
        check_ownership(method, tab)
        if tab.is_users and (is_override(method) or method == ACTIVATION):
            # Clients send these to every page, so they are not an error; those that want to know can see it.
            done({IGNORED: True}, None)
            return
        if not tab.prepares(client_session, method, params):
            self._drive(tab)
        if method in CLEARING:
            self.answer_later(self.cookies.clear(params), done)
        elif method == "Page.navigate" and self.permissions and tab in self.own_tabs:
            self.spawn(self._navigate(client_session, params, done))
        else:
            tab.handle(client_session, method, params, done)

    async def _navigate(self, client_session: ClientSession, params: dict[str, Any], done: Done) -> None:
        """With the permissions of the site that the tab will show: its scripts may use them at once."""
        with answering_errors(done):
            await self.profile.permissions.apply(client=self, origin=origin_of(params.get("url", "")))
            client_session.target_session.tab.handle(client_session, "Page.navigate", params, done)

    def may_use(self, tab: RelayTab) -> bool:
        """Whether a tab exists for this client: with owned tabs, those of other clients do not."""
        return not self.owns_tabs or tab.owner is None or tab.owner is self

    def _drive(self, tab: RelayTab) -> None:
        """Record which client controls a tab; with owned tabs, the first one keeps it until it disconnects."""
        self.take_turn()
        if self.owns_tabs and tab.owner is None:
            self.profile.set_owner(tab, self)
        if tab.tab_id not in self._driven:
            self._driven.add(tab.tab_id)
            if tab.origin == "agent":  # opened before the client reconnected, or by another program
                self.own_tabs.add_requested(tab.tab_id)
                self.own_tabs.see(tab)
            self.profile.announce_drivers()

    def take_turn(self) -> None:
        """Raise CdpRefusal if the user wants one program at a time and another one is at work."""
        if self.profile.settings.get("oneProgram"):
            check_turn(self, self.profile.clients)
        self.worked_at = now()

    def on_tab_taken(self, tab: RelayTab) -> None:
        """Another client owns the tab from now on: its sessions end, and what they had prepared is dropped."""
        self.taken.update(dict.fromkeys(self.leave_tab(tab), owned_by(tab)))

    def leave_tab(self, tab: RelayTab) -> list[str]:
        """End this client's sessions on a tab, which stays open; returns their ids.

        Also after a refusal to close it: Playwright ignores the refusal and waits for the tab to be closed.
        """
        ended = []
        for target_session in (tab.root, *tab.children.values()):
            for client_session in [one for one in target_session.client_sessions if one.client is self]:
                target_session.leave(client_session)
                self.on_session_end(client_session)
                ended.append(client_session.session_id)
        self.on_tab_close(tab)
        return ended

    def has_driven(self, tab: RelayTab) -> bool:
        """Whether this client ever sent a command to the tab."""
        return tab.tab_id in self._driven

    def is_driving(self, tab: RelayTab) -> bool:
        """Whether what happens in a tab concerns this client."""
        return self.has_driven(tab) or tab in self.own_tabs

    def _answer(self, number: int, session_id: str | None) -> Done:
        base = {"id": number} if session_id is None else {"id": number, "sessionId": session_id}
        is_answered = False

        def reply(result: dict[str, Any] | None, error: CdpRefusal | None) -> None:
            nonlocal is_answered
            if is_answered:
                return
            is_answered = True
            if error is not None:
                self.send({**base, "error": {"code": error.code, "message": error.message}})
            else:
                self.send({**base, "result": result or {}})

        return reply

    def add_session(
        self, target_session: TargetSession, *, wanted: str | None = None, is_alias: bool = False
    ) -> ClientSession:
        """A session of this client on a channel."""
        if wanted is None or wanted in self.sessions:
            wanted = f"boathook-{self.id}-{next(_numbers)}"
        client_session = ClientSession(self, wanted, target_session, is_alias=is_alias)
        client_session.is_live = target_session.tab.is_live
        target_session.client_sessions.append(client_session)
        self.sessions[wanted] = client_session
        return client_session

    def forget(self, client_session: ClientSession) -> None:
        """A session has ended; those to notify have been notified."""
        self.sessions.pop(client_session.session_id, None)
        client_session.target_session.leave(client_session)

    def on_session_end(self, client_session: ClientSession) -> None:
        """A session's target is closed."""
        self.sessions.pop(client_session.session_id, None)
        if client_session.target_session.session_id is None:
            params = {
                "sessionId": client_session.session_id,
                "targetId": client_session.target_session.target_id,
            }
            where = (
                {"sessionId": client_session.asked_on}
                if client_session.asked_on in self.browser.sessions
                else {}
            )
            self.send({"method": "Target.detachedFromTarget", "params": params, **where})

    def on_tab_open(self, tab: RelayTab) -> None:
        """A tab is available."""
        self.own_tabs.see(tab)
        self.announce_target("targetCreated", {"targetInfo": self._info_of_new(tab)})
        self.attach_by_itself(tab)

    def attach_by_itself(self, tab: RelayTab) -> None:
        """Attach a client to a tab if it wants all of them."""
        if self.is_auto_attaching and tab.tab_id not in self.primary:
            info = self._info_of_new(tab)
            client_session = self.primary[tab.tab_id] = self.add_session(tab.root)
            params = {"sessionId": client_session.session_id, "targetInfo": info, "waitingForDebugger": False}
            self.send({"method": "Target.attachedToTarget", "params": params})

    def _info_of_new(self, tab: RelayTab) -> dict[str, Any]:
        return tab.info(attached=self.is_auto_attaching, opener_id=self.profile.opener_of(tab))

    def announce_target(self, event: str, params: dict[str, Any], *, only: str | None = None) -> None:
        """Send target events to the interested sessions, or to one of them."""
        for session_id in self.discovering if only is None else {only}:
            where = {"sessionId": session_id} if session_id else {}
            self.send({"method": f"Target.{event}", "params": params, **where})

    def on_tab_change(self, tab: RelayTab) -> None:
        """Its URL or title has changed."""
        self.own_tabs.see(tab)
        if self.permissions:
            self.profile.permissions.follow()
        info = tab.info(attached=tab.tab_id in self.primary)
        self.announce_target("targetInfoChanged", {"targetInfo": info})

    def on_tab_close(self, tab: RelayTab) -> None:
        """It is closed, or no longer available."""
        self.primary.pop(tab.tab_id, None)
        self._driven.discard(tab.tab_id)
        self.own_tabs.forget(tab)
        self.announce_target("targetDestroyed", {"targetId": tab.target_id})

    def close(self) -> None:
        """The client has disconnected."""
        for task in list(self._tasks):
            task.cancel()
        for client_session in list(self.sessions.values()):
            self.forget(client_session)
        self._send_queue.close()
        self.profile.remove_client(self)


def _is_id(number: Any) -> bool:
    return type(number) is int and -_LARGEST_ID <= number < _LARGEST_ID
