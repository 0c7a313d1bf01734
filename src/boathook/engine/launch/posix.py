"""POSIX calls of the launcher: locks, spawning with given descriptors, waiting, process groups, process facts.

Everything that Windows lacks is here, so that a port has one module to replace.
"""

from __future__ import annotations

import errno
import fcntl
import os
import select
import signal
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ON_LINUX = sys.platform == "linux"

_PIPE_BYTES = 1 << 20
_ABOVE_CHILD_FDS = 16
_STAT_FIELDS_BEFORE_START = 19
_STAT_FIELDS_BEFORE_GROUP = 2
_STAT_CPU_FIELDS = slice(11, 13)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spawned:
    """A child and our ends of its pipes; all close on exec, the first three never block."""

    pid: int
    read_fd: int
    write_fd: int
    stderr_fd: int


def spawn_with_pipes(argv: Sequence[str], environment: Mapping[str, str]) -> Spawned:
    """Start `argv` in its own session; it reads commands from descriptor 3 and writes replies to 4."""
    with _Opened() as opened:
        command_read, command_write = opened.pipe(large=True)
        reply_read, reply_write = opened.pipe(large=True)
        stderr_read, stderr_write = opened.pipe(large=False)
        # Raised above 4 first: a pipe that itself got number 3 or 4 would be overwritten by the other's dup2.
        raised = [opened.raise_above(fd) for fd in (command_read, reply_write, stderr_write)]
        actions: list[tuple[int, int, str, int, int] | tuple[int, int, int] | tuple[int, int]] = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, raised[2], 2),
            (os.POSIX_SPAWN_DUP2, raised[0], 3),
            (os.POSIX_SPAWN_DUP2, raised[1], 4),
        ]
        actions += [(os.POSIX_SPAWN_CLOSE, fd) for fd in _inheritable_fds()]
        pid = os.posix_spawn(
            argv[0],
            list(argv),
            dict(environment),
            file_actions=actions,
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
        )
        for fd in (reply_read, command_write, stderr_read):
            os.set_blocking(fd, False)
            opened.keep(fd)
        return Spawned(pid=pid, read_fd=reply_read, write_fd=command_write, stderr_fd=stderr_read)


class _Opened:
    """Descriptors that are closed at the end of the block unless they are kept."""

    def __init__(self) -> None:
        self._fds: set[int] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for fd in self._fds:
            os.close(fd)

    def pipe(self, *, large: bool) -> tuple[int, int]:
        ends = os.pipe()
        self._fds.update(ends)
        if large and ON_LINUX:
            try:  # fewer wake-ups for screenshots and big trees; a refusal only costs speed
                fcntl.fcntl(ends[1], fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
            except OSError as error:
                if error.errno not in {errno.EPERM, errno.EBUSY}:
                    raise
        return ends

    def raise_above(self, fd: int) -> int:
        raised = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _ABOVE_CHILD_FDS)
        self._fds.add(raised)
        return raised

    def keep(self, fd: int) -> None:
        self._fds.discard(fd)


_ours_alone: set[tuple[int, int]] = set()


def keep_from_forks(fd: int) -> tuple[int, int]:
    """Children that are forked without exec close this file and its copies; returns the key to undo that.

    A forked worker that kept the pipe open would keep the browser alive after its owner's death.
    """
    facts = os.fstat(fd)
    key = (facts.st_dev, facts.st_ino)
    _ours_alone.add(key)
    return key


def allow_in_forks(key: tuple[int, int]) -> None:
    """Undo `keep_from_forks`, once the file is closed."""
    _ours_alone.discard(key)


def _close_in_forked_child() -> None:
    if not _ours_alone:
        return
    nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    for entry in list(Path("/dev/fd").iterdir()):
        try:
            facts = os.fstat(int(entry.name))
        except OSError:
            continue
        if (facts.st_dev, facts.st_ino) in _ours_alone:
            # Not closed but replaced: objects of the parent that know the number must not hit another file.
            os.dup2(nothing, int(entry.name), inheritable=False)
    os.close(nothing)
    _ours_alone.clear()


os.register_at_fork(after_in_child=_close_in_forked_child)


def _inheritable_fds() -> list[int]:
    """Descriptors that our parent process left inheritable; a browser must not hold them."""
    found = []
    for entry in Path("/dev/fd").iterdir():
        fd = int(entry.name)
        try:
            if fd > 4 and os.get_inheritable(fd):  # noqa: PLR2004 (0 to 4 are the child's own)
                found.append(fd)
        except OSError:
            continue  # the descriptor of the listing itself
    return found


def open_pidfd(pid: int) -> int | None:
    """A descriptor that becomes readable when the process exits, where the kernel supports it."""
    if not ON_LINUX:
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None


