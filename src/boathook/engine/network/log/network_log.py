"""The network log of a tab: the latest requests with their results, and their bodies on demand."""

from __future__ import annotations

import asyncio
import base64
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from boathook.engine.events.console import call_frames
from boathook.engine.events.event_log import EventLog, RingBuffer
from boathook.engine.hosts.urls import without_credentials
from boathook.engine.network.log.extra_headers import ExtraHeaders
from boathook.engine.network.log.message_streams import Streams
from boathook.engine.network.log.request import Body, Request, RequestDetails
from boathook.engine.network.log.request_credentials import credentials_of
from boathook.engine.network.log.request_record import LONGEST_ADDRESS, RequestRecord
from boathook.engine.network.log.unread_bodies import UnreadFetches
from boathook.errors import BadRequest, BrowserGone, PageError, ProtocolError, TabGone

if TYPE_CHECKING:
    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.events.console import StackFrame
    from boathook.engine.network.har.traffic_recording import NetworkRecording

__all__ = ["BODY_LIMIT", "Body", "NetworkLog", "Request"]

BODY_PAUSES = (0.05, 0.25)
BODY_LIMIT = 1024 * 1024
SHOWN_BODY = 64 * 1024
"""Default limit of a body in the details of a request, in bytes."""
LONGEST_POST_DATA = 64 * 1024
MOST_ROUTED = 200
MOST_UNSEARCHED = 500
STREAMS = frozenset({"WebSocket", "EventSource"})
_ENDLESS = STREAMS | {"Media", "Ping", "Preflight"}


