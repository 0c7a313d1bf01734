"""Every promise in requirements.toml names a test, or a test file, that exists, or says why there is none."""

import re
import tomllib
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PROMISES = tomllib.loads((TESTS / "contract/requirements.toml").read_text())


def test_every_promise_has_its_test():
    files = list(TESTS.rglob("test_*.py"))
    known = {path.stem for path in files}
    known |= {name for path in files for name in re.findall(r"def (test_\w+)", path.read_text())}
    entries = [entry for section in PROMISES.values() for entry in section.values()]
    named = [entry for entry in entries if isinstance(entry, str)]
    assert len(named) > 100
    assert [test for test in named if test not in known] == []
    reasons = [entry for entry in entries if not isinstance(entry, str)]
    assert [reason for reason in reasons if set(reason) not in ({"later"}, {"platform"})] == []


def test_no_number_of_the_lists_is_left_out():
    lengths = {
        "invariants": 20,
        "defects_scripted_browser": 32,
        "defects_one_tool": 11,
        "defects_seven_tools": 10,
        "defects_command_line": 16,
    }
    for name, length in lengths.items():
        assert {int(title.split()[0]) for title in PROMISES[name]} == set(range(1, length + 1)), name
