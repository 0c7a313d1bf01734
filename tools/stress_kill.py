"""Kill owners of browsers with -9 at random moments, and look for survivors: `stress_kill.py [--rounds N] [--seed N]`.

Each round starts a Python process that launches a browser and works with it, and kills that process somewhere between its
first line and a second and a half later; in the last round so much after its browser is there. No browser process may be
left two seconds after that, no temporary profile after the next start, and an unrelated browser must
not be affected.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import boathook
from boathook.engine.launch import posix

OWNER = """
import asyncio, boathook
async def own():
    print("started", flush=True)
    browser = await boathook.launch()
    tab = await browser.open("data:text/html,<button>x</button>")
    while True:
        await tab.snapshot()
        await tab.evaluate("1 + 1")
        await tab.screenshot()
asyncio.run(own())
"""
ALLOWED_SECONDS = 2.0
LATEST_KILL_SECONDS = 1.5
POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The result of one kill."""

    seen_before: int
    gone_after: float | None
    profiles_before: int
    profiles_after: int

    @property
    def clean(self) -> bool:
        """Whether nothing was left."""
        return self.gone_after is not None and self.profiles_after == 0


def browsers_in(runtime: Path) -> list[int]:
    """Living processes whose command line names a profile below the directory."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str(runtime).encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue  # it ended while we looked
    return [pid for pid in found if posix.is_alive(pid) and pid != os.getpid()]


def profiles_in(runtime: Path) -> list[Path]:
    """Temporary profiles below the directory."""
    return [path for path in runtime.rglob("profile-*") if path.is_dir()]


async def one_round(runtime: Path, *, kill_after: float, allowed: float, with_browser: bool = False) -> Round:
    """Start an owner, kill it after so many seconds, then start another browser and check what is left.

    On a slow machine the browser may not have started by then, so the caller can wait for it first.
    """
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime)}
    owner = await asyncio.create_subprocess_exec(
        sys.executable, "-c", OWNER, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    if owner.stdout is not None:
        await owner.stdout.readline()
    while with_browser and not browsers_in(runtime):  # noqa: ASYNC110 - a process of others sends no event
        await asyncio.sleep(POLL_SECONDS)
    await asyncio.sleep(kill_after)  # the moment of the kill is what is being tried
    seen = len(browsers_in(runtime))
    owner.kill()
    begin = time.monotonic()
    gone: float | None = None
    while time.monotonic() - begin < allowed and gone is None:
        gone = None if browsers_in(runtime) else time.monotonic() - begin
        await asyncio.sleep(POLL_SECONDS)
    await owner.wait()
    before = profiles_in(runtime)
    await _start_one(environment)
    return Round(
        seen_before=seen,
        gone_after=gone,
        profiles_before=len(before),
        profiles_after=len(profiles_in(runtime)),
    )


async def _start_one(environment: dict[str, str]) -> None:
    """The next start, which sweeps; it has time to do so while its page opens."""
    code = (
        "import boathook\n"
        "with boathook.sync.launch() as browser:\n"
        "    browser.open('data:text/html,<p>next</p>').evaluate('new Promise(done => setTimeout(done, 300))')\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, env=environment)
    if await process.wait() != 0:
        raise RuntimeError("the next start failed")


async def rounds(count: int, *, seed: int, allowed: float = ALLOWED_SECONDS) -> list[Round]:
    """Many rounds with one runtime directory, beside an unrelated browser; a browser has this long to exit."""
    chance = random.Random(seed)
    results = []
    with tempfile.TemporaryDirectory(prefix="boathook-stress-", ignore_cleanup_errors=True) as folder:
        async with await boathook.launch() as unrelated:
            bystander = await unrelated.open("data:text/html,<title>bystander</title>")
            for number in range(count):
                moment = chance.uniform(0, LATEST_KILL_SECONDS)
                killed = one_round(
                    Path(folder), kill_after=moment, allowed=allowed, with_browser=number == count - 1
                )
                results.append(await killed)
                if await bystander.title() != "bystander":
                    raise RuntimeError("the bystander's page is gone")
    return results


def main() -> int:
    """Run and report; returns 1 if anything was left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    results = asyncio.run(rounds(given.rounds, seed=given.seed))
    slowest = max((result.gone_after or ALLOWED_SECONDS) for result in results)
    print(
        f"{len(results)} rounds: {sum(result.clean for result in results)} clean, "
        f"{sum(result.seen_before > 0 for result in results)} killed with a browser running, "
        f"{sum(result.profiles_before > 0 for result in results)} left a profile for the next start to remove; "
        f"slowest end {slowest:.2f} s"
    )
    return 0 if all(result.clean for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
