"""Small frozen types that every layer may use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NewType

TabId = NewType("TabId", str)
"""`t1`, `t2`, …: never reused while the browser lives."""

WaitUntil = Literal["commit", "domcontentloaded", "load", "networkidle", "networkidle0", "networkidle2"]
"""The load state at which a navigation counts as done. `networkidle` is `networkidle0`: no request has been pending for
half a second; for `networkidle2`, at most two."""

SnapshotMode = Literal["interactive", "full", "compact"]
ImageFormat = Literal["png", "jpeg", "webp"]


class OwnLines(str):
    """Several lines that are ours: page content in them is in quotation marks or in a boundary."""

    __slots__ = ()


def cut_text(text: str, characters: int) -> str:
    """The beginning of a string, with a mark if something is missing."""
    return text if len(text) <= characters else f"{text[: characters - 1]}…"


_REF = re.compile(r"@?e?([1-9][0-9]{0,9})\Z")


@dataclass(frozen=True, slots=True)
class Ref:
    """A stable name for one DOM node of one document: `@e12`."""

    number: int

    @classmethod
    def parse(cls, text: str) -> Ref | None:
        """Parse `@e12`, `e12` or `12`; None if it is not a ref."""
        match = _REF.match(text.strip())
        return cls(int(match.group(1))) if match else None

    def __str__(self) -> str:
        return f"@e{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle in CSS pixels, relative to the viewport of the top frame."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewport:
    """The size of the viewport in CSS pixels, and device pixels per CSS pixel."""

    width: int = 1365
    height: int = 768
    scale: float = 1.0


def count_noun(number: int, noun: str) -> str:
    """A number with its noun: "1 tab", "2 tabs"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
