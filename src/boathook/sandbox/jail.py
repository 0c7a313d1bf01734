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

MEMORY_BYTES = 768 << 20
"""Of one process. The daemon allows `SCRATCH_BYTES` of files besides, which may be in memory too: 1 GiB together."""
FILE_BYTES = 64 << 20
OPEN_FILES = 64
LEAST_LANDLOCK = 4
"""The first version that restricts truncation, moves between folders, and TCP. What later ones add is also refused by the
rules for system calls: ioctl (5), and signals to other processes and abstract sockets (6)."""

_NO_NEW_PRIVS, _DEATH_SIGNAL = 38, 1
_FILTER, _ALL_THREADS = 1, 1
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1
_READ_FILE, _READ_DIR, _EXECUTE = 1 << 2, 1 << 3, 1 << 0
_WRITE = (1 << 1) | (1 << 4) | (1 << 5) | (1 << 7) | (1 << 8) | (1 << 13) | (1 << 14)
"""Write, remove folders and files, make folders and files, refer, truncate."""
_READ = _READ_FILE | _READ_DIR
_FILES_BY_VERSION = {4: (1 << 15) - 1, 5: (1 << 16) - 1}
_TCP = 3
_SCOPES = 3
"""Abstract sockets and signals of processes outside; from version 6 on."""


class JailUnavailable(Exception):
    """This kernel cannot jail; the message names what is missing."""


def landlock_version() -> int:
    """The Landlock version of the kernel; 0 if it has none."""
    found = _libc().syscall(_CREATE_RULESET, None, 0, 1)
    return max(0, int(found))


def why_not(version: int | None = None) -> str:
    """What this machine lacks for a jail, with this version of Landlock if it is given; empty if nothing."""
    if platform.system() != "Linux":
        return "the jail requires Linux"
    if platform.machine() not in syscalls.AUDIT_ARCHITECTURES:
        return f"the jail does not support this architecture: {platform.machine()}"
    found = landlock_version() if version is None else version
    if found < LEAST_LANDLOCK:
        return f"the jail requires Landlock {LEAST_LANDLOCK} or newer; this kernel has {found}"
    return ""


def end_with_parent() -> None:
    """Ask the kernel to kill this process when its parent exits."""
    _libc().prctl(_DEATH_SIGNAL, 9, 0, 0, 0)


def close_in(
    *,
    readable: Iterable[str],
    writable: Iterable[str],
    cpu_seconds: int,
    programs: Iterable[str] = (),
    memory_bytes: int = MEMORY_BYTES,
    version: int | None = None,
) -> None:
    """Restrict this process to these folders, without network or other processes, with bounded memory and time.

    With `programs`, this process may exec one of them, in the same jail; otherwise it cannot exec. `version` makes
    do with an older Landlock than the kernel's.
    """
    becoming = list(programs)
    close_files(readable=readable, writable=writable, programs=becoming, version=version)
    close_calls(cpu_seconds=cpu_seconds, becoming=bool(becoming), memory_bytes=memory_bytes)


def close_files(
    *,
    readable: Iterable[str],
    writable: Iterable[str],
    programs: Iterable[str] = (),
    version: int | None = None,
) -> None:
    """The first half: only these files, and no network; for this thread and all that it starts."""
    missing = why_not(version)
    if missing:
        raise JailUnavailable(missing)
    libc = _libc()
    _check_result(libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    allowed = ((readable, _READ), (writable, _READ | _WRITE), (programs, _READ | _EXECUTE))
    _restrict_files(libc, allowed, version=landlock_version() if version is None else version)


def close_calls(
    *,
    cpu_seconds: int,
    becoming: bool = False,
    reserves: bool = False,
    memory_bytes: int = MEMORY_BYTES,
) -> None:
    """The second half: no other processes, bounded memory and time; for all threads.

    `reserves` is for a process that reserves far more address space than it uses memory, such as other interpreters.
    """
    _limit(cpu_seconds, reserves=becoming or reserves, memory_bytes=memory_bytes)
    _restrict_calls(_libc(), becoming=becoming)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check_result(result: int, what: str) -> int:
    if result < 0:
        raise JailUnavailable(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def _limit(cpu_seconds: int, *, reserves: bool, memory_bytes: int) -> None:
    for kind, most in (
        (resource.RLIMIT_DATA if reserves else resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, cpu_seconds),
    ):
        resource.setrlimit(kind, (most, most))


def _restrict_files(libc: ctypes.CDLL, allowed: Iterable[tuple[Iterable[str], int]], *, version: int) -> None:
    files = next(bits for since, bits in sorted(_FILES_BY_VERSION.items(), reverse=True) if version >= since)
    attributes = struct.pack("<QQQ", files, _TCP, _SCOPES if version >= 6 else 0)  # noqa: PLR2004 - as said above
    size = 24 if version >= 6 else 16  # noqa: PLR2004
    ruleset = _check_result(libc.syscall(_CREATE_RULESET, attributes, size, 0), "a set of Landlock rules")
    try:
        for folders, rights in allowed:
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


_REFUSE, _ABSENT, _UNSUPPORTED = (
    0x00050000 | number for number in (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP)
)
_PERMIT, _KILL = 0x7FFF0000, 0x80000000
_LOAD, _EQUAL, _ABOVE, _BITS, _GIVE = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_THREAD = 0x00010000
_Line = tuple[int, int, int, int]


def filter_code(machine: str, *, own_pid: int, becoming: bool = False) -> bytes:
    """The system call rules as a BPF program."""
    lines: list[_Line] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, syscalls.AUDIT_ARCHITECTURES[machine]),
        (_GIVE, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":  # calls of the 32-bit kind have numbers from here on
        lines += [(_ABOVE, 0, 1, 0x40000000), (_GIVE, 0, 0, _KILL)]
    lines += [(_EQUAL, 0, 1, syscalls.CLONE3), (_GIVE, 0, 0, _ABSENT)]
    for denied in syscalls.denied_numbers(machine, but=("execve",) if becoming else ()):
        lines += [(_EQUAL, 0, 1, denied), (_GIVE, 0, 0, _REFUSE)]
    lines += [
        (_EQUAL, 0, 4, syscalls.CLONE[machine]),
        (_LOAD, 0, 0, _ARGUMENTS),
        (_BITS, 0, 1, _THREAD),
        (_GIVE, 0, 0, _PERMIT),
        (_GIVE, 0, 0, _REFUSE),
    ]
    for rule in syscalls.OWN_PROCESS.values():
        lines += _by_argument(rule._replace(values=(own_pid,)), machine)
    for name, rule in syscalls.BY_ARGUMENT.items():
        # What a file system does not have, programs do without.
        lines += _by_argument(rule, machine, refuse=_UNSUPPORTED if name == "ioctl" else _REFUSE)
    lines.append((_GIVE, 0, 0, _PERMIT))
    return b"".join(struct.pack("<HBBI", *line) for line in lines)


def _by_argument(rule: syscalls.ArgumentRule, machine: str, *, refuse: int = _REFUSE) -> list[_Line]:
    """The lines for one call: its argument is an int in the kernel too, so that the lower half is all of it."""
    listed, others = (_PERMIT, refuse) if rule.allowed else (refuse, _PERMIT)
    decisions: list[_Line] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * rule.position)]
    for value in rule.values:
        decisions += [(_EQUAL, 0, 1, value), (_GIVE, 0, 0, listed)]
    decisions.append((_GIVE, 0, 0, others))
    return [(_EQUAL, 0, len(decisions), rule.numbers[machine]), *decisions]
