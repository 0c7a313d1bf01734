"""Quoting, budgets and token estimates."""

import re

from hypothesis import given
from hypothesis import strategies as st

from boathook.presentation.quoting import quote
from boathook.presentation.snapshot.snapshot_text import fit
from boathook.presentation.tokens import estimate_tokens

HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff\ud800-\udfff]")


@given(st.text(alphabet=st.characters()))
def test_quoted_text_is_one_harmless_line(text):
    assert not HARMFUL.search(quote(text))
    assert not HARMFUL.search(quote(text, marks=False))


@given(st.text())
def test_a_quotation_mark_inside_never_ends_the_quotation(text):
    assert re.fullmatch(r'"(?:[^"\\]|\\.)*"', quote(text), re.DOTALL)


def test_lines_within_the_budget_are_left_alone():
    lines = [f'button "B{number}" @e{number}' for number in range(10)]
    assert fit(lines, 1_000) is lines


def test_a_cut_names_how_much_is_missing_and_which_controls_and_headings():
    lines = [f'button "B{number}" @e{number}' for number in range(500)] + [
        'heading "Comments" @e900 [level=2]'
    ]
    kept = fit(lines, 300)
    note = next(at for at, line in enumerate(kept) if line.startswith("…"))
    assert re.match(r"… \d+ more lines, about \d+ tokens, left out", kept[note])
    assert re.fullmatch(r'  left out: button "B\d+" @e\d+', kept[note + 1])
    assert kept[-1] == '  left out: heading "Comments" @e900 [level=2]'
    assert estimate_tokens("\n".join(kept)) <= 400


def test_the_estimate_grows_with_the_text():
    assert estimate_tokens("a word") < estimate_tokens("a word and another")
    assert 90_000 < estimate_tokens("word " * 100_000) < 110_000
