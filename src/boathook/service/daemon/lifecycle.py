"""The daemon's files and descriptors: its lock, its socket file, its log, and nothing inherited that it does not need."""

from __future__ import annotations

import errno
import faulthandler
import fcntl
import logging
import os
import resource
import signal
import socket
import stat
import time
from contextlib import suppress
from io import FileIO, TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from boathook.client.start_daemon import START_SECONDS, pause
from boathook.runtime_folder import why_not_private
from boathook.wire.failures import NotStarted
from boathook.wire.socket_address import LOCK_NAME, LOG_NAME, socket_path

LOG_BYTES = 1 << 20
BACKLOG = 512
MOST_DESCRIPTORS = 8192
_STANDARD_FDS = 3
_BETWEEN_LOOKS_SECONDS = 0.02


class DaemonDirectory:
    """A private folder in which this process is the daemon, until it exits."""

    def __init__(self, folder: Path, lock: int) -> None:
        self.folder = folder
        self.socket_path = Path(socket_path(os.fspath(folder)))
        self._lock = lock
        self._bound: os.stat_result | None = None

    def listen(self) -> socket.socket:
        """Bind the socket, over the one of a dead daemon; the lock shows that no live one is using it."""
        socket_path(os.fspath(self.folder))  # makes and checks the short folder, if that is where it goes
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        before = os.umask(0o177)
        try:
            self._clear()
            listening.bind(os.fspath(self.socket_path))
            listening.listen(BACKLOG)
        except OSError as error:
            listening.close()
            raise NotStarted(f"cannot listen at {self.socket_path}: {error.strerror or error}") from error
        finally:
            os.umask(before)
        self._bound = self.socket_path.lstat()
        return listening

    def _clear(self) -> None:
        with suppress(FileNotFoundError):
            if stat.S_ISDIR(self.socket_path.lstat().st_mode):
                raise OSError(errno.EISDIR, "the path is a directory")
            self.socket_path.unlink()

    def is_listening(self) -> bool:
        """Whether clients still find our socket; cleaners of temporary files may remove it."""
        try:
            found = self.socket_path.lstat()
        except OSError:
            return False
        return self._bound is not None and os.path.samestat(found, self._bound)

    def is_ours(self) -> bool:
        """Whether the lock file is still the one that we hold; if not, another daemon may be running."""
        try:
            return os.path.samestat((self.folder / LOCK_NAME).lstat(), os.fstat(self._lock))
        except OSError:
            return False

    def keep_fresh(self) -> None:
        """Renew the times of our files, so that cleaners of old temporary files skip them."""
        for path in (self.socket_path, self.folder / LOCK_NAME, self.folder):
            with suppress(OSError):
                os.utime(path, follow_symlinks=False)

    def stop_listening(self) -> None:
        """Remove the socket, if it is still ours. The lock stays until the process has exited."""
        if self.is_listening():
            self.socket_path.unlink(missing_ok=True)
        if self.socket_path.parent != self.folder:
            with suppress(OSError):
                self.socket_path.parent.rmdir()


def claim(folder: Path, *, seconds: float = START_SECONDS) -> DaemonDirectory | None:
    """Become the daemon of this folder; None if another one already serves it.

    A daemon that is just starting or exiting holds the lock without listening: we wait for either to change.
    """
    why_not = why_not_private(os.fspath(folder))
    if why_not is not None:
        raise NotStarted(f"{folder} {why_not}", hint="run chmod 700, or remove it")
    lock = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    last = time.monotonic() + seconds
    path = socket_path(os.fspath(folder))
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if _accepts(path):
                os.close(lock)
                return None
        else:
            return DaemonDirectory(folder, lock)
        if time.monotonic() > last:
            os.close(lock)
            raise NotStarted(
                f"another process has held {folder / LOCK_NAME} for {seconds:g} s without listening"
            )
        pause(_BETWEEN_LOOKS_SECONDS)


def _accepts(path: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as trying:
        trying.settimeout(1.0)
        try:
            trying.connect(path)
        except OSError:
            return False
        return True


def leave_starter() -> None:
    """Continue in a child of a process that exits at once: a client that outlives us has no ended process to collect."""
    if os.fork():
        os._exit(0)


def raise_descriptor_limit() -> int:
    """Use as many descriptors as the system allows, since shells often allow few by default; returns how many."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    with suppress(OSError, ValueError):  # some systems allow less than they say
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def shed_inheritance(*, keep: int | None) -> None:
    """Close inherited descriptors, such as the pipe of a shell that waits for every process to close it."""
    for name in os.listdir("/dev/fd"):  # noqa: PTH208 (numbers, not paths)
        if int(name) >= _STANDARD_FDS and int(name) != keep:
            with suppress(OSError):
                os.close(int(name))
    os.chdir("/")
    os.umask(0o077)


def signal_ready(fd: int | None) -> None:
    """Notify the process that started us that the socket is ready."""
    if fd is None:
        return
    with suppress(BrokenPipeError):  # it did not wait
        os.write(fd, b"r")
    os.close(fd)


def open_log(folder: Path) -> logging.Logger:
    """The daemon's log: events with fields, private, rotated at 1 MiB. Output on stderr goes there too."""
    log = logging.getLogger("boathook")
    writer = _PrivateLog(folder / LOG_NAME, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    writer.setFormatter(logging.Formatter(f"%(asctime)s {os.getpid()} %(levelname)s %(message)s"))
    log.addHandler(writer)
    log.setLevel(logging.INFO)
    log.propagate = False
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1)  # where it hangs, on request
    return log


class _PrivateLog(RotatingFileHandler):
    """A rotating log that follows no links, that only we can read, and that includes stderr."""

    def _open(self) -> TextIOWrapper:
        fd = os.open(
            self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
        )
        os.fchmod(fd, 0o600)
        os.dup2(fd, 2)
        return TextIOWrapper(FileIO(fd, "a"), encoding=self.encoding, line_buffering=True)
