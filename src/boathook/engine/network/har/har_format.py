"""HAR 1.2: a recording in the common format for network traffic. Values of cookies and credentials are omitted."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from boathook._version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.network.har.traffic_recording import NetworkRecording, RecordedPage, RecordedRequest
    from boathook.engine.network.log.request_record import RequestRecord

REDACTED = "[REDACTED]"
SECRET_HEADERS = frozenset(
    {
        "authorization",
        "proxy-authorization",
        "cookie",
        "set-cookie",
        "x-api-key",
        "api-key",
        "x-auth-token",
        "x-csrf-token",
        "x-xsrf-token",
    }
)
"""Headers whose values are never written."""
UNKNOWN_TYPE = "x-unknown"
_MOST_PARAMETERS = 1_000
_PROTOCOLS = {"h2": "HTTP/2", "h3": "HTTP/3", "http/1.1": "HTTP/1.1", "http/1.0": "HTTP/1.0"}


def har_document(recording: NetworkRecording, *, browser: str) -> dict[str, Any]:
    """The whole file, as JSON data."""
    used = [entry for entry in recording.entries if entry.record.at]
    pages = {page.loader: f"page_{place}" for place, page in enumerate(recording.pages.values(), 1)}
    firsts = {entry.record.loader: entry.record for entry in reversed(used) if entry.record.loader in pages}
    name, _, version = browser.partition("/")
    log: dict[str, Any] = {
        "version": "1.2",
        "creator": {"name": "boathook", "version": __version__},
        "browser": {"name": name or "Chromium", "version": version or "unknown"},
        "pages": [_page(page, pages[page.loader], firsts) for page in recording.pages.values()],
        "entries": [
            _entry(entry, pages, with_bodies=recording.content != "none")
            for entry in sorted(used, key=lambda entry: entry.record.at)
        ],
    }
    if recording.dropped:
        log["comment"] = f"{recording.dropped} further requests were not recorded"
    return {"log": log}


def _page(page: RecordedPage, name: str, firsts: Mapping[str, RequestRecord]) -> dict[str, Any]:
    first = firsts.get(page.loader)
    timings = {
        key: round((page.came_to[stage] - first.began) * 1_000, 3) if first and stage in page.came_to else -1
        for key, stage in (("onContentLoad", "content"), ("onLoad", "load"))
    }
    return {
        "startedDateTime": _moment(first.at if first is not None else page.at),
        "id": name,
        "title": page.url,
        "pageTimings": timings,
    }


def _entry(entry: RecordedRequest, pages: Mapping[str, str], *, with_bodies: bool) -> dict[str, Any]:
    record = entry.record
    timings, total = _timings(record)
    made: dict[str, Any] = {
        "startedDateTime": _moment(record.at),
        "time": total,
        "request": _request(record, with_body=with_bodies),
        "response": _response(entry),
        "cache": {},
        "timings": timings,
        "_resourceType": record.type.lower(),
    }
    page = pages.get(record.loader) or pages.get(entry.page)
    more = {
        "pageref": page,
        "serverIPAddress": record.remote_address.rpartition(":")[0].strip("[]"),
        "connection": record.connection if record.connection != "0" else "",
        "_initiator": _initiator(record),
        "_routed": record.routed,
        "_fromCache": "disk" if record.from_cache else "",
        "_webSocketMessages": _messages(record) if record.type == "WebSocket" else None,
        "_eventSourceMessages": _messages(record) if record.type == "EventSource" else None,
    }
    return made | {name: value for name, value in more.items() if value or value == []}


def _timings(record: RequestRecord) -> tuple[dict[str, float], float]:
    """Phases in milliseconds and their sum; -1 is a phase that did not occur. `ssl` is a part of `connect`."""
    fall = record.waterfall()
    if fall is None:
        return {"blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": 0, "receive": 0}, 0
    connect = None if fall.connect is None else fall.connect + (fall.tls or 0)
    parts = {
        "blocked": fall.queue,
        "dns": fall.dns,
        "connect": connect,
        "ssl": fall.tls,
        "send": fall.send or 0,
        "wait": fall.wait or 0,
        "receive": fall.receive or 0,
    }
    timings = {name: -1 if part is None else round(part, 3) for name, part in parts.items()}
    total = sum(part for name, part in timings.items() if name != "ssl" and part > 0)
    return timings, round(total, 3)


def _request(record: RequestRecord, *, with_body: bool) -> dict[str, Any]:
    made: dict[str, Any] = {
        "method": record.method,
        "url": record.url,
        "httpVersion": _version(record),
        "cookies": _sent_cookies(record.request_headers),
        "headers": _headers(record.request_headers),
        "queryString": _query(record.url),
        "headersSize": -1,
        "bodySize": record.sent_bytes,
    }
    if record.has_post_data or record.post_data:
        kind = _header_value(record.request_headers, "content-type") or UNKNOWN_TYPE
        text = record.post_data if with_body else ""
        made["postData"] = {"mimeType": kind, "text": text}
        if kind.startswith("application/x-www-form-urlencoded"):
            made["postData"]["params"] = _pairs(text)
    return made


def _response(entry: RecordedRequest) -> dict[str, Any]:
    record = entry.record
    made: dict[str, Any] = {
        "status": record.status,
        "statusText": record.status_text,
        "httpVersion": _version(record),
        "cookies": _set_cookies(record.response_headers),
        "headers": _headers(record.response_headers),
        "content": _content(entry),
        "redirectURL": record.redirected_to,
        "headersSize": -1,
        "bodySize": record.received_bytes if record.status else -1,
        "_transferSize": record.received_bytes,
    }
    if record.failure:
        made["_error"] = record.failure
    return made


def _content(entry: RecordedRequest) -> dict[str, Any]:
    body = entry.body
    mime = entry.record.mime or UNKNOWN_TYPE
    if body is None:
        told: dict[str, Any] = {"size": max(0, entry.record.received_bytes), "mimeType": mime}
        return told | ({"comment": entry.note} if entry.note else {})
    made: dict[str, Any] = {"size": len(body), "mimeType": mime}
    try:
        made["text"] = body.decode()
    except UnicodeDecodeError:
        made |= {"text": base64.b64encode(body).decode(), "encoding": "base64"}
    return made


def _messages(record: RequestRecord) -> list[dict[str, Any]]:
    return [
        {
            "type": "send" if message.direction == "sent" else "receive",
            "time": message.at,
            "opcode": message.opcode,
            "data": message.text,
            **({"event": message.event} if message.event else {}),
        }
        for message in record.messages
    ]


def _initiator(record: RequestRecord) -> dict[str, Any] | None:
    why = record.why()
    if why is None:
        return None
    told: dict[str, Any] = {"type": why.kind}
    if why.url:
        told |= {"url": why.url, "lineNumber": why.line}
    return told | ({"stack": list(why.stack)} if why.stack else {})


def _version(record: RequestRecord) -> str:
    return _PROTOCOLS.get(record.protocol, record.protocol or "unknown")


def _headers(headers: Mapping[str, str]) -> list[dict[str, str]]:
    """Repeated headers are joined by line breaks; each becomes a separate entry."""
    return [
        {"name": name, "value": REDACTED if name.lower() in SECRET_HEADERS else line}
        for name, value in headers.items()
        for line in value.split("\n")
    ]


def _header_value(headers: Mapping[str, str], wanted: str) -> str:
    return next((value for name, value in headers.items() if name.lower() == wanted), "")


def _query(url: str) -> list[dict[str, str]]:
    return _pairs(urlsplit(url).query)


def _pairs(text: str) -> list[dict[str, str]]:
    try:
        found = parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS)
    except ValueError:
        return []
    return [{"name": name, "value": value} for name, value in found]


def _sent_cookies(headers: Mapping[str, str]) -> list[dict[str, Any]]:
    parts = (
        part.strip().partition("=") for part in _header_value(headers, "cookie").split(";") if part.strip()
    )
    return [{"name": name, "value": REDACTED} for name, _, _value in parts]


def _set_cookies(headers: Mapping[str, str]) -> list[dict[str, Any]]:
    return [_set_cookie(line) for line in _header_value(headers, "set-cookie").split("\n") if line.strip()]


def _set_cookie(line: str) -> dict[str, Any]:
    first, *rest = line.split(";")
    cookie: dict[str, Any] = {"name": first.partition("=")[0].strip(), "value": REDACTED}
    for part in rest:
        name, _, value = part.strip().partition("=")
        match name.lower():
            case "path" | "domain":
                cookie[name.lower()] = value
            case "expires":
                cookie |= _expiry(value)
            case "httponly":
                cookie["httpOnly"] = True
            case "secure":
                cookie["secure"] = True
            case "samesite":
                cookie["sameSite"] = value
    return cookie


def _expiry(text: str) -> dict[str, str]:
    try:
        return {"expires": _iso(parsedate_to_datetime(text))}
    except ValueError:
        return {}


def _moment(seconds: float) -> str:
    return _iso(datetime.fromtimestamp(seconds, tz=UTC))


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
