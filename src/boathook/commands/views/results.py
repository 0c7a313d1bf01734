"""What the tools of other programs give back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from boathook.commands.results import PageInfo, Shot
    from boathook.engine.snapshot.take import Snapshot


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An answer in words, with the facts that it is made of."""

    text: str
    facts: dict[str, Any]
    origin: str = ""
    """The page whose own words these are; empty when they are ours."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedTree:
    """A page whose elements go by numbers."""

    snapshot: Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class FlatList:
    """A page as a plain list of what can be acted on, so many at most."""

    snapshot: Snapshot
    most: int


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class PageList:
    """The pages of a browser; `active` is the one that is worked on."""

    pages: tuple[PageInfo, ...]
    active: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedShot:
    """A picture that was saved."""

    shot: Shot
