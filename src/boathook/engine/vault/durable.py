"""Private files that are written atomically, whatever interrupts the write."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
ABANDONED_SECONDS = 600
"""A partial file older than this belongs to a write that was killed."""


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file: written and flushed next to it first, then renamed; mode 600. OSError on failure."""
    part = _part(path)
    try:
        _write_part(part, data)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    _sync_folder(path.parent)
    _remove_abandoned(path)


def write_first(path: Path, data: bytes) -> bool:
    """The same for a file that must not exist yet; False if another process was first."""
    part = _part(path)
    try:
        _write_part(part, data)
        os.link(part, path, follow_symlinks=False)
    except FileExistsError:
        return False
    finally:
        part.unlink(missing_ok=True)
    _sync_folder(path.parent)
    return True


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")


def _write_part(part: Path, data: bytes) -> None:
    descriptor = os.open(part, _NEW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Flush the new name as well; errors of file systems that do not support it are ignored."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove_abandoned(path: Path) -> None:
    with suppress(OSError):
        for part in path.parent.glob(f".{_literal(path.name)}.*.part"):
            if time.time() - part.lstat().st_mtime > ABANDONED_SECONDS:
                part.unlink(missing_ok=True)


def _literal(name: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)
