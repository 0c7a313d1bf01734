"""The lock on addresses: documents of the main frame are asked for through us, and only the one that is there is let through.

The request is ended as if the user had pressed stop, so that the tab stays where it is and shows no error page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boathook.relay.send_queue import CdpRefusal
    from boathook.relay.sessions.target_session import Channel

PATTERN = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}


class AddressLock:
    """Of one tab; `at` is the address it is locked to, empty without a lock."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self.at = ""

    def set(self, url: str) -> None:
        """Lock the tab to an address, or not at all."""
        url = _without_fragment(url)
        if bool(url) == bool(self.at):
            return
        self.at = url
        self.apply()

    def apply(self) -> None:
        """Have Chrome ask us, beside whatever clients want to be asked about."""
        wanted = [one for view in self._channel.views for one in view.records if one[0] == "Fetch.enable"]
        patterns = [
            pattern for _, params, _ in wanted for pattern in params.get("patterns") or [{"urlPattern": "*"}]
        ]
        auth = any(params.get("handleAuthRequests") for _, params, _ in wanted)
        if self.at:
            patterns.append(PATTERN)
        if patterns:
            self._channel.send("Fetch.enable", {"patterns": patterns, "handleAuthRequests": auth}, _nobody)
        else:
            self._channel.send("Fetch.disable", {}, _nobody)

    def decides(self, method: str, params: dict[str, Any]) -> bool:
        """Whether this event is about the lock and has been answered."""
        if not self.at:
            return False
        if method == "Fetch.requestPaused" and params.get("resourceType") == "Document":
            return self._paused(params)
        if method == "Page.frameNavigated" and "parentId" not in params["frame"]:
            # A page restored from memory makes no request; it is led back.
            url = _without_fragment(params["frame"]["url"])
            if url != self.at and params.get("type") == "BackForwardCacheRestore":
                self._channel.send("Page.navigate", {"url": self.at}, _nobody)
        return False

    def _paused(self, params: dict[str, Any]) -> bool:
        request_id = {"requestId": params["requestId"]}
        is_main = params.get("frameId") == self._channel.target_id
        if is_main and _without_fragment(params["request"]["url"]) != self.at:
            self._channel.send("Fetch.failRequest", {**request_id, "errorReason": "Aborted"}, _nobody)
            return True
        if any("Fetch" in view.enabled for view in self._channel.views):
            return False
        self._channel.send("Fetch.continueRequest", request_id, _nobody)
        return True


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


def _nobody(_result: dict[str, Any] | None, _error: CdpRefusal | None) -> None:
    """Nobody waits for this answer."""
