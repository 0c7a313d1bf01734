"""Who may approve an action: a process on another terminal than the one that asked, which that one did not start."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_PARENT, _SESSION, _TERMINAL, _STARTED = 1, 3, 4, 19
"""Fields of /proc/PID/stat after the name."""
MOST_ANCESTORS = 64


@dataclass(frozen=True, slots=True)
class _Process:
    pid: int
    parent: int
    leads: bool
    """Whether it is the leader of its session."""
    terminal: int
    """The number of its controlling terminal; 0 if it has none."""
    started: int


@dataclass(frozen=True, slots=True)
class Asker:
    """The process that asked, with those that it belongs to: the agent and its shell."""

    terminals: frozenset[int] = frozenset()
    processes: frozenset[tuple[int, int]] = frozenset()
    """Pid and start time."""


NOBODY = Asker()
"""The caller is not known, as on systems that do not report it."""


def asker_of(pid: int | None) -> Asker:
    """The process with this pid, up to the leader of its terminal session, or of its session if it has no terminal."""
    line = _ancestors(pid)
    if not line:
        return NOBODY
    leaders = [number for number, process in enumerate(line) if process.leads]
    on_terminal = [number for number in leaders if line[number].terminal]
    last = min(on_terminal or leaders, default=0)
    own = line[: last + 1]
    return Asker(
        frozenset(process.terminal for process in own if process.terminal),
        frozenset((process.pid, process.started) for process in own),
    )


def why_not_approved_by(pid: int | None, asker: Asker) -> str:
    """Why a process may not approve what another one asked for; empty if it may."""
    line = _ancestors(pid)
    if not line:
        return ""  # this system does not tell
    if not line[0].terminal:
        return "it has no terminal"
    if line[0].terminal in asker.terminals:
        return "it runs in the terminal of the process that asked"
    if asker.processes.intersection((process.pid, process.started) for process in line):
        return "it was started by the process that asked"
    return ""


def _ancestors(pid: int | None) -> list[_Process]:
    """A process and those above it; empty if the system does not report them."""
    found: list[_Process] = []
    while pid and len(found) < MOST_ANCESTORS:
        process = _read(pid)
        if process is None:
            break
        found.append(process)
        pid = process.parent
    return found


def _read(pid: int) -> _Process | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return _Process(
        pid=pid,
        parent=int(fields[_PARENT]),
        leads=int(fields[_SESSION]) == pid,
        terminal=int(fields[_TERMINAL]),
        started=int(fields[_STARTED]),
    )
