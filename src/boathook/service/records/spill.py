"""Spilling: a long result is cut at the end of a line, and the full text is stored in a private file."""

from __future__ import annotations

import os
import re
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.errors import BadRequest
from boathook.private_files import names_in, private_folder, write_new

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.redaction.redactor import Redactor

MOST_CHARACTERS = 8_000
MOST_LINES = 120
SESSION_BYTES = 32 * 1024 * 1024
_NAME = re.compile(r"spill-[0-9]{20}-[0-9a-f]{8}\.txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Text within its budget; `path` has the full text if something was omitted and could be saved."""

    text: str
    path: Path | None = None
    characters_left_out: int = 0
    lines_left_out: int = 0
    evicted: tuple[Path, ...] = ()
    """Older files that were removed to make room."""
    problem: str = ""
    """Why the full text could not be saved."""


class Spills:
    """The spilled files of one session, in a separate folder; the oldest are removed if there are too many bytes."""

    def __init__(self, folder: Path, *, most_bytes: int = SESSION_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    def fit(
        self, text: str, *, redactor: Redactor, characters: int = MOST_CHARACTERS, lines: int = MOST_LINES
    ) -> Fitted:
        """Redact, and cut to the budget; the last line then says what is missing and where it is."""
        clean = redactor.text(text)
        kept = _head(clean, characters=characters, lines=lines)
        if len(kept) == len(clean):
            return Fitted(text=clean)
        missing = len(clean) - len(kept)
        missing_lines = clean.count("\n", len(kept)) + (not clean.endswith("\n"))
        path, evicted, problem = self._keep(clean)
        where = f"full text: {path}" if path else f"the full text could not be saved: {problem}"
        gone = f"; {len(evicted)} older files were removed to make room" if evicted else ""
        note = f"[{missing} characters, {missing_lines} lines omitted; {where}{gone}]"
        return Fitted(
            text=f"{kept}{'' if kept.endswith(chr(10)) or not kept else chr(10)}{note}",
            path=path,
            characters_left_out=missing,
            lines_left_out=missing_lines,
            evicted=evicted,
            problem=problem,
        )

    def _keep(self, clean: str) -> tuple[Path | None, tuple[Path, ...], str]:
        data = clean.encode("utf-8", "backslashreplace")
        if len(data) > self._most_bytes:
            return None, (), f"it has {len(data)} bytes, and a session may store {self._most_bytes}"
        name = f"spill-{time.time_ns():020d}-{secrets.token_hex(4)}.txt"
        try:
            with private_folder(self._folder) as folder:
                evicted = self._make_room(folder, len(data))
                write_new(folder, name, data)
        except BadRequest as error:
            return None, (), error.message
        except OSError as error:
            return None, (), error.strerror or "it cannot be written"
        return self._folder / name, evicted, ""

    def _make_room(self, folder: int, needed: int) -> tuple[Path, ...]:
        """Remove the oldest of our files until there is room; names sort by age. Others are not touched."""
        sizes = {name: _size(folder, name) for name in names_in(folder) if _NAME.fullmatch(name)}
        total = sum(sizes.values()) + needed
        evicted: list[Path] = []
        for name, size in sizes.items():
            if total <= self._most_bytes:
                break
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=folder)
            evicted.append(self._folder / name)
            total -= size
        return tuple(evicted)


def _size(folder: int, name: str) -> int:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_size
    except FileNotFoundError:
        return 0


def _head(text: str, *, characters: int, lines: int) -> str:
    """As many whole lines as fit; a single line that is too long is cut."""
    end = len(text)
    at = 0
    for _ in range(lines):
        at = text.find("\n", at) + 1
        if at == 0 or at > characters:
            break
    if 0 < at <= characters:
        end = at
    if end <= characters:
        return text[:end]
    return text[: text.rfind("\n", 0, characters) + 1 or characters]
