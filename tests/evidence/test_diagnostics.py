"""Each diagnostic is raised on pages that have its cause, and on no page that only looks like it."""

import json
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.mcp.clients import tokens
from tests.support.thorough import sample

pytestmark = pytest.mark.shared_daemon
CASES = tomllib.loads(Path(__file__).with_name("diagnostics.toml").read_text())["case"]
MOST_TOKENS = 60


def run(program, argv):
    return json.loads(program.ask("--json", *argv).out)


def raised_by(told):
    """The kinds of findings in an answer: diagnostics, and the code of an error."""
    found = {finding["kind"]: finding for finding in told.get("diagnostics", ())}
    return found | ({told["error"]["code"]: told["error"]} if "error" in told else {})


def test_diagnostics_are_precise_and_complete_on_constructed_pages(program, site):
    wrong, seen = [], Counter()
    for case in sample(CASES, 12):
        run(program, ["open", "about:blank"])
        for argv in case.get("first", ()):
            run(program, argv)
        run(program, ["open", site.page(case["page"])])
        *before, last = case["calls"]
        for argv in before:
            run(program, argv)
        told = run(program, last)
        found = raised_by(told)
        seen[case["diagnostic"], case["raised"]] += 1
        if (case["diagnostic"] in found) is not case["raised"]:
            wrong.append((case, told))
        if finding := found.get(case["diagnostic"]):
            assert tokens(finding.get("summary") or finding.get("message") or "") <= MOST_TOKENS
        run(program, ["network", "unroute"])
    assert not wrong, wrong
    assert {True, False} == {raised for _kind, raised in seen}
