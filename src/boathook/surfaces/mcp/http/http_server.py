"""The HTTP server on loopback, behind the guard."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import signal
from importlib.metadata import version
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from boathook.errors import BadSetting
from boathook.local_server.guard import HOST, LOOPBACK_NAMES
from boathook.local_server.listen import listen_on
from boathook.local_server.token_file import SHORTEST, VARIABLE
from boathook.surfaces.mcp.http.http_guard import MOST_BYTES, PATH, HttpGuard

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Collection, Iterator

    from mcp.server.lowlevel.server import Server

ENDING = (signal.SIGINT, signal.SIGTERM)
MOST_SESSIONS = 64
SESSION_IDLE_SECONDS = 1_800.0


@contextlib.contextmanager
def bind_socket(port: int, host: str = HOST) -> Iterator[socket.socket]:
    """A socket that listens on loopback only, unless the user has named an IP address; port 0 means any free port."""
    if not ip_address(host).is_loopback and not os.environ.get(VARIABLE):
        raise BadSetting(
            f"listening on {host} requires a token that clients know",
            hint=f"set {VARIABLE} to at least {SHORTEST} letters and digits",
        )
    try:
        listening = listen_on(host, port)
    except OSError as error:
        raise BadSetting(
            f"cannot listen on port {port} of {host}: {error.strerror}", hint="use another `--port N`"
        ) from error
    with listening:
        yield listening


def guard_app(
    server: Server[Any],
    *,
    port: int,
    token: str,
    origins: Collection[str] = (),
    hosts: Collection[str] = (),
    **more: Any,
) -> HttpGuard:
    """The application of a server behind the guard. The SDK's own checks stay on as a second layer."""
    _require_limited_sessions(server)
    hosts = [host if ":" in host else f"{host}:{port}" for host in hosts]
    origins = {*origins, *(f"http://{name}:{port}" for name in LOOPBACK_NAMES)}
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        host=HOST,
        max_request_body_size=MOST_BYTES,
        max_sessions=MOST_SESSIONS,
        session_idle_timeout=SESSION_IDLE_SECONDS,
        transport_security=_second_line([*hosts, *(f"{name}:{port}" for name in LOOPBACK_NAMES)], origins),
        **more,
    )
    return HttpGuard(app, port=port, token=token, origins=origins, hosts=hosts)


def _require_limited_sessions(server: Server[Any]) -> None:
    """Older versions of the SDK, which serve over stdio as well as others do, keep any number of HTTP sessions."""
    if "max_sessions" not in inspect.signature(server.streamable_http_app).parameters:
        raise BadSetting(
            f"serving over HTTP requires mcp 2.2 or later; version {version('mcp')} is installed",
            hint="install mcp 2.2 or later, or serve over stdio",
        )


def _second_line(hosts: list[str], origins: Collection[str]) -> Any:
    from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415 (HTTP only)

    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=list(origins)
    )


async def serve_http(app: Any, listening: socket.socket, *, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until the process is terminated or the task is cancelled; clients are notified. `ready` is called when serving."""
    import uvicorn  # noqa: PLC0415 (HTTP only)

    from boathook.local_server.timed_protocol import TimedHttpProtocol  # noqa: PLC0415

    config = uvicorn.Config(
        app,
        http=TimedHttpProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    # It would raise a signal again when it has served, and end us before we have cleaned up.
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
    with _on_signal(lambda: setattr(server, "should_exit", True)):
        serving = asyncio.create_task(server.serve(sockets=[listening]), name="http")
        try:
            ready()
            await asyncio.shield(serving)
        finally:
            server.should_exit = True
            await serving


@contextlib.contextmanager
def _on_signal(end: Callable[[], None]) -> Iterator[None]:
    """Handle termination signals, where the event loop supports them and runs in the main thread."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError, RuntimeError):
        for sign in ENDING:
            loop.add_signal_handler(sign, end)
    try:
        yield
    finally:
        with contextlib.suppress(NotImplementedError, RuntimeError):
            for sign in ENDING:
                loop.remove_signal_handler(sign)
