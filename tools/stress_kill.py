"""Kill owners of browsers with -9, many times, and look for survivors: `stress_kill.py [--rounds N] [--code CODE]`.

The code of an owner must start a browser, print the browser's pid on a line of its own, and then wait for ever.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from pathlib import Path

from boathook.engine.launch import posix
from boathook.engine.launch.profile import runtime_directory, sweep

OWNER = """
import asyncio
from boathook.engine.launch.arguments import launch_arguments
from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.options import LaunchOptions
from boathook.engine.launch.process import spawn
from boathook.engine.launch.profile import TemporaryProfile

async def own():
    async with TemporaryProfile.create() as profile:
        plan = launch_arguments(LaunchOptions(), browser=find_browser(), profile=profile.path)
        async with spawn(plan) as browser:
            print(browser.pid, flush=True)
            await asyncio.Event().wait()

asyncio.run(own())
"""
ALLOWED_SECONDS = 2.0
READY_SECONDS = 30.0


def family(leader: int) -> list[tuple[int, int]]:
    """The browser and all its helpers, each with its start time so that no other process is mistaken for it."""
    members = posix.group_members(leader)
    return [(pid, start) for pid in members if (start := posix.start_time(pid)) is not None]


def alive(processes: list[tuple[int, int]]) -> list[int]:
    """Which of them still live."""
    return [pid for pid, start in processes if posix.is_alive(pid) and posix.start_time(pid) == start]


async def one_round(code: str, *, live_seconds: float) -> tuple[int, float, list[int]]:
    """Start an owner, let it live a moment, kill it: family size, seconds until it was gone, survivors."""
    owner = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    if owner.stdout is None:
        raise RuntimeError("no output from the owner")
    async with asyncio.timeout(READY_SECONDS):
        leader = int(await owner.stdout.readline())
    # The moment of the kill moves through start-up and steady life, as it does in the world.
    await asyncio.sleep(live_seconds)
    processes = family(leader)
    if not alive(processes):
        raise RuntimeError("the browser was not alive while its owner was")
    owner.kill()
    await owner.wait()
    begin = time.monotonic()
    while (left := alive(processes + family(leader))) and time.monotonic() - begin < ALLOWED_SECONDS:  # noqa: ASYNC110 (strangers' ends are no events)
        await asyncio.sleep(0.005)
    return len(processes), time.monotonic() - begin, left


async def stress(code: str, rounds: int) -> int:
    """All rounds; the number that left survivors."""
    bad = 0
    times = []
    for number in range(rounds):
        size, seconds, left = await one_round(code, live_seconds=0.05 + 0.45 * number / max(1, rounds - 1))
        times.append(seconds)
        if left:
            bad += 1
            print(f"round {number}: {len(left)} of {size} processes alive after {seconds:.2f} s: {left}")
    removed = len(sweep())
    left_over = [entry.name for entry in runtime_directory().glob("profile-*") if entry.is_dir()]
    print(
        f"{rounds} rounds, {bad} with survivors; gone after {statistics.median(times):.2f} s (median), "
        f"{max(times):.2f} s (worst); {removed} profiles swept, {len(left_over)} in use by others"
    )
    return bad


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--code", type=Path, help="a file with the owner's Python code")
    arguments = parser.parse_args()
    code = arguments.code.read_text(encoding="utf-8") if arguments.code else OWNER
    return 1 if asyncio.run(stress(code, arguments.rounds)) else 0


if __name__ == "__main__":
    sys.exit(main())
