"""Files that only we can read, in folders that only we can access: created new, replaced atomically, never through a link."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from boathook.errors import BadRequest
from boathook.runtime_folder import why_not_private

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
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


def write_new(folder: int, name: str, data: bytes) -> None:
    """Write a file that must not exist yet; no partial file is left behind."""
    descriptor = os.open(name, _NEW, 0o600, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
    except OSError:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        raise


def replace(folder: int, name: str, data: bytes) -> None:
    """Replace a file atomically."""
    part = f".{name}.{secrets.token_hex(4)}.part"
    write_new(folder, part, data)
    try:
        os.replace(part, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with suppress(OSError):
            os.unlink(part, dir_fd=folder)
        raise


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
