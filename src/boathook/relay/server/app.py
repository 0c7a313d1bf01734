"""The relay as a web application: the guard before every route, and the two kinds of sockets.

| route                              | who       | what                                             |
|------------------------------------|-----------|--------------------------------------------------|
| GET /                              | anyone    | that this is a relay, and its proof of the key   |
| GET /json/version, /json, /json/list | client  | discovery as CDP clients expect                  |
| GET /client-slot, /status, /log    | client    | the active client, the state, recent messages    |
| POST /extension/reload, /stop      | client    | reload the extension; stop the relay             |
| WebSocket /cdp, /cdp/<token>       | client    | CDP                                              |
| WebSocket /extension               | extension | its connection                                   |
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import JSONResponse
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from boathook._version import __version__
from boathook.local_server.guard import AccessRefusal
from boathook.relay.extension.protocol import Event, ExtensionRequest, Handshake
from boathook.relay.send_queue import TOO_SLOW, SendQueue
from boathook.relay.server.access import CLIENT_PATH, EXTENSION_PATH, RelayGuard, Visitor, forget_token
from boathook.relay.server.credentials import proof
from boathook.relay.server.hub import REPLACED, NotOurs
from boathook.relay.server.status_routes import status_routes
from boathook.relay.server.traffic_log import MOST_ENTRIES

if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping

    from boathook.relay.server.hub import Hub
    from boathook.relay.sessions.profile import RelayProfile

    Scope = MutableMapping[str, Any]

PING_SECONDS = 5.0
NOT_OURS = 4000
REVOKED = 4003
NOT_JSON = 1007
_END = object()


class RelayApp:
    """An ASGI application; nothing of a request is used before the guard has checked it."""

    def __init__(self, hub: Hub, *, port: int, on_stop: Callable[[], None] = lambda: None) -> None:
        self._hub = hub
        self._port = port
        self._on_stop = on_stop
        self._guard = RelayGuard(hub.files, port=port)
        self._routes: dict[tuple[str, str], Callable[[Visitor], Any]] = {
            ("GET", "/"): self._greeting,
            ("GET", "/json/version"): self._version,
            ("GET", "/json"): self._list,
            ("GET", "/json/list"): self._list,
            ("GET", "/client-slot"): lambda _visitor: hub.client_profile(),
            ("GET", "/status"): lambda _visitor: hub.status(),
            ("GET", "/log"): self._log,
            ("POST", "/extension/reload"): self._reload,
            ("POST", "/stop"): self._stop,
            **status_routes(hub),
        }

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """One request or socket."""
        if scope["type"] == "lifespan":
            return
        visitor = self._guard.decide(scope)
        forget_token(scope)
        if scope["type"] == "http":
            await self._http(visitor, scope, receive, send)
            return
        socket = WebSocket(scope, receive, send)
        if isinstance(visitor, AccessRefusal):
            await _refuse_socket(socket, visitor)
        elif visitor.path == EXTENSION_PATH:
            await self._extension(socket)
        elif visitor.path == CLIENT_PATH:
            await self._client(socket, visitor)
        else:
            await _refuse_socket(socket, AccessRefusal(404, "no such socket"))

    async def _http(self, visitor: Visitor | AccessRefusal, scope: Scope, receive: Any, send: Any) -> None:
        if isinstance(visitor, Visitor):
            route = self._routes.get((scope["method"], visitor.path))
            answer = AccessRefusal(404, "no such route") if route is None else route(visitor)
        else:
            answer = visitor
        if isinstance(answer, AccessRefusal):
            response = JSONResponse({"error": answer.why}, status_code=answer.status)
        else:
            response = JSONResponse(answer)
        response.headers["cache-control"] = "no-store"
        response.headers["x-content-type-options"] = "nosniff"
        await response(scope, receive, send)

    def _greeting(self, visitor: Visitor) -> dict[str, Any]:
        nonce = visitor.query.get("challenge", "")[:128]
        told = {"relay": "boathook", "version": __version__}
        return {**told, "proof": proof(self._hub.files.key, f"greeting:{nonce}")} if nonce else told

    def _version(self, visitor: Visitor) -> dict[str, Any] | AccessRefusal:
        profile = self._hub.find_profile(visitor.query.get("profile", ""))
        if isinstance(profile, AccessRefusal):
            return profile
        return {
            "Browser": profile.product,
            "Protocol-Version": "1.3",
            "User-Agent": profile.user_agent,
            "webSocketDebuggerUrl": self._socket_url(visitor, profile),
        }

    def _list(self, visitor: Visitor) -> list[dict[str, Any]] | AccessRefusal:
        profile = self._hub.find_profile(visitor.query.get("profile", ""))
        if isinstance(profile, AccessRefusal):
            return profile
        address = self._socket_url(visitor, profile)
        return [
            {
                "id": tab.target_id,
                "type": "page",
                "title": tab.title,
                "url": tab.url,
                "webSocketDebuggerUrl": address,
            }
            for tab in profile.tabs.values()
        ]

    def _socket_url(self, visitor: Visitor, profile: RelayProfile) -> str:
        """With the client's own token, which it has just sent: most clients send no header with the upgrade."""
        token = self._hub.files.token(visitor.client)
        more = f"?profile={profile.install_id}" if len(self._hub.slots) > 1 else ""
        return f"ws://127.0.0.1:{self._port}{CLIENT_PATH}/{token}{more}"

    def _log(self, visitor: Visitor) -> dict[str, Any]:
        after, most = visitor.query.get("after", "0"), visitor.query.get("limit", "300")
        limit = min(int(most), MOST_ENTRIES) if most.isdigit() and int(most) else 300
        return {"entries": self._hub.log.after(int(after) if after.isdigit() else 0, most=limit)}

    def _reload(self, visitor: Visitor) -> dict[str, Any] | AccessRefusal:
        profile = self._hub.find_profile(visitor.query.get("profile", ""))
        if isinstance(profile, AccessRefusal) or profile.link is None:
            return {"reloaded": False}
        profile.link.post(ExtensionRequest.EXTENSION_RELOAD, {}, lambda _result, _error: None)
        return {"reloaded": True}

    def _stop(self, _visitor: Visitor) -> dict[str, Any]:
        asyncio.get_running_loop().call_soon(self._on_stop)
        return {"stopping": True}

    async def _client(self, socket: WebSocket, visitor: Visitor) -> None:
        profile = await self._hub.profile_for(visitor)
        if isinstance(profile, AccessRefusal):
            await _refuse_socket(socket, profile)
            return
        await socket.accept()
        send_queue = SendQueue(
            socket.send_text, on_message=lambda sent: self._hub.log.note("out", visitor.client, sent)
        )
        if self._hub.is_busy:  # another client was faster
            await socket.close(TOO_SLOW, "another client is active")
            return
        client = self._hub.admit(send_queue, profile, visitor)

        async def read() -> None:
            while (message := await _next(socket)) is not _END:
                self._hub.log.note("in", client.name, message)
                client.handle(message)

        try:
            await _until_first_ends(read(), send_queue.run())
        finally:
            self._hub.dismiss(client)
            code = TOO_SLOW if send_queue.has_overflown else REVOKED if client.is_revoked else 1000
            await _close(socket, code, "the token was revoked" if code == REVOKED else "")

    async def _extension(self, socket: WebSocket) -> None:
        await socket.accept()
        send_queue = SendQueue(socket.send_text)
        left, greeted = asyncio.Event(), asyncio.Event()
        code, why = NOT_OURS, ""

        async def read() -> None:
            nonlocal code
            profile, link = await self._hub.greet(send_queue, lambda: _next(socket), left.set)
            greeted.set()
            code = 1000
            try:
                while (message := await _next(socket)) is not _END:
                    if "id" in message:
                        link.take_answer(message)
                    elif message["method"] != Event.PONG:
                        profile.on_message(message["method"], message.get("params") or {})
            finally:
                if profile.link is link:
                    profile.on_disconnect()

        async def wait_for_replacement() -> None:
            nonlocal code
            await left.wait()
            code = REPLACED

        try:
            await _until_first_ends(
                read(), send_queue.run(), wait_for_replacement(), _pinging(send_queue, greeted)
            )
        except (NotOurs, TimeoutError) as error:
            code, why = NOT_OURS, str(error)
        finally:
            send_queue.close()
            await _close(socket, code, why)


