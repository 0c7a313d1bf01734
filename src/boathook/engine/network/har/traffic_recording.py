"""A recording of all requests of a context, with bodies as they arrive: the content of a HAR file."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from boathook.engine.network.log.network_log import response_body
from boathook.errors import BoathookError

if TYPE_CHECKING:
    import re

    from boathook.engine.network.log.request_record import RequestRecord

ContentMode = Literal["none", "text", "all"]
MOST_ENTRIES = 5_000
LARGEST_BODY = 2 * 1024 * 1024
"""Limit of one body; a longer one is omitted."""
LARGEST_WHOLE = 64 * 1024 * 1024
_TEXT_TYPES = ("text/", "application/json", "application/javascript", "application/xml", "image/svg+xml")
_TEXT_ENDINGS = ("+json", "+xml", "x-www-form-urlencoded", "ecmascript")


@dataclass(slots=True, eq=False)
class RecordedRequest:
    """A request in a recording."""

    record: RequestRecord
    page: str
    """The document that was shown when it started."""
    body: bytes | None = None
    note: str = ""
    """Why there is no body."""


@dataclass(slots=True, eq=False)
class RecordedPage:
    """A document of a tab."""

    loader: str
    url: str
    at: float
    came_to: dict[str, float] = field(default_factory=dict)
    """When its content was parsed, and when everything was loaded, by the browser's clock."""


class NetworkRecording:
    """Collects requests from the moment it is created."""

    def __init__(self, *, content: ContentMode, matcher: re.Pattern[str] | None) -> None:
        self.content = content
        self.entries: list[RecordedRequest] = []
        self.pages: dict[str, RecordedPage] = {}
        self.dropped = 0
        """Requests beyond the limit."""
        self.began_at = time.time()
        self._matcher = matcher
        self._by_record: dict[RequestRecord, RecordedRequest] = {}
        self._fetching: set[asyncio.Task[None]] = set()
        self._kept_bytes = 0

    def began(self, record: RequestRecord, *, page: str) -> None:
        """A request has started."""
        if self._matcher is not None and not self._matcher.search(record.url):
            return
        if len(self.entries) >= MOST_ENTRIES:
            self.dropped += 1
            return
        entry = RecordedRequest(record, page)
        self.entries.append(entry)
        self._by_record[record] = entry

    def on_request_end(self, record: RequestRecord) -> None:
        """The request has ended; the body is read at once, since the browser drops it with the page."""
        entry = self._by_record.pop(record, None)
        if entry is None or not self._wants_body(entry):
            return
        task = asyncio.create_task(self._fetch(entry), name="read a body for a recording")
        self._fetching.add(task)
        task.add_done_callback(self._fetching.discard)

    def page_began(self, loader: str, url: str) -> None:
        """A tab shows another document."""
        self.pages[loader] = RecordedPage(loader, url, time.time())

    def on_page_url(self, loader: str, stage: str, at: float) -> None:
        """The content of the document was parsed, or it is loaded."""
        page = self.pages.get(loader)
        if page is not None:
            page.came_to.setdefault(stage, at)

    async def finish(self) -> None:
        """Wait for bodies that are still being read; the caller bounds the wait."""
        if self._fetching:
            await asyncio.gather(*self._fetching, return_exceptions=True)

    def cancel(self) -> None:
        """Cancel what is still being read."""
        for task in self._fetching:
            task.cancel()

    def _wants_body(self, entry: RecordedRequest) -> bool:
        record = entry.record
        if self.content == "none" or record.failure or not record.status or record.redirected_to:
            return False
        if record.type in {"WebSocket", "EventSource"}:
            return False
        return self.content == "all" or is_text(record.mime)

    async def _fetch(self, entry: RecordedRequest) -> None:
        if entry.record.received_bytes > LARGEST_BODY or self._kept_bytes >= LARGEST_WHOLE:
            entry.note = "the body is too large to record"
            return
        try:
            data = await response_body(entry.record)
        except BoathookError:
            entry.note = "the browser no longer had the body"
            return
        if len(data) > LARGEST_BODY or self._kept_bytes + len(data) > LARGEST_WHOLE:
            entry.note = "the body is too large to record"
            return
        self._kept_bytes += len(data)
        entry.body = data


def is_text(mime: str) -> bool:
    """Whether responses of this type are text."""
    return mime.startswith(_TEXT_TYPES) or mime.endswith(_TEXT_ENDINGS)
