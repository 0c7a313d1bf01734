"""A heap snapshot summarized by constructor, read in chunks: memory use depends on the number of constructors only."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest
from boathook.input_files import open_input_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

PIECE = 4 * 1024 * 1024
HEAD_LIMIT = 64 * 1024
LONGEST_NAME = 100
BY_NAME = {"object", "native"}
"""Node types that are grouped by name; the others have as many names as nodes."""
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')


@dataclass(frozen=True, slots=True, kw_only=True)
class HeapGroup:
    """All objects of one constructor, or of one internal type in brackets."""

    name: str
    count: int
    bytes: int
    """Their shallow size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeapSummary:
    """What uses the memory of a page."""

    objects: int
    bytes: int
    groups: tuple[HeapGroup, ...]
    """The largest ones."""


def summarize(path: Path, *, most: int) -> HeapSummary:
    """Summarize a .heapsnapshot file."""
    try:
        with open_input_file(path) as file:
            return _summarize_file(file, most=most)
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise BadRequest(f"not a heap snapshot: {path}") from error


def _summarize_file(file: BinaryIO, *, most: int) -> HeapSummary:
    reader = _Reader(file)
    meta = json.loads(reader.until(b'"nodes":[').rstrip().rstrip(b",") + b"}")["snapshot"]["meta"]
    groups = _sum_by_name(reader, meta)
    largest = sorted(groups.items(), key=lambda pair: -pair[1][1])[:most]
    names = reader.strings({key for (key, _) in largest if isinstance(key, int)})
    return HeapSummary(
        objects=sum(count for count, _ in groups.values()),
        bytes=sum(size for _, size in groups.values()),
        groups=tuple(
            HeapGroup(name=names[key] if isinstance(key, int) else f"({key})", count=count, bytes=size)
            for key, (count, size) in largest
        ),
    )


def _sum_by_name(reader: _Reader, meta: dict[str, Any]) -> dict[int | str, tuple[int, int]]:
    """Count and size by name index, or by type where names carry no information."""
    fields: list[str] = meta["node_fields"]
    kinds: list[str] = meta["node_types"][fields.index("type")]
    kind_at, name_at, size_at = (fields.index(field) for field in ("type", "name", "self_size"))
    width = len(fields)
    groups: dict[int | str, tuple[int, int]] = {}
    left: list[int] = []
    for numbers in reader.numbers():
        left += numbers
        end = len(left) - len(left) % width
        for at in range(0, end, width):
            kind = kinds[left[at + kind_at]]
            key = left[at + name_at] if kind in BY_NAME else kind
            count, size = groups.get(key, (0, 0))
            groups[key] = (count + 1, size + left[at + size_at])
        del left[:end]
    return groups


class _Reader:
    """The parts of the file in order: a head, arrays of numbers, and the names at the end."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._begun = b""

    def until(self, mark: bytes, *, most: int | None = HEAD_LIMIT) -> bytes:
        """The text before a marker, which is skipped; without a limit, only the last part of it."""
        while mark not in self._begun:
            piece = self._file.read(PIECE)
            if not piece or (most is not None and len(self._begun) > most + PIECE):
                raise ValueError(mark)
            kept = self._begun if most is not None else self._begun[-len(mark) :]
            self._begun = kept + piece
        before, _, self._begun = self._begun.partition(mark)
        return before

    def numbers(self) -> Iterator[list[int]]:
        """The numbers of an array up to its end."""
        while True:
            whole, bracket, rest = self._begun.partition(b"]")
            if bracket:
                self._begun = rest
                yield [int(part) for part in whole.split(b",") if part.strip()]
                return
            ready, _, tail = whole.rpartition(b",")
            yield [int(part) for part in ready.split(b",") if part.strip()]
            piece = self._file.read(PIECE)
            if not piece:
                raise ValueError("unterminated array")
            self._begun = tail + piece

    def strings(self, wanted: set[int]) -> dict[int, str]:
        """The names with these indices."""
        self.until(b'"strings":[', most=None)
        found: dict[int, str] = {}
        number = 0
        while len(found) < len(wanted):
            end = 0
            for match in _STRING.finditer(self._begun):
                if number in wanted:
                    found[number] = str(json.loads(match.group()))[:LONGEST_NAME]
                number += 1
                end = match.end()
            piece = self._file.read(PIECE)
            if not piece:
                break
            self._begun = self._begun[end:] + piece
        return found
