"""A sample of `python -m tests.extension.user_actions`: a user with a real mouse beside programs."""

from __future__ import annotations

import pytest

from tests.extension.user_actions import compare
from tests.extension.user_desktop import missing_programs
from tests.support.thorough import THOROUGH

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(bool(missing_programs()), reason=f"this machine lacks {missing_programs()}"),
]


async def test_the_users_tabs_end_as_without_programs():
    pytest.importorskip("playwright.async_api")
    found, other = await compare(actions=40 if THOROUGH else 4, seed=3, beside="programs")
    assert found == []
    assert set(other["programs"]) == {"Playwright", "Boathook"}, "the control: they were at work"


async def test_a_program_that_groups_a_tab_of_the_users_is_noticed():
    found, _ = await compare(actions=4, seed=3, beside="disturber")
    assert found
