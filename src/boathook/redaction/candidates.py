"""Places in text where secrets may be: found with `str.find`, so that the rules look only there.

A rule that looks at every word takes longer than everything else that is done with a page. Most rules need a name that
says what follows it, and every such name contains one of a few stems.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from boathook.redaction.quiet_lines import LoudPart, find_loud_part, remember_quiet_lines
from boathook.redaction.sensitive_names import LONGEST_NAME, STEMS, sensitive_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int]

_NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
_NAME = r"[A-Za-z0-9_.\-]"
_REST_OF_NAME = re.compile(rf"{_NAME}*+")
_VALUE_FOLLOWS = re.compile(
    rf"[ \t]{{0,16}}[:=]|(?:{_NAME}| ){{0,{LONGEST_NAME}}}+\\{{0,7}}[\"']\s{{0,16}}[:,]"
)
"""What is between a name and its value: in text or code, or in JSON, where names may contain spaces."""
_LONGER_IN_LOWER_CASE = "\u0130"
"""The only character whose lower case is longer."""


@dataclass(frozen=True)
class SearchedText:
    """Text, and what the rules need to know about it."""

    text: str

    @cached_property
    def part(self) -> LoudPart:
        """The lines in which a rule may begin; the search is limited to them."""
        return find_loud_part(self.text)

    @cached_property
    def _lowered_part(self) -> str:
        """In lower case, with the same positions."""
        return self.part.text.replace(_LONGER_IN_LOWER_CASE, "i").lower()

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Where pieces are in the part, by piece: each is searched once."""
        return {}

    def has_any(self, pieces: tuple[str, ...]) -> bool:
        """Whether one of the lower-case pieces occurs."""
        found = [self._find(piece, exact=False) for piece in pieces]  # all: each makes a line loud
        return any(found)

    def note_places(self, name: str, places: list[int]) -> list[int]:
        """Places in the part that a rule has found in another way; returns them as places in the text."""
        self._places[name] = places
        return self.part.in_text(places)

    def remember_quiet_lines(self) -> None:
        """Remember in which lines no rule can begin, once all rules have searched."""
        remember_quiet_lines(self.part, chain.from_iterable(self._places.values()))

    @cached_property
    def named_values(self) -> list[Span]:
        """Names that contain a stem and are followed by a value, as runs of letters, digits, `_`, `.` and `-`."""
        return list(self._find_named_values())

    @cached_property
    def secret_names(self) -> list[Span]:
        """Those of them that name a secret."""
        return [(start, end) for start, end in self.named_values if sensitive_name(self.text[start:end])]

    def _find_named_values(self) -> Iterator[Span]:
        text, end = self.text, 0
        for at in self.find_all(STEMS):
            if at < end:
                continue
            before, end = end, _end_of_name(text, at)
            if not _VALUE_FOLLOWS.match(text, end):
                continue
            start = at
            while start > before and text[start - 1] in _NAME_CHARACTERS:
                start -= 1
            yield start, end

    def find_all(self, pieces: tuple[str, ...], *, exact: bool = False) -> list[int]:
        """Where the pieces occur, in order; lower-case pieces in any case unless `exact`."""
        places = [place for piece in pieces for place in self._find(piece, exact=exact)]
        return self.part.in_text(sorted(places) if len(pieces) > 1 else places)

    def _find(self, piece: str, *, exact: bool) -> list[int]:
        key = f"={piece}" if exact else piece
        if key not in self._places:
            self._places[key] = list(_occurrences(self.part.text if exact else self._lowered_part, piece))
        return self._places[key]


def _end_of_name(text: str, at: int) -> int:
    rest = _REST_OF_NAME.match(text, at)
    return rest.end() if rest else at


def _occurrences(text: str, piece: str) -> Iterator[int]:
    if not piece[0].isalnum() and piece[0] not in text:
        return  # a search for one character is many times as fast
    at = text.find(piece)
    while at >= 0:
        yield at
        at = text.find(piece, at + len(piece))
