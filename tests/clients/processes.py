"""Running a client: no network but loopback, a deadline, and nothing left of it afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import os
import shutil
import signal
import socket
import struct
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SET_CHILD_SUBREAPER = 36
GET_FLAGS, SET_FLAGS = 0x8913, 0x8914
INTERFACE_UP = 1
INTERFACE = struct.Struct("16sh14x")
"""`struct ifreq` with the flags of an interface."""
ENDING_SECONDS = 30


@dataclass(frozen=True)
class Ended:
    """How a program ended."""

    exit_status: int | None
    output: str
    seconds: float

    @property
    def in_time(self) -> bool:
        return self.exit_status is not None


def in_own_network() -> list[str]:
    """What to put before a command line so that it runs in a network namespace; empty where that is not allowed."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return []
    for options in (["--net"], ["--user", "--map-root-user", "--net"]):
        tried = subprocess.run([unshare, *options, "true"], capture_output=True, check=False)
        if tried.returncode == 0:
            return [unshare, *options]
    return []


def isolate_network() -> bool:
    """Bring loopback up, which is down in a new namespace; true if no other interface is up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        names = {name for _, name in socket.if_nameindex()}
        up = {name for name in names if _flags(any_socket, name) & INTERFACE_UP}
        if "lo" not in up:
            asked = INTERFACE.pack(b"lo", _flags(any_socket, "lo") | INTERFACE_UP)
            fcntl.ioctl(any_socket, SET_FLAGS, asked)
    return up <= {"lo"}


def _flags(any_socket: socket.socket, name: str) -> int:
    answer = fcntl.ioctl(any_socket, GET_FLAGS, INTERFACE.pack(name.encode(), 0))
    return int(INTERFACE.unpack(answer)[1])


def adopt_orphans() -> None:
    """Become the parent of descendants whose parent ended, so that daemons of a client are found too."""
    if ctypes.CDLL(None, use_errno=True).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def run_program(
    argv: Sequence[str], *, environment: dict[str, str], folder: Path, log: Path, seconds: float
) -> Ended:
    """Run a program in a new process group until it ends or its time is over."""
    begun = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(
            argv,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(seconds)
            status: int | None = process.returncode
        except subprocess.TimeoutExpired:
            status = None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return Ended(status, log.read_text(errors="replace"), time.monotonic() - begun)


def descendants() -> dict[int, str]:
    """All living processes below this one, with their names."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            name, _, rest = (entry / "stat").read_text().partition("(")[2].rpartition(")")
            state, parent = rest.split()[:2]
            if state != "Z":
                parents[int(entry.name)] = int(parent)
                names[int(entry.name)] = name
    own = {os.getpid()}
    while grown := {pid for pid, parent in parents.items() if parent in own} - own:
        own |= grown
    return {pid: names[pid] for pid in own - {os.getpid()}}


def wait_for_descendants() -> list[str]:
    """Wait until everything below this process has ended by itself; returns the names of what has not."""
    return _left_when(_none_left)


def kill_descendants() -> list[str]:
    """Kill what still runs below this process; returns the names of what could not be ended."""

    def killed() -> bool:
        for pid in descendants():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return _none_left()

    return _left_when(killed)


def _none_left() -> bool:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:  # adopted processes stay zombies until then
            pass
    return not descendants()


def _left_when(done: Callable[[], bool]) -> list[str]:
    with contextlib.suppress(AssertionError):
        asyncio.run(until(done, named="no process is left", seconds=ENDING_SECONDS))
    return sorted(descendants().values())
