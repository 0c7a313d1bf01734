"""The fork server of scripts, and a worker that is kept ready."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = str(Path(__file__).parents[3])
_BEGIN = (
    "import sys; sys.path.insert(0, sys.argv[2]); "
    "from boathook.sandbox.worker import main; main(int(sys.argv[1]))"
)
PID_BYTES = 8
START_SECONDS = 20.0


@dataclass(slots=True, eq=False)
class Worker:
    """A worker that waits for a script, and our end of its channel."""

    pid: int
    handle: int
    """A pidfd: signals through it cannot reach another process."""
    channel: socket.socket
    line: socket.socket
    """Our end of a second connection, for what the script's own CDP client sends: in a jail it can connect to nothing."""
    closed: bool = False

    def kill(self) -> None:
        """Kill it at once."""
        if not self.closed:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)

    def wait(self, seconds: float) -> bool:
        """Wait until it has ended, for a limited time; whether it has."""
        ends = select.poll()
        ends.register(self.handle, select.POLLIN)
        return bool(ends.poll(seconds * 1000))

    def close(self) -> None:
        """Kill it and release everything; may be called twice: the pid may belong to another process by then."""
        if not self.closed:
            self.kill()
            self.closed = True
            self.channel.close()
            self.line.close()
            os.close(self.handle)


class ForkServer:
    """Workers for scripts; the fork server is started for the first one, and exits with us."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._ready: Worker | None = None
        self._alone = asyncio.Lock()
        self._births = threading.RLock()
        """Held while a thread creates a worker, and during shutdown: neither may leave something behind for the other."""
        self._ready_worker: Worker | None = None
        """A worker that is not in use yet."""
        self._ended = False

    async def worker(self) -> Worker:
        """A worker for one script; the next one is created while that runs."""
        async with self._alone:
            ready, self._ready = self._ready, None
            if ready is not None and ready.wait(0):  # killed, or its fork server was
                ready.close()
                ready = None
            return ready if ready is not None else await self._new()

    async def prepare(self) -> None:
        """Prepare a worker for the next script; a failure is reported by that script."""
        async with self._alone:
            if self._ready is None:
                with suppress(Unsupported):
                    self._ready = await self._new()

    async def _new(self) -> Worker:
        """A worker; one that is created after its caller has given up is killed."""
        birth = asyncio.ensure_future(asyncio.to_thread(self._start_worker))
        try:
            child = await asyncio.shield(birth)
        except asyncio.CancelledError:
            birth.add_done_callback(self._end_abandoned)
            raise
        self._ready_worker = None
        return child

    def close(self) -> None:
        """Stop the fork server and the spare worker permanently; may be called twice."""
        self._ended = True
        mother = self._server
        if mother is not None:
            mother.kill()  # unblocks a thread that waits for a worker
        with self._births:
            for child in (self._ready, self._ready_worker):
                if child is not None:
                    child.close()
            self._ready = self._ready_worker = None
            self._release()

    def _release(self) -> None:
        """Stop the fork server."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._server is not None:
            self._server.kill()
            self._server.wait()
            self._server = None

    def _start_worker(self) -> Worker:
        with self._births:
            if self._ended:
                raise Unsupported("scripts cannot be run: the browser is closing")
            self._ready_worker = self._fork_worker()
            return self._ready_worker

    def _fork_worker(self, *, retried: bool = False) -> Worker:
        ours, theirs = socket.socketpair()
        line, their_line = socket.socketpair()
        try:
            control = self._awake()
            socket.send_fds(control, [b"+"], [theirs.fileno(), their_line.fileno()])
            pid = int.from_bytes(_exactly(control, PID_BYTES), "big")
            return Worker(pid, os.pidfd_open(pid), ours, line)
        except OSError as error:
            ours.close()
            line.close()
            self._release()
            if isinstance(error, ConnectionError) and not retried:  # the fork server was killed
                return self._fork_worker(retried=True)
            raise Unsupported(
                f"the process for the script could not be started: {error.strerror or error}"
            ) from error
        finally:
            theirs.close()
            their_line.close()

    def _awake(self) -> socket.socket:
        """The channel to the fork server, which is started if necessary."""
        if self._control is not None and self._server is not None and self._server.poll() is None:
            return self._control
        self._release()
        ours, theirs = socket.socketpair()
        ours.settimeout(START_SECONDS)
        self._control = ours
        with theirs:
            self._server = subprocess.Popen(  # noqa: S603 (our own interpreter, with nothing in its environment)
                [sys.executable, "-I", "-S", "-c", _BEGIN, str(theirs.fileno()), SOURCES],
                pass_fds=[theirs.fileno()],
                env={},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        return ours

    def _end_abandoned(self, birth: asyncio.Future[Worker]) -> None:
        if not birth.cancelled() and birth.exception() is None:
            birth.result().close()
            self._ready_worker = None


def readable_folders() -> list[str]:
    """What the interpreter needs to read: its library and the system's."""
    return list(dict.fromkeys(_readable()))


def _readable() -> Iterator[str]:
    for name in ("stdlib", "platstdlib"):
        yield sysconfig.get_path(name)
    yield from ("/usr/lib", "/lib", "/lib64", "/usr/share/zoneinfo")


def _exactly(connected: socket.socket, size: int) -> bytes:
    parts = b""
    while len(parts) < size:
        part = connected.recv(size - len(parts))
        if not part:
            raise ConnectionError("the fork server exited")
        parts += part
    return parts
