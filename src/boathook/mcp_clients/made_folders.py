"""Which folders setup has made in a home or a project, so that undo removes those and leaves empty ones of others."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path


def make_folder(folder: Path, *, record: Path) -> None:
    """Make a folder with its parents, and remember which of them are new. OSError on failure."""
    new = _make(folder)
    if new:
        new += _make(record.parent, mode=0o700)
        _write(record, {*_read(record), *new})


def remove_made(folder: Path, *, record: Path) -> None:
    """Remove the folder and its parents as far as setup made them and they are empty; forget those."""
    known = _read(record)
    left = known - _removed(folder, known)
    if left == known:
        return
    _write(record, left)
    ours = {place for place in left if record.is_relative_to(place)}
    if left == ours:  # only the places of the record itself
        record.unlink(missing_ok=True)
        _removed(record.parent, ours)


def _make(folder: Path, *, mode: int = 0o777) -> list[Path]:
    new = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(mode=mode, parents=True, exist_ok=True)
    return new


def _removed(folder: Path, known: set[Path]) -> set[Path]:
    gone = set()
    while folder in known and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        gone.add(folder)
        folder = folder.parent
    return gone


def _read(record: Path) -> set[Path]:
    with suppress(OSError, ValueError, TypeError):
        return {Path(place) for place in json.loads(record.read_text())}
    return set()


def _write(record: Path, folders: set[Path]) -> None:
    record.write_text(json.dumps(sorted(map(str, folders)), indent=1) + "\n")
