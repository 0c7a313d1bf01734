"""The nursery: the mother process of scripts, and a child of hers that is kept ready."""

from __future__ import annotations

import asyncio
import os
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
BIRTH_SECONDS = 20.0


@dataclass(slots=True, eq=False)
class Child:
    """A process that waits for a script: its end of the channel is the script's, this one is ours."""

    pid: int
    handle: int
    """A descriptor of the process: with it a signal can reach no other."""
    channel: socket.socket
    closed: bool = False

    def kill(self) -> None:
        """End it at once, whatever it does."""
        if not self.closed:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)

    def close(self) -> None:
        """End it and give everything back; harmless when repeated: the number may be somebody else's by then."""
        if not self.closed:
            self.kill()
            self.closed = True
            self.channel.close()
            os.close(self.handle)


class Nursery:
    """Children for scripts; the mother is started for the first one, and ends with us."""

    def __init__(self) -> None:
        self._mother: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._ready: Child | None = None
        self._alone = asyncio.Lock()
        self._births = threading.RLock()
        """Held while a thread makes a child, and to end it all: neither may leave something behind for the other."""
        self._newborn: Child | None = None
        """A child that nobody has taken yet."""
        self._ended = False

    async def child(self) -> Child:
        """A child for one script; the next one is made while that runs."""
        async with self._alone:
            ready, self._ready = self._ready, None
            return ready if ready is not None else await self._new()

    async def prepare(self) -> None:
        """Have a child ready for the next script; one that cannot be made is that script's trouble."""
        async with self._alone:
            if self._ready is None:
                with suppress(Unsupported):
                    self._ready = await self._new()

    async def _new(self) -> Child:
        """A child; one that is born after whoever wanted it has given up is ended."""
        birth = asyncio.ensure_future(asyncio.to_thread(self._born))
        try:
            child = await asyncio.shield(birth)
        except asyncio.CancelledError:
            birth.add_done_callback(self._end_unwanted)
            raise
        self._newborn = None
        return child

    def close(self) -> None:
        """End the mother and the child that is ready, for good; harmless when repeated."""
        self._ended = True
        mother = self._mother
        if mother is not None:
            mother.kill()  # a thread that waits for a child of hers waits no longer
        with self._births:
            for child in (self._ready, self._newborn):
                if child is not None:
                    child.close()
            self._ready = self._newborn = None
            self._let_go()

    def _let_go(self) -> None:
        """End the mother."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._mother is not None:
            self._mother.kill()
            self._mother.wait()
            self._mother = None

    def _born(self) -> Child:
        with self._births:
            if self._ended:
                raise Unsupported("scripts are not run any more here: the browser is being closed")
            self._newborn = self._child()
            return self._newborn

    def _child(self) -> Child:
        ours, theirs = socket.socketpair()
        try:
            control = self._awake()
            socket.send_fds(control, [b"+"], [theirs.fileno()])
            pid = int.from_bytes(_exactly(control, PID_BYTES), "big")
            return Child(pid, os.pidfd_open(pid), ours)
        except OSError as error:
            ours.close()
            self._let_go()
            raise Unsupported(
                f"no process for the script could be made: {error.strerror or error}"
            ) from error
        finally:
            theirs.close()

    def _awake(self) -> socket.socket:
        """The way to the mother, who is started when there is none."""
        if self._control is not None and self._mother is not None and self._mother.poll() is None:
            return self._control
        self._let_go()
        ours, theirs = socket.socketpair()
        ours.settimeout(BIRTH_SECONDS)
        self._control = ours
        with theirs:
            self._mother = subprocess.Popen(  # noqa: S603 (our own interpreter, with nothing in its environment)
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

    def _end_unwanted(self, birth: asyncio.Future[Child]) -> None:
        if not birth.cancelled() and birth.exception() is None:
            birth.result().close()
            self._newborn = None


def readable_folders() -> list[str]:
    """What the interpreter itself needs to read: its library and the system's."""
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
            raise ConnectionError("the mother process ended")
        parts += part
    return parts
