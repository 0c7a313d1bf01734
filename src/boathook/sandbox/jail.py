"""The jail: rlimits, Landlock and seccomp around the calling process, permanently (Linux).

What the kernel cannot do is an error, never a weaker jail.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import stat
import struct

from boathook.sandbox import syscalls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MEMORY_BYTES = 1 << 30
FILE_BYTES = 64 << 20
OPEN_FILES = 64
LEAST_LANDLOCK = 4
"""The first version that can restrict TCP."""

_NO_NEW_PRIVS, _DEATH_SIGNAL, _DUMPABLE = 38, 1, 4
_FILTER, _ALL_THREADS = 1, 1
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1
_READ_FILE, _READ_DIR, _EXECUTE = 1 << 2, 1 << 3, 1 << 0
_WRITE = (1 << 1) | (1 << 4) | (1 << 5) | (1 << 7) | (1 << 8) | (1 << 13) | (1 << 14)
"""Write, remove folders and files, make folders and files, refer, truncate."""
_READ = _READ_FILE | _READ_DIR
_FILES_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_TCP = 3
_SCOPES = 3
"""Abstract sockets and signals of processes outside; from version 6 on."""


class JailUnavailable(Exception):
    """This kernel cannot jail; the message names what is missing."""


def landlock_version() -> int:
    """The Landlock version of the kernel; 0 if it has none."""
    found = _libc().syscall(_CREATE_RULESET, None, 0, 1)
    return max(0, int(found))


def why_not() -> str:
    """What this machine lacks for a jail; empty if nothing."""
    if platform.system() != "Linux":
        return "the jail requires Linux"
    if platform.machine() not in syscalls.AUDIT_ARCHITECTURES:
        return f"the jail does not support this architecture: {platform.machine()}"
    if landlock_version() < LEAST_LANDLOCK:
        return f"the jail requires Landlock {LEAST_LANDLOCK} or newer; this kernel has {landlock_version()}"
    return ""


def end_with_parent() -> None:
    """Ask the kernel to kill this process when its parent exits."""
    _libc().prctl(_DEATH_SIGNAL, 9, 0, 0, 0)


def close_in(
    *, readable: Iterable[str], writable: Iterable[str], cpu_seconds: int, programs: Iterable[str] = ()
) -> None:
    """Restrict this process to these folders, without network or other processes, with bounded memory and time.

    With `programs`, this process may exec one of them, in the same jail; otherwise it cannot exec.
    """
    becoming = list(programs)
    close_files(readable=readable, writable=writable, programs=becoming)
    close_calls(cpu_seconds=cpu_seconds, becoming=bool(becoming))


def close_files(*, readable: Iterable[str], writable: Iterable[str], programs: Iterable[str] = ()) -> None:
    """The first half: only these files, and no network; for this thread and all that it starts."""
    missing = why_not()
    if missing:
        raise JailUnavailable(missing)
    libc = _libc()
    _check_result(libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    _restrict_files(libc, readable, writable, programs)


def close_calls(*, cpu_seconds: int, becoming: bool = False) -> None:
    """The second half: no other processes, bounded memory and time; for all threads."""
    libc = _libc()
    _limit(cpu_seconds, becoming=becoming)
    libc.prctl(_DUMPABLE, 0, 0, 0, 0)
    _restrict_calls(libc, becoming=becoming)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check_result(result: int, what: str) -> int:
    if result < 0:
        raise JailUnavailable(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def _limit(cpu_seconds: int, *, becoming: bool) -> None:
    for kind, most in (
        # Other interpreters reserve far more address space than they use memory.
        (resource.RLIMIT_DATA if becoming else resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, cpu_seconds),
    ):
        resource.setrlimit(kind, (most, most))


def _restrict_files(
    libc: ctypes.CDLL, readable: Iterable[str], writable: Iterable[str], programs: Iterable[str]
) -> None:
    version = landlock_version()
    files = next(bits for since, bits in sorted(_FILES_BY_VERSION.items(), reverse=True) if version >= since)
    attributes = struct.pack("<QQQ", files, _TCP, _SCOPES if version >= 6 else 0)  # noqa: PLR2004 - as said above
    size = 24 if version >= 6 else 16  # noqa: PLR2004
    ruleset = _check_result(libc.syscall(_CREATE_RULESET, attributes, size, 0), "a set of Landlock rules")
    try:
        for folders, rights in (
            (readable, _READ),
            (writable, _READ | _WRITE),
            (programs, _READ | _EXECUTE),
        ):
            for folder in folders:
                _allow(libc, ruleset, folder, rights & files)
        _check_result(libc.syscall(_RESTRICT_SELF, ruleset, 0), "Landlock")
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, folder: str, rights: int) -> None:
    try:
        opened = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # nothing there, nothing to allow
    try:
        if not stat.S_ISDIR(os.fstat(opened).st_mode):
            rights &= _READ_FILE | _EXECUTE | (1 << 1) | (1 << 14)
        rule = struct.pack("<Qi", rights, opened)
        _check_result(
            libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0), f"a Landlock rule for {folder}"
        )
    finally:
        os.close(opened)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _restrict_calls(libc: ctypes.CDLL, *, becoming: bool) -> None:
    code = filter_code(platform.machine(), own_pid=os.getpid(), becoming=becoming)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(buffer))
    number = syscalls.number("seccomp", platform.machine())
    # More than nothing is the number of a thread that could not follow.
    if libc.syscall(number, _FILTER, _ALL_THREADS, ctypes.byref(program)) != 0:
        raise JailUnavailable(f"seccomp: {os.strerror(ctypes.get_errno())}")


def filter_code(machine: str, *, own_pid: int, becoming: bool = False) -> bytes:
    """The system call rules as a BPF program."""
    refuse, absent = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
    allow, kill = 0x7FFF0000, 0x80000000
    load, equal, above, bits, give = 0x20, 0x15, 0x35, 0x45, 0x06
    number, architecture, argument = 0, 4, 16
    lines: list[tuple[int, int, int, int]] = [
        (load, 0, 0, architecture),
        (equal, 1, 0, syscalls.AUDIT_ARCHITECTURES[machine]),
        (give, 0, 0, kill),
        (load, 0, 0, number),
    ]
    if machine == "x86_64":  # calls of the 32-bit kind have numbers from here on
        lines += [(above, 0, 1, 0x40000000), (give, 0, 0, kill)]
    lines += [(equal, 0, 1, syscalls.CLONE3), (give, 0, 0, absent)]
    for denied in syscalls.denied_numbers(machine, but=("execve",) if becoming else ()):
        lines += [(equal, 0, 1, denied), (give, 0, 0, refuse)]
    thread = 0x00010000
    lines += [
        (equal, 0, 4, syscalls.CLONE[machine]),
        (load, 0, 0, argument),
        (bits, 0, 1, thread),
        (give, 0, 0, allow),
        (give, 0, 0, refuse),
    ]
    for table in (syscalls.KILL, syscalls.TKILL, syscalls.TGKILL):
        lines += [
            (equal, 0, 4, table[machine]),
            (load, 0, 0, argument),
            (equal, 0, 1, own_pid),
            (give, 0, 0, allow),
            (give, 0, 0, refuse),
        ]
    lines += [
        (equal, 0, 4, syscalls.PRLIMIT[machine]),
        (load, 0, 0, argument),
        (equal, 0, 1, 0),
        (give, 0, 0, allow),
        (give, 0, 0, refuse),
    ]
    lines.append((give, 0, 0, allow))
    return b"".join(struct.pack("<HBBI", *line) for line in lines)
