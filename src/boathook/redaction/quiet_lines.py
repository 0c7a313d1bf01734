"""Quiet lines: those in which no rule can begin to find a secret. Most lines of a page are, and most of them come again.

A rule begins at a piece of text that stands in one line, such as `token` or `://`. Lines without any such piece are
remembered by their hash, whose key is random and unknown to pages; later texts are searched without them.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, count
from operator import add
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST_REMEMBERED = 200_000
_SHORTEST_SEARCHED = 2_000
"""Shorter texts are searched as a whole."""
_quiet: set[int] = set()


@dataclass(frozen=True, slots=True)
class LoudPart:
    """The lines of text that are not known to be quiet, joined."""

    text: str
    starts: list[int]
    """Where each line begins in this part."""
    offsets: list[int]
    """Where it begins in the whole text."""
    hashes: list[int]
    is_whole: bool

    def in_text(self, places: list[int]) -> list[int]:
        """Places in this part as places in the whole text."""
        if self.is_whole:
            return places
        lines = [self.line_at(place) for place in places]
        return [
            place - self.starts[line] + self.offsets[line] for place, line in zip(places, lines, strict=True)
        ]

    def line_at(self, place: int) -> int:
        """The number of the line that a place of this part is in."""
        return bisect_right(self.starts, place) - 1


def find_loud_part(text: str) -> LoudPart:
    """The text without the lines that are known to be quiet."""
    if len(text) < _SHORTEST_SEARCHED:
        return LoudPart(text=text, starts=[0], offsets=[0], hashes=[], is_whole=True)
    lines = text.split("\n")
    hashes = list(map(hash, lines))
    offsets = _starts_of(lines)
    loud = [number for number, key in enumerate(hashes) if key not in _quiet]
    if len(loud) == len(lines):
        return LoudPart(text=text, starts=offsets, offsets=offsets, hashes=hashes, is_whole=True)
    chosen = [lines[number] for number in loud]
    return LoudPart(
        text="\n".join(chosen),
        starts=_starts_of(chosen),
        offsets=[offsets[number] for number in loud],
        hashes=[hashes[number] for number in loud],
        is_whole=False,
    )


def remember_quiet_lines(part: LoudPart, places: Iterable[int]) -> None:
    """Remember the lines of a part in which none of the places is; they must be all places where a rule can begin."""
    if not part.hashes:
        return
    if len(_quiet) > _MOST_REMEMBERED:
        _quiet.clear()
    loud = {part.line_at(place) for place in places}
    _quiet.update(key for number, key in enumerate(part.hashes) if number not in loud)


def _starts_of(lines: list[str]) -> list[int]:
    ends = accumulate(map(len, lines[:-1]))
    return [0, *map(add, ends, count(1))]  # with the line ends before
