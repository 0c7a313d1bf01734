"""Kill processes that save a state with -9 at random moments: `stress_state.py [--rounds N] [--seed N]`.

Each round forks a process that replaces one file again and again, plain and encrypted in turn, and kills it somewhere in
between. The file must then contain one complete state that was saved before, or the initial one, and the next save
must work. Partial files of interrupted writes may be left beside it; they never count as states.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import signal
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boathook.engine.state.state_file import read_state, write_state
from boathook.errors import BoathookError

LATEST_KILL_SECONDS = 0.08
PADDING = 40_000
"""Characters of a stored value, so that writing takes a moment."""


@dataclass(slots=True)
class Seen:
    """The result of all rounds."""

    killed: int = 0
    corrupt: int = 0
    saved: int = 0
    """Saves that completed before the kills."""
    parts: int = 0


def state_number(number: int) -> dict[str, Any]:
    """A state that is distinct from all others, and recognizable as incomplete if a part is missing."""
    values = [
        {"name": f"item {each_number}", "value": f"{number} " + "x" * (PADDING // 4)}
        for each_number in range(4)
    ]
    return {
        "cookies": [{"name": "number", "value": str(number), "domain": "example.org"}],
        "origins": [{"origin": "https://example.org", "localStorage": values}],
    }


def number_of(state: dict[str, Any]) -> int:
    """The number of a state; raises ValueError if it is incomplete."""
    number = int(state["cookies"][0]["value"])
    if state != state_number(number):
        raise ValueError("parts of several states")
    return number


def killed_saves(folder: Path, *, rounds: int, seed: int) -> Seen:
    """Kill this many savers; returns the results."""
    os.environ["XDG_STATE_HOME"], before = str(folder / "home"), os.environ.get("XDG_STATE_HOME")
    try:
        return _rounds(folder, rounds=rounds, chance=random.Random(seed))
    finally:
        if before is None:
            del os.environ["XDG_STATE_HOME"]
        else:
            os.environ["XDG_STATE_HOME"] = before


def _rounds(folder: Path, *, rounds: int, chance: random.Random) -> Seen:
    path, seen = folder / "state.json", Seen()
    write_state(path, state_number(0), sealed=True)
    at = 0
    for _ in range(rounds):
        done = _killed_after(path, at + 1, chance.uniform(0, LATEST_KILL_SECONDS))
        seen.killed += 1
        seen.saved += max(0, done - at)
        try:
            now = number_of(read_state(path))
            # The last reported save is on disk; the one after it may be.
            seen.corrupt += not max(at, done) <= now <= max(at, done) + 1
            at = now + 1
            write_state(path, state_number(at), sealed=bool(at % 2))
        except (BoathookError, ValueError, KeyError, IndexError):
            seen.corrupt += 1
    seen.parts = len(list(folder.glob(".*.part")))
    return seen


def _killed_after(path: Path, first: int, seconds: float) -> int:
    """Save states in a separate process until it is killed; returns the last reported one."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            _save_for_ever(path, first, theirs)
        finally:
            os._exit(1)
    os.close(theirs)
    select.select([], [], [], seconds)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    with os.fdopen(ours, "rb") as told:
        lines = told.read().splitlines()
    return int(lines[-1]) if lines else 0


def _save_for_ever(path: Path, number: int, told: int) -> None:
    while True:
        write_state(path, state_number(number), sealed=bool(number % 2))
        os.write(told, b"%d\n" % number)
        number += 1


def main() -> int:
    """Run the rounds and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seen = killed_saves(Path(folder), rounds=given.rounds, seed=given.seed)
    print(
        f"states: {seen.killed} savers killed (seed {given.seed}), {seen.saved} saves done, "
        f"{seen.corrupt} corrupt, {seen.parts} partial files left"
    )
    return 1 if seen.corrupt or not seen.saved else 0


if __name__ == "__main__":
    sys.exit(main())
