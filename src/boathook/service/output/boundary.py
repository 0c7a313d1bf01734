"""Page content, separated from our own text: enclosed so that no page can forge the end, and made inert."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from boathook.errors import BadRequest
from boathook.presentation.quoting import visible

_BEGIN = "[page content begins"
_END = "[page content ends"
_NONCE = re.compile(r"[A-Za-z0-9_-]{16}")
_MARKED = re.compile(r"^(\\*\[page content (?:begins|ends))", re.MULTILINE | re.IGNORECASE)
_ESCAPED = re.compile(r"^\\(\\*\[page content (?:begins|ends))", re.MULTILINE | re.IGNORECASE)
_LONGEST_ORIGIN = 200
_JOINER = "\u200d"
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Control characters, bidirectional overrides and zero-width characters: a message can be hidden in them."""


@dataclass(frozen=True, slots=True)
class PageContent:
    """The content between the two lines of a boundary."""

    origin: str
    text: str


def fresh_nonce() -> str:
    """96 random bits, for one answer: more would cost tokens in every answer."""
    return secrets.token_urlsafe(12)


def for_terminal(text: str) -> str:
    """Text that is safe to print on a terminal: other characters are escaped in braces; line ends and tabs are kept."""
    return _UNSAFE.sub(_escape, text.replace("\r\n", "\n"))


def _escape(match: re.Match[str]) -> str:
    # Emoji of several parts are held together by a joiner; between letters of the alphabet it would only hide.
    if match.group() == _JOINER:
        around = match.string[max(0, match.start() - 1) : match.end() + 1].replace(_JOINER, "")
        if len(around) == 2 and not any(char.isascii() for char in around):  # noqa: PLR2004 - one on each side
            return _JOINER
    return f"\\u{{{ord(match.group()):x}}}"


def enclose(text: str, *, origin: str, nonce: str) -> str:
    """The text between two lines with the nonce; a line in it that looks like one of them gets a backslash.

    `content_of` returns exactly `for_terminal(text)`.
    """
    if _NONCE.fullmatch(nonce) is None:
        raise BadRequest(
            "a boundary needs 96 random bits as 16 letters, digits, - and _", hint="use fresh_nonce()"
        )
    inside = _MARKED.sub(r"\\\1", for_terminal(text))
    return f"{_begin(origin, nonce)}\n{inside}\n{_END} {nonce}]"


def is_enclosed(answer: str) -> bool:
    """Whether an answer begins with a boundary."""
    return answer.startswith(_BEGIN)


def content_of(answer: str, *, nonce: str) -> PageContent:
    """What was enclosed with this nonce; the inverse, for programs and tests."""
    opening = re.search(
        rf'^{re.escape(_BEGIN)} {nonce}; untrusted, from "([^"\n]*)"\]\n', answer, re.MULTILINE
    )
    if opening is None:
        raise BadRequest("there is no page content with this nonce")
    end = answer.find(f"\n{_END} {nonce}]", opening.end() - 1)
    if end < 0:
        raise BadRequest("the page content has no end marker")
    return PageContent(opening[1], _ESCAPED.sub(r"\1", answer[opening.end() : max(end, opening.end())]))


def _begin(origin: str, nonce: str) -> str:
    shown = _UNSAFE.sub("", visible(origin[:_LONGEST_ORIGIN]).replace('"', "%22").replace("]", "%5D"))
    return f'{_BEGIN} {nonce}; untrusted, from "{shown}"]'
