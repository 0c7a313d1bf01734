"""Hints for a word that is unknown: the known word that is most similar to it."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from boathook.hints import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

SIMILAR = 0.6
"""How similar a word must be: 1 is the same word."""


def did_you_mean(word: str, known: Iterable[str], *, otherwise: str = "", cutoff: float = SIMILAR) -> str:
    """The hint with the most similar word, or another one if none is similar."""
    near = get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return f"did you mean {plain(near[0])}?" if near else otherwise
