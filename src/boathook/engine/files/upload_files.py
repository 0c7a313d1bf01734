"""Files to upload: only from allowed folders, checked and read through one and the same open file."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.errors import BadRequest, BadSetting
from boathook.similar_words import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_FILES = 100
MOST_NAMES = 2_000
"""Files of a folder that are compared with the name of a missing one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedFile:
    """A copy that the browser may read; no other program can replace it."""

    path: Path
    name: str
    size: int


def default_roots() -> tuple[Path, ...]:
    """The default folders for uploads: the working directory and the one for temporary files."""
    return Path.cwd(), Path(tempfile.gettempdir())


def resolve_roots(given: Sequence[str | Path] | str | Path | None) -> tuple[Path, ...] | None:
    """Folders that a caller allows, resolved now: a later change of the working directory does not affect them."""
    if given is None:
        return None
    roots = [given] if isinstance(given, str | Path) else list(given)
    for root in roots:
        if not isinstance(root, str | Path) or not str(root) or "\0" in str(root):
            raise BadSetting(
                f"{str(root)[:200]!r} is not a folder", hint="upload_roots takes paths of folders"
            )
    return tuple(Path(root).expanduser().absolute() for root in roots)


def stage_files(paths: Sequence[str | Path], *, roots: Sequence[Path], folder: Path) -> list[StagedFile]:
    """Copy files into a folder of ours; BadRequest for the first one that is not allowed or cannot be read."""
    if not paths:
        raise BadRequest("no file given", hint="pass at least one path")
    if len(paths) > MOST_FILES:
        raise BadRequest(f"too many files: {len(paths)}", hint=f"use at most {MOST_FILES}")
    return [
        _stage(given, roots=roots, folder=folder / str(number)) for number, given in enumerate(paths, start=1)
    ]


def _stage(given: str | Path, *, roots: Sequence[Path], folder: Path) -> StagedFile:
    if not isinstance(given, str | Path) or not str(given) or "\0" in str(given):
        raise BadRequest(f"{str(given)[:200]!r} is not a path")
    shown = str(given)[:300]
    name = Path(given).name
    if not name or name in {".", ".."}:
        raise BadRequest(f"{shown!r} is not a file", hint="pass the path of a file")
    try:
        descriptor = _open_inside(Path(os.path.realpath(given)), roots=roots, shown=shown)
    except FileNotFoundError as error:
        raise BadRequest(f"no such file: {shown!r}", hint=_near_files(Path(given))) from error
    except OSError as error:
        raise BadRequest(
            f"{shown!r} cannot be read: {error.strerror}", hint="pass a file that this user can read"
        ) from error
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            kind = "a folder" if stat.S_ISDIR(facts.st_mode) else "not a regular file"
            raise BadRequest(f"{shown!r} is {kind}", hint="pass the path of a file")
        folder.mkdir(parents=True)
        copy = folder / name
        with os.fdopen(os.dup(descriptor), "rb") as source, copy.open("xb") as target:
            shutil.copyfileobj(source, target, 1024 * 1024)
            size = target.tell()
        os.utime(copy, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    finally:
        os.close(descriptor)
    return StagedFile(path=copy, name=name, size=size)


def _near_files(path: Path) -> str:
    """A hint with a file of the same folder that has a similar name."""
    try:
        names = [entry.name for entry in islice(os.scandir(path.parent), MOST_NAMES)]
    except OSError:
        return "check the folder"
    otherwise = "check the path: it is relative to the working directory"
    return did_you_mean(path.name, names, otherwise=otherwise, cutoff=0.75)


def _open_inside(real: Path, *, roots: Sequence[Path], shown: str) -> int:
    """Open step by step from its root; a symbolic link on the way was created after the check."""
    for root in (Path(os.path.realpath(root)) for root in roots):
        if real != root and real.is_relative_to(root):
            return _descend(root, real.relative_to(root).parts)
    allowed = ", ".join(str(root) for root in roots) or "none"
    raise BadRequest(
        f"{shown!r} is outside the folders allowed for uploads",
        hint=f"allowed: {allowed}; others must be allowed when the browser is opened",
    )


def _descend(root: Path, parts: Sequence[str]) -> int:
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            os.close(folder)
            folder = inner
        # A pipe would otherwise block the open until it has a writer.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        return os.open(parts[-1], flags, dir_fd=folder)
    finally:
        os.close(folder)
