"""`make test` runs a few failed tests again, alone, and says so; a test that fails again fails the run."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "tools" / "run_tests.py"
UNSTEADY = """
from pathlib import Path
import pytest
@pytest.mark.parametrize("number", range({count}))
def test_passes_the_second_time(number):
    seen = Path(f"seen{{number}}")
    was_here = seen.exists()
    seen.touch()
    assert was_here
"""
BROKEN = "\ndef test_never_passes():\n    assert False\n"


@pytest.mark.parametrize(
    ("tests", "status", "said"),
    [
        (UNSTEADY.format(count=2), 0, "unsteady: failed at first, and passed alone: test_x.py"),
        (UNSTEADY.format(count=4), 1, "4 failed"),
        (UNSTEADY.format(count=1) + BROKEN, 1, "1 failed, 1 passed"),
        ("def test_passes():\n    pass\n", 0, "1 passed"),
        ("", 5, "no tests ran"),
    ],
)
def test_a_few_failures_are_run_again_and_a_second_failure_counts(tmp_path, tests, status, said):
    (tmp_path / "test_x.py").write_text(tests)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    line = [sys.executable, str(PROGRAM), "-p", "no:boathook"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout
    assert said in done.stdout