class NetworkLog:
    """The requests of all frames of a tab."""

    def __init__(self, event_log: EventLog) -> None:
        self.recording: NetworkRecording | None = None
        """Called for every request, if set."""
        self.page_loader = ""
        """The document that the top frame shows."""
        self.page_mark = 0
        """The mark from which requests belong to the current page."""
        self.document_mark = 0
        """The mark from which console messages belong to the current page."""
        self._event_log = event_log
        self._ring: RingBuffer[RequestRecord] = RingBuffer(event_log)
        self._live: dict[tuple[str, str], RequestRecord] = {}
        self._idle: set[tuple[str, str]] = set()
        """Fetches that the page does not read to the end: the browser never finishes them, and they are not waited for."""
        self._unsearched: deque[RequestRecord] = deque(maxlen=MOST_UNSEARCHED)
        """Requests that have not been checked for credentials yet."""
        self._unread = UnreadFetches(self._on_unread)
        self._extra = ExtraHeaders()
        self._routed: dict[tuple[str, str, str], str] = {}
        """What routes did to requests that the browser has not reported yet."""
        self._streams = Streams(
            began=lambda _session, record: self._add(record),
            ended=self._report_end,
            find=lambda session, number: self._live.get((session.id, number)),
            tick=event_log.next_number,
        )

    def watch(self, session: CdpSession, *, main: bool) -> None:
        """Listen on a session whose Network domain is enabled."""
        if main:
            self._live.clear()
            session.on("Page.domContentEventFired", lambda params: self._on_page_event("content", params))
            session.on("Page.loadEventFired", lambda params: self._on_page_event("load", params))
        session.on("Network.requestWillBeSent", lambda params: self._on_start(session, params))
        session.on("Network.responseReceived", lambda params: self._on_response(session, params))
        session.on("Network.requestServedFromCache", lambda params: self._on_cache(session, params))
        session.on("Network.loadingFinished", lambda params: self._on_finished(session, params))
        session.on("Network.loadingFailed", lambda params: self._on_failed(session, params))
        self._extra.watch(session)
        self._streams.watch(session)
        self._unread.watch(session)
        session.on("Page.frameNavigated", self._on_navigated)
        session.on("Page.frameDetached", self._on_detached)

    def mark(self) -> int:
        """A mark: later entries are new."""
        return self._event_log.now

    def since(self, mark: int) -> list[Request]:
        """Requests started after a mark, oldest first."""
        return [record.frozen() for record in self._ring.since(mark)]

    def of_document(self, loader: str) -> list[RequestRecord]:
        """The requests that a document has made, oldest first, as far as they are still in the log."""
        return [record for record in self._ring if record.loader == loader]

    def problems_since(self, mark: int) -> list[Request]:
        """Failed requests after a mark that need attention."""
        return [request for request in self.since(mark) if request.failed and not request.benign]

    @property
    def dropped(self) -> int:
        """How many requests were dropped from the log."""
        return self._ring.dropped

    def open(self) -> list[Request]:
        """Pending requests; endless streams do not count."""
        return [
            record.frozen()
            for key, record in self._live.items()
            if record.type not in _ENDLESS and key not in self._idle
        ]

    def clear(self) -> None:
        """Remove all requests."""
        self._ring.clear()

    def note_route(self, session: CdpSession, params: dict[str, Any], done: str) -> None:
        """Record what a route did to a request; the browser may report the request itself later."""
        number, url = str(params.get("networkId", "")), _shorten_url(params["request"])
        record = self._live.get((session.id, number))
        if record is not None and record.url == url:
            record.routed = done
            return
        if len(self._routed) >= MOST_ROUTED:
            self._routed.pop(next(iter(self._routed)))
        self._routed[session.id, number, url] = done

    async def body(self, number: int, *, limit: int = BODY_LIMIT) -> Body:
        """The response body of a request, as long as the browser still has it."""
        record = self._record(number)
        if record.failure or not record.status:
            raise PageError(
                f"{record.method} {record.url[:200]} has no response: {record.failure or 'none yet'}"
            )
        try:
            data = await response_body(record)
        except ProtocolError as error:
            raise PageError(
                f"the browser no longer has the body of {record.url[:200]}",
                hint="read bodies before the page navigates, or request the URL again",
            ) from error
        return Body(data=data[:limit], mime=record.mime, size=len(data), cut=len(data) > limit)

    def initiator_frames(self, number: int) -> tuple[StackFrame, ...]:
        """The calls that sent a request, the innermost first; or the place in a document that asked for it."""
        given = self._record(number).initiator
        frames = call_frames(given.get("stack"))
        return frames or call_frames({"callFrames": [given]})

    def response_headers(self, number: int) -> dict[str, str]:
        """The headers of the response to a request, with lower-case names."""
        return {name.lower(): value for name, value in self._record(number).response_headers.items()}

    async def details(self, number: int, *, limit: int = BODY_LIMIT) -> RequestDetails:
        """All details of a request, with a part of its body."""
        record = self._record(number)
        body, missing = None, ""
        if record.type in STREAMS:
            missing = "its messages are listed instead"
        else:
            try:
                body = await self.body(number, limit=limit)
            except PageError as error:
                missing = error.message
        posted = await _post_data(record)
        return RequestDetails(
            request=record.frozen(),
            request_headers=dict(record.request_headers),
            response_headers=dict(record.response_headers),
            post_data=posted[:LONGEST_POST_DATA],
            post_data_cut=len(posted) > LONGEST_POST_DATA,
            protocol=record.protocol,
            remote_address=record.remote_address,
            timing=record.waterfall(),
            initiator=record.why(),
            redirected_to=record.redirected_to,
            body=body,
            body_missing=missing,
            messages=tuple(record.messages),
            messages_dropped=record.message_count - len(record.messages),
        )

    def take_credentials(self) -> list[str]:
        """Credentials in requests since the last call; pending ones are checked again."""
        searched, self._unsearched = self._unsearched, deque(maxlen=MOST_UNSEARCHED)
        self._unsearched.extend(record for record in searched if not record.status and not record.failure)
        return [value for record in searched for value in credentials_of(record)]

    def _record(self, number: int) -> RequestRecord:
        record = next((record for record in self._ring if record.number == number), None)
        if record is None:
            raise BadRequest(
                f"no such request: {number}",
                hint="`requests` lists the requests with their numbers",
            )
        return record

    def _add(self, record: RequestRecord) -> None:
        self._ring.add(record.number, record)
        self._unsearched.append(record)
        if self.recording is not None:
            self.recording.began(record, page=self.page_loader)

    def _report_end(self, record: RequestRecord) -> None:
        if self.recording is not None:
            self.recording.on_request_end(record)

    def _on_navigated(self, params: dict[str, Any]) -> None:
        """Another document was loaded in a frame: pending requests of the old one will never be reported."""
        frame = params["frame"]
        top = not frame.get("parentId")
        for key, record in list(self._live.items()):
            if (top or record.frame == frame["id"]) and record.loader != frame.get("loaderId"):
                self._live.pop(key)
        now = self._event_log.next_number()
        if top:
            self.document_mark = now
            self.page_loader = str(frame.get("loaderId", ""))
            first = next((record for record in self._ring if record.loader == self.page_loader), None)
            self.page_mark = first.number - 1 if first is not None else now
            if self.recording is not None:
                self.recording.page_began(self.page_loader, without_credentials(str(frame.get("url", ""))))

    def _on_page_event(self, name: str, params: dict[str, Any]) -> None:
        if self.recording is not None:
            self.recording.on_page_url(self.page_loader, name, float(params.get("timestamp", 0)))

    def _on_detached(self, params: dict[str, Any]) -> None:
        if params.get("reason") == "swap":
            return
        for key, record in list(self._live.items()):
            if record.frame == params["frameId"]:
                self._live.pop(key)
        self._event_log.next_number()

    def _on_start(self, session: CdpSession, params: dict[str, Any]) -> None:
        asked = params.get("request", {})
        url = _shorten_url(asked)
        if url.startswith(("data:", "blob:")):
            return
        key = (session.id, params["requestId"])
        redirected = self._live.get(key)
        if redirected is not None and "redirectResponse" in params:
            self._on_redirect(key, redirected, params, to=url)
        record = RequestRecord(
            number=self._event_log.next_number(),
            id=params["requestId"],
            session=session,
            method=str(asked.get("method", "")),
            url=url,
            type=str(params.get("type", "")),
            frame=str(params.get("frameId", "")),
            loader=str(params.get("loaderId", "")),
            at=float(params.get("wallTime", 0)),
            began=float(params.get("timestamp", 0)),
            sent_bytes=sum(
                len(entry.get("bytes", "")) * 3 // 4 for entry in asked.get("postDataEntries", ())
            ),
            has_post_data=bool(asked.get("hasPostData")),
            post_data=str(asked.get("postData", ""))[: LONGEST_POST_DATA + 1],
            request_headers={str(name): str(value) for name, value in asked.get("headers", {}).items()},
            initiator=params.get("initiator", {}),
            routed=self._routed.pop((*key, url), ""),
        )
        self._live[key] = record
        self._extra.began(key, record)
        self._add(record)

    def _on_redirect(
        self, key: tuple[str, str], record: RequestRecord, params: dict[str, Any], *, to: str
    ) -> None:
        """The same request continues elsewhere: it is recorded as another one."""
        if not params.get("redirectHasExtraInfo"):
            self._extra.has_none(key, record)
        at = float(params.get("timestamp", 0))
        record.take_response(params["redirectResponse"], at=at)
        record.redirected_to = to
        record.end(at, received=int(params["redirectResponse"].get("encodedDataLength", 0)))
        self._report_end(record)

    def _on_response(self, session: CdpSession, params: dict[str, Any]) -> None:
        record = self._live.get((session.id, params["requestId"]))
        if record is not None:
            record.type = str(params.get("type", record.type))
            record.take_response(params["response"], at=float(params.get("timestamp", 0)))
            self._event_log.next_number()

    def _on_unread(self, session: CdpSession, number: str, whole: bool) -> None:  # noqa: FBT001 - as a callback gets it
        key = (session.id, number)
        self._idle &= self._live.keys()
        self._idle.add(key)
        if whole and key in self._live:
            self._live[key].finished = True
            self._report_end(self._live[key])
        self._event_log.next_number()

    def _on_cache(self, session: CdpSession, params: dict[str, Any]) -> None:
        record = self._live.get((session.id, params["requestId"]))
        if record is not None:
            record.from_cache = True

    def _on_finished(self, session: CdpSession, params: dict[str, Any]) -> None:
        record = self._live.pop((session.id, params["requestId"]), None)
        if record is not None:
            record.end(float(params.get("timestamp", 0)), received=int(params.get("encodedDataLength", 0)))
            self._report_end(record)
            self._event_log.next_number()

    def _on_failed(self, session: CdpSession, params: dict[str, Any]) -> None:
        record = self._live.pop((session.id, params["requestId"]), None)
        if record is not None:
            why = str(params.get("blockedReason") or params.get("errorText") or "failed")
            record.end(float(params.get("timestamp", 0)), failure=why)
            self._report_end(record)
            self._event_log.next_number()


