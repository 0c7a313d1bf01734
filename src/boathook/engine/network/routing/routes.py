"""Routes: actions for requests whose URL matches a pattern. The newest route that matches decides."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal

from boathook.engine.network.routing.headers import check_headers
from boathook.errors import BadSetting
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Mapping

RouteAction = Literal["abort", "fulfill", "change", "delay"]
AbortReason = Literal[
    "failed",
    "aborted",
    "timedout",
    "accessdenied",
    "connectionclosed",
    "connectionreset",
    "connectionrefused",
    "connectionaborted",
    "connectionfailed",
    "namenotresolved",
    "internetdisconnected",
    "addressunreachable",
    "blockedbyclient",
    "blockedbyresponse",
]
ABORT_REASONS: dict[str, str] = {
    "failed": "Failed",
    "aborted": "Aborted",
    "timedout": "TimedOut",
    "accessdenied": "AccessDenied",
    "connectionclosed": "ConnectionClosed",
    "connectionreset": "ConnectionReset",
    "connectionrefused": "ConnectionRefused",
    "connectionaborted": "ConnectionAborted",
    "connectionfailed": "ConnectionFailed",
    "namenotresolved": "NameNotResolved",
    "internetdisconnected": "InternetDisconnected",
    "addressunreachable": "AddressUnreachable",
    "blockedbyclient": "BlockedByClient",
    "blockedbyresponse": "BlockedByResponse",
}
"""Names as users write them, and Chromium's."""
RESOURCE_TYPES = frozenset(
    {
        "document",
        "stylesheet",
        "image",
        "media",
        "font",
        "script",
        "texttrack",
        "xhr",
        "fetch",
        "prefetch",
        "eventsource",
        "manifest",
        "ping",
        "preflight",
        "other",
    }
)
_BY_SCRIPT = frozenset({"xhr", "fetch"})
LARGEST_BODY = 10 * 1024 * 1024
LONGEST_DELAY_SECONDS = 60.0
_METHOD = re.compile(r"[A-Z]{1,20}\Z")
_FIRST_STATUS, _LAST_STATUS = 200, 599
_PREFLIGHT_SECONDS = "600"
DONE: dict[RouteAction, str] = {
    "abort": "aborted",
    "fulfill": "fulfilled",
    "change": "changed",
    "delay": "delayed",
}
"""The label of a request that matched such a route."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fulfillment:
    """A response that does not come from a server."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    allow_origin: str = ""
    """The origin whose scripts may read it across origins; preflight requests are answered as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestChanges:
    """Changes to a request before it is sent, and to its response."""

    headers: Mapping[str, str] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    """Names of headers that are removed, in lower case."""
    method: str = ""
    body: str | None = None
    url: str = ""
    """The URL that it is sent to instead; the page does not notice."""
    status: int = 0
    answer_headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def of_answer(self) -> bool:
        """Whether the response differs from the server's."""
        return bool(self.status or self.answer_headers)


@dataclass(slots=True, eq=False, kw_only=True)
class Route:
    """One route, and how often it matched."""

    number: int
    pattern: str
    matcher: re.Pattern[str]
    action: RouteAction
    types: frozenset[str] = frozenset()
    """In lower case; none is every type."""
    reason: str = ABORT_REASONS["failed"]
    answer: Fulfillment = field(default_factory=Fulfillment)
    changes: RequestChanges = field(default_factory=RequestChanges)
    delay_seconds: float = 0.0
    times: int | None = None
    """It is removed after this many requests."""
    hits: int = 0
    trouble: str = ""
    """The browser's message if it rejected the action."""

    def fits(self, url: str, kind: str, *, preflight: bool) -> bool:
        """Whether a request matches; preflight requests do not have the type of the request that they are for."""
        if self.times is not None and self.hits >= self.times:
            return False
        asks_first = preflight and bool(self.answer.allow_origin)
        # In interception the browser has one type for both XHR and fetch.
        kinds = _BY_SCRIPT if kind.lower() in _BY_SCRIPT else {kind.lower()}
        fits_type = asks_first or not self.types or not self.types.isdisjoint(kinds)
        return fits_type and self.matcher.search(url) is not None


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class RouteInfo:
    """A route as a value."""

    number: int
    pattern: str
    action: RouteAction
    resource_types: tuple[str, ...] = ()
    delay_seconds: float = 0.0
    times: int | None = None
    hits: int = 0
    trouble: str = ""


def info_of(route: Route) -> RouteInfo:
    """The description of a route; bodies and headers are not included."""
    return RouteInfo(
        number=route.number,
        pattern=route.pattern,
        action=route.action,
        resource_types=tuple(sorted(route.types)),
        delay_seconds=route.delay_seconds,
        times=route.times,
        hits=route.hits,
        trouble=route.trouble,
    )


