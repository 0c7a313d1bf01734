"""Text of several lines: what counts as the same."""

import pytest

from boathook.engine.actions.input.rich_text import has_same_lines


@pytest.mark.parametrize(
    ("shown", "wanted", "same"),
    [
        ("one\ntwo", "one\r\ntwo\n", True),
        ("\u201cone\u201d\n two", '"one"\ntwo', True),
        ("One\u00a0two", "one two", True),
        ("one\n\ntwo", "one\ntwo", False),
        ("one two", "one\ntwo", False),
        ("one\ntow", "one\ntwo", False),
        ("", "...", False),
    ],
)
def test_lines_are_compared_one_by_one(shown, wanted, same):
    assert has_same_lines(shown, wanted) is same
