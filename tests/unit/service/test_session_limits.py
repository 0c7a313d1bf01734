"""Limits on sessions, browsers and memory."""

import pytest

from boathook.errors import LimitReached
from boathook.service.sessions.session_limits import (
    LEAST_FREE_MIB,
    MOST_BROWSERS,
    MOST_SESSIONS,
    check_browsers,
    check_sessions,
    free_memory_mib,
)
from boathook.service.surface_renderer import COMMAND_LINE


def test_there_is_room_below_the_limits():
    check_sessions(MOST_SESSIONS - 1)
    check_browsers(MOST_BROWSERS - 1, free_mib=LEAST_FREE_MIB)
    check_browsers(0, free_mib=None)


def test_one_too_many_is_refused_with_what_to_do():
    with pytest.raises(LimitReached, match=f"{MOST_SESSIONS} sessions") as sessions:
        check_sessions(MOST_SESSIONS)
    assert "boathook close --all" in COMMAND_LINE.hint(sessions.value.marked_hint, command="")
    with pytest.raises(LimitReached) as browsers:
        check_browsers(MOST_BROWSERS, free_mib=None)
    assert "--max-browsers" in COMMAND_LINE.hint(browsers.value.marked_hint, command="")
    check_browsers(MOST_BROWSERS, free_mib=None, most=MOST_BROWSERS + 1)


def test_a_browser_is_not_started_without_memory_for_it():
    with pytest.raises(LimitReached, match="10 MiB are free"):
        check_browsers(0, free_mib=10)


def test_free_memory_is_what_the_kernel_says(tmp_path):
    facts = tmp_path / "meminfo"
    facts.write_text("MemTotal:  9 kB\nMemAvailable:   2048 kB\n")
    assert free_memory_mib(facts) == 2
    facts.write_text("MemTotal:  9 kB\n")
    assert free_memory_mib(facts) is None
    assert free_memory_mib(tmp_path / "nowhere") is None
