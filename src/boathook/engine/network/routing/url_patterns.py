"""Patterns for URLs: a part of the URL, a glob, or a regular expression."""

from __future__ import annotations

import re

from boathook.errors import BadRequest

UrlPattern = str | re.Pattern[str]

LONGEST_PATTERN = 2_000


def url_matcher(pattern: UrlPattern) -> re.Pattern[str]:
    """Text with `*` is a glob for the whole URL (`**` also matches slashes), `re:…` a regular expression."""
    if isinstance(pattern, re.Pattern):
        return pattern
    if not isinstance(pattern, str) or not pattern:
        raise BadRequest(
            "the pattern must be non-empty text", hint="use part of the URL, a glob with *, or re:…"
        )
    if len(pattern) > LONGEST_PATTERN:
        raise BadRequest("the pattern is too long")
    if pattern.startswith("re:"):
        try:
            return re.compile(pattern[3:])
        except re.error as error:
            raise BadRequest(f"invalid regular expression: {pattern!r} ({error})") from error
    if "*" in pattern:
        return re.compile(_from_glob(pattern))
    return re.compile(re.escape(pattern))


def _from_glob(pattern: str) -> str:
    parts = re.split(r"(\*\*|\*)", pattern)
    words = {"**": ".*", "*": "[^/]*"}
    return r"\A" + "".join(words.get(part, re.escape(part)) for part in parts) + r"\Z"
