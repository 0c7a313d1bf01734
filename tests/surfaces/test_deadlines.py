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
LIMIT = 0.3
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
    be_stuck(opened, site)
    return opened


def be_stuck(program, site):
    done = program("--fresh", "batch", f"open {site.page('<p>x</p>')}", shlex.join(["eval", SPINS]))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(600)
def test_a_call_ends_in_time_on_a_page_that_does_not_answer(opened, site):
    """A sample of the commands, all of them in `make stress`; each has its own page in one browser."""
    wrong = {}
    for command in [*sample(UNBOUNDED, 5), *sample(BOUNDED, 1)]:
        be_stuck(opened, site)
        began = time.monotonic()
        answer = opened("--timeout", str(LIMIT), *shlex.split(command.examples[0]))
        in_time = time.monotonic() - began < MOST
        known = answer.returncode in {0, 2, 3, 4, 5, 6, 7}
        limited = answer.returncode != 5 or f"timed out after {LIMIT} s" in answer.stderr
        if not (in_time and known and limited):
            wrong[command.cli_name] = answer
    assert wrong == {}


def test_a_page_that_is_busy_for_ever_answers_nothing(stuck):
    """The control: what is asked of the page itself runs into its limit."""
    answer = stuck("--timeout", str(LIMIT), "get", "title")
    assert answer.returncode == 5, answer.stdout + answer.stderr


def test_letting_time_pass_is_not_cut_short(stuck):
    assert stuck("--timeout", "0.1", "wait", "0.3").returncode == 0