def wait_for_end(pid: int) -> None:
    """Block until our child has exited; it stays a zombie, so its pid cannot be reused."""
    if sys.platform == "darwin":  # which has no waitid before Python 3.13
        with closing(select.kqueue()) as queue, suppress(ProcessLookupError):
            ending = select.kevent(pid, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
            queue.control([ending], 1)
        return
    with suppress(ChildProcessError):
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def reap(pid: int) -> int | None:
    """Reap our exited child and other members of its group that became our children; its exit code, None if unknown."""
    code = None
    try:
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        while True:  # as process 1 of a container we inherit the browser's orphans
            if os.waitpid(-pid, os.WNOHANG)[0] == 0:
                break
    except ChildProcessError:
        pass
    return code


def signal_group(pid: int, *, force: bool) -> bool:
    """Terminate or kill the group that our child leads; False if it is already gone."""
    try:
        os.killpg(pid, signal.SIGKILL if force else signal.SIGTERM)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS says so for a group of zombies
        return False
    return True


def spawn_detached(argv: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    """Start a program that keeps running without us, in its own process group."""
    return subprocess.Popen(  # noqa: S603 (a program that the user named)
        list(argv),
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A process and its command line."""

    pid: int
    argv: tuple[str, ...]


def programs(path: Path) -> list[Program]:
    """Main processes of a program, not their helpers; a script that starts a program of its name counts as that (Linux)."""
    real = os.path.realpath(path)
    found = []
    for name in _process_names():
        argv = _argv_of(name)
        if argv and _is_of(name, argv, path, real) and not any(word.startswith("--type=") for word in argv):
            found.append(Program(pid=int(name), argv=argv))
    return found


def _is_of(name: str, argv: tuple[str, ...], path: Path, real: str) -> bool:
    try:
        executable = str(Path(f"/proc/{name}/exe").readlink())
    except OSError:
        return False
    if executable == real:
        # An interpreter does not count as the program: the script that it runs does.
        return True
    return str(path) in argv[:2] or (_is_script(path) and Path(executable).name == path.name)


def _is_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def _argv_of(name: str) -> tuple[str, ...]:
    try:
        raw = Path(f"/proc/{name}/cmdline").read_bytes()
    except OSError:
        return ()
    return tuple(os.fsdecode(word) for word in raw.split(b"\0") if word)


def group_members(group: int) -> list[int]:
    """Living members of a process group, zombies not counted (Linux; elsewhere unknown, so empty)."""
    return [int(name) for name in _process_names() if _belongs(name, group)]


def _process_names() -> list[str]:
    try:
        return [entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    except OSError:
        return []


def _belongs(name: str, group: int) -> bool:
    facts = _stat_fields(name)
    return facts is not None and facts[0] not in "ZX" and int(facts[_STAT_FIELDS_BEFORE_GROUP]) == group


def _stat_fields(pid: int | str) -> list[str] | None:
    """The fields of /proc/<pid>/stat after the command's name (which may hold spaces and brackets)."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return text[text.rindex(")") + 2 :].split()


def start_time(pid: int) -> int | None:
    """When the process started, in kernel ticks; together with the pid it identifies one process permanently (Linux)."""
    facts = _stat_fields(pid)
    return int(facts[_STAT_FIELDS_BEFORE_START]) if facts else None


def is_alive(pid: int) -> bool:
    """Whether a process with this number exists, ours or not, zombies not counted."""
    facts = _stat_fields(pid)
    if facts is not None:
        return facts[0] not in "ZX"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not ON_LINUX


def is_stopped(pid: int) -> bool:
    """Whether a signal or a debugger has stopped the process (Linux)."""
    facts = _stat_fields(pid)
    return facts is not None and facts[0] in "Tt"


def cpu_seconds(pid: int) -> float:
    """The CPU time that the process has used (Linux)."""
    facts = _stat_fields(pid)
    if facts is None:
        return 0.0
    return sum(int(ticks) for ticks in facts[_STAT_CPU_FIELDS]) / os.sysconf("SC_CLK_TCK")


def is_root() -> bool:
    """Whether we run as root."""
    return os.geteuid() == 0


def user_id() -> int:
    """The number of the user we run as."""
    return os.geteuid()


def open_lock(path: Path) -> int | None:
    """Create and lock a file until the descriptor is closed; None if another process holds it."""
    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Between open and flock a sweeper may have removed the file: then this lock guards nothing.
            if os.path.samestat(os.fstat(fd), path.stat(follow_symlinks=False)):
                return fd
        except BlockingIOError:
            os.close(fd)
            return None
        except FileNotFoundError:
            pass
        os.close(fd)


def shared_memory_size(path: str = "/dev/shm") -> int | None:  # noqa: S108 (asked for its size only)
    """Bytes of shared memory on this machine; None if there is none."""
    try:
        facts = os.statvfs(path)
    except OSError:
        return None
    return facts.f_frsize * facts.f_blocks
