"""Secrets that are known by value, found in every encoding in which a page or a program may repeat them.

Text is searched as bytes, and again behind each kind of escape that occurs in it (percent signs, backslashes, HTML
entities, zero bytes; three levels deep), so that any spelling of an escape is decoded; then behind whole runs of base64
and of character codes (`encoded_runs.py`). Searching uses `bytes.find`, which is linear.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from html.entities import html5
from typing import TYPE_CHECKING

from boathook.redaction.encoded_runs import find_encoded_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    Span = tuple[int, int]

SHORTEST_SECRET = 6
"""Shorter ones occur everywhere by chance: they are hidden in their own fields only."""
_FOLDED_FROM = 8
"""Length from which on case is ignored: pages show text in capitals."""
_SHORTEST_BASE64 = 6
_SHORTEST_PART = 6
_DEPTH = 3
_RUN_DEPTH = 2
"""How many levels of base64 are decoded."""
_CHARSETS = (
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp866", "cp874",
    "iso8859_2", "iso8859_3", "iso8859_4", "iso8859_5", "iso8859_6", "iso8859_7", "iso8859_8", "iso8859_10", "iso8859_13",
    "iso8859_14", "iso8859_15", "iso8859_16", "koi8_r", "koi8_u", "mac_roman", "mac_cyrillic",
    "gb18030", "big5hkscs", "cp932", "euc_jp", "iso2022_jp", "cp949",
)  # fmt: skip
"""The charsets in which browsers send forms besides UTF-8; Latin-1 is read as windows-1252."""
_REPLACEMENT = "\ufffd"
_FEWEST_KEPT = 4
"""Characters of a secret that must be left when the others are shown as question marks."""
_BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")


@dataclass(frozen=True, slots=True)
class _Needle:
    data: bytes
    folded: bool = False
    widened: bool = False
    """Base64: a character at each side shares bits with the secret."""


class KnownSecrets:
    """A set of values, prepared for searching."""

    def __init__(self, secrets: Collection[str]) -> None:
        values = {part for secret in secrets for part in (secret, secret.strip())}
        usable = sorted(
            (value for value in values if len(value) >= SHORTEST_SECRET),
            key=lambda value: (-len(value), value),
        )
        self.too_short = sum(1 for secret in secrets if 0 < len(secret) < SHORTEST_SECRET)
        """How many values are too short to be searched."""
        written = (
            (value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]) for value in usable
        )
        self.literals = tuple(dict.fromkeys(form for forms in written for form in forms))
        """As they are, and in JSON encoding; longest first."""
        self._needles = tuple(dict.fromkeys(needle for value in usable for needle in _forms(value)))
        self.longest = max((len(needle.data) for needle in self._needles), default=0)

    def __bool__(self) -> bool:
        return bool(self._needles)

    def spans(self, text: str) -> list[Span]:
        """Their positions in text, counted in characters."""
        if not self._needles:
            return []
        data = text.encode("utf-8", "surrogatepass")
        found = list(self._search(data, depth=_DEPTH))
        for seams in _SPLITS:
            found.extend(self._behind(_Layer(b"", seams), data, depth=0, widen=False))
        found.extend(self._in_runs(data, depth=_RUN_DEPTH))
        return found if len(data) == len(text) else _in_characters(data, found)

    def _in_runs(self, data: bytes, *, depth: int) -> Iterator[Span]:
        """Runs of base64 or of character codes that contain a secret, as a whole."""
        for runs in find_encoded_runs(data):
            found = list(self._search(runs.decoded, depth=1))
            if depth:
                found.extend(self._in_runs(runs.decoded, depth=depth - 1))
            yield from (runs.original(start) for start, _ in found)

    def _search(self, data: bytes, *, depth: int, widen: bool = True) -> Iterator[Span]:
        lowered = data.lower()
        for needle in self._needles:
            yield from _occurrences(
                needle, lowered if needle.folded else data, widen=widen and needle.widened
            )
        if depth:
            for layer in _ESCAPES:
                yield from self._behind(layer, data, depth=depth - 1)

    def _behind(self, layer: _Layer, data: bytes, *, depth: int, widen: bool = True) -> Iterator[Span]:
        if layer.sign not in data:
            return
        plain = layer.pattern.sub(layer.replace or b"", data)
        if plain == data:
            return
        spans = list(self._search(plain, depth=depth, widen=widen))
        if spans:  # the way back is only worked out when there is something to go back for
            back = _WayBack(layer, data)
            yield from (back.original(start, end) for start, end in spans)


@lru_cache(maxsize=4_096)
def _forms(secret: str) -> tuple[_Needle, ...]:
    return tuple(_all_forms(secret))


def _all_forms(secret: str) -> Iterator[_Needle]:
    data = secret.encode("utf-8", "surrogatepass")
    folded = len(secret) >= _FOLDED_FROM
    backwards = secret[::-1].encode("utf-8", "surrogatepass")
    parts = [part for seams in _SPLITS if len(part := seams.sub(b"", data)) >= _SHORTEST_PART]
    if folded and not secret.isascii():  # bytes fold the letters of ASCII only
        parts += (
            secret.upper().encode("utf-8", "surrogatepass"),
            secret.lower().encode("utf-8", "surrogatepass"),
        )
    for plain in (data, backwards, data.replace(b" ", b"+"), *parts):
        yield _Needle(plain.lower() if folded else plain, folded=folded)
    yield from _digits(data)
    for utf_16 in ("utf-16-le", "utf-16-be"):
        units = secret.encode(utf_16, "surrogatepass")
        yield _Needle(units)
        yield _Needle(units.hex().encode(), folded=True)
    yield from _in_base64(data)
    yield from _forms_in_charsets(secret)


def _digits(data: bytes) -> Iterator[_Needle]:
    for between in ("", ":", "-", " ", ", 0x", ",0x"):
        digits = data.hex(between[0], 1).replace(between[0], between) if between else data.hex()
        yield _Needle(digits.encode(), folded=True)


def _in_base64(data: bytes) -> Iterator[_Needle]:
    for offset in range(3):
        core = _base64_core(data, offset)
        if len(core) >= _SHORTEST_BASE64:
            yield _Needle(core, widened=True)
            yield _Needle(core.translate(bytes.maketrans(b"+/", b"-_")), widened=True)


def _forms_in_charsets(secret: str) -> Iterator[_Needle]:
    """As pages in other charsets than UTF-8 send it; ASCII is the same in all of them."""
    if secret.isascii():
        return
    folded = len(secret) >= _FOLDED_FROM
    spellings = (secret, secret.upper(), secret.lower()) if folded else (secret,)
    for spelling in dict.fromkeys(spellings):
        for sent in _as_sent(spelling):
            for plain in (sent, sent.replace(b" ", b"+"), *_misread(spelling, sent)):
                yield _Needle(plain.lower() if folded else plain, folded=folded)
    for sent in _as_sent(secret):
        yield from _digits(sent)
        yield from _in_base64(sent)


def _as_sent(text: str) -> Collection[bytes]:
    """The bytes in each charset; most agree. Browsers send a character that the charset lacks as an HTML entity."""
    return dict.fromkeys(text.encode(charset, "xmlcharrefreplace") for charset in _CHARSETS)


def _misread(text: str, sent: bytes) -> Iterator[bytes]:
    """How programs show these bytes that expect another charset."""
    yield sent.decode("latin-1").encode()
    as_utf_8 = sent.decode("utf-8", "replace")
    one_each = "".join(char if char.isascii() else _REPLACEMENT for char in text)
    for shown in (as_utf_8, one_each):
        # What is left of a secret without ASCII is only marks, which occur everywhere.
        if len(shown.replace(_REPLACEMENT, "").strip()) >= _FEWEST_KEPT:
            yield shown.encode("utf-8", "surrogatepass")
            yield shown.replace(_REPLACEMENT, "?").encode("utf-8", "surrogatepass")


def _base64_core(data: bytes, offset: int) -> bytes:
    """The part of the base64 of `data` at this offset that does not depend on its neighbours."""
    whole = base64.b64encode(bytes(offset) + data)
    return whole[(0, 2, 3)[offset] : (offset + len(data)) * 8 // 6]


def _occurrences(needle: _Needle, data: bytes, *, widen: bool) -> Iterator[Span]:
    at = data.find(needle.data)
    while at >= 0:
        start, end = at, at + len(needle.data)
        at = data.find(needle.data, end)
        if widen:
            start -= start > 0 and data[start - 1] in _BASE64
            end += end < len(data) and data[end] in _BASE64
        yield start, end


@dataclass(frozen=True, slots=True)
class _Layer:
    """A kind of escape: a character that every one of them contains, its pattern, and its decoded value, if it has one."""

    sign: bytes
    pattern: re.Pattern[bytes]
    replace: Callable[[re.Match[bytes]], bytes] | None = None


class _WayBack:
    """From bytes without their escapes to their original positions."""

    def __init__(self, layer: _Layer, data: bytes) -> None:
        self._starts = array("q")  # of each escape's result, in the bytes without escapes
        self._lengths = array("q")
        self._began = array("q")  # of the escape itself
        self._ended = array("q")
        at = last = 0
        for match in layer.pattern.finditer(data):
            at += match.start() - last
            last = match.end()
            length = len(layer.replace(match)) if layer.replace else 0
            self._starts.append(at)
            self._lengths.append(length)
            self._began.append(match.start())
            self._ended.append(last)
            at += length

    def original(self, start: int, end: int) -> Span:
        """The span in the original bytes."""
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, at: int) -> Span:
        index = bisect_right(self._starts, at) - 1
        if index < 0:
            return at, at + 1
        length, end = self._lengths[index], self._ended[index]
        into = at - self._starts[index]
        if into < length:
            return self._began[index], end
        return end + into - length, end + into - length + 1


_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")


def _plain_percent(match: re.Match[bytes]) -> bytes:
    return bytes.fromhex(match[1].decode())


_BACKSLASHED = re.compile(
    rb"\\(?:u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})|u(?P<unit>[0-9a-fA-F]{4})"
    rb"|u\{(?P<point>[0-9a-fA-F]{1,8})\}|x(?P<byte>[0-9a-fA-F]{2})|(?P<octal>[0-3]?[0-7]{2})|(?P<sign>[\"'\\/bfnrt]))"
)
_SIGNS = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}


def _plain_escape(match: re.Match[bytes]) -> bytes:
    if (sign := match["sign"]) is not None:
        return _SIGNS.get(sign, sign)
    if match["high"] is not None:
        high, low = int(match["high"], 16), int(match["low"], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)).encode()
    if match["octal"] is not None:
        return bytes([int(match["octal"], 8)])
    return _character(int(match["unit"] or match["point"] or match["byte"], 16))


_ENTITY = re.compile(
    rb"&(?:#(?P<decimal>[0-9]+)|#[xX](?P<hex>[0-9A-Fa-f]+)|(?P<name>[A-Za-z][A-Za-z0-9]{1,31}));?"
)
_LARGEST_DIGITS = 8


def _plain_entity(match: re.Match[bytes]) -> bytes:
    if (name := match["name"]) is not None:
        meant = html5.get(name.decode() + ";")
        return meant.encode() if meant is not None else match.group()
    base = 10 if match["hex"] is None else 16
    digits = (match["decimal"] or match["hex"]).lstrip(b"0") or b"0"
    return _character(int(digits, base)) if len(digits) <= _LARGEST_DIGITS else match.group()


def _character(point: int) -> bytes:
    return chr(point).encode("utf-8", "surrogatepass") if point <= sys.maxunicode else b""


_ESCAPES = (
    _Layer(b"%", _PERCENT, _plain_percent),
    _Layer(b"\\", _BACKSLASHED, _plain_escape),
    _Layer(b"&", _ENTITY, _plain_entity),
    _Layer(b"\0", re.compile(rb"\x00+")),
)
"""Zero bytes between the characters of UTF-16."""

_LINE_END = rb"\"(?:[ ,][^\"\n]{0,100})?(?:\n[^\"\n]{0,100}){1,4}\""
_LIST_COMMA = rb"\",\s{0,80}\""
_UNSEEN = (
    _LINE_END
    + rb"|"
    + _LIST_COMMA
    + rb"|\s+|\xc2\xad|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf"
)
_SPACES = re.compile(_UNSEEN)
_SEAMS = re.compile(rb"<[^<>]{0,256}>|" + _UNSEEN)
_MARKS = re.compile(rb"[*_`~\\]+|" + _UNSEEN)
_SPLITS = (_SPACES, _SEAMS, _MARKS)
"""What may stand between two halves of text that a page split: tags, lines of a snapshot, list items, Markdown markup,
spaces, invisible characters.
"""


_CONTINUING = bytes(range(0x80, 0xC0))
"""Continuation bytes of UTF-8."""


def _in_characters(data: bytes, spans: list[Span]) -> list[Span]:
    """Spans of bytes as spans of characters, in one pass."""
    edges = sorted({edge for span in spans for edge in span})
    places: dict[int, int] = {}
    last = count = 0
    for edge in edges:
        count += len(data[last:edge].translate(None, _CONTINUING))
        places[edge], last = count, edge
    return [(places[start], places[end]) for start, end in spans]