async def _pinging(send_queue: SendQueue, greeted: asyncio.Event) -> None:
    """A service worker without traffic is stopped after half a minute; during the greeting, nothing else may be sent."""
    await greeted.wait()
    while True:
        await asyncio.sleep(PING_SECONDS)
        send_queue.put({"method": Handshake.PING})


async def _next(socket: WebSocket) -> Any:
    """The next message; `_END` at the end, and for a socket that does not send JSON."""
    try:
        text = await socket.receive_text()
        return msgspec.json.decode(text)
    except (WebSocketDisconnect, KeyError, RuntimeError):
        return _END
    except (msgspec.DecodeError, RecursionError):
        await _close(socket, NOT_JSON)
        return _END


async def _until_first_ends(*works: Any) -> None:
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in ended:
        if not task.cancelled() and isinstance(error := task.exception(), NotOurs | TimeoutError):
            raise error


async def _refuse_socket(socket: WebSocket, refusal: AccessRefusal) -> None:
    await socket.send_denial_response(JSONResponse({"error": refusal.why}, status_code=refusal.status))


async def _close(socket: WebSocket, code: int, why: str = "") -> None:
    if (
        socket.application_state is WebSocketState.DISCONNECTED
        or socket.client_state is WebSocketState.DISCONNECTED
    ):
        return
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, why)