def check_status(status: int, *, named: str) -> None:
    """BadSetting for a status that no server can return."""
    if not _FIRST_STATUS <= status <= _LAST_STATUS:
        raise BadSetting(f"invalid {named}: {status}", hint=f"use {_FIRST_STATUS} to {_LAST_STATUS}")


def parse_resource_types(given: list[str]) -> frozenset[str]:
    """Resource types, also several in one string; BadSetting if one is unknown."""
    types = {part.strip().lower() for text in given for part in text.split(",") if part.strip()}
    if "websocket" in types:
        raise BadSetting(
            "WebSockets cannot be routed: the browser does not intercept them",
            hint="`requests --type websocket` lists them|, and `request NUMBER` their messages",
        )
    unknown = min(types - RESOURCE_TYPES, default="")
    if unknown:
        raise BadSetting(
            f"unknown resource type: {unknown!r}", hint=f"use {', '.join(sorted(RESOURCE_TYPES))}"
        )
    return frozenset(types)


def check_changes(changes: RequestChanges) -> None:
    """BadSetting for invalid changes."""
    check_headers(changes.headers)
    check_headers(changes.answer_headers)
    if changes.method and not _METHOD.match(changes.method):
        raise BadSetting(f"invalid method: {changes.method!r}", hint="use a method such as PUT")
    if changes.status:
        check_status(changes.status, named="response status")


def check_delay(seconds: float) -> None:
    """BadSetting for a delay that is too long."""
    if not 0 <= seconds <= LONGEST_DELAY_SECONDS:
        raise BadSetting(
            f"delay is out of range: {seconds} seconds", hint=f"use 0 to {LONGEST_DELAY_SECONDS:g}"
        )


def fulfilling(answer: Fulfillment, asked: Mapping[str, Any], *, preflight: bool) -> dict[str, Any]:
    """The protocol parameters that fulfill a request."""
    headers = dict(answer.headers)
    status, body = answer.status, answer.body
    if answer.allow_origin:
        headers = _without(headers, {"access-control-allow-origin"}) | _permission(answer.allow_origin)
        if preflight:
            status, body = HTTPStatus.NO_CONTENT, b""
            headers |= _preflight_permission(asked)
    headers = _without(headers, {"content-length"}) | {"Content-Length": str(len(body))}
    return {
        "responseCode": int(status),
        "responseHeaders": _header_list(headers),
        "body": base64.b64encode(body).decode(),
    }


def continuing(
    changes: RequestChanges, asked: Mapping[str, Any], *, extra: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The protocol parameters that continue a request with changes; `extra` headers are those of its origin."""
    told: dict[str, Any] = {}
    added = {**(extra or {}), **changes.headers}
    if added or changes.removed:
        gone = {name.lower() for name in added} | changes.removed
        kept = _without({str(name): str(value) for name, value in asked.get("headers", {}).items()}, gone)
        told["headers"] = _header_list(kept | added)
    if changes.method:
        told["method"] = changes.method
    if changes.body is not None:
        told["postData"] = base64.b64encode(changes.body.encode()).decode()
    if changes.url:
        told["url"] = changes.url
    return told


def answering(changes: RequestChanges, paused: Mapping[str, Any]) -> dict[str, Any]:
    """The protocol parameters that continue a server's response with changes."""
    given = paused.get("responseHeaders", [])
    gone = {name.lower() for name in changes.answer_headers}
    kept = [header for header in given if str(header.get("name", "")).lower() not in gone]
    status = changes.status or int(paused.get("responseStatusCode", 200))
    return {
        "responseCode": status,
        "responsePhrase": _phrase(status),
        "responseHeaders": [*kept, *_header_list(changes.answer_headers)],
    }


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Changed"


def _permission(origin: str) -> dict[str, str]:
    if origin == "*":
        return {"Access-Control-Allow-Origin": "*"}
    return {"Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true"}


def _preflight_permission(asked: Mapping[str, Any]) -> dict[str, str]:
    named = {str(name).lower(): str(value) for name, value in asked.get("headers", {}).items()}
    return {
        "Access-Control-Allow-Methods": named.get("access-control-request-method", "*"),
        "Access-Control-Allow-Headers": named.get("access-control-request-headers", "*"),
        "Access-Control-Max-Age": _PREFLIGHT_SECONDS,
    }


def _without(headers: Mapping[str, str], names: set[str] | frozenset[str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in names}


def _header_list(headers: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers.items()]
