"""Processes of one user, found by the user's home in their command line or environment, and those that they started."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal[
    "daemon", "client", "mcp", "relay", "worker", "browser", "renderer", "network", "gpu", "helper"
]
ZOMBIE = "Z"
_BY_WORDS: tuple[tuple[bytes, Kind], ...] = (
    (b"boathook.service.daemon", "daemon"),
    (b"boathook.sandbox.worker", "worker"),
    (b"\0boathook\0mcp\0", "mcp"),
    (b"\0boathook\0relay\0", "relay"),
    (b"\0boathook\0", "client"),
    (b"--type=renderer", "renderer"),
    (b"network.mojom.NetworkService", "network"),
    (b"--type=gpu-process", "gpu"),
)


@dataclass(frozen=True, slots=True)
class Process:
    """A living process of the user under test."""

    pid: int
    parent: int
    line: bytes

    @property
    def kind(self) -> Kind:
        """What it is, by its command line. Workers are those of scripts, and the server that forks them."""
        for words, kind in _BY_WORDS:
            if words in self.line:
                return kind
        return "browser" if b"--user-data-dir" in self.line and b"--type=" not in self.line else "helper"


def processes_of(home: Path) -> list[Process]:
    """Living processes that name the user's folder, and their descendants; not this one."""
    mark = os.fsencode(home)
    everyone = {process.pid: process for process in _all_living()}
    ours = {pid for pid, process in everyone.items() if mark in process.line or mark in _environment(pid)}
    ours.discard(os.getpid())
    # Workers of scripts have no environment, and sandboxed helpers keep theirs to themselves.
    while more := {pid for pid, process in everyone.items() if process.parent in ours} - ours:
        ours |= more
    found = [everyone[pid] for pid in sorted(ours)]
    started = {process.pid for process in found if process.kind == "browser"}
    # A browser may be started by a script, whose own helpers look like it until they are something else.
    return [process for process in found if process.kind != "browser" or process.parent not in started]


def unreaped_children(parent: int) -> list[int]:
    """Zombie processes."""
    return [pid for pid, state, owner in _states() if state == ZOMBIE and owner == parent]


def _all_living() -> Iterator[Process]:
    for pid, state, parent in _states():
        if state == ZOMBIE:
            continue
        try:
            yield Process(pid, parent, Path(f"/proc/{pid}/cmdline").read_bytes())
        except OSError:
            continue  # it ended while we looked


def _states() -> Iterator[tuple[int, str, int]]:
    """Pid, state and parent of all processes."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            facts = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        yield int(entry.name), facts[0], int(facts[1])


def _environment(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""
