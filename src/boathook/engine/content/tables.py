"""Data tables of a page: their cells, and their rows as records or as objects of a class of the caller."""

from __future__ import annotations

import re
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Callable

Row = TypeVar("Row")
_NO_LETTERS = re.compile(r"\W+")
_NOT_IN_NUMBERS = re.compile(r"[^\d.eE+-]")
_YES = frozenset({"yes", "true", "on", "x", "✓", "✔", "1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One data table; a cell that spans several positions is in each of them."""

    caption: str
    rows: list[list[str]]

    @property
    def header(self) -> list[str]:
        """The cells of the first row."""
        return self.rows[0] if self.rows else []

    def records(self) -> list[dict[str, str]]:
        """The rows below the first, each by the names in the first."""
        return [dict(zip(self.header, row, strict=False)) for row in self.rows[1:]]

    def rows_as(self, kind: type[Row]) -> list[Row]:
        """The rows as objects of a dataclass: its fields are the names of columns in lower case, `unit_price` for "Unit price".

        Fields of type int, float, Decimal, bool, date and datetime are converted; numbers may have units and commas.
        """
        if not is_dataclass(kind):
            raise BadRequest(f"{kind!r:.60} is not a dataclass")
        places = {_field_name(name): at for at, name in reversed(list(enumerate(self.header)))}
        hints = get_type_hints(kind)
        wanted = [part for part in fields(kind) if part.init]
        missing = [part.name for part in wanted if part.name not in places and _is_required(part)]
        if missing:
            raise BadRequest(
                f"the table has no column for {', '.join(missing)}; it has {', '.join(reversed(places))}",
                columns=list(places),
            )
        known = [part.name for part in wanted if part.name in places]
        return [
            kind(**{name: _converted(row[places[name]], hints[name], name) for name in known})
            for row in self.rows[1:]
        ]


def _field_name(header: str) -> str:
    return _NO_LETTERS.sub("_", header.strip().lower()).strip("_")


def _is_required(part: Any) -> bool:
    return part.default is MISSING and part.default_factory is MISSING


def _converted(text: str, kind: Any, name: str) -> Any:
    """The text of a cell as a value of this type; an empty one is None where the type allows it."""
    kinds = [option for option in get_args(kind) if option is not type(None)] or [kind]
    if not text.strip() and type(None) in get_args(kind):
        return None
    convert = _CONVERTERS.get(kinds[0], str)
    try:
        return convert(text)
    except (ValueError, ArithmeticError) as error:
        raise BadRequest(f"column {name}: {text!r:.40} is not a {kinds[0].__name__}") from error


def _digits(text: str) -> str:
    return _NOT_IN_NUMBERS.sub("", text)


_CONVERTERS: dict[Any, Callable[[str], Any]] = {
    int: lambda text: int(_digits(text)),
    float: lambda text: float(_digits(text)),
    Decimal: lambda text: Decimal(_digits(text)),
    bool: lambda text: text.strip().lower() in _YES,
    date: lambda text: date.fromisoformat(text.strip()),
    datetime: lambda text: datetime.fromisoformat(text.strip()),
}
