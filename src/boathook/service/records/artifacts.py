"""Artifacts: the files that calls create, reported only after they were verified on disk."""

from __future__ import annotations

import hashlib
import os
import time
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self

import msgspec

from boathook.errors import BadRequest
from boathook.private_files import open_regular, plain_name, private_folder, read_whole, replace

if TYPE_CHECKING:
    from collections.abc import Iterable

LARGEST_HASHED = 64 * 1024 * 1024
SLACK_SECONDS = 2.0
"""File systems have coarse timestamps, and some are on other machines."""
MOST_ENTRIES = 100
VERSION = 1
_PIECE = 1024 * 1024
_LARGEST_MANIFEST = 4 * 1024 * 1024


class Kind(StrEnum):
    """The type of a file."""

    DOWNLOAD = "download"
    FILE = "file"
    HAR = "har"
    IMAGE = "image"
    PDF = "pdf"
    PROFILE = "profile"
    TRACE = "trace"
    VIDEO = "video"


class State(StrEnum):
    """Whether it exists."""

    SAVED = "saved"
    MISSING = "missing"
    PENDING = "pending"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """One file with its verified facts; `reason` says why it is not simply saved."""

    path: Path
    kind: Kind
    state: State
    media_type: str = ""
    size: int | None = None
    sha256: str | None = None
    """Of files up to 64 MiB."""
    requested: str | None = None
    """The path as the caller wrote it."""
    noted: float = 0.0
    reason: str = ""
    may_contain_secrets: bool = False
    """Files that cannot be redacted: a printed page, a heap, a saved state."""


@dataclass(frozen=True, slots=True)
class Window:
    """When a call ran, by the clock of file timestamps."""

    begin: float
    end: float

    @classmethod
    def since(cls, began: float) -> Self:
        """From then until now; the clock may have been set back in between."""
        return cls(*sorted((began, time.time())))

    def holds(self, moment: float) -> bool:
        """Whether something happened during the call, with some tolerance."""
        return self.begin - SLACK_SECONDS <= moment <= self.end + SLACK_SECONDS


def pending(path: Path, *, kind: Kind, media_type: str = "", requested: str | None = None) -> Artifact:
    """A file that will exist when something ends, such as a recording."""
    return Artifact(
        path=absolute(path),
        kind=kind,
        state=State.PENDING,
        media_type=media_type,
        requested=requested,
        noted=time.time(),
        reason="it is still being written",
    )


def verify_file(
    path: Path,
    *,
    kind: Kind,
    window: Window | None,
    media_type: str = "",
    requested: str | None = None,
) -> Artifact:
    """Verify a file that a call reports as written; without a window it may be older than the call."""
    whole = absolute(path)
    state, size, digest, reason = _look(whole, window)
    return Artifact(
        path=whole,
        kind=kind,
        state=state,
        media_type=media_type,
        size=size,
        sha256=digest,
        requested=requested,
        noted=time.time(),
        reason=reason,
    )


_Finding = tuple[State, int | None, str | None, str]


def _look(path: Path, window: Window | None) -> _Finding:
    try:
        file = open_regular(path)
    except (FileNotFoundError, NotADirectoryError):
        return State.MISSING, None, None, "there is no such file"
    except OSError as error:
        link = path.is_symlink()
        return (
            State.UNVERIFIED,
            None,
            None,
            "it is a link" if link else f"it cannot be read: {error.strerror}",
        )
    with file:
        before = os.fstat(file.fileno())
        if window is not None and not window.holds(before.st_mtime):
            return State.MISSING, before.st_size, None, "the file there was not written by this call"
        digest = _digest(file) if before.st_size <= LARGEST_HASHED else None
        after = os.fstat(file.fileno())
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        return State.MISSING, after.st_size, None, "it was still changing when it was checked"
    return State.SAVED, before.st_size, digest, ""


def _digest(file: BinaryIO) -> str | None:
    """The file's SHA-256, or None if it grew beyond the limit."""
    digest = hashlib.sha256()
    read = 0
    while piece := file.read(_PIECE):
        read += len(piece)
        if read > LARGEST_HASHED:
            return None
        digest.update(piece)
    return digest.hexdigest()


def absolute(path: Path) -> Path:
    """The absolute path, its folder's links resolved, its own name unchanged."""
    return Path(os.path.realpath(path.parent)) / path.name