async def response_body(record: RequestRecord) -> bytes:
    """The body as the browser has it; ProtocolError if it no longer has it."""
    reply = None
    for pause in BODY_PAUSES:  # it may be complete a moment before the browser can return it
        with suppress(ProtocolError):
            reply = await record.session.send("Network.getResponseBody", requestId=record.id)
            break
        await asyncio.sleep(pause)
    if reply is None:
        reply = await record.session.send("Network.getResponseBody", requestId=record.id)
    return _decode_body(reply)


def _decode_body(reply: dict[str, Any]) -> bytes:
    raw = str(reply["body"])
    return base64.b64decode(raw) if reply.get("base64Encoded") else raw.encode()


async def response_text(record: RequestRecord) -> str:
    """The body as text, in one call and without trying again."""
    reply = await record.session.send("Network.getResponseBody", requestId=record.id)
    return _decode_body(reply).decode(errors="replace")


async def _post_data(record: RequestRecord) -> str:
    """The request body; the browser omits long ones from its first event about a request."""
    if record.post_data or not record.has_post_data:
        return record.post_data
    try:
        reply = await record.session.send("Network.getRequestPostData", requestId=record.id)
    except (ProtocolError, TabGone, BrowserGone):
        return ""
    return str(reply.get("postData", ""))


def _shorten_url(asked: dict[str, Any]) -> str:
    return without_credentials(str(asked.get("url", "")))[:LONGEST_ADDRESS]
