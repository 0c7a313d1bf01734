"""One debugger session of Chrome: a tab's own, or that of a frame or worker in another process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.relay.extension.protocol import EXTENSION_ORIGIN, ExtensionRequest
from boathook.relay.rules.cdp_methods import (
    ACTIVATION,
    NEVER_FORWARDED,
    NOT_FOUND_HERE,
    ONLY_READING,
    SCRIPT_METHODS,
    domain_of,
    is_init,
    is_switch,
)
from boathook.relay.rules.controllable_urls import why_not_controllable
from boathook.relay.rules.history_entry import navigate_to_entry
from boathook.relay.rules.navigation_lock import DECIDED_HERE, NavigationLock
from boathook.relay.rules.overrides import RESETS, is_override
from boathook.relay.rules.screenshot_retry import CAPTURE, take_picture
from boathook.relay.rules.side_effect_free_eval import run_without_effects
from boathook.relay.rules.site_filter import SiteFilter
from boathook.relay.send_queue import CdpRefusal
from boathook.relay.sessions.deep_trees import is_deep, read_tree
from boathook.relay.sessions.painting import START, STOP, Painting
from boathook.relay.sessions.placeholder import record

if TYPE_CHECKING:
    from boathook.relay.extension.extension_connection import Done
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
        self._hidden: dict[int, str] = {}
        """Contexts of the extension: unique ids by number."""
        self._made: set[int] = set()
        """Contexts that clients have created."""
        self.is_runtime_on = False
        self.is_auto_attached = False
        self.expected_children: dict[int, tuple[bool, list[dict[str, Any]]]] = {}
        """Nodes whose children were requested for a deep tree, whether clients receive them, and the children."""
        self.lock = NavigationLock(self)
        self.sites = SiteFilter(self)
        self.painting = Painting(self)

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
        if self._names_hidden(client_session, client_session.to_chrome(params)):
            done(None, CdpRefusal("Cannot find context with specified id"))
            return
        done = self.sites.filter_reply(method, params, done)
        if self._is_swallowed(method):
            done({}, None)
        elif method == ACTIVATION:
            self.tab.activate_soon()
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
        else:
            self._forward(client_session, method, params, done)

    def _forward(
        self, client_session: ClientSession, method: str, params: dict[str, Any], done: Done
    ) -> None:
        """Send it to Chrome; some commands need more than one, or none."""
        if method == "Page.navigate" and (why := why_not_controllable(str(params.get("url", "")))):
            done(None, CdpRefusal(why))
        elif method in {START, STOP}:
            self.painting.handle(client_session, method, params, done)
        elif is_deep(method, params):
            client_session.client.answer_later(read_tree(self, method, params), done)
        elif method == CAPTURE:
            self.tab.stay_behind()
            take_picture(self, params, done)
        elif method == "Page.navigateToHistoryEntry" and self.tab.rules:
            navigate_to_entry(self, params, done)
        else:
            self.send(
                method,
                client_session.to_chrome(params),
                self._recording_callback(client_session, method, params, done),
            )

    def _recording_callback(
        self, client_session: ClientSession, method: str, params: dict[str, Any], done: Done
    ) -> Done:
        if method in RESETS:
            client_session.overrides[method] = params
        if method == "Page.handleJavaScriptDialog":
            return _ignore_errors(done)
        if not is_init(method) or method == "Page.getFrameTree":
            return done

        def record_result(result: dict[str, Any] | None, error: CdpRefusal | None) -> None:
            if result is not None:
                made = result.get("identifier")
                if method == "Page.createIsolatedWorld":
                    self._made.add(result["executionContextId"])
                    made = client_session.placeholder_contexts.get(
                        result["executionContextId"], result["executionContextId"]
                    )
                record(client_session, method, params, made)
            done(result, error)

        return record_result

    def _is_swallowed(self, method: str) -> bool:
        if method in DECIDED_HERE and self.lock.is_needed:
            return True
        return method in NEVER_FORWARDED or (self.tab.is_users and is_override(method))

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
        elif domain == "Fetch" and self.lock.is_needed:
            self.lock.apply()
            done({}, None)
        elif method.endswith(".disable") and self._is_used(domain):
            done({}, None)
        else:
            if domain == "Runtime":
                self.is_runtime_on = method.endswith(".enable")
            self.send(method, params, done)

    def _is_used(self, domain: str) -> bool:
        return self.lock.needs(domain) or any(domain in other.enabled for other in self.client_sessions)

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
        if self._hides(method, params):
            return
        self._record_contexts(method, params)
        if method == "DOM.setChildNodes" and params["parentId"] in self.expected_children:
            is_shown, nodes = self.expected_children[params["parentId"]]
            nodes += params["nodes"]
            if not is_shown:
                return
        if method == "Target.attachedToTarget":
            self.tab.on_child_attached(self, params)
            return
        if method == "Target.detachedFromTarget":
            self.tab.on_child_detached(params["sessionId"])
            return
        if self.lock.decides(method, params) or self.painting.is_ours(method):
            return
        for name, shown in self.sites.events(method, params):
            for client_session in self.client_sessions:
                if client_session.is_live and client_session.wants(name):
                    client_session.emit(name, client_session.to_client(name, shown))

    def _hides(self, method: str, params: dict[str, Any]) -> bool:
        """The extension's own world, where it notes the user's input, does not exist for clients."""
        if method == _CONTEXT_CREATED and params["context"].get("origin") == EXTENSION_ORIGIN:
            self._hidden[params["context"]["id"]] = params["context"].get("uniqueId", "")
            return True
        if method == "Runtime.executionContextsCleared":
            self._hidden.clear()
        return (
            method == "Runtime.executionContextDestroyed"
            and self._hidden.pop(params.get("executionContextId", 0), None) is not None
        )

    def _names_hidden(self, client_session: ClientSession, params: dict[str, Any]) -> bool:
        numbers = {params.get("contextId"), params.get("executionContextId")} - {None}
        if not self.is_runtime_on:
            # Contexts are not reported, so that a number which was not given out may be a hidden one.
            return not numbers <= {*self._made, *client_session.real_contexts.values()}
        return not numbers.isdisjoint(self._hidden) or params.get("uniqueContextId") in self._hidden.values()

    def _record_contexts(self, method: str, params: dict[str, Any]) -> None:
        if method == _CONTEXT_CREATED:
            if not self.tab.rules.why_not(params["context"].get("origin", "")):
                self.contexts[params["context"]["id"]] = params
        elif method == "Runtime.executionContextDestroyed":
            self.contexts.pop(params["executionContextId"], None)
        elif method == "Runtime.executionContextsCleared":
            self.contexts.clear()

    def leave(self, client_session: ClientSession) -> None:
        """A session ended: domains that only it had enabled are disabled, so that nothing stays paused."""
        if client_session in self.client_sessions:
            self.client_sessions.remove(client_session)
        if not client_session.is_live or self.tab.link.is_lost:
            return
        self.painting.leave(client_session)
        self._end_overrides(client_session)
        for domain in sorted(client_session.enabled - NOT_FOUND_HERE):
            if domain == "Fetch" and self.lock.is_needed:
                self.lock.apply()
            elif not self._is_used(domain):
                if domain == "Runtime":
                    self.is_runtime_on = False
                    self.contexts.clear()
                self.send(f"{domain}.disable", {}, _ignore_reply)
        if not client_session.is_alias:
            self.send("Runtime.runIfWaitingForDebugger", {}, _ignore_reply)

    def _end_overrides(self, client_session: ClientSession) -> None:
        """Scripts for later documents, and what the client emulated: others continue in this tab as they set it."""
        for method, _, made in client_session.records:
            if method == "Page.addScriptToEvaluateOnNewDocument":
                identifier = client_session.scripts.get(made, made)
                self.send(
                    "Page.removeScriptToEvaluateOnNewDocument", {"identifier": identifier}, _ignore_reply
                )
        for method in client_session.overrides:
            kept = [other.overrides[method] for other in self.client_sessions if method in other.overrides]
            name, params = (method, kept[-1]) if kept else RESETS[method]
            self.send(name, params, _ignore_reply)


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
