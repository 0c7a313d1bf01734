"""Files that callers name: opened without blocking, and regular files only, since a pipe would stop the whole daemon."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, BinaryIO

from boathook.errors import BadRequest

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 64 << 20


def read_input_file(path: str | Path, *, most_bytes: int = MOST_BYTES) -> bytes:
    """The content of a file, at most one byte more than the limit; OSError if it is not a regular file."""
    with open_input_file(path) as file:
        return file.read(most_bytes + 1)


def read_text_file(path: Path, *, most_bytes: int, hint: str = "pass another file") -> str:
    """The text of a file that a caller names; BadRequest says what is wrong with it."""
    try:
        content = read_input_file(path, most_bytes=most_bytes)
        if len(content) > most_bytes:
            raise BadRequest(f"{path} is larger than {most_bytes:,} bytes")
        return content.decode("utf-8")
    except FileNotFoundError:
        raise BadRequest(f"no such file: '{path}'", hint=hint) from None
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror}", hint=hint) from None
    except UnicodeDecodeError:
        raise BadRequest(f"{path} is not UTF-8 text", hint=hint) from None


def write_output_file(path: Path, content: bytes) -> None:
    """Write a file, and the folders around it; OSError if there is something else than a regular file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o666), "wb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        file.write(content)


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
