"""The network log of a tab: the latest requests with what became of them, and their bodies on demand."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from boathook.engine.addresses import without_credentials
from boathook.engine.happenings import Happenings, Ring
from boathook.engine.network.unread import UnreadFetches
from boathook.errors import BadRequest, PageError, ProtocolError

if TYPE_CHECKING:
    from boathook.cdp.session import Session

BODY_LIMIT = 1024 * 1024
FAILING_STATUS = 400
NOT_FOUND = 404
_ENDLESS = frozenset({"WebSocket", "EventSource", "Media", "Ping", "Preflight"})
_ICON = re.compile(r"(favicon[^/]*\.(ico|png|svg)|apple-touch-icon[^/]*\.png)\Z", re.IGNORECASE)
_API_PATH = re.compile(r"/(api|graphql|rpc)(/|\Z)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request as it stood when the log was read; `number` names it."""

    number: int
    method: str
    url: str
    type: str
    status: int = 0
    """0 while no response has come."""
    failure: str = ""
    """Chromium's reason when there is no response, or it broke off."""
    mime: str = ""
    finished: bool = False
    from_cache: bool = False
    at: float = 0.0
    """Seconds since 1970."""
    seconds: float | None = None
    sent_bytes: int = 0
    received_bytes: int = 0

    @property
    def failed(self) -> bool:
        """Whether it went wrong in any way."""
        return bool(self.failure) or self.status >= FAILING_STATUS

    @property
    def benign(self) -> bool:
        """A failure that no user would notice: an icon that is not there."""
        missing = bool(self.failure) or self.status == NOT_FOUND
        icon = _ICON.search(urlsplit(self.url).path) is not None
        return self.failed and missing and icon and self.type in {"", "Image", "Other"}

    @property
    def api_like(self) -> bool:
        """A call of the page's own code rather than a part of the page."""
        return (
            self.type in {"Fetch", "XHR"}
            or "json" in self.mime
            or self.method not in {"GET", "HEAD"}
            or _API_PATH.search(urlsplit(self.url).path) is not None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The body of a response, at most 1 MiB of it."""

    data: bytes
    mime: str
    size: int
    cut: bool = False

    @property
    def text(self) -> str:
        """As text; what is no UTF-8 is replaced."""
        return self.data.decode("utf-8", "replace")


@dataclass(slots=True, eq=False)
class _Record:
    """A request while it is on its way."""

    number: int
    id: str
    session: Session
    method: str
    url: str
    type: str
    frame: str
    loader: str
    at: float
    began: float
    sent_bytes: int = 0
    status: int = 0
    failure: str = ""
    mime: str = ""
    finished: bool = False
    from_cache: bool = False
    ended: float = 0.0
    received_bytes: int = 0

    def frozen(self) -> Request:
        return Request(
            number=self.number,
            method=self.method,
            url=self.url,
            type=self.type,
            status=self.status,
            failure=self.failure,
            mime=self.mime,
            finished=self.finished,
            from_cache=self.from_cache,
            at=self.at,
            seconds=round(self.ended - self.began, 4) if self.ended else None,
            sent_bytes=self.sent_bytes,
            received_bytes=self.received_bytes,
        )


class NetworkLog:
    """The requests of all frames of a tab."""

    def __init__(self, happenings: Happenings) -> None:
        self._happenings = happenings
        self._ring: Ring[_Record] = Ring(happenings)
        self._live: dict[tuple[str, str], _Record] = {}
        self._idle: set[tuple[str, str]] = set()
        """Fetches that the page does not read on: the browser has not ended them, and they keep nobody waiting."""
        self._unread = UnreadFetches(self._on_unread)

    def watch(self, session: Session, *, main: bool) -> None:
        """Listen on a session whose Network domain is enabled."""
        if main:
            self._live.clear()
        session.on("Network.requestWillBeSent", lambda params: self._on_start(session, params))
        session.on("Network.responseReceived", lambda params: self._on_response(session, params))
        session.on("Network.requestServedFromCache", lambda params: self._on_cache(session, params))
        session.on("Network.loadingFinished", lambda params: self._on_finished(session, params))
        session.on("Network.loadingFailed", lambda params: self._on_failed(session, params))
        self._unread.watch(session)
        session.on("Page.frameNavigated", self._on_navigated)
        session.on("Page.frameDetached", self._on_detached)

    def mark(self) -> int:
        """What comes later is news from here on."""
        return self._happenings.now

    def since(self, mark: int) -> list[Request]:
        """Requests started after a mark, oldest first."""
        return [record.frozen() for record in self._ring.since(mark)]

    def problems_since(self, mark: int) -> list[Request]:
        """Failed requests after a mark that somebody should look at."""
        return [request for request in self.since(mark) if request.failed and not request.benign]

    @property
    def dropped(self) -> int:
        """How many requests the log has forgotten."""
        return self._ring.dropped

    def open(self) -> list[Request]:
        """Requests that are on their way now; streams without an end do not count."""
        return [
            record.frozen()
            for key, record in self._live.items()
            if record.type not in _ENDLESS and key not in self._idle
        ]

    def clear(self) -> None:
        """Forget all requests."""
        self._ring.clear()

    def _on_navigated(self, params: dict[str, Any]) -> None:
        """Another document took a frame: what the old one still waited for will never be told."""
        frame = params["frame"]
        top = not frame.get("parentId")
        for key, record in list(self._live.items()):
            if (top or record.frame == frame["id"]) and record.loader != frame.get("loaderId"):
                self._live.pop(key)
        self._happenings.tick()

    def _on_detached(self, params: dict[str, Any]) -> None:
        if params.get("reason") == "swap":
            return
        for key, record in list(self._live.items()):
            if record.frame == params["frameId"]:
                self._live.pop(key)
        self._happenings.tick()

    async def body(self, number: int, *, limit: int = BODY_LIMIT) -> Body:
        """The response body of a request, as long as the browser still has it."""
        record = next((record for record in self._ring if record.number == number), None)
        if record is None:
            raise BadRequest(f"the log has no request {number}", hint="take a number from tab.requests()")
        if record.failure or not record.status:
            raise PageError(
                f"{record.method} {record.url[:200]} has no response: {record.failure or 'none yet'}"
            )
        try:
            reply = await record.session.send("Network.getResponseBody", requestId=record.id)
        except ProtocolError as error:
            raise PageError(
                f"the browser no longer has the body of {record.url[:200]}",
                hint="read bodies before the page goes on, or fetch the address again",
            ) from error
        raw = str(reply["body"])
        data = base64.b64decode(raw) if reply.get("base64Encoded") else raw.encode()
        return Body(data=data[:limit], mime=record.mime, size=len(data), cut=len(data) > limit)

    def _on_start(self, session: Session, params: dict[str, Any]) -> None:
        asked = params.get("request", {})
        url = without_credentials(str(asked.get("url", "")))
        if url.startswith(("data:", "blob:")):
            return
        key = (session.id, params["requestId"])
        redirected = self._live.get(key)
        if redirected is not None and "redirectResponse" in params:
            self._take_response(redirected, params["redirectResponse"])
            redirected.finished, redirected.ended = True, float(params.get("timestamp", 0))
        number = self._happenings.tick()
        record = _Record(
            number=number,
            id=params["requestId"],
            session=session,
            method=str(asked.get("method", "")),
            url=url[:8_000],
            type=str(params.get("type", "")),
            frame=str(params.get("frameId", "")),
            loader=str(params.get("loaderId", "")),
            at=float(params.get("wallTime", 0)),
            began=float(params.get("timestamp", 0)),
            sent_bytes=sum(
                len(entry.get("bytes", "")) * 3 // 4 for entry in asked.get("postDataEntries", ())
            ),
        )
        self._live[key] = record
        self._ring.add(number, record)

    def _on_response(self, session: Session, params: dict[str, Any]) -> None:
        record = self._live.get((session.id, params["requestId"]))
        if record is not None:
            record.type = str(params.get("type", record.type))
            self._take_response(record, params["response"])
            self._happenings.tick()

    def _take_response(self, record: _Record, response: dict[str, Any]) -> None:
        record.status = int(response.get("status", 0))
        record.mime = str(response.get("mimeType", ""))
        record.from_cache = record.from_cache or bool(
            response.get("fromDiskCache") or response.get("fromPrefetchCache")
        )

    def _on_unread(self, session: Session, number: str, whole: bool) -> None:  # noqa: FBT001 - as a callback gets it
        key = (session.id, number)
        self._idle &= self._live.keys()
        self._idle.add(key)
        if whole and key in self._live:
            self._live[key].finished = True
        self._happenings.tick()

    def _on_cache(self, session: Session, params: dict[str, Any]) -> None:
        record = self._live.get((session.id, params["requestId"]))
        if record is not None:
            record.from_cache = True

    def _on_finished(self, session: Session, params: dict[str, Any]) -> None:
        record = self._live.pop((session.id, params["requestId"]), None)
        if record is not None:
            record.finished, record.ended = True, float(params.get("timestamp", 0))
            record.received_bytes = int(params.get("encodedDataLength", 0))
            self._happenings.tick()

    def _on_failed(self, session: Session, params: dict[str, Any]) -> None:
        record = self._live.pop((session.id, params["requestId"]), None)
        if record is not None:
            record.finished, record.ended = True, float(params.get("timestamp", 0))
            record.failure = str(params.get("blockedReason") or params.get("errorText") or "failed")
            self._happenings.tick()
