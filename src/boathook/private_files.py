"""The one writer of private files: created new with mode 600, replaced atomically, never through a link."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from boathook.errors import BadRequest
from boathook.runtime_folder import why_not_private

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
ABANDONED_SECONDS = 600
"""A partial file older than this belongs to a write that was killed."""
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")


def plain_name(name: str) -> str:
    """A session's name, checked to be valid as a file name."""
    if _PLAIN_NAME.fullmatch(name) is None:
        raise BadRequest(
            f"invalid session name: {name[:80]!r}",
            hint="use letters, digits, dots, hyphens and underscores, at most 64",
        )
    return name


@contextmanager
def private_folder(path: Path) -> Iterator[int]:
    """A descriptor of the folder, created if it is missing; operations on it cannot be redirected."""
    why_not = why_not_private(str(path))
    if why_not is not None:
        raise BadRequest(f"{path} cannot be used: it {why_not}", path=str(path))
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise BadRequest(f"{path} cannot be used: {error.strerror}", path=str(path)) from error
    try:
        yield folder
    finally:
        os.close(folder)


def create_file(path: str | Path, *, folder: int | None = None) -> BinaryIO:
    """Open a new file for writing, readable by its owner only; OSError if it exists, also as a link."""
    return os.fdopen(os.open(path, _NEW, 0o600, dir_fd=folder), "wb")


def write_new(folder: int | None, name: str | Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file that must not exist yet; no partial file is left behind. `durable` survives a power cut."""
    with create_file(name, folder=folder) as file:
        try:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
            raise


def replace(folder: int, name: str, data: bytes) -> None:
    """Replace a file in an open folder atomically."""
    part = _part_of(name)
    write_new(folder, part, data)
    try:
        os.replace(part, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with suppress(OSError):
            os.unlink(part, dir_fd=folder)
        raise


def replace_file(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Replace a file by its path atomically: a reader sees the old one or the new one. OSError on failure."""
    part = path.with_name(_part_of(path.name))
    write_new(None, part, data, durable=durable)
    try:
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    if durable:
        _sync_folder(path.parent)
    _remove_abandoned(path)


def write_first(path: Path, data: bytes) -> bool:
    """Write a file that must not exist yet, visible only when it is complete; False if another process was first."""
    part = path.with_name(_part_of(path.name))
    try:
        write_new(None, part, data, durable=True)
        os.link(part, path, follow_symlinks=False)
    except FileExistsError:
        return False
    finally:
        part.unlink(missing_ok=True)
    _sync_folder(path.parent)
    return True


def _part_of(name: str) -> str:
    return f".{name}.{secrets.token_hex(4)}.part"


def _sync_folder(folder: Path) -> None:
    """Flush the new name as well; errors of file systems that do not support it are ignored."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _remove_abandoned(path: Path) -> None:
    """Remove partial files of writes that were killed."""
    with suppress(OSError):
        for part in path.parent.glob(f".{_literal(path.name)}.*.part"):
            if time.time() - part.lstat().st_mtime > ABANDONED_SECONDS:
                part.unlink(missing_ok=True)


def _literal(name: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def open_regular(path: str | Path, *, folder: int | None = None) -> BinaryIO:
    """Open a regular file for reading: links, folders and pipes are refused with an OSError, without blocking."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    raise OSError(errno.EINVAL, "it is not a regular file")


def read_whole(folder: int, name: str, *, largest: int) -> bytes | None:
    """A file's content; None if it is missing, a link, or too large."""
    try:
        with open_regular(name, folder=folder) as file:
            data = file.read(largest + 1)
    except OSError:
        return None
    return data if len(data) <= largest else None


def names_in(folder: int) -> list[str]:
    """The names of all entries of a folder, sorted."""
    return sorted(os.listdir(folder))
