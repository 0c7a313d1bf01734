"""Requests as values: a summary for the log, and all details."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Mapping

FAILING_STATUS = 400
NOT_FOUND = 404
_ICON = re.compile(r"(favicon[^/]*\.(ico|png|svg)|apple-touch-icon[^/]*\.png)\Z", re.IGNORECASE)
_API_PATH = re.compile(r"/(api|graphql|rpc)(/|\Z)", re.IGNORECASE)
Direction = Literal["sent", "received"]


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request as it was when the log was read; `number` identifies it."""

    number: int
    method: str
    url: str
    type: str
    status: int = 0
    """0 while no response has come."""
    failure: str = ""
    """Chromium's reason if there is no response, or it was interrupted."""
    mime: str = ""
    finished: bool = False
    from_cache: bool = False
    at: float = 0.0
    """Seconds since 1970."""
    seconds: float | None = None
    sent_bytes: int = 0
    received_bytes: int = 0
    routed: str = ""
    """What a route did to it: aborted, fulfilled, changed or delayed."""
    messages: int = 0
    """Messages of a WebSocket or an event stream so far."""

    @property
    def failed(self) -> bool:
        """Whether it failed in any way."""
        return bool(self.failure) or self.status >= FAILING_STATUS

    @property
    def benign(self) -> bool:
        """A failure that no user would notice: a missing icon."""
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


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The body of a response, at most 1 MiB of it."""

    data: bytes
    mime: str
    size: int
    cut: bool = False

    @property
    def text(self) -> str:
        """As text; invalid UTF-8 is replaced."""
        return self.data.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Waterfall:
    """The timing of a request, in milliseconds; all phases add up to `total`. None is a phase that did not occur."""

    total: float
    queue: float | None = None
    """Until the first of the others starts: waiting for a connection, the cache, or a route."""
    dns: float | None = None
    connect: float | None = None
    tls: float | None = None
    send: float | None = None
    wait: float | None = None
    """Until the first byte of the response."""
    receive: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Initiator:
    """What caused a request."""

    kind: str
    """parser, script, preload, preflight or other."""
    url: str = ""
    line: int = 0
    """From 1; 0 if it is not known."""
    stack: tuple[str, ...] = ()
    """The innermost call first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One frame of a WebSocket, or one event of an event stream."""

    direction: Direction
    opcode: int
    """1 text, 2 binary, 8 close, 9 ping, 10 pong; event streams are text."""
    size: int
    """Characters of text, bytes of anything else."""
    text: str
    """Binary ones in base64; long ones are cut."""
    at: float
    """Seconds since 1970."""
    event: str = ""
    """The name of an event."""
    cut: bool = False


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class RequestDetails:
    """All details of one request."""

    request: Request
    request_headers: Mapping[str, str] = field(default_factory=dict)
    response_headers: Mapping[str, str] = field(default_factory=dict)
    post_data: str = ""
    post_data_cut: bool = False
    protocol: str = ""
    """As the browser names it: http/1.1, h2, h3."""
    remote_address: str = ""
    timing: Waterfall | None = None
    initiator: Initiator | None = None
    redirected_to: str = ""
    body: Body | None = None
    body_missing: str = ""
    """Why there is no body to show."""
    messages: tuple[Message, ...] = ()
    messages_dropped: int = 0
    """Older ones that were dropped."""
