"""Run all tests; a few that fail are run again, alone, and named if they pass then.

Thousands of tests share two cores with their browsers, so that now and then one waits too long for something that is there a
moment later. More than a few failures, or one that fails again alone, fail the run.

  python tools/run_tests.py [arguments of pytest]
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

MOST_AGAIN = 3
SOME_FAILED = 1
KEPT = Path(".pytest_cache/v/cache/lastfailed")


def pytest(*arguments: str) -> int:
    """The exit status of pytest."""
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *arguments], check=False).returncode


def failed_tests() -> list[str]:
    """The tests that failed in the last run."""
    try:
        return sorted(json.loads(KEPT.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return []


def main() -> int:
    """Run, and run again what failed."""
    KEPT.unlink(missing_ok=True)
    status = pytest(*sys.argv[1:])
    failed = failed_tests()
    if status != SOME_FAILED or not 0 < len(failed) <= MOST_AGAIN:
        return status
    print(f"\nrun again, alone: {', '.join(failed)}", flush=True)
    status = pytest("-n", "0", *failed)
    if status == 0:
        print(f"unsteady: failed at first, and passed alone: {', '.join(failed)}")
    return status


if __name__ == "__main__":
    sys.exit(main())
