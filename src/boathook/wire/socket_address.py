"""Where the daemon listens, and which process is at the other end of a socket."""

from __future__ import annotations

import os
import sys

from boathook import runtime_folder
from boathook.wire.failures import NotHere, NotStarted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping

SOCKET_NAME = "daemon.sock"
LOCK_NAME = "daemon.lock"
START_LOCK_NAME = "start.lock"
LOG_NAME = "daemon.log"

LONGEST_PATH_BYTES = 103
"""The longest socket path on any supported system."""


def daemon_folder(environ: Mapping[str, str] = os.environ) -> str:
    """The private folder of this user's daemon. Defined in this one place."""
    if sys.platform == "win32":
        raise NotHere("the daemon does not run on Windows yet")
    try:
        return runtime_folder.daemon_folder(environ)
    except runtime_folder.NoPrivateFolder as error:
        raise NotStarted(
            f"no private folder for the daemon: {error}",
            hint="fix its permissions, or set BOATHOOK_RUNTIME_DIR",
        ) from error


def socket_path(folder: str) -> str:
    """The daemon's socket; for a folder with a long path it is in a short one, which is private as well."""
    path = f"{folder}/{SOCKET_NAME}"
    if len(os.fsencode(path)) <= LONGEST_PATH_BYTES:
        return path
    short = runtime_folder.short_folder(folder)
    why_not = runtime_folder.why_not_private(short)
    if why_not is not None:
        raise NotStarted(
            f"the folder {folder} is too long for a socket, and {short} {why_not}",
            hint="set BOATHOOK_RUNTIME_DIR to a short path",
        )
    return f"{short}/{SOCKET_NAME}"


def peer_of(connection: socket.socket) -> tuple[int | None, int | None]:
    """The process and the user at the other end, from the kernel; None for what it does not report."""
    import socket  # noqa: PLC0415 (already loaded by a process with a connection)

    platform: str = sys.platform
    if platform == "linux":
        facts = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
        return int.from_bytes(facts[:4], sys.byteorder), int.from_bytes(facts[4:8], sys.byteorder)
    if platform == "darwin":
        local_level, peer_credentials = 0, 1
        facts = connection.getsockopt(local_level, peer_credentials, 76)
        return None, int.from_bytes(facts[4:8], sys.byteorder)
    return None, None
