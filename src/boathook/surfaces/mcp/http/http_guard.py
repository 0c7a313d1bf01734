"""The guard of the HTTP server: it checks every request before anything else reads it.

The checks run in this order; the first that fails answers the request.

| check          | required                                                    | status |
|----------------|-------------------------------------------------------------|--------|
| Host           | exactly one: 127.0.0.1, localhost or [::1] with the port    | 403    |
| Origin         | none, the server's own, or one that the user allowed        | 403    |
| Sec-Fetch-Site | none: only browsers send it                                 | 403    |
| token          | `Authorization: Bearer …`, compared in constant time        | 401    |
| guesses        | at most ten wrong tokens a minute                           | 429    |
| path           | /mcp                                                        | 404    |
| method         | POST, GET or DELETE                                         | 405    |
| Content-Type   | application/json, for requests with a body                  | 415    |
| length         | at most 4 MiB                                               | 413    |
"""

from __future__ import annotations

import hmac
import json
from collections import deque
from typing import TYPE_CHECKING, Any

from boathook.clock import now

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, MutableMapping

    Scope = MutableMapping[str, Any]
    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]

PATH = "/mcp"
NAMES = ("127.0.0.1", "localhost", "[::1]")
"""Host names of loopback."""
MOST_BYTES = 4 << 20
MOST_GUESSES = 10
GUESSES_SECONDS = 60.0
_METHODS = {"POST", "GET", "DELETE"}


class HttpGuard:
    """Wraps an application and forwards only requests that pass."""

    def __init__(self, app: App, *, port: int, token: str, origins: Collection[str] = ()) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = {f"{name}:{port}".encode() for name in NAMES}
        self._origins = {origin.encode() for origin in origins}
        self._guesses: deque[float] = deque(maxlen=MOST_GUESSES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or forward it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, _bounded(receive), send)
        else:
            await _refuse(send, *refusal)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = _Headers(scope["headers"])
        return self._of_place(headers) or self._of_token(headers) or _of_form(scope, headers)

    def _of_place(self, headers: _Headers) -> tuple[int, str] | None:
        hosts = headers.all(b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return 403, "invalid Host header"
        if any(origin not in self._origins for origin in headers.all(b"origin")):
            return 403, "origin not allowed"
        if headers.all(b"sec-fetch-site") and not headers.all(b"origin"):
            return 403, "requests from web pages are not allowed"
        return None

    def _of_token(self, headers: _Headers) -> tuple[int, str] | None:
        given = headers.all(b"authorization")
        if not given:
            return 401, "missing bearer token"
        while self._guesses and now() - self._guesses[0] > GUESSES_SECONDS:
            self._guesses.popleft()
        if len(self._guesses) == MOST_GUESSES:
            return 429, "too many invalid tokens; wait a minute"
        kind, _, token = given[0].partition(b" ")
        if len(given) == 1 and kind.lower() == b"bearer" and hmac.compare_digest(token.strip(), self._token):
            return None
        self._guesses.append(now())
        return 401, "invalid token"


def _of_form(scope: Scope, headers: _Headers) -> tuple[int, str] | None:
    if scope["path"] != PATH:
        return 404, f"not found: only {PATH} is served"
    if scope["method"] not in _METHODS:
        return 405, "method not allowed: use POST, GET or DELETE"
    if scope["method"] == "POST":
        kinds = [kind.partition(b";")[0].strip().lower() for kind in headers.all(b"content-type")]
        if kinds != [b"application/json"]:
            return 415, "the content type must be application/json"
    lengths = headers.all(b"content-length")
    if any(not length.isdigit() or int(length) > MOST_BYTES for length in lengths):
        return 413, f"request too large: at most {MOST_BYTES} bytes"
    return None


class _Headers:
    """The headers of a request; names are in lower case, as in ASGI."""

    def __init__(self, pairs: list[tuple[bytes, bytes]]) -> None:
        self._pairs = [(name.lower(), value) for name, value in pairs]

    def all(self, wanted: bytes) -> list[bytes]:
        """All values of a header, since it may be repeated."""
        return [value for name, value in self._pairs if name == wanted]


def _bounded(receive: Receive) -> Receive:
    """The body, cut off at the size limit: not every request declares its length."""
    left = MOST_BYTES

    async def bounded() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        return message if left >= 0 else {"type": "http.disconnect"}

    return bounded


async def _refuse(send: Send, status: int, why: str) -> None:
    body = json.dumps({"error": why}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:  # noqa: PLR2004 - unauthorized
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
