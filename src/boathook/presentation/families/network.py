"""Text for requests, routes and HAR files, and data where the fields alone are not enough."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from boathook.engine.network.conditions import Conditions
from boathook.engine.network.har.har_file import HarFile
from boathook.engine.network.har.traffic_recording import is_text
from boathook.engine.network.log.request import Body, Request, RequestDetails
from boathook.engine.network.routing.routes import RouteInfo
from boathook.presentation.quoting import quote
from boathook.presentation.rendering import as_data, as_text, own_lines, plain_data
from boathook.presentation.terminal_table import table_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boathook.engine.network.log.request import Message, Waterfall

SHOWN_MESSAGE = 200
_PHASES = ("queue", "dns", "connect", "tls", "send", "wait", "receive")
_OPCODES = {0: "more", 1: "text", 2: "binary", 8: "close", 9: "ping", 10: "pong"}


@own_lines
def render_request(value: Request) -> str:
    """One request in one line."""
    state = _state_of(value)
    routed = f" ({value.routed} by a route)" if value.routed else ""
    messages = f" ({value.messages} messages)" if value.messages else ""
    benign = " (benign)" if value.benign else ""
    url = quote(value.url, marks=False)
    return f"#{value.number} {value.method} {url} {value.type} {state}{routed}{messages}{benign}"


def _state_of(value: Request) -> str:
    return value.failure or (str(value.status) if value.status else "pending")


@table_row.register
def _request_row(value: Request) -> dict[str, str]:
    state = f"{_state_of(value)}{' (benign)' if value.benign else ''}"
    return {
        "number": f"#{value.number}",
        "method": value.method,
        "status": state,
        "type": value.type,
        "url": quote(value.url, marks=False),
        "route": value.routed or "",
        "messages": str(value.messages or ""),
    }


def problem_of(value: Request) -> str:
    """The kind of failure: actionable, benign, or none."""
    return "" if not value.failed else "benign" if value.benign else "actionable"


def render_request_details(value: RequestDetails) -> str:
    """One request in full, part by part."""
    return "\n".join(_parts(value))


def _parts(value: RequestDetails) -> Iterator[str]:
    yield render_request(value.request)
    about = [value.protocol, value.remote_address, value.request.mime]
    yield f"  {', '.join(part for part in about if part)}" if any(about) else "  no response yet"
    if value.timing is not None:
        yield f"timing: {waterfall(value.timing)}"
    if value.initiator is not None:
        why = value.initiator
        where = f" {quote(why.url, marks=False)}{f':{why.line}' if why.line else ''}" if why.url else ""
        yield f"initiator: {why.kind}{where}"
        yield from (f"  at {quote(call, marks=False)}" for call in why.stack)
    if value.redirected_to:
        yield f"redirected to: {quote(value.redirected_to, marks=False)}"
    yield from _header_lines("request headers", value.request_headers)
    if value.post_data:
        yield f"request body{' (truncated)' if value.post_data_cut else ''}:"
        yield value.post_data
    yield from _header_lines("response headers", value.response_headers)
    yield from _message_lines(value)
    yield from _body_lines(value)


def waterfall(value: Waterfall) -> str:
    """The phases in order, in milliseconds."""
    parts = [(name, getattr(value, name)) for name in _PHASES]
    told = ", ".join(f"{name} {part:.1f}" for name, part in parts if part is not None)
    return f"{value.total:.1f} ms ({told})"


def _header_lines(title: str, headers: Mapping[str, str]) -> Iterator[str]:
    if headers:
        yield f"{title}:"
    for name, text in headers.items():
        yield from (f"  {quote(name, marks=False)}: {line}" for line in text.split("\n"))


def _message_lines(value: RequestDetails) -> Iterator[str]:
    if value.messages:
        older = f", {value.messages_dropped} older ones dropped" if value.messages_dropped else ""
        yield f"messages ({len(value.messages)}{older}):"
        yield from (f"  {_message(message)}" for message in value.messages)


def _message(value: Message) -> str:
    arrow = "→" if value.direction == "sent" else "←"
    kind = value.event or _OPCODES.get(value.opcode, str(value.opcode))
    text = value.text[:SHOWN_MESSAGE]
    more = "…" if value.cut or len(value.text) > SHOWN_MESSAGE else ""
    return f"{arrow} {quote(kind, marks=False)} {value.size}: {quote(text)}{more}"


def _body_lines(value: RequestDetails) -> Iterator[str]:
    if value.body is None:
        yield f"no body: {value.body_missing}"
    elif not is_text(value.body.mime):
        yield f"body: {render_body(value.body)}"
    else:
        yield f"body ({value.body.size} bytes{', truncated' if value.body.cut else ''}):"
        yield value.body.text


def details_data(value: RequestDetails, plain: dict[str, Any]) -> dict[str, Any]:
    """The same as data; a text body is a string."""
    return {**plain, "body": None if value.body is None else body_data(value.body)}


def render_body(body: Body) -> str:
    """The text of a body, or its size and type."""
    if is_text(body.mime):
        return f"{body.text}\n… truncated, {body.size} bytes in total" if body.cut else body.text
    return f"{body.size} bytes of {body.mime or 'no type'}"


def body_data(body: Body) -> dict[str, Any]:
    """Text as a string, anything else in base64."""
    told: dict[str, Any] = {"mime": body.mime, "size": body.size, "cut": body.cut}
    if is_text(body.mime):
        return told | {"text": body.text}
    return told | {"base64": base64.b64encode(body.data).decode()}


@own_lines
def render_route(value: RouteInfo) -> str:
    """A route in one line."""
    parts = [f"#{value.number}", value.action, quote(value.pattern, marks=False)]
    if value.resource_types:
        parts.append(f"({', '.join(value.resource_types)})")
    if value.delay_seconds:
        parts.append(f"after {value.delay_seconds:g} s")
    limit = f" of {value.times}" if value.times is not None else ""
    parts.append(f"matched {value.hits}{limit}")
    return " ".join(parts) + (f"; browser error: {value.trouble}" if value.trouble else "")


@own_lines
def render_har(value: HarFile) -> str:
    """A HAR file in one line."""
    dropped = f"; {value.dropped} more were dropped" if value.dropped else ""
    return f"saved {value.path} ({value.entries} requests, {value.pages} pages, {value.size} bytes){dropped}"


@own_lines
def render_conditions(value: Conditions) -> str:
    """A network profile in one line."""
    parts = [f"{value.latency_ms:g} ms"] if value.latency_ms else []
    parts += [f"{value.down_kbps:g} kbit/s down"] if value.down_kbps else []
    parts += [f"{value.up_kbps:g} kbit/s up"] if value.up_kbps else []
    return f"{value.name} ({', '.join(parts)})"


as_text.register(RequestDetails, render_request_details)


as_text.register(Body, render_body)


@as_data.register
def _request_data(value: Request) -> dict[str, Any]:
    return {**plain_data(value), "problem": problem_of(value)}


@as_data.register
def _request_details_data(value: RequestDetails) -> dict[str, Any]:
    return details_data(value, plain_data(value))


as_data.register(Body, body_data)
