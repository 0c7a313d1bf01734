"""Recorded scenarios: Boathook in the agent-browser mode answers as agent-browser did, and as it does where it is installed."""

import json
import tomllib

import pytest

from tests.compat.two_programs import (
    BINARY,
    HERE,
    NO_PEER,
    RECORDED,
    SCENARIOS,
    Ours,
    Peer,
    differences,
    run_scenario,
    serve_pages,
)
from tests.support.thorough import THOROUGH
from tests.support.waiting import until

EXPLAINED = tomllib.loads((HERE / "differences.toml").read_text())
RECORDS = json.loads(RECORDED.read_text())
QUICK = ("cookies", "sessions", "mistakes", "scripts")
"""What `make test` runs; `make compat` runs all."""


@pytest.fixture(scope="module")
def site_of_pages():
    with serve_pages() as site:
        yield site


@pytest.fixture
def ours(program):
    return Ours(program.home, environment=program.environment, work=program.work)


def compare(name, answers, others):
    """Every line without a reason agrees, and every line with one differs."""
    reasons = EXPLAINED.get(name, {})
    found = [
        (line, told)
        for line, mine, other in zip(SCENARIOS[name], answers, others, strict=True)
        if (told := differences(mine, other))
    ]
    assert [(line, told) for line, told in found if line not in reasons] == []
    assert {line for line, _told in found} == set(reasons), "these agree now"


def test_there_are_at_least_200_lines_and_each_was_recorded():
    assert sum(map(len, SCENARIOS.values())) >= 200
    assert {name: len(lines) for name, lines in SCENARIOS.items()} == {
        name: len(answers) for name, answers in RECORDS.items()
    }


def test_lines_that_differ_are_few_and_have_reasons():
    named = [(name, line) for name, lines in EXPLAINED.items() for line in lines]
    assert [key for key in named if key[1] not in SCENARIOS[key[0]]] == []
    assert len(named) <= 0.05 * sum(map(len, SCENARIOS.values()))


@pytest.mark.shared_daemon
@pytest.mark.parametrize("name", SCENARIOS if THOROUGH else QUICK)
def test_the_answers_are_those_that_were_recorded(name, ours, site_of_pages):
    compare(name, run_scenario(ours, SCENARIOS[name], site=site_of_pages), RECORDS[name])


@pytest.mark.skipif(not THOROUGH, reason="runs in make compat")
@pytest.mark.skipif(not BINARY.exists(), reason=NO_PEER)
@pytest.mark.parametrize("name", SCENARIOS)
async def test_agent_browser_still_answers_as_recorded_and_leaves_no_process(name, tmp_path, site_of_pages):
    peer = Peer(tmp_path)
    try:
        answers = run_scenario(peer, SCENARIOS[name], site=site_of_pages)
        peer("open", site_of_pages)
        assert peer.processes() != [], "the control: its daemon and browser are seen"
    finally:
        peer.stop()
    await until(lambda: peer.processes() == [], named="its processes have ended")
    pairs = zip(SCENARIOS[name], answers, RECORDS[name], strict=True)
    compared = [pair for pair in pairs if pair[0] not in EXPLAINED.get(name, {})]
    assert [(line, told) for line, mine, other in compared if (told := differences(mine, other))] == []
