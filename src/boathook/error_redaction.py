"""Secrets in the text of errors: removed by the layer that knows them, which registers here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_redactions: list[Callable[[str], str]] = []


def redact_with(redaction: Callable[[str], str]) -> None:
    """Redact secrets in error text with this function from now on."""
    _redactions[:] = [redaction]


def redact_error_text(text: str) -> str:
    """The text without the secrets that are known in this process."""
    return _redactions[0](text) if _redactions else text
