"""Folding repeated rows."""

from hypothesis import given
from hypothesis import strategies as st

from boathook.presentation.snapshot.fold import fold, refs_in
from boathook.presentation.snapshot.outline import depth_of, outline


def rows(count, *, first=1):
    lines = ["table @e1"]
    for number in range(first, first + count):
        lines += [f'  row "Row {number}" @e{number * 10}', f'    button "Edit {number}" @e{number * 10 + 1}']
    return lines


def test_a_short_table_is_shown_whole():
    assert fold(rows(8)) == rows(8)


def test_a_long_table_shows_three_rows_and_says_how_to_see_the_rest():
    folded = fold(rows(100))
    assert folded[:7] == rows(3)
    assert folded[7:] == [
        '  … 97 more rows like these, "Row 4" to "Row 100" (@e40 to @e1001; expand=@e40 shows them)'
    ]


def test_a_row_of_another_shape_is_never_hidden():
    lines = rows(100)
    lines.insert(121, '    alert "Late"')
    assert '    alert "Late"' in fold(lines)


def test_a_named_ref_unfolds_its_run():
    assert fold(rows(100), expand=[505]) != rows(100)
    assert fold(rows(100), expand=[501]) == rows(100)


def test_a_menu_of_single_lines_keeps_its_names():
    menu = ["navigation @e1", *(f'  link "Page {number}" @e{number}' for number in range(2, 22))]
    assert fold(menu) == menu


def test_a_very_long_list_of_single_lines_is_folded():
    menu = [f'option "Choice {number}"' for number in range(300)]
    assert fold(menu)[-1] == '… 288 more options like these, "Choice 12" to "Choice 299"'


def tags(count, text):
    return [
        line
        for number in range(count)
        for line in (
            f'link "Tag {number}" @e{number * 9 + 10}',
            f'"({text})"',
            f'button "Remove {number}" @e{number * 9 + 11}',
        )
    ]


def test_the_days_of_a_month_are_all_shown():
    days = [f'button "{day}" @e{day}' for day in range(1, 36)]
    assert fold(days) == days
    assert len(fold([line.replace('" ', '. of May" ') for line in days])) < len(days)


def test_siblings_of_several_kinds_that_alternate_are_folded_like_rows():
    folded = fold(tags(30, "7"))
    assert folded[:-1] == tags(30, "7")[:12]
    assert folded[-1] == (
        '… 78 more links, lines of text and buttons like these, "Tag 4" to "Remove 29" (@e46 to @e272; expand=@e46 shows them)'
    )
    assert fold(tags(30, "7"), expand=[100]) == tags(30, "7")
    assert fold(tags(8, "7")) == tags(8, "7")


def test_links_in_prose_are_not_folded():
    prose = tags(30, "a sentence that is longer than what stands beside a link")
    assert fold(prose) == prose


def test_teasers_with_a_heading_are_folded_whatever_their_text():
    teasers = [
        line
        for number in range(20)
        for line in (
            f'heading "Story {number}" @e{number * 9 + 10} [level=3]',
            f'link "More on {number}" @e{number * 9 + 11}',
            f'"{"A long summary. " * 9}"',
        )
    ]
    assert len(fold(teasers)) == 4 * 3 + 1
    sections = [line for line in teasers if "link" not in line]
    assert fold(sections) == sections, "without anything to act on it is a text with headings"


def test_an_item_of_another_shape_in_an_alternation_is_shown():
    lines = tags(30, "7")
    lines.insert(61, '  alert "Late"')
    assert '  alert "Late"' in fold(lines)


def test_a_page_cannot_fake_a_ref_in_its_text():
    assert refs_in('link "see @e99 now" @e5') == [5]
    assert refs_in('"text with @e99 "') == []


tree = st.lists(st.tuples(st.integers(0, 6), st.sampled_from(["row", "link", "text"])), max_size=60)


@given(tree)
def test_the_outline_covers_every_line_once(shape):
    depth = 0
    lines = []
    for step, kind in shape:
        depth = min(depth + 1, step) if lines else 0
        lines.append("  " * depth + kind)
    seen = []

    def visit(spots):
        for spot in spots:
            seen.append(spot.start)
            assert all(depth_of(lines[child.start]) > depth_of(lines[spot.start]) for child in spot.children)
            visit(spot.children)

    visit(outline(lines))
    assert sorted(seen) == list(range(len(lines)))
