"""Pending requests of a tab: enough to know when a page has settled."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from boathook.engine.network.log.unread_bodies import UnreadFetches

if TYPE_CHECKING:
    from boathook.cdp.cdp_session import CdpSession

ENDLESS = frozenset({"WebSocket", "EventSource", "Media", "Ping", "Preflight"})
"""Types that do not tell whether a page is busy."""


ASKED_FOR = frozenset({"Document", "XHR", "Fetch"})
"""Types that an action waits for; images, fonts and the like do not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InflightRequest:
    """A request without its complete response."""

    number: int
    method: str
    url: str
    kind: str

    @property
    def summary(self) -> str:
        """Method and path; query strings may contain secrets."""
        return f"{self.method} {urlsplit(self.url).path or '/'}"


class InflightRequests:
    """Counts started and pending requests."""

    def __init__(self) -> None:
        self._open: dict[str, InflightRequest] = {}
        self._changed = asyncio.Event()
        self._unread = UnreadFetches(lambda _session, number, _whole: self._remove_request(number))
        self.started = 0
        self.begun = 0
        """Requests of every kind that were started, also those that actions do not wait for."""
        self._streams: set[str] = set()

    @property
    def streaming(self) -> bool:
        """Whether the page has a connection by which its server can change it at any time."""
        return bool(self._streams)

    def watch(self, session: CdpSession) -> None:
        """Listen on a session whose Network domain is enabled."""
        session.on("Network.requestWillBeSent", self._on_start)
        session.on("Network.loadingFinished", self._on_end)
        session.on("Network.loadingFailed", self._on_end)
        session.on("Network.webSocketCreated", self._on_stream)
        session.on("Network.webSocketClosed", self._on_end)
        session.on("Page.frameNavigated", self._on_navigated)
        self._unread.watch(session)

    def open_since(self, mark: int) -> int:
        """How many of those started after `mark` are still pending."""
        return sum(1 for request in self._open.values() if request.number > mark)

    def pending_since(self, mark: int) -> list[InflightRequest]:
        """Requests of documents and scripts that were started after `mark` and are still pending."""
        return [
            request for request in self._open.values() if request.number > mark and request.kind in ASKED_FOR
        ]

    async def wait_for_requests_since(self, mark: int) -> None:
        """Wait until none of those started after `mark` is pending."""
        while self.open_since(mark):
            self._changed.clear()
            await self._changed.wait()

    def _on_start(self, params: dict[str, Any]) -> None:
        self.begun += 1
        if params.get("type") == "EventSource":
            self._on_stream(params)
        if params.get("type") in ENDLESS or params.get("request", {}).get("url", "").startswith(
            ("data:", "blob:")
        ):
            return
        self.started += 1
        request = params.get("request", {})
        opened = InflightRequest(
            number=self.started,
            method=str(request.get("method", "GET")),
            url=str(request.get("url", "")),
            kind=str(params.get("type", "")),
        )
        self._open.setdefault(params["requestId"], opened)

    def _on_stream(self, params: dict[str, Any]) -> None:
        self._streams.add(params["requestId"])

    def _on_navigated(self, params: dict[str, Any]) -> None:
        if not params["frame"].get("parentId"):
            self._streams.clear()

    def _on_end(self, params: dict[str, Any]) -> None:
        self._streams.discard(params["requestId"])
        self._remove_request(params["requestId"])

    def _remove_request(self, number: str) -> None:
        if self._open.pop(number, None) is not None:
            self._changed.set()

    def forget(self) -> None:
        """The document was replaced, and its requests with it."""
        self._open.clear()
        self._changed.set()
