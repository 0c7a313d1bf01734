"""32 clients at once from no daemon, and daemons killed with -9 at random: `stress_daemon.py [--rounds N] [--kills N] [--seed N]`.

Each round starts all clients in an empty runtime folder: none may fail, and exactly one daemon may have started. Then
daemons are killed at random moments while clients call: each call must end with its result or with an unknown outcome,
and the next one must work within three seconds. The host is the stand-in of the tests, so no browser is needed.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
CLIENT = (sys.executable, "-m", "tests.daemon.client")
CLIENTS = 32
LATEST_KILL_SECONDS = 0.15
COLD_STARTS = 0.5
ALLOWED_SECONDS = 3.0
UNKNOWN_OUTCOME_EXIT = 7


class Home:
    """A user with an empty runtime folder."""

    def __init__(self, path: Path) -> None:
        self.folder = path / ".cache/boathook/run"
        self._environment = {
            "HOME": str(path),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}",
            "XDG_RUNTIME_DIR": str(path),
        }

    def start(self, *argv: str) -> subprocess.Popen[str]:
        """A running client."""
        return subprocess.Popen(
            [*CLIENT, *argv],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def daemons(self) -> list[int]:
        """Living daemons of this folder."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if b"boathook.service.daemon" in line and str(self.folder).encode() in line:
                found.append(int(entry.name))
        return found

    def kill(self) -> None:
        """Kill every daemon of this folder."""
        for pid in self.daemons():
            os.kill(pid, signal.SIGKILL)


@contextmanager
def home() -> Iterator[Home]:
    """A user who leaves nothing behind."""
    path = Path(tempfile.mkdtemp(prefix="bh"))
    user = Home(path)
    try:
        yield user
    finally:
        user.kill()
        shutil.rmtree(path)


def crowd() -> tuple[list[str], float]:
    """All clients at once without a daemon: the failures, and the seconds it took."""
    with home() as user:
        began = time.monotonic()
        clients = [user.start("ping") for _ in range(CLIENTS)]
        wrong = []
        for client in clients:
            out, err = client.communicate(timeout=90)
            if (out, err, client.returncode) != ("pong\n", "", 0):
                wrong.append(f"a client ended with {client.returncode}: {out}{err}")
        took = time.monotonic() - began
        if len(user.daemons()) != 1:
            wrong.append(f"{len(user.daemons())} daemons")
        started = (user.folder / "daemon.log").read_text().count("daemon.started")
        if started != 1:
            wrong.append(f"{started} daemons had started")
        return wrong, took


def killing(kills: int, chance: random.Random) -> tuple[list[str], list[float], int]:
    """Kill the daemon at random moments: the failures, the duration of each next call, and how many calls were hit."""
    wrong, recovered, hit = [], [], 0
    with home() as user:
        for _ in range(kills):
            if chance.random() < COLD_STARTS:
                user.kill()
            client = user.start("ping")
            # Not a wait for a condition: the kill comes at a random moment.
            select.select([], [], [], chance.uniform(0, LATEST_KILL_SECONDS))
            user.kill()
            out, err = client.communicate(timeout=90)
            answered = (out, client.returncode) == ("pong\n", 0)
            hit += not answered
            if not answered and (out or client.returncode != UNKNOWN_OUTCOME_EXIT or "Traceback" in err):
                wrong.append(f"a client ended with {client.returncode}: {out}{err}")
            began = time.monotonic()
            after = user.start("ping")
            out, err = after.communicate(timeout=90)
            recovered.append(time.monotonic() - began)
            if out != "pong\n":
                wrong.append(f"the next call ended with {after.returncode}: {err}")
            if len(user.daemons()) != 1:
                wrong.append(f"{len(user.daemons())} daemons after a kill")
    return wrong, recovered, hit


def main() -> int:
    """Run both; returns 1 if anything failed."""
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--rounds", type=int, default=20)
    reading.add_argument("--kills", type=int, default=100)
    reading.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = reading.parse_args()
    wrong, times = [], []
    for _ in range(options.rounds):
        complaints, took = crowd()
        wrong += complaints
        times.append(took)
    if times:
        print(
            f"{len(times)} rounds of {CLIENTS} clients from no daemon: {max(times):.1f} s at most, {len(wrong)} failures"
        )
    complaints, recovered, hit = killing(options.kills, random.Random(options.seed))
    wrong += complaints
    slow = [seconds for seconds in recovered if seconds > ALLOWED_SECONDS]
    if recovered:
        print(
            f"{len(recovered)} daemons killed, {hit} of them at work (seed {options.seed}): next call after {max(recovered):.2f} s at most, "
            f"{len(slow)} over {ALLOWED_SECONDS:g} s, {len(complaints)} failures"
        )
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong or slow else 0


if __name__ == "__main__":
    sys.exit(main())
