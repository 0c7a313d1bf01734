"""Places in text where secrets may be: found with `str.find`, so that the rules look only there.

A rule that looks at every word takes longer than everything else that is done with a page. Most rules need a name that
says what follows it, and every such name contains one of a few stems.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

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
    def lowered(self) -> str:
        """The text in lower case, with the same positions."""
        return self.text.replace(_LONGER_IN_LOWER_CASE, "i").lower()

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
        text = self.text if exact else self.lowered
        places = [place for piece in pieces for place in _occurrences(text, piece)]
        return sorted(places) if len(pieces) > 1 else places


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
