"""Reprs without secrets: programs log and print what the library returns."""

from __future__ import annotations

from typing import TypeVar

from boathook.error_redaction import redact_with
from boathook.redaction.redactor import Redactor

Result = TypeVar("Result")
_MOST = 2_000
_known: dict[str, None] = {}
"""Secrets that were found in this process, the latest last."""
LONGEST_REPR = 10_000
"""Pages make URLs and names of any length; logs and terminals need the start of them."""


def hide_from_reprs(value: str) -> None:
    """Hide a secret in every repr from now on."""
    _known[value] = _known.pop(value, None)
    if len(_known) > _MOST:
        del _known[next(iter(_known))]


def redact_text(text: str) -> str:
    """Text for a log or a terminal of the program that uses the library."""
    return Redactor(frozenset(_known)).text(text)


redact_with(lambda text: Redactor(frozenset(_known)).remove_known(text))


def short_repr(text: str) -> str:
    """A repr for a log or a terminal: without secrets, and cut."""
    clean = redact_text(text)
    return clean if len(clean) <= LONGEST_REPR else f"{clean[:LONGEST_REPR]}…"


def safe_repr(cls: type[Result]) -> type[Result]:
    """Class decorator for results with page content: their repr shows no secret."""
    plain = cls.__repr__

    def without_secrets(self: object) -> str:
        return short_repr(plain(self))

    cls.__repr__ = without_secrets  # type: ignore[method-assign]
    return cls
