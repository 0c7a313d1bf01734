"""Every call ends by the time that its caller gives, also on a page that answers nothing."""

import shlex
import time

import pytest

from boathook.commands import catalogue
from boathook.registry.registry import Scope
from tests.support.program import Program
from tests.support.thorough import sample

pytestmark = pytest.mark.slow

SPINS = "setTimeout(() => { while (true); }, 0)"
LIMIT = 1
MOST = 20
"""Seconds; a read has 30 of its own."""
LAST = {"tab close"}
"""It ends the page that the others are tried on."""
TAB_COMMANDS = [
    command
    for command in catalogue().values()
    if command.scope is Scope.TAB
    and not command.tool_set
    and not command.own_timeout
    and command.cli_name not in LAST
]
UNBOUNDED = [command for command in TAB_COMMANDS if command.parameter("timeout") is None]
BOUNDED = [command for command in TAB_COMMANDS if command.parameter("timeout") is not None]


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    program = Program(tmp_path_factory.mktemp("stuck"))
    yield program
    program.stop()


@pytest.fixture
def stuck(opened, site):
    """The program, with a page that is busy indefinitely; a failed call recovers the tab, so each has its own."""
    opened("--fresh", "open", site.page("<p>x</p>"))
    opened("eval", SPINS)
    return opened


@pytest.mark.parametrize("one", [*UNBOUNDED, *sample(BOUNDED, 3)], ids=lambda one: one.cli_name)
def test_a_call_ends_in_time_on_a_page_that_does_not_answer(stuck, one):
    began = time.monotonic()
    answer = stuck("--timeout", str(LIMIT), *shlex.split(one.examples[0]))
    assert time.monotonic() - began < MOST, answer.stdout + answer.stderr
    assert answer.returncode in {0, 2, 3, 4, 5, 6, 7}, answer.stderr
    if answer.returncode == 5:
        assert f"timed out after {LIMIT} s" in answer.stderr


def test_a_page_that_is_busy_for_ever_answers_nothing(stuck):
    """The control: what is asked of the page itself runs into its limit."""
    answer = stuck("--timeout", str(LIMIT), "get", "title")
    assert answer.returncode == 5, answer.stdout + answer.stderr


def test_letting_time_pass_is_not_cut_short(stuck):
    assert stuck("--timeout", "0.1", "wait", "0.3").returncode == 0
