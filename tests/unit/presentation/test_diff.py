"""Diffs of snapshots."""

from boathook.presentation.snapshot.snapshot_diff import compare

BEFORE = ["main @e1", '  textbox "Name" @e2', '  button "Save" @e3', "  list @e4", '    listitem "One" @e5']


def test_nothing_changed_is_an_empty_diff():
    assert compare(BEFORE, BEFORE).lines == []


def test_a_node_that_keeps_its_ref_is_changed_and_says_from_what():
    after = [BEFORE[0], '  textbox "Name" @e2 = "Ada"', *BEFORE[2:]]
    change = compare(BEFORE, after)
    assert change.lines == ['~ textbox "Name" @e2 = "Ada"']
    assert change.summary == "0 added, 0 removed, 1 changed"


def test_a_value_that_changes_is_shown_with_the_old_one_and_a_new_name_with_the_old_line():
    before = ['textbox "Name" @e2 [required] = "Ada"', 'button "Save" @e3']
    after = ['textbox "Name" @e2 [required] = "Grace"', 'button "Saved" @e3']
    assert compare(before, after).lines == [
        '~ textbox "Name" @e2 [required] = "Grace" (was "Ada")',
        '~ button "Saved" @e3 (was button "Save")',
    ]


def test_messages_come_before_values_and_values_before_the_rest():
    before = ["main @e1", '  textbox "Name" @e2 = "Ada"', "  status"]
    after = ["main @e1", '  textbox "Name" @e2', '  button "More" @e4', "  status", '    "Saved"']
    change = compare(before, after)
    assert [*change.urgent_lines, *change.other_lines] == [
        "in status:",
        '+ "Saved"',
        '~ textbox "Name" @e2 (was "Ada")',
        "in main @e1:",
        '+ button "More" @e4',
    ]


def test_added_lines_stand_under_their_parent_and_keep_their_nesting():
    after = [*BEFORE, '    listitem "Two" @e6', '      link "More" @e7']
    assert compare(BEFORE, after).lines == ["in list @e4:", '+ listitem "Two" @e6', '+   link "More" @e7']


def test_a_removed_block_is_named_once():
    assert compare(BEFORE, BEFORE[:3]).lines == ["in main @e1:", "- list @e4"]


def test_many_removed_lines_are_counted():
    before = ["list @e1", *(f'  listitem "{number}" @e{number}' for number in range(2, 60))]
    assert compare(before, before[:1]).lines[-1] == '- 58 × listitem, "2" to "59"'


def test_many_removed_lines_of_several_kinds_are_counted_after_the_first_few():
    before = [
        "main @e1",
        *(f'  {"link" if number % 2 else "button"} "{number}" @e{number}' for number in range(2, 60)),
    ]
    assert compare(before, before[:1]).lines[1:] == [
        '- button "2" @e2',
        '- link "3" @e3',
        '- button "4" @e4',
        "- … 55 more",
    ]


def test_a_removed_line_without_a_name_is_shown_by_the_text_in_it():
    item = '  listitem\x017\x01"Buy milk"'
    assert compare(["list @e4", item], ["list @e4"]).lines == ["in list @e4:", '- listitem "Buy milk"']


def test_the_text_in_a_line_without_a_name_does_not_make_it_another_line():
    assert compare(['listitem\x017\x01"Buy milk"'], ['listitem\x017\x01"Buy bread"']).lines == []


def test_text_that_appears_twice_is_counted_twice():
    assert compare(['"Hi"'], ['"Hi"', '"Hi"']).summary == "1 added, 0 removed, 0 changed"


def test_an_added_item_around_a_single_link_is_left_out():
    items = [
        '  listitem\x015\x01"Home"',
        '    link "Home" @e8',
        '  listitem\x016\x01"Shop"',
        '    link "Shop" @e9',
    ]
    assert compare(["list @e4"], ["list @e4", *items]).lines == [
        "in list @e4:",
        '+ link "Home" @e8',
        '+ link "Shop" @e9',
    ]


def test_a_hint_that_counts_things_around_does_not_make_a_line_another_one():
    assert compare(['textbox ~"1st of 1" @e2'], ['textbox ~"1st of 2" @e2']).lines == []
