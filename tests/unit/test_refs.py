"""The table of refs."""

from types import SimpleNamespace
from typing import cast

from boathook.engine.elements.refs import RefTable
from boathook.engine.page.frames import Frame, World
from boathook.values import Ref


def world():
    return World(frame=cast("Frame", SimpleNamespace(world=None)), context_id=1, document="d")


def test_ranges_of_several_worlds_map_both_ways():
    table, one, two = RefTable(), world(), world()
    table.adopt(one, first=1, after_last=4)
    table.adopt(two, first=1, after_last=3)
    table.adopt(one, first=6, after_last=7)
    assert table.next == 7
    assert [table.find(Ref(number)) for number in (1, 3, 4, 5, 6)] == [
        (one, 1),
        (one, 3),
        (two, 1),
        (two, 2),
        (one, 6),
    ]
    assert table.find(Ref(7)) is None
    assert table.find(Ref(0)) is None
    assert str(table.ref_of(two, 2)) == "@e5"
    assert table.ref_of(two, 9) is None


def test_nothing_new_takes_no_numbers():
    table = RefTable()
    table.adopt(world(), first=0, after_last=5)
    assert table.next == 1


def test_lines_are_renumbered_only_where_a_line_has_its_own_ref():
    table, one, two = RefTable(), world(), world()
    table.adopt(one, first=1, after_last=11)
    table.adopt(two, first=1, after_last=3)
    text = 'link "see @e1 \\" @e2" @e1\n  button @e2 [checked]\n"plain @e1"\nbutton ~"x" @e2'
    assert table.in_session_numbers(two, text) == (
        'link "see @e1 \\" @e2" @e11\n  button @e12 [checked]\n"plain @e1"\nbutton ~"x" @e12'
    )
    assert table.in_session_numbers(one, text) is text
