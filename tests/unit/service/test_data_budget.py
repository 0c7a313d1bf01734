"""Data within a budget stays data, and says when something is missing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathook.service.output.data_budget import within

DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=6),
    max_leaves=40,
)


@given(DATA, st.integers(4, 400))
def test_it_fits_and_is_whole_when_it_can_be(data, characters):
    short, was_cut = within(data, characters)
    written = json.dumps(short, ensure_ascii=False)
    assert len(written) <= characters
    assert was_cut == (len(json.dumps(data, ensure_ascii=False)) > characters)
    assert was_cut or short == data


@pytest.mark.parametrize(
    ("data", "characters", "expected"),
    [
        ({"text": "a" * 500, "url": "x"}, 100, {"text": "a" * 49 + "…", "url": "x"}),
        ([{"name": "n" * 10}] * 100, 60, [{"name": "nnnnnnnnnn"}]),
    ],
)
def test_texts_are_cut_before_lists(data, characters, expected):
    assert within(data, characters) == (expected, True)
