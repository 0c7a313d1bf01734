"""From a caller's input (`9222`, `http://host:port`, `ws://…`) to the WebSocket of a browser."""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import json
import socket
import ssl
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from boathook.errors import BadUrl, EndpointError

ANSWER_LIMIT = 1024 * 1024
PORT_LIMIT = 65_535
SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserEndpoint:
    """A running browser: where it was found, its WebSocket, and its product name."""

    address: str
    socket_url: str
    product: str = ""


def is_loopback(host: str) -> bool:
    """Whether a host can only mean this machine."""
    name = host.strip("[]").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def parse_endpoint(text: str) -> SplitResult:
    """Parse a port, an http(s) URL or a ws(s) URL."""
    given = text.strip()
    if given.isdecimal():
        if len(given) > len(str(PORT_LIMIT)) or not 0 < int(given) <= PORT_LIMIT:
            raise BadUrl(f"invalid port: {given:.{SHOWN}}", hint="use a port from 1 to 65535")
        return urlsplit(f"http://127.0.0.1:{given}")
    try:
        parts = urlsplit(given if "://" in given else f"http://{given}")
        port_is_readable = parts.port is None or parts.port >= 0
        (parts.hostname or "").encode(
            "idna"
        )  # as the resolver will; a part that is too long is an error only there
    except ValueError as error:
        raise BadUrl(f"invalid CDP endpoint: {given!r:.{SHOWN}} ({error})") from error
    if parts.scheme not in {"http", "https", "ws", "wss"} or not parts.hostname or not port_is_readable:
        raise BadUrl(
            f"invalid CDP endpoint: {given!r:.{SHOWN}}",
            hint="use a port, http://host:port or ws://host:port/devtools/browser/…",
        )
    return parts


async def find_endpoint(text: str, *, seconds: float) -> BrowserEndpoint:
    """Query an endpoint for its browser's WebSocket; a ws URL is used as it is."""
    parts = parse_endpoint(text)
    if parts.scheme in {"ws", "wss"} and parts.path not in {"", "/"}:
        return BrowserEndpoint(address=parts.geturl(), socket_url=parts.geturl())
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    answer = await asyncio.to_thread(_ask_version, scheme, parts, seconds)
    socket_url = answer.get("webSocketDebuggerUrl")
    if not isinstance(socket_url, str) or not socket_url.startswith(("ws://", "wss://")):
        raise EndpointError(
            f"{parts.geturl()} responded, but not like a browser's debugging port", url=parts.geturl()
        )
    return BrowserEndpoint(
        address=f"{scheme}://{parts.netloc}",
        socket_url=_reachable(socket_url, parts, secure=scheme == "https"),
        product=str(answer.get("Browser", "")),
    )


async def listed_targets(text: str, *, seconds: float) -> list[str]:
    """The ids of the targets at an endpoint, in its own order: the page that was used last is first. Empty if it has no list."""
    parts = parse_endpoint(text)
    if parts.scheme in {"ws", "wss"} and parts.path not in {"", "/"}:
        return []
    scheme = {"ws": "http", "wss": "https"}.get(parts.scheme, parts.scheme)
    answer = await asyncio.to_thread(_get_json, scheme, parts, "/json/list", seconds)
    return (
        [str(entry.get("id")) for entry in answer if isinstance(entry, dict)]
        if isinstance(answer, list)
        else []
    )


def _reachable(socket_url: str, asked: SplitResult, *, secure: bool) -> str:
    """The browser reports its own view of its host (often 127.0.0.1); we keep the one that we connected to."""
    path = urlsplit(socket_url).path
    return f"{'wss' if secure else 'ws'}://{asked.netloc}{path}"


def _ask_version(scheme: str, parts: SplitResult, seconds: float) -> dict[str, object]:
    answer = _get_json(scheme, parts, "/json/version", seconds)
    return answer if isinstance(answer, dict) else {}


def _connection(scheme: str, host: str, port: int | None, seconds: float) -> http.client.HTTPConnection:
    try:
        if scheme == "https":
            context = ssl.create_default_context()
            return http.client.HTTPSConnection(host, port, timeout=seconds, context=context)
        return http.client.HTTPConnection(host, port, timeout=seconds)
    except http.client.InvalidURL as error:  # a control character in the name
        raise EndpointError(f"invalid host: {host!r:.80}", url=host[:80]) from error


def _get_json(scheme: str, parts: SplitResult, path: str, seconds: float) -> object:
    # http.client looks at no proxy variables, so a corporate proxy cannot make loopback look dead.
    host, port = parts.hostname or "", parts.port
    where = f"{scheme}://{parts.netloc}"
    line = _connection(scheme, host, port, seconds)
    try:
        # An address literal in Host: Chromium refuses names other than localhost there.
        line.request("GET", f"{parts.path.rstrip('/')}{path}", headers={"Host": _host_header(host, port)})
        reply = line.getresponse()
        body = reply.read(ANSWER_LIMIT)
    except (TimeoutError, socket.timeout) as error:  # noqa: UP041 - both spellings occur below http.client
        raise EndpointError(f"{where} accepts connections but does not respond", url=where) from error
    except (OSError, http.client.HTTPException) as error:
        raise EndpointError(f"no browser responds at {where}: {error}", url=where) from error
    finally:
        line.close()
    if reply.status != http.HTTPStatus.OK:
        raise EndpointError(f"{where}{path} returned {reply.status} {reply.reason}", url=where)
    try:
        answer: object = json.loads(body)
    except ValueError as error:
        raise EndpointError(f"{where}{path} is not JSON: not a CDP endpoint", url=where) from error
    return answer


def _host_header(host: str, port: int | None) -> str:
    """A Host header that Chromium accepts: it responds only to IP addresses and localhost."""
    name = f"[{host}]" if ":" in host else host
    try:
        ipaddress.ip_address(host)
    except ValueError:
        name = name if is_loopback(host) else "localhost"
    return f"{name}:{port}" if port else name
