"""A relay for who needs one now: the one that runs, or a new one in a process of its own that outlives us."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING

from boathook.errors import EndpointError
from boathook.relay.server.credentials import DEFAULT_CLIENT, SecretFiles, relay_folder
from boathook.relay.server.serve import is_our_relay

if TYPE_CHECKING:
    from pathlib import Path

START_SECONDS = 15.0
IDLE_SECONDS = 900
"""Nobody has asked for it by name, so it does not stay when nobody uses it."""
_PAUSE_SECONDS = 0.05


async def relay_url(
    *, port: int | None = None, client: str = DEFAULT_CLIENT, label: str = "", folder: Path | None = None
) -> str:
    """The address for a CDP client, once a relay of ours answers there; the token goes to nobody else."""
    files = SecretFiles(folder or relay_folder())
    port = port or files.usual_port
    if not await asyncio.to_thread(is_our_relay, port, files):
        await _started(port, files)
    named = f"?label={label}" if label else ""
    return f"ws://127.0.0.1:{port}/cdp/{files.token(client)}{named}"


async def _started(port: int, files: SecretFiles) -> None:
    pid = _spawned(port, files)
    try:
        async with asyncio.timeout(START_SECONDS):
            while not await asyncio.to_thread(is_our_relay, port, files):
                if _has_failed(pid):
                    raise EndpointError(
                        f"no relay could be started on port {port}",
                        hint=f"run `relay --port {port}` to see why",
                        port=port,
                    )
                await asyncio.sleep(_PAUSE_SECONDS)  # a process that starts sends no event
    except TimeoutError:
        raise EndpointError(
            f"the relay on port {port} did not answer within {START_SECONDS:g} s", port=port
        ) from None


def _spawned(port: int, files: SecretFiles) -> int:
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
    """Whether it ended with an error; one that found another relay at its place ends without."""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:  # somebody else has asked already
        return False
    return ended == pid and os.waitstatus_to_exitcode(status) != 0
