"""Runs of base64, of character codes and of single characters in text, decoded all at once so that each secret is searched once."""

from __future__ import annotations

import base64
import binascii
import re
import sys
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[int, int]

_BASE64_RUN = re.compile(rb"[A-Za-z0-9+/_-]{10,}")
_CODES_RUN = re.compile(rb"\d{1,7}(?:(?:\\[nrt]|\W){1,24}\d{1,7}){5,}")
_BITS_RUN = re.compile(rb"[01]{7,8}(?:\W{1,4}[01]{7,8}){5,}")
_LETTER = rb"[A-Za-z0-9!#$%&()*+=?@^~<>{}\[\]]"
_SPELLED_RUN = re.compile(_LETTER + rb"(?:[ ,;|./_-]{1,3}" + _LETTER + rb"){5,}")
_SPELLED = re.compile(_LETTER)
"""Characters that do not occur between them, so that a run has only one interpretation."""
_NUMBER = re.compile(rb"\d+")
_SEPARATOR = b"\n"
_ADDRESS_SIGNS = bytes.maketrans(b"-_", b"+/")


@dataclass(frozen=True, slots=True)
class EncodedRuns:
    """The decoded content of all runs of one kind, and the position of each run."""

    decoded: bytes
    starts: list[int]
    """Where each run starts in `decoded`."""
    spans: list[Span]

    def original(self, at: int) -> Span:
        """The run that a position in the decoded bytes comes from."""
        return self.spans[bisect_right(self.starts, at) - 1]


def find_encoded_runs(data: bytes) -> Iterator[EncodedRuns]:
    """Every kind of run that the bytes contain."""
    for pattern, decode in _KINDS:
        parts: list[bytes] = []
        starts: list[int] = []
        spans: list[Span] = []
        length = 0
        for match in pattern.finditer(data):
            plain = decode(match.group())
            if plain:
                starts.append(length)
                spans.append(match.span())
                parts.append(plain)
                length += len(plain) + len(_SEPARATOR)
        if parts:
            yield EncodedRuns(_SEPARATOR.join(parts), starts, spans)


def _from_base64(run: bytes) -> bytes:
    whole = run[: len(run) - (len(run) % 4 == 1)]
    try:
        return base64.b64decode(whole.translate(_ADDRESS_SIGNS) + b"=" * (-len(whole) % 4))
    except binascii.Error:
        return b""


def _from_codes(base: int) -> Callable[[bytes], bytes]:
    def decode(run: bytes) -> bytes:
        text = "".join(_character(number, base) for number in _NUMBER.findall(run))
        return text.encode("utf-8", "surrogatepass")

    return decode


def _character(number: bytes, base: int) -> str:
    try:
        return chr(min(int(number, base), sys.maxunicode))
    except ValueError:  # a digit that this base does not have: another number stands beside the codes
        return "\n"


_KINDS: tuple[tuple[re.Pattern[bytes], Callable[[bytes], bytes]], ...] = (
    (_BASE64_RUN, _from_base64),
    (_CODES_RUN, _from_codes(10)),
    (_CODES_RUN, _from_codes(8)),
    (_BITS_RUN, _from_codes(2)),
    (_SPELLED_RUN, lambda run: b"".join(_SPELLED.findall(run))),
)
