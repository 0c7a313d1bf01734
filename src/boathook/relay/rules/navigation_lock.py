"""The URL lock: documents of the main frame are requested through us, and only the current one is allowed.

The request is aborted as if the user had pressed stop, so that the tab stays where it is and shows no error page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boathook.relay.send_queue import CdpRefusal
    from boathook.relay.sessions.target_session import TargetSession

PATTERN = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}


class NavigationLock:
    """The lock of one tab; `at` is the URL that it is locked to, empty without a lock."""

    def __init__(self, target_session: TargetSession) -> None:
        self._target_session = target_session
        self.at = ""

    def set(self, url: str) -> None:
        """Lock the tab to a URL, or remove the lock."""
        url = _without_fragment(url)
        if bool(url) == bool(self.at):
            return
        self.at = url
        self.apply()

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
        if self.at:
            patterns.append(PATTERN)
        if patterns:
            self._target_session.send(
                "Fetch.enable", {"patterns": patterns, "handleAuthRequests": auth}, _ignore_reply
            )
        else:
            self._target_session.send("Fetch.disable", {}, _ignore_reply)

    def decides(self, method: str, params: dict[str, Any]) -> bool:
        """Whether this event belongs to the lock and was answered."""
        if not self.at:
            return False
        if method == "Fetch.requestPaused" and params.get("resourceType") == "Document":
            return self._on_paused(params)
        if method == "Page.frameNavigated" and "parentId" not in params["frame"]:
            # A page restored from memory makes no request; it is navigated back.
            url = _without_fragment(params["frame"]["url"])
            if url != self.at and params.get("type") == "BackForwardCacheRestore":
                self._target_session.send("Page.navigate", {"url": self.at}, _ignore_reply)
        return False

    def _on_paused(self, params: dict[str, Any]) -> bool:
        request_id = {"requestId": params["requestId"]}
        is_main = params.get("frameId") == self._target_session.target_id
        if is_main and _without_fragment(params["request"]["url"]) != self.at:
            self._target_session.send(
                "Fetch.failRequest", {**request_id, "errorReason": "Aborted"}, _ignore_reply
            )
            return True
        if any("Fetch" in client_session.enabled for client_session in self._target_session.client_sessions):
            return False
        self._target_session.send("Fetch.continueRequest", request_id, _ignore_reply)
        return True


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _ignore_reply(_result: dict[str, Any] | None, _error: CdpRefusal | None) -> None:
    """The reply is ignored."""
