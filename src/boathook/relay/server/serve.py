"""Running a relay: the port, the server, the file with its location."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import secrets
from typing import TYPE_CHECKING, Any

import uvicorn

from boathook.errors import BadSetting
from boathook.local_server.guard import HOST
from boathook.local_server.listen import listen_on_loopback
from boathook.local_server.timed_protocol import TimedHttpProtocol
from boathook.relay.server.app import RelayApp
from boathook.relay.server.credentials import proof
from boathook.relay.server.hub import Hub, Rules

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator

    from boathook.relay.server.credentials import RelayCredentials

LARGEST_MESSAGE = 64 << 20
ADDRESS_FILE = "address.json"
_PROBE_SECONDS = 2.0


def is_our_relay(port: int, files: RelayCredentials) -> bool:
    """Whether the listening process knows our key; it must prove that before it is sent anything."""
    nonce = secrets.token_hex(16)
    connection = http.client.HTTPConnection(HOST, port, timeout=_PROBE_SECONDS)
    try:
        connection.request("GET", f"/?challenge={nonce}")
        answer = json.loads(connection.getresponse().read(4096))
        return secrets.compare_digest(str(answer.get("proof", "")), proof(files.key, f"greeting:{nonce}"))
    except (OSError, ValueError, AttributeError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def bind_socket(port: int, files: RelayCredentials) -> socket.socket | None:
    """A socket that listens on this machine only; None if our own relay already has the port."""
    try:
        return listen_on_loopback(port)
    except OSError as error:
        if is_our_relay(port, files):
            return None
        raise BadSetting(
            f"port {port} is in use by another program, not by your relay: {error.strerror}",
            hint="use another port: `relay --port N`|, and run `relay install` again to update the extension",
            port=port,
        ) from error


@contextlib.asynccontextmanager
async def serving(
    files: RelayCredentials,
    listening: socket.socket,
    *,
    rules: Rules | None = None,
    write_address: bool = False,
) -> AsyncIterator[tuple[Hub, asyncio.Task[None]]]:
    """A relay while the block runs; the task ends when a client stopped it."""
    port = listening.getsockname()[1]
    hub = Hub(files, rules or Rules())
    server: Any = None

    def stop() -> None:
        server.should_exit = True

    app = RelayApp(hub, port=port, on_stop=stop)
    config = uvicorn.Config(
        app,
        http=TimedHttpProtocol,
        lifespan="off",
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        timeout_graceful_shutdown=2,
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]), name="relay")
    watching = asyncio.create_task(hub.end_revoked(), name="revoked tokens")
    if write_address:
        files.write(ADDRESS_FILE, {"port": port})
    try:
        yield hub, task
    finally:
        watching.cancel()
        server.should_exit = True
        await task
        listening.close()
        if write_address:
            files.remove(ADDRESS_FILE)


class _Server(uvicorn.Server):
    """Leaves signals to the caller."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield
