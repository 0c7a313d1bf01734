"""The journal: the history of a session: what, when, by whom and with which result; append-only, one line each."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec

from boathook.errors import BadRequest
from boathook.private_files import open_regular, plain_name, private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from boathook.redaction.redactor import Redactor

LARGEST_FILE = 4 * 1024 * 1024
OLD_FILES = 3
LARGEST_RECORD = 16 * 1024
_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_SEAL = b',"crc":"%08x"}'
_SEAL_LENGTH = len(_SEAL % 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalRecord:
    """One call."""

    time: float
    pid: int
    program: str
    door: str
    command: str
    outcome: str
    """The category of success or failure."""
    seconds: float
    code: str = ""
    """The error's, when there was one."""
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The content of a journal, oldest first; `damaged` counts lines that were truncated or altered."""

    records: tuple[JournalRecord, ...]
    damaged: int = 0
    older: int = 0
    """Records that match as well, but exceed the limit."""


class Journal:
    """The journal of one session. Large files are rotated, and the oldest is removed."""

    def __init__(
        self, folder: Path, *, session: str, largest_bytes: int = LARGEST_FILE, old_files: int = OLD_FILES
    ) -> None:
        self._folder = folder
        self._session = plain_name(session)
        self._largest = largest_bytes
        self._old_files = old_files
        self._lock = threading.Lock()

    def add(self, record: JournalRecord, *, redactor: Redactor, durable: bool = False) -> None:
        """Write one record, redacted, in one write; `durable` waits for the disk, before irreversible actions."""
        line = _seal_record(record, redactor)
        try:
            with self._lock, private_folder(self._folder) as folder:
                self._append(folder, line, durable=durable)
        except OSError as error:
            raise BadRequest(f"the journal cannot be written: {error.strerror}") from error

    def read(self, *, since: float = 0.0, limit: int = 100) -> History:
        """The newest records since a moment."""
        kept: list[JournalRecord] = []
        damaged = matching = 0
        with self._lock, private_folder(self._folder) as folder:
            lines = list(self._lines(folder))
        for line in reversed(lines):
            record = _open_record(line)
            if record is None:
                damaged += 1
            elif record.time >= since:
                matching += 1
                if len(kept) < limit:
                    kept.append(record)
        return History(records=tuple(reversed(kept)), damaged=damaged, older=matching - len(kept))

    def _append(self, folder: int, line: bytes, *, durable: bool) -> None:
        name = self._name(0)
        with suppress(FileNotFoundError):
            size = os.stat(name, dir_fd=folder, follow_symlinks=False).st_size
            if size and size + len(line) > self._largest:
                self._put_aside(folder)
        descriptor = os.open(name, _APPEND, 0o600, dir_fd=folder)
        try:
            end = os.fstat(descriptor).st_size
            torn = end > 0 and os.pread(descriptor, 1, end - 1) != b"\n"
            data = b"\n" + line if torn else line  # a torn record must not swallow this one
            if os.write(descriptor, data) != len(data):
                raise OSError(0, "the disk is full")
            if durable:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _put_aside(self, folder: int) -> None:
        for number in range(self._old_files - 1, -1, -1):
            with suppress(FileNotFoundError):
                os.replace(self._name(number), self._name(number + 1), src_dir_fd=folder, dst_dir_fd=folder)
        if self._old_files == 0:
            os.unlink(self._name(0), dir_fd=folder)

    def _name(self, number: int) -> str:
        return f"{self._session}.journal{f'.{number}' if number else ''}.jsonl"

    def _lines(self, folder: int) -> Iterator[bytes]:
        """All lines, oldest first; no file is read beyond its size limit."""
        for number in range(self._old_files, -1, -1):
            try:
                file = open_regular(self._name(number), folder=folder)
            except OSError:
                continue
            with file:
                yield from (line for line in file.read(self._largest + LARGEST_RECORD).split(b"\n") if line)


def _seal_record(record: JournalRecord, redactor: Redactor) -> bytes:
    fields = asdict(record)
    arguments = redactor.arguments(fields.pop("arguments"))
    fields["program"] = redactor.text(fields["program"])  # a client's name; the other texts are our own
    body = _encode_fields({**fields, "arguments": arguments})
    if len(body) > LARGEST_RECORD - _SEAL_LENGTH:
        short = {name: value[:200] if isinstance(value, str) else value for name, value in fields.items()}
        body = _encode_fields({**short, "arguments": {"left out": f"{len(body)} bytes"}})
    return body[:-1] + _SEAL % crc32(body) + b"\n"


def _encode_fields(fields: dict[str, Any]) -> bytes:
    text = msgspec.json.encode(msgspec.to_builtins(fields, str_keys=True))
    return bytes(text)


def _open_record(line: bytes) -> JournalRecord | None:
    """The record in a line; None if its checksum is missing or wrong."""
    body = line[:-_SEAL_LENGTH] + b"}"
    if line[-_SEAL_LENGTH:] != _SEAL % crc32(body):
        return None
    try:
        return msgspec.json.decode(body, type=JournalRecord)
    except msgspec.DecodeError:
        return None