def check_distinct(destinations: Iterable[Path]) -> None:
    """Reject two destinations of one call that are, or on some machine would be, the same file."""
    seen: dict[object, Path] = {}
    for path in destinations:
        for key in _identities(path):
            other = seen.setdefault(key, path)
            if other is not path:
                raise BadRequest(
                    f"{other} and {path} are the same file",
                    hint="use a separate file for each result",
                    paths=[str(other), str(path)],
                )


def _identities(path: Path) -> set[object]:
    """By name, compared case-insensitively; by target of a link; by file if it exists."""
    named = (str(absolute(path)), os.path.realpath(path))
    keys: set[object] = {unicodedata.normalize("NFC", name).casefold() for name in named}
    try:
        facts = path.stat()
    except (OSError, ValueError):
        return keys
    return keys | {(facts.st_dev, facts.st_ino)}


class Manifest:
    """The artifacts of one session, newest last: what was saved where, never the content."""

    def __init__(self, folder: Path, *, session: str, most_entries: int = MOST_ENTRIES) -> None:
        self._folder = folder
        self._session = plain_name(session)
        self._most = most_entries
        self._entries: list[Artifact] = []
        self.evicted = 0
        """Entries that were removed from the list; their files are kept."""
        self.recovered = False
        """The list on disk was damaged, and a new one was started."""
        self._load()

    @property
    def entries(self) -> tuple[Artifact, ...]:
        """All entries."""
        return tuple(self._entries)

    def add(self, *artifacts: Artifact) -> None:
        """Add artifacts and save the list; one for the same path replaces the older one."""
        paths = {artifact.path for artifact in artifacts}
        self._entries = [entry for entry in self._entries if entry.path not in paths] + list(artifacts)
        surplus = max(0, len(self._entries) - self._most)
        self.evicted += surplus
        del self._entries[:surplus]
        self._save()

    def verify(self) -> tuple[Artifact, ...]:
        """Check the files again; those that are gone or have changed are marked as missing."""
        self._entries = [_verify_again(entry) for entry in self._entries]
        self._save()
        return self.entries

    @property
    def _name(self) -> str:
        return f"{self._session}.artifacts.json"

    def _save(self) -> None:
        content = {
            "version": VERSION,
            "session": self._session,
            "updated": time.time(),
            "evicted": self.evicted,
            "entries": [{**_plain(entry), "path": str(entry.path)} for entry in self._entries],
        }
        try:
            with private_folder(self._folder) as folder:
                replace(folder, self._name, msgspec.json.encode(content))
        except OSError as error:
            raise BadRequest(f"the list of artifacts cannot be written: {error.strerror}") from error

    def _load(self) -> None:
        with private_folder(self._folder) as folder:
            data = read_whole(folder, self._name, largest=_LARGEST_MANIFEST)
            self.recovered = data is None and os.path.lexists(self._folder / self._name)
        if data is None:
            return
        try:
            content = msgspec.json.decode(data, type=_Stored)
        except msgspec.DecodeError:
            self.recovered = True
            return
        self.evicted = content.evicted
        self._entries = [_artifact(entry) for entry in content.entries[-self._most :]]


class _Entry(msgspec.Struct):
    path: str
    kind: Kind
    state: State
    media_type: str = ""
    size: int | None = None
    sha256: str | None = None
    requested: str | None = None
    noted: float = 0.0
    reason: str = ""
    may_contain_secrets: bool = False


class _Stored(msgspec.Struct):
    version: int
    entries: list[_Entry]
    evicted: int = 0


def _artifact(stored: _Entry) -> Artifact:
    fields = msgspec.structs.asdict(stored)
    return Artifact(**{**fields, "path": Path(stored.path)})


def _plain(artifact: Artifact) -> dict[str, Any]:
    return {name: getattr(artifact, name) for name in Artifact.__slots__}


def _verify_again(artifact: Artifact) -> Artifact:
    if artifact.state is not State.SAVED:
        return artifact
    state, size, digest, reason = _look(artifact.path, None)
    if state is State.SAVED and (size, digest) != (artifact.size, artifact.sha256):
        state, reason = State.MISSING, "the file was replaced"
    return Artifact(**{**_plain(artifact), "state": state, "reason": reason})
