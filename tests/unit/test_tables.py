"""Tables of pages as records and as typed rows."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import pytest

from boathook.engine.content.tables import Table
from boathook.errors import BadRequest

TABLE = Table(
    caption="Stock",
    rows=[
        ["Name", "Unit price", "In stock", "Since", "Sold"],
        ["Rope", "€ 1,250.50", "yes", "2026-01-15", "1,024 pcs"],
        ["Hook", "3", "", "2026-02-01", ""],
    ],
)


@dataclass
class Item:
    name: str
    unit_price: Decimal
    in_stock: bool
    since: date
    sold: int | None
    note: str = "none"


def test_rows_become_objects_with_the_types_of_their_fields():
    assert TABLE.rows_as(Item) == [
        Item("Rope", Decimal("1250.50"), in_stock=True, since=date(2026, 1, 15), sold=1024),
        Item("Hook", Decimal(3), in_stock=False, since=date(2026, 2, 1), sold=None),
    ]


def test_rows_are_records_by_the_first_row():
    assert TABLE.records()[1]["Name"] == "Hook"
    assert Table(caption="", rows=[]).records() == []


@dataclass
class Other:
    name: int
    colour: str


def test_what_does_not_fit_is_said():
    with pytest.raises(BadRequest, match="no column for colour; it has name, unit_price"):
        TABLE.rows_as(Other)
    with pytest.raises(BadRequest, match="not a dataclass"):
        TABLE.rows_as(dict)

    @dataclass
    class Number:
        name: int

    with pytest.raises(BadRequest, match="column name: 'Rope' is not a int"):
        TABLE.rows_as(Number)
