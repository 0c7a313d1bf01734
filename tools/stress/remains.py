"""What a killed process may have left: damaged records, partial files, profiles, processes, temporary files."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from boathook.service.daemon.record_files import read_record
from boathook.service.records.journal import Journal
from boathook.service.sessions.session_records import SCHEMA
from tools.stress.processes import processes_of, unreaped_children

if TYPE_CHECKING:
    from pathlib import Path

    from tools.stress.user import User

SCRATCH = "boathook-script-"
"""The empty folder of a script whose daemon was killed stays in the system's folder for temporary files."""
PROFILE_ENTRIES = 2
"""The folder and its lock."""


def left_overs(user: User) -> list[str]:
    """Unexpected files and processes: there may be only one daemon with one browser on one profile."""
    wrong = damage_in(user.kept)
    alive = processes_of(user.home)
    kinds = Counter(process.kind for process in alive)
    wrong += [
        f"{kinds[kind]} processes of kind {kind}, not 1" for kind in ("daemon", "browser") if kinds[kind] != 1
    ]
    profiles = [path.name for path in user.runtime.glob("profile-*")]
    if len(profiles) != PROFILE_ENTRIES:
        wrong.append(f"profiles: {profiles}")
    for process in alive:
        if process.kind in {"daemon", "mcp", "worker"} and (zombies := unreaped_children(process.pid)):
            wrong.append(f"{len(zombies)} children of a process of kind {process.kind} are not reaped")
    temporary = [path.name for path in user.temporary.iterdir() if not path.name.startswith(SCRATCH)]
    if len(temporary) > kinds["browser"]:
        wrong.append(f"temporary files: {temporary}")
    return wrong


def damage_in(kept: Path) -> list[str]:
    """Damaged records and journals."""
    wrong: list[str] = []
    for path in kept.glob("sessions/*.json"):
        record = read_record(path, schema=SCHEMA)
        if record.damage:
            wrong.append(f"a record is damaged: {record.damage}")
    for path in kept.glob("history/*.journal.jsonl"):
        session = path.name.removesuffix(".journal.jsonl")
        if damaged := Journal(kept / "history", session=session).read().damaged:
            wrong.append(f"{damaged} lines of the journal {session} are damaged")
    return wrong


def parts_in(kept: Path) -> list[str]:
    """Partial files."""
    return [path.name for path in kept.rglob(".*") if path.is_file() and path.name != ".boathook-owner"]
