"""Results of the tools of other programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from boathook.commands.results import PageInfo, ScreenshotResult
    from boathook.engine.snapshot.take import Snapshot

URL_CHARACTERS = 1_000
"""Of a URL in text; the data has the rest."""


def in_text(url: str) -> str:
    """A URL as text shows it."""
    return url if len(url) <= URL_CHARACTERS else f"{url[:URL_CHARACTERS]}…"


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class TextResult:
    """A text result with its data."""

    text: str
    facts: dict[str, Any]
    origin: str = ""
    """The page that the text comes from; empty if it is Boathook's."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedTree:
    """A page with numbered elements."""

    snapshot: Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatList:
    """A page as a flat list of interactive elements, up to a limit."""

    snapshot: Snapshot
    most: int


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class PageList:
    """The pages of a browser; `active` is the current one."""

    pages: tuple[PageInfo, ...]
    active: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedScreenshot:
    """A saved screenshot."""

    shot: ScreenshotResult
