"""Quotas: what we store on this machine, how much it is, and how to clean up without touching anything else."""

from __future__ import annotations

import os
import shutil
import stat
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from boathook.errors import BadRequest
from boathook.private_files import names_in, private_folder, read_whole, write_new

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

MARKER = ".boathook-owner"
OWNER = "boathook"
MOST_LOOKED_AT = 200_000
"""Files of one entry whose sizes are added up."""
_LARGEST_MARKER = 4096


class Retention(StrEnum):
    """The purpose of a folder."""

    ARTIFACTS = "artifacts"
    SPILLS = "spills"
    JOURNALS = "journals"
    LOGS = "logs"
    DOWNLOADS = "downloads"
    PROFILES = "profiles"


@dataclass(frozen=True, slots=True)
class StorageArea:
    """A folder of ours."""

    keeping: Retention
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEntry:
    """One file or folder directly in a storage area."""

    path: Path
    keeping: Retention
    size: int
    changed: float
    """When anything in it was last written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The content of a storage area; `problem` says why it was not read."""

    place: StorageArea
    entries: int = 0
    size: int = 0
    oldest: float | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """What was removed, and what was not, with the reason."""

    removed: tuple[StoredEntry, ...]
    refused: tuple[tuple[Path, str], ...]
    kept: int
    kept_bytes: int

    @property
    def freed_bytes(self) -> int:
        """The size of all that was removed."""
        return sum(entry.size for entry in self.removed)


class _Marker(msgspec.Struct):
    owner: str
    user: int
    keeping: Retention


def claim(place: StorageArea) -> None:
    """Create a marker in a folder that makes it ours; a folder with other files and no marker is refused."""
    with private_folder(place.path) as folder:
        if MARKER in names_in(folder):
            problem = _why_foreign(folder, place)
            if problem:
                raise BadRequest(f"{place.path} cannot be used: {problem}", path=str(place.path))
            return
        if names_in(folder):
            raise BadRequest(f"{place.path} contains files that are not boathook's", path=str(place.path))
        data = msgspec.json.encode(_Marker(owner=OWNER, user=os.geteuid(), keeping=place.keeping))
        try:
            write_new(folder, MARKER, data)
        except FileExistsError:
            return  # another process was faster
        except OSError as error:
            raise BadRequest(f"{place.path} cannot be used: {error.strerror}") from error


def _why_foreign(folder: int, place: StorageArea) -> str:
    """Why this folder is not ours; empty when it is."""
    data = read_whole(folder, MARKER, largest=_LARGEST_MARKER)
    if data is None:
        return "it has no boathook marker"
    try:
        marker = msgspec.json.decode(data, type=_Marker)
    except msgspec.DecodeError:
        return "its marker is damaged"
    facts = os.stat(MARKER, dir_fd=folder, follow_symlinks=False)
    if facts.st_uid != os.geteuid() or marker.user != os.geteuid() or marker.owner != OWNER:
        return "it belongs to another user or program"
    return "" if marker.keeping is place.keeping else f"it is for {marker.keeping}"


class Storage:
    """All storage areas; `in_use` tells which entries must stay, such as the profile of a running browser."""

    def __init__(
        self, places: Iterable[StorageArea], *, in_use: Callable[[Path], bool] = lambda _: False
    ) -> None:
        self._places = tuple(places)
        self._in_use = in_use

    def usage(self) -> tuple[Usage, ...]:
        """The content of each storage area."""
        return tuple(self._usage(place) for place in self._places)

    def _usage(self, place: StorageArea) -> Usage:
        entries, refused = _entries(place)
        problem = next((why for path, why in refused if path == place.path), "")
        return Usage(
            place=place,
            entries=len(entries),
            size=sum(entry.size for entry in entries),
            oldest=min((entry.changed for entry in entries), default=None),
            problem=problem,
        )

    def clean(
        self, *, older_than: float | None = None, over_bytes: int | None = None, now: float | None = None
    ) -> Cleaned:
        """Remove what is older than so many seconds; then, oldest first, what exceeds the total size."""
        moment = time.time() if now is None else now
        entries: list[StoredEntry] = []
        refused: list[tuple[Path, str]] = []
        for place in self._places:
            found, not_ours = _entries(place)
            entries += found
            refused += not_ours
        entries.sort(key=lambda entry: (entry.changed, entry.path))
        total = sum(entry.size for entry in entries)
        removed: list[StoredEntry] = []
        for entry in entries:
            old = older_than is not None and moment - entry.changed > older_than
            if not old and (over_bytes is None or total <= over_bytes):
                continue
            why_not = "it is in use" if self._in_use(entry.path) else _remove(entry)
            if why_not:
                refused.append((entry.path, why_not))
                continue
            removed.append(entry)
            total -= entry.size
        return Cleaned(
            removed=tuple(removed), refused=tuple(refused), kept=len(entries) - len(removed), kept_bytes=total
        )


def _entries(place: StorageArea) -> tuple[list[StoredEntry], list[tuple[Path, str]]]:
    """The entries of a storage area that are ours, and those that are not, with the reason."""
    if not os.path.lexists(place.path):
        return [], []
    try:
        with private_folder(place.path) as folder:
            why_foreign = _why_foreign(folder, place)
            names = [] if why_foreign else names_in(folder)
            device = os.fstat(folder).st_dev
    except (BadRequest, OSError) as error:
        return [], [(place.path, str(error))]
    if why_foreign:
        return [], [(place.path, why_foreign)]
    entries: list[StoredEntry] = []
    refused: list[tuple[Path, str]] = []
    for name in names:
        path = place.path / name
        if name == MARKER:
            continue
        found = _measure(path, place.keeping, device)
        if isinstance(found, StoredEntry):
            entries.append(found)
        elif found:
            refused.append((path, found))
    return entries, refused


def _measure(path: Path, keeping: Retention, device: int) -> StoredEntry | str:
    """The entry with its size and age, or why it is not ours; empty if it was just removed."""
    try:
        facts = path.lstat()
    except OSError:
        return ""
    if facts.st_uid != os.geteuid():
        return f"it belongs to user {facts.st_uid}"
    if facts.st_dev != device:
        return "it is on another file system"
    if stat.S_ISREG(facts.st_mode):
        return StoredEntry(path=path, keeping=keeping, size=facts.st_size, changed=facts.st_mtime)
    if not stat.S_ISDIR(facts.st_mode):
        return "it is neither a file nor a folder"
    return _measure_folder(path, keeping, facts)


def _measure_folder(path: Path, keeping: Retention, facts: os.stat_result) -> StoredEntry | str:
    size, changed = 0, facts.st_mtime
    for number, part in enumerate(_inside(path)):
        if part.st_dev != facts.st_dev:
            return "another file system is mounted in it"
        if number >= MOST_LOOKED_AT:
            return "it has too many files"
        size, changed = size + part.st_size, max(changed, part.st_mtime)
    return StoredEntry(path=path, keeping=keeping, size=size, changed=changed)


def _inside(folder: Path) -> Iterator[os.stat_result]:
    """Facts of everything below a folder; links are not followed."""
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                for match in found:
                    yield match.stat(follow_symlinks=False)
                    if match.is_dir(follow_symlinks=False):
                        waiting.append(match.path)
        except OSError:
            continue  # it went away while we looked


def _remove(entry: StoredEntry) -> str:
    """Remove a file or a folder with its content, links themselves; the reason, if that failed."""
    try:
        if stat.S_ISDIR(entry.path.lstat().st_mode):
            shutil.rmtree(entry.path)
        else:
            entry.path.unlink(missing_ok=True)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"it cannot be removed: {error.strerror}"
    return ""
