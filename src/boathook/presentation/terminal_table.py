"""Lists as tables on a terminal: a heading line and aligned columns that fit its width.

Families register the types whose lists are tables; all others, and every list in a pipe, have one line per value.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any
from unicodedata import combining, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

GAP = "  "
CUT = "…"
NARROWEST_COLUMN = 12
NARROWEST_SCREEN = 50
"""A table on a narrower screen would have no room for its values."""


@singledispatch
def table_row(value: Any) -> Mapping[str, str] | None:
    """The cells of a value by their column; None for a type that has no table."""
    del value
    return None


@singledispatch
def table_rows(value: Any) -> Sequence[Mapping[str, str] | None]:
    """The rows of a list; none of another value."""
    return [table_row(part) for part in value] if isinstance(value, list) else []


def table_of(value: Any, *, columns: int, colour: bool, clean: Callable[[str], str]) -> str:
    """A list as a table, cells cleaned before they are cut; empty if it is not a list that has one, or does not fit."""
    rows = table_rows(value)
    told = [{name: clean(cell) for name, cell in row.items()} for row in rows if row is not None]
    if not told or len(told) < len(rows) or columns < NARROWEST_SCREEN:
        return ""
    names = [name for name in told[0] if any(row[name] for row in told)]
    widths = _fit({name: max(_width(name), *(_width(row[name]) for row in told)) for name in names}, columns)
    if not widths:
        return ""
    head = _line([name.upper() for name in names], list(widths.values()))
    body = [_line([row[name] for name in names], list(widths.values())) for row in told]
    return "\n".join([f"\x1b[1m{head}\x1b[0m" if colour else head, *body])


def _fit(widths: dict[str, int], columns: int) -> dict[str, int]:
    """The widths, the widest reduced until all fit; empty if they cannot."""
    room = columns - len(GAP) * (len(widths) - 1)
    while sum(widths.values()) > room:
        widest = max(widths, key=widths.__getitem__)
        if widths[widest] <= NARROWEST_COLUMN:
            return {}
        second = max((width for name, width in widths.items() if name != widest), default=0)
        excess = sum(widths.values()) - room
        least = max(NARROWEST_COLUMN, min(second, widths[widest] - 1))
        widths = {**widths, widest: max(widths[widest] - excess, least)}
    return widths


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    cut = [_cut(cell, width) for cell, width in zip(cells, widths, strict=True)]
    padded = [f"{cell}{' ' * (width - _width(cell))}" for cell, width in zip(cut, widths, strict=True)]
    return GAP.join(padded).rstrip()


def _cut(text: str, width: int) -> str:
    if _width(text) <= width:
        return text
    kept = 0
    for at, letter in enumerate(text):
        kept += _width(letter)
        if kept > width - 1:
            return f"{text[:at]}{CUT}"
    return text


def _width(text: str) -> int:
    """The terminal cells of text: two for wide letters, none for marks on the letter before."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)
