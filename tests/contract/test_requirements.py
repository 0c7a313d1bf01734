"""Every promise in requirements.toml names a test, or a test file, that exists."""

import re
import tomllib
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def test_every_promise_has_its_test():
    promises = tomllib.loads((TESTS / "contract/requirements.toml").read_text())
    files = list(TESTS.rglob("test_*.py"))
    known = {path.stem for path in files}
    known |= {name for path in files for name in re.findall(r"def (test_\w+)", path.read_text())}
    named = [test for section in promises.values() for test in section.values()]
    assert len(named) > 30
    assert [test for test in named if test not in known] == []
