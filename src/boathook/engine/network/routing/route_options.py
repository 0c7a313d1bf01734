"""Routes from a caller's options: one action each, validated before any request matches."""

from __future__ import annotations

import json
import mimetypes
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from boathook.engine.hosts.urls import normalize_url
from boathook.engine.network.routing.headers import check_headers
from boathook.engine.network.routing.routes import (
    ABORT_REASONS,
    LARGEST_BODY,
    Fulfillment,
    RequestChanges,
    Route,
    RouteAction,
    check_changes,
    check_delay,
    check_status,
    parse_resource_types,
)
from boathook.engine.network.routing.url_patterns import url_matcher
from boathook.errors import BadRequest, BadSetting
from boathook.input_files import read_input_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from boathook.engine.hosts.host_policy import HostPolicy

_SCHEMES = frozenset({"http", "https"})
_ANSWER = ("body", "file", "status", "headers", "content_type", "allow_origin")
_CHANGE = (
    "request_headers",
    "remove_headers",
    "request_method",
    "request_body",
    "redirect",
    "response_status",
    "response_headers",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteSpec:
    """A route as callers describe it; None is not given."""

    pattern: str
    abort: bool = False
    reason: str | None = None
    body: str | None = None
    file: Path | None = None
    status: int | None = None
    headers: Mapping[str, str] | None = None
    content_type: str | None = None
    allow_origin: str | None = None
    delay_seconds: float = 0.0
    request_headers: Mapping[str, str] | None = None
    remove_headers: Sequence[str] = ()
    request_method: str | None = None
    request_body: str | None = None
    redirect: str | None = None
    response_status: int | None = None
    response_headers: Mapping[str, str] | None = None
    resource_type: Sequence[str] = ()
    times: int | None = None


def plain_address(text: str, *, host_policy: HostPolicy) -> str:
    """A server URL as the browser will write it; BadUrl or PolicyBlocked if it is not allowed."""
    parts = urlsplit(normalize_url(text, schemes=_SCHEMES, host_policy=host_policy))
    return urlunsplit((parts.scheme, parts.netloc, parts.path or "/", parts.query, ""))


def route_for(wish: RouteSpec, *, number: int) -> Route:
    """The route; BadRequest or BadSetting if the options are invalid."""
    action = _action(wish)
    check_delay(wish.delay_seconds)
    if wish.times is not None and wish.times < 1:
        raise BadSetting(f"times is out of range: {wish.times}", hint="use 1 or more")
    if wish.reason is not None and wish.reason not in ABORT_REASONS:
        raise BadSetting(f"unknown abort reason: {wish.reason!r}", hint=f"use {', '.join(ABORT_REASONS)}")
    return Route(
        number=number,
        pattern=wish.pattern,
        matcher=url_matcher(wish.pattern),
        action=action,
        types=parse_resource_types(_several(wish.resource_type)),
        reason=ABORT_REASONS[wish.reason or "failed"],
        answer=_answer(wish) if action == "fulfill" else Fulfillment(),
        changes=_changes(wish),
        delay_seconds=wish.delay_seconds,
        times=wish.times,
    )


def _action(wish: RouteSpec) -> RouteAction:
    """The one action that is requested."""
    answers = [name for name in _ANSWER if getattr(wish, name) is not None]
    changes = [name for name in _CHANGE if getattr(wish, name) not in (None, (), [])]
    wanted = [
        *(["abort"] if wish.abort else []),
        *answers[:1],
        *changes[:1],
    ]
    if len(wanted) > 1:
        raise BadRequest(
            f"conflicting actions: {' and '.join(_flag(name) for name in wanted)}",
            hint="a route does one thing: abort, fulfill, or change the request or the response",
        )
    if wish.reason is not None and not wish.abort:
        raise BadRequest("--reason requires --abort")
    if wish.abort:
        return "abort"
    if answers:
        return "fulfill"
    if changes:
        return "change"
    if wish.delay_seconds:
        return "delay"
    raise BadRequest(
        "the route has no action",
        hint="pass `--abort`, `--body TEXT`, `--file FILE`, `--status N`, `--delay SECONDS`, or a change such as `--request-headers JSON`",
    )


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _several(given: Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _answer(wish: RouteSpec) -> Fulfillment:
    if wish.body is not None and wish.file is not None:
        raise BadRequest("a route takes --body or --file, not both")
    check_headers(wish.headers)
    status = 200 if wish.status is None else wish.status
    check_status(status, named="status")
    body = _read(wish.file) if wish.file is not None else (wish.body or "").encode()
    if len(body) > LARGEST_BODY:
        raise BadSetting(
            f"the response body is too large: {len(body)} bytes", hint=f"use at most {LARGEST_BODY}"
        )
    headers = dict(wish.headers or {})
    kind = wish.content_type or _kind_of(wish)
    if kind and not any(name.lower() == "content-type" for name in headers):
        headers["Content-Type"] = kind
    check_headers(headers)
    if wish.allow_origin is not None:
        check_headers({"Access-Control-Allow-Origin": wish.allow_origin})
    return Fulfillment(status=status, headers=headers, body=body, allow_origin=wish.allow_origin or "")


def _kind_of(wish: RouteSpec) -> str:
    """The content type of a response body, guessed from its content."""
    if wish.file is not None:
        guessed = mimetypes.guess_type(wish.file.name)[0] or "application/octet-stream"
        return f"{guessed}; charset=utf-8" if guessed.startswith("text/") else guessed
    if wish.body is None:
        return ""
    try:
        json.loads(wish.body)
    except ValueError:
        start = wish.body.lstrip()[:15].lower()
        kind = "text/html" if start.startswith(("<!doctype html", "<html")) else "text/plain"
        return f"{kind}; charset=utf-8"
    return "application/json"


def _read(path: Path) -> bytes:
    """Read now, and not when a request arrives: then a missing file could not be reported."""
    try:
        body = read_input_file(path, most_bytes=LARGEST_BODY)
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror}") from error
    if len(body) > LARGEST_BODY:
        raise BadSetting(f"{path} is too large for a response body", hint=f"use at most {LARGEST_BODY} bytes")
    return body


def _changes(wish: RouteSpec) -> RequestChanges:
    removed = {
        part.strip().lower()
        for text in _several(wish.remove_headers)
        for part in text.split(",")
        if part.strip()
    }
    changes = RequestChanges(
        headers=dict(wish.request_headers or {}),
        removed=frozenset(removed),
        method=(wish.request_method or "").upper(),
        body=wish.request_body,
        url=wish.redirect or "",
        status=wish.response_status or 0,
        answer_headers=dict(wish.response_headers or {}),
    )
    check_changes(changes)
    if wish.response_status is not None:
        check_status(wish.response_status, named="response status")
    return changes
