"""What the processes of one user take: memory, descriptors, threads, files; and the slope of such figures over time."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tools.stress.processes import Process, processes_of

if TYPE_CHECKING:
    from collections.abc import Iterable

Group = Literal["daemon", "mcp", "browser", "scripts"]
KIB_PER_MIB = 1024
SECONDS_PER_HOUR = 3600


@dataclass(slots=True)
class Usage:
    """The sum over the processes of a group."""

    processes: int = 0
    threads: int = 0
    fds: int = 0
    rss: float = 0.0
    """Resident memory in MiB; pages that processes share count for each of them."""
    pss: float = 0.0
    """The same in MiB, with shared pages divided among the processes that map them."""


def usage_of(home: Path) -> dict[Group, Usage]:
    """What each group of the user's processes takes."""
    groups: dict[Group, Usage] = defaultdict(Usage)
    for process in processes_of(home):
        try:
            _add(groups[_group_of(process)], Path(f"/proc/{process.pid}"))
        except OSError:
            continue  # it ended while we looked
    return groups


def _group_of(process: Process) -> Group:
    if process.kind in {"daemon", "mcp"}:
        return process.kind
    return "scripts" if process.kind == "worker" else "browser"


def _add(usage: Usage, process: Path) -> None:
    memory = _fields(process / "smaps_rollup")
    usage.threads += int(_fields(process / "status")["Threads"])
    usage.fds += sum(1 for _ in (process / "fd").iterdir())
    usage.rss += int(memory["Rss"]) / KIB_PER_MIB
    usage.pss += int(memory["Pss"]) / KIB_PER_MIB
    usage.processes += 1


def _fields(path: Path) -> dict[str, str]:
    lines = (line.partition(":") for line in path.read_text(errors="replace").splitlines())
    return {name: (value.split() or [""])[0] for name, colon, value in lines if colon}


def files_below(*folders: Path) -> tuple[int, int]:
    """The number of files, and their bytes."""
    count = size = 0
    for folder in folders:
        for directory, _, names in os.walk(folder):
            for name in names:
                try:
                    size += (Path(directory) / name).lstat().st_size
                except OSError:
                    continue
                count += 1
    return count, size


def slope_per_hour(points: Iterable[tuple[float, float]]) -> float:
    """The slope of the least-squares line through points of seconds and values, per hour."""
    points = list(points)
    if len(points) < 2:  # noqa: PLR2004 (a line)
        return 0.0
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    return (
        sum((x - middle_x) * (y - middle_y) for x, y in points) / spread * SECONDS_PER_HOUR if spread else 0.0
    )
