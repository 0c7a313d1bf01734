"""One debugger session of Chrome: a tab's own, or that of a frame or worker in another process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.relay.extension.protocol import ExtensionRequest
from boathook.relay.rules.cdp_methods import (
    NEVER_FORWARDED,
    NOT_FOUND_HERE,
    ONLY_READING,
    SCRIPT_METHODS,
    SWALLOWED,
    domain_of,
    is_init,
    is_switch,
)
from boathook.relay.rules.screenshot_retry import CAPTURE, take_picture
from boathook.relay.rules.side_effect_free_eval import run_without_effects
from boathook.relay.sessions.placeholder import record

if TYPE_CHECKING:
    from boathook.relay.extension.extension_connection import Done
    from boathook.relay.send_queue import CdpRefusal
    from boathook.relay.sessions.client_session import ClientSession
    from boathook.relay.sessions.user_tab import RelayTab

INIT_SECONDS = 10.0
"""After this time without a reply to preparations, a tab is frozen."""
_CONTEXT_CREATED = "Runtime.executionContextCreated"


class TargetSession:
    """Sends commands of several clients to one target, and its events to the interested ones."""

    def __init__(
        self, tab: RelayTab, *, session_id: str | None, target_id: str, info: dict[str, Any] | None = None
    ) -> None:
        self.tab = tab
        self.session_id = session_id
        self.target_id = target_id
        self.info = info or {}
        self.parent: TargetSession | None = None
        self.client_sessions: list[ClientSession] = []
        self.contexts: dict[int, dict[str, Any]] = {}
        self.is_runtime_on = False
        self.is_auto_attached = False

    @property
    def url(self) -> str:
        """The URL of the target."""
        return self.tab.url if self.session_id is None else str(self.info.get("url", ""))

    def send(self, method: str, params: dict[str, Any], done: Done, *, seconds: float = 0) -> None:
        """Send one command to Chrome."""
        passive = is_init(method)
        message: dict[str, Any] = {"tabId": self.tab.tab_id, "method": method, "params": params}
        if self.session_id is not None:
            message["sessionId"] = self.session_id
        if passive:
            message["passive"] = True
        limit = seconds or (INIT_SECONDS if passive else 0)
        self.tab.link.post(
            ExtensionRequest.DEBUGGER_SEND, message, done, tab_id=self.tab.tab_id, seconds=limit
        )

    def handle(self, client_session: ClientSession, method: str, params: dict[str, Any], done: Done) -> None:
        """A client's command for a target with an attached debugger."""
        if self._is_swallowed(method):
            done({}, None)
        elif is_switch(method):
            self._switch(client_session, method, params, done)
        elif method == "Target.setAutoAttach":
            self._auto_attach(client_session, params, done)
        elif method in SCRIPT_METHODS and params.get("throwOnSideEffect") is ONLY_READING:
            run_without_effects(self, method, client_session.to_chrome(params), done)
        elif method == "Page.removeScriptToEvaluateOnNewDocument":
            identifier = params.get("identifier", "")
            record(client_session, method, params)
            self.send(method, {"identifier": client_session.scripts.pop(identifier, identifier)}, done)
        elif method == CAPTURE:
            take_picture(self, params, done)
        else:
            self.send(
                method,
                client_session.to_chrome(params),
                self._recording_callback(client_session, method, params, done),
            )

    def _recording_callback(
        self, client_session: ClientSession, method: str, params: dict[str, Any], done: Done
    ) -> Done:
        if method == "Page.handleJavaScriptDialog":
            return _ignore_errors(done)
        if not is_init(method) or method == "Page.getFrameTree":
            return done

        def record_result(result: dict[str, Any] | None, error: CdpRefusal | None) -> None:
            if result is not None:
                made = result.get("identifier")
                if method == "Page.createIsolatedWorld":
                    made = client_session.placeholder_contexts.get(
                        result["executionContextId"], result["executionContextId"]
                    )
                record(client_session, method, params, made)
            done(result, error)

        return record_result

    def _is_swallowed(self, method: str) -> bool:
        return method in NEVER_FORWARDED or (method in SWALLOWED and self.tab.origin != "agent")

    def _switch(self, client_session: ClientSession, method: str, params: dict[str, Any], done: Done) -> None:
        domain = domain_of(method)
        was_on = domain in client_session.enabled
        record(client_session, method, params)
        if domain in NOT_FOUND_HERE:
            done({}, None)
        elif method == "Runtime.enable" and self.is_runtime_on:
            if not was_on:
                self.announce_contexts(client_session)
            done({}, None)
        elif domain == "Fetch" and self.session_id is None and self.tab.lock.at:
            self.tab.lock.apply()
            done({}, None)
        elif method.endswith(".disable") and any(domain in other.enabled for other in self.client_sessions):
            done({}, None)
        else:
            if domain == "Runtime":
                self.is_runtime_on = method.endswith(".enable")
            self.send(method, params, done)

    def announce_contexts(self, client_session: ClientSession) -> None:
        """Announce every context that the client has no number for yet."""
        for number, params in self.contexts.items():
            if number not in client_session.placeholder_contexts:
                client_session.emit(_CONTEXT_CREATED, params)

    def _auto_attach(self, client_session: ClientSession, params: dict[str, Any], done: Done) -> None:
        record(client_session, "Target.setAutoAttach", params)
        if not params.get("autoAttach"):
            done({}, None)
            return
        if self.is_auto_attached:
            for child in self.tab.children_of(self):
                self.tab.show_child(client_session, child)
            done({}, None)
            return
        self.is_auto_attached = True
        self.send("Target.setAutoAttach", {**params, "flatten": True}, done)

    def on_event(self, method: str, params: dict[str, Any]) -> None:
        """An event of this target."""
        if method == _CONTEXT_CREATED:
            self.contexts[params["context"]["id"]] = params
        elif method == "Runtime.executionContextDestroyed":
            self.contexts.pop(params["executionContextId"], None)
        elif method == "Runtime.executionContextsCleared":
            self.contexts.clear()
        elif method == "Target.attachedToTarget":
            self.tab.on_child_attached(self, params)
            return
        elif method == "Target.detachedFromTarget":
            self.tab.on_child_detached(params["sessionId"])
            return
        if self.session_id is None and self.tab.lock.decides(method, params):
            return
        for client_session in self.client_sessions:
            if client_session.is_live and client_session.wants(method):
                client_session.emit(method, client_session.to_client(method, params))

    def leave(self, client_session: ClientSession) -> None:
        """A session ended: domains that only it had enabled are disabled, so that nothing stays paused."""
        if client_session in self.client_sessions:
            self.client_sessions.remove(client_session)
        if not client_session.is_live or self.tab.link.is_lost:
            return
        for domain in sorted(client_session.enabled - NOT_FOUND_HERE):
            if not any(domain in other.enabled for other in self.client_sessions):
                if domain == "Runtime":
                    self.is_runtime_on = False
                    self.contexts.clear()
                self.send(f"{domain}.disable", {}, _ignore_reply)
        if not client_session.is_alias:
            self.send("Runtime.runIfWaitingForDebugger", {}, _ignore_reply)


def _ignore_reply(_result: dict[str, Any] | None, _error: CdpRefusal | None) -> None:
    """The reply is ignored."""


def _ignore_errors(done: Done) -> Done:
    """Two clients may answer the same dialog; for the second one there is none, which is what it wanted."""

    def forgiving(result: dict[str, Any] | None, error: CdpRefusal | None) -> None:
        if error is not None and "No dialog is showing" in error.message:
            done({}, None)
        else:
            done(result, error)

    return forgiving
