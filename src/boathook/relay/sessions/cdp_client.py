"""One CDP client: its sessions, its commands, and what it receives."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any

from boathook.relay.rules.cdp_methods import CONTEXT_ID, domain_of, is_init
from boathook.relay.rules.user_limits import apply_limits
from boathook.relay.send_queue import CdpRefusal
from boathook.relay.sessions.browser_commands import BrowserCommands
from boathook.relay.sessions.client_session import ClientSession

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
        self.wants_downloads = False
        self.browser = BrowserCommands(self)
        self._driven: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._send_queue = send_queue

    def send(self, message: dict[str, Any]) -> None:
        """Send to the client."""
        self._send_queue.put(message)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something that takes time; it is cancelled with the client."""
        task = asyncio.create_task(work, name=self.id)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def handle(self, message: Any) -> None:
        """Handle a command; every valid one gets exactly one reply."""
        if not isinstance(message, dict) or not isinstance(message.get("id"), int):
            self.send({"error": {"code": BAD_MESSAGE, "message": "a command must be an object with an id"}})
            return
        number, method = message["id"], message.get("method")
        session_id, params = message.get("sessionId"), message.get("params") or {}
        done = self._answer(number, session_id)
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
        try:
            self._route(session_id, method, params, done)
        except CdpRefusal as refusal:
            done(None, refusal)

    def _route(self, session_id: str | None, method: str, params: dict[str, Any], done: Done) -> None:
        if session_id is None or session_id in self.browser.sessions:
            self.browser.handle(method, params, done, session_id=session_id)
            return
        client_session = self.sessions.get(session_id)
        if client_session is None:
            raise CdpRefusal(f"Session with given id not found: {session_id}", code=NO_SESSION)
        if domain_of(method) in _AT_BROWSER_LEVEL and method != "Target.setAutoAttach":
            self.browser.handle(method, params, done, client_session=client_session, session_id=session_id)
            return
        tab = client_session.target_session.tab
        params = apply_limits(
            method, params, settings=self.profile.settings, stopped=self.profile.stopped, tab=tab
        )
        if not is_init(method):
            self._drive(tab)
        tab.handle(client_session, method, params, done)

    def _drive(self, tab: RelayTab) -> None:
        """Record which client controls a tab; with owned tabs, the first one keeps it until it disconnects."""
        if self.owns_tabs:
            if tab.owner is None:
                tab.owner = self
            elif tab.owner is not self:
                raise CdpRefusal(f"this tab is controlled by {tab.owner.label}")
        if tab.tab_id not in self._driven:
            self._driven.add(tab.tab_id)
            self.profile.announce_drivers()

    def has_driven(self, tab: RelayTab) -> bool:
        """Whether this client ever sent a command to the tab."""
        return tab.tab_id in self._driven

    def _answer(self, number: int, session_id: Any) -> Done:
        base = {"id": number} if session_id is None else {"id": number, "sessionId": session_id}

        def reply(result: dict[str, Any] | None, error: CdpRefusal | None) -> None:
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
        info = tab.info(attached=tab.tab_id in self.primary)
        self.announce_target("targetInfoChanged", {"targetInfo": info})

    def on_tab_close(self, tab: RelayTab) -> None:
        """It is closed, or no longer available."""
        self.primary.pop(tab.tab_id, None)
        self._driven.discard(tab.tab_id)
        self.announce_target("targetDestroyed", {"targetId": tab.target_id})

    def download(self, guid: str, frame: str, facts: dict[str, Any], *, is_new: bool) -> None:
        """A download to the user's folder has started."""
        if not self.wants_downloads:
            return
        if is_new:
            name = facts["filename"].replace("\\", "/").rpartition("/")[2]
            params = {"frameId": frame, "guid": guid, "url": facts["url"], "suggestedFilename": name}
            self.send(
                {"method": "Browser.downloadWillBegin", "params": {**params, "browserContextId": CONTEXT_ID}}
            )
        state = {"complete": "completed", "interrupted": "canceled"}.get(facts["state"], "inProgress")
        progress = {
            "guid": guid,
            "totalBytes": max(facts["totalBytes"], 0),
            "receivedBytes": facts["bytesReceived"],
            "state": state,
            "filePath": facts["filename"],
        }
        self.send({"method": "Browser.downloadProgress", "params": progress})

    def close(self) -> None:
        """The client has disconnected."""
        for task in list(self._tasks):
            task.cancel()
        for client_session in list(self.sessions.values()):
            self.forget(client_session)
        self._send_queue.close()
        self.profile.remove_client(self)
