"""A relay on demand: the running one, or a new one in a separate process that outlives us."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from boathook.errors import EndpointError
from boathook.relay.server.credentials import DEFAULT_CLIENT, RelayCredentials, relay_folder
from boathook.relay.server.serve import is_our_relay

if TYPE_CHECKING:
    from pathlib import Path

START_SECONDS = 15.0
IDLE_SECONDS = 900
"""It was not started explicitly, so it exits when it is not in use."""
_PAUSE_SECONDS = 0.05


async def relay_url(
    *,
    port: int | None = None,
    client: str = DEFAULT_CLIENT,
    label: str = "",
    profile: str = "",
    folder: Path | None = None,
) -> str:
    """The URL for a CDP client, once our relay responds there; the token is sent to no other server."""
    files = RelayCredentials(folder or relay_folder())
    port = port or files.usual_port
    if not await asyncio.to_thread(is_our_relay, port, files):
        await _start_relay(port, files)
    query = urlencode({name: value for name, value in (("label", label), ("profile", profile)) if value})
    return f"ws://127.0.0.1:{port}/cdp/{files.token(client)}{f'?{query}' if query else ''}"


async def _start_relay(port: int, files: RelayCredentials) -> None:
    pid = _spawn_relay(port, files)
    try:
        async with asyncio.timeout(START_SECONDS):
            while not await asyncio.to_thread(is_our_relay, port, files):
                if _has_failed(pid):
                    raise EndpointError(
                        f"the relay could not be started on port {port}",
                        hint=f"run `relay --port {port}` to see why",
                        port=port,
                    )
                await asyncio.sleep(_PAUSE_SECONDS)  # a process that starts sends no event
    except TimeoutError:
        raise EndpointError(
            f"the relay on port {port} did not respond within {START_SECONDS:g} s", port=port
        ) from None


def _spawn_relay(port: int, files: RelayCredentials) -> int:
    words = [
        sys.executable,
        "-P",
        "-m",
        "boathook",
        "relay",
        "--port",
        str(port),
        "--secrets",
        str(files.folder),
        "--idle-seconds",
        str(IDLE_SECONDS),
    ]
    null = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    return os.posix_spawn(sys.executable, words, os.environ, file_actions=null, setsid=True)


def _has_failed(pid: int) -> bool:
    """Whether it exited with an error; one that found another running relay exits without."""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:  # already reaped
        return False
    return ended == pid and os.waitstatus_to_exitcode(status) != 0
