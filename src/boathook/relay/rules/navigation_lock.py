"""Which documents a tab may load: under the user's lists of sites, and under the URL lock only the current one.

The request is paused and aborted as if the user had pressed stop, so that the tab stays where it is and shows no error page.
A service worker could answer before a request is made, so pages are loaded without theirs. Rules of Chrome itself decide about
sites first (extension/site_guard.js): they block frames, and redirect documents of denied sites to `NOWHERE`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boathook.relay.send_queue import CdpRefusal
    from boathook.relay.sessions.target_session import TargetSession

PATTERN = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}
_NEEDED = frozenset({"Fetch", "Network"})
DECIDED_HERE = frozenset({"Network.setBypassServiceWorker", "Page.setPrerenderingAllowed"})
"""Answered as done while documents are decided here: they open ways around that."""


class NavigationLock:
    """The guard of one session; `at` is the URL that its tab is locked to, empty without a lock."""

    def __init__(self, target_session: TargetSession) -> None:
        self._target_session = target_session
        self.at = ""
        self._is_on = False

    @property
    def is_needed(self) -> bool:
        """Whether documents are decided here."""
        return bool(self.at or self._target_session.tab.rules)

    def needs(self, domain: str) -> bool:
        """Whether a domain stays enabled whatever clients do."""
        return self.is_needed and domain in _NEEDED

    def set(self, url: str) -> None:
        """Lock the tab to a URL, or remove the lock; and follow the lists of sites."""
        url = _without_fragment(url)
        if bool(url) != bool(self.at):
            self.at = url
        if self.is_needed or self._is_on:
            self.apply()

    def forget(self) -> None:
        """The debugger was detached."""
        self.at = ""
        self._is_on = False

    def apply(self) -> None:
        """Make Chrome pause requests for us, in addition to what clients intercept."""
        wanted = [
            kept
            for client_session in self._target_session.client_sessions
            for kept in client_session.records
            if kept[0] == "Fetch.enable"
        ]
        patterns = [
            pattern for _, params, _ in wanted for pattern in params.get("patterns") or [{"urlPattern": "*"}]
        ]
        auth = any(params.get("handleAuthRequests") for _, params, _ in wanted)
        if self.is_needed:
            patterns.append(PATTERN)
        self._bypass_service_workers()
        if patterns:
            self._send("Fetch.enable", {"patterns": patterns, "handleAuthRequests": auth})
        else:
            self._send("Fetch.disable", {})

    def _bypass_service_workers(self) -> None:
        if self.is_needed == self._is_on:
            return
        self._is_on = self.is_needed
        is_used = any("Network" in other.enabled for other in self._target_session.client_sessions)
        if self._is_on and not is_used:
            self._send("Network.enable", {})  # without it, Chrome ignores the next one
        self._send("Network.setBypassServiceWorker", {"bypass": self._is_on})
        if not self._is_on and not is_used:
            self._send("Network.disable", {})

    def decides(self, method: str, params: dict[str, Any]) -> bool:
        """Whether this event was answered here, and is not for clients."""
        if not self.is_needed:
            return False
        if method == "Fetch.requestPaused":
            return self._on_paused(params)
        if method == "Fetch.authRequired" and self._denies(params):
            answer = {"authChallengeResponse": {"response": "Default"}}
            self._send("Fetch.continueWithAuth", {"requestId": params["requestId"], **answer})
            return True
        if method == "Page.frameNavigated" and self.at and "parentId" not in params["frame"]:
            # A page restored from memory makes no request, nor does a blob; the tab is navigated back.
            url = _without_fragment(params["frame"]["url"])
            if url != self.at and not params["frame"].get("unreachableUrl"):
                self._send("Page.navigate", {"url": self.at})
        return False

    def _denies(self, params: dict[str, Any]) -> bool:
        return bool(self._target_session.tab.rules.why_not(params["request"]["url"]))

    def _on_paused(self, params: dict[str, Any]) -> bool:
        request_id = {"requestId": params["requestId"]}
        is_document = params.get("resourceType") == "Document"
        is_main = params.get("frameId") == self._target_session.target_id
        is_elsewhere = bool(self.at) and _without_fragment(params["request"]["url"]) != self.at
        denies = self._denies(params)
        if is_document and (denies or (is_main and is_elsewhere)):
            self._send("Fetch.failRequest", {**request_id, "errorReason": "Aborted"})
            return True
        if not denies and self._is_for_clients(is_document=is_document):
            return False
        self._send("Fetch.continueRequest", request_id)
        return True

    def _is_for_clients(self, *, is_document: bool) -> bool:
        """Other requests are paused only for clients."""
        sessions = self._target_session.client_sessions
        return not is_document or any("Fetch" in client_session.enabled for client_session in sessions)

    def _send(self, method: str, params: dict[str, Any]) -> None:
        self._target_session.send(method, params, _ignore_reply)


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _ignore_reply(_result: dict[str, Any] | None, _error: CdpRefusal | None) -> None:
    """The reply is ignored."""
