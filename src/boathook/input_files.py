"""Files that callers name: opened without blocking, and regular files only, since a pipe would stop the whole daemon."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 64 << 20


def read_input_file(path: str | Path, *, most_bytes: int = MOST_BYTES) -> bytes:
    """The content of a file, at most one byte more than the limit; OSError if it is not a regular file."""
    with open_input_file(path) as file:
        return file.read(most_bytes + 1)


def open_input_file(path: str | Path) -> BinaryIO:
    """A file to read; OSError if it is not a regular file."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    raise OSError(errno.EINVAL, "it is not a regular file")
