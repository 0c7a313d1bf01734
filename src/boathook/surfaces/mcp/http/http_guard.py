"""The guard of the MCP server over HTTP: the shared checks of `local_server/guard.py`, then the form of the request.

| check  | required                                    | status |
|--------|---------------------------------------------|--------|
| path   | /mcp                                        | 404    |
| method | POST, GET or DELETE                         | 405    |
| body   | application/json, at most 4 MiB, in 30 s    | 415, 413, 408 |
"""

from __future__ import annotations

import asyncio
import hmac
import json
from typing import TYPE_CHECKING, Any

from boathook.local_server.guard import AccessRefusal, LocalGuard, RequestHeaders, check_json

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, MutableMapping

    Scope = MutableMapping[str, Any]
    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    App = Callable[[Scope, Receive, Send], Awaitable[None]]

PATH = "/mcp"
MOST_BYTES = 4 << 20
BODY_SECONDS = 30.0
_METHODS = {"POST", "GET", "DELETE"}


class HttpGuard:
    """Wraps an application and forwards only requests that pass."""

    def __init__(
        self,
        app: App,
        *,
        port: int,
        token: str,
        origins: Collection[str] = (),
        hosts: Collection[str] = (),
    ) -> None:
        self._app = app
        self._token = token
        self._guard = LocalGuard(port=port, origins=origins, hosts=hosts)

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
            given = await _read_body(receive)
            if not isinstance(given, AccessRefusal):
                await self._app(scope, _replay_body(given, receive), send)
                return
            refusal = given
        await _refuse(send, refusal.status, refusal.why)

    def _refusal(self, scope: Scope) -> AccessRefusal | None:
        headers = RequestHeaders(scope["headers"])
        return self._guard.check_source(headers) or self._check_token(headers) or _check_form(scope, headers)

    def _check_token(self, headers: RequestHeaders) -> AccessRefusal | None:
        checked = self._guard.check_token(headers.bearer_token, self._is_ours)
        return checked if isinstance(checked, AccessRefusal) else None

    def _is_ours(self, token: str) -> bool | None:
        return hmac.compare_digest(token.encode("latin-1"), self._token.encode()) or None


def _check_form(scope: Scope, headers: RequestHeaders) -> AccessRefusal | None:
    if scope["path"] != PATH:
        return AccessRefusal(404, f"not found: only {PATH} is served")
    if scope["method"] not in _METHODS:
        return AccessRefusal(405, "method not allowed: use POST, GET or DELETE")
    if scope["method"] == "POST" and (refused := check_json(headers)) is not None:
        return refused
    lengths = headers.all(b"content-length")
    if any(not length.isdigit() or int(length) > MOST_BYTES for length in lengths):
        return AccessRefusal(413, f"request too large: at most {MOST_BYTES} bytes")
    return None


async def _read_body(receive: Receive) -> bytes | AccessRefusal:
    """The whole body, within the limits of size and time: not every request declares its length."""
    body: bytes = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return AccessRefusal(400, "the request is incomplete")
                body += bytes(message.get("body", b""))
                if len(body) > MOST_BYTES:
                    return AccessRefusal(413, f"request too large: at most {MOST_BYTES} bytes")
                if not message.get("more_body"):
                    return body
    except TimeoutError:
        return AccessRefusal(408, f"the request took longer than {BODY_SECONDS:g} s")


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """The body that was read, then what follows, which is the end of the connection."""
    is_read = False

    async def receive_again() -> Message:
        nonlocal is_read
        if is_read:
            return await receive()
        is_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


async def _refuse(send: Send, status: int, why: str) -> None:
    body = json.dumps({"error": why}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:  # noqa: PLR2004 - unauthorized
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
