"""Scripts that never end, and their tab: `stress_scripts.py [--runs N] [--seconds S] [--engine E]`.

Each run spins in a different way: alone, behind an `except` that catches everything, in a C function, or in a helper
that waits indefinitely. It must be stopped within its deadline plus one second, no process of it may be left, and
the tab must answer, through `tab.title()` and through the next script.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import boathook
from boathook.commands.program.scripts import Engine
from boathook.errors import ScriptStopped

if TYPE_CHECKING:
    from boathook.surfaces.python.async_api import Tab

ALLOWED_SECONDS = 1.0
IDLE_SECONDS = 0.5
PAGE = "data:text/html,<title>Still here</title><button>Press</button>"
SPINNING = {
    "a loop": "while True: pass",
    "a loop that catches everything": (
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    ),
    "a regular expression": "import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')",
    "a long sum": "sum(range(10 ** 12))",
    "a blocking sleep": "import time\ntime.sleep(999)",
    "a cancelled wait that goes on": (
        "while True:\n    try:\n        await wait(999)\n    except BaseException: pass"
    ),
    "a helper that waits": "await tab.wait_for('text=Never', timeout=200)",
    "thousands of helper calls": (
        "import asyncio\nwhile True:\n    await asyncio.gather(*[tab.title() for _ in range(5000)])"
    ),
}
ENGINES: tuple[Engine, ...] = get_args(Engine)
LEFT_OUT = {"safe": {"a regular expression"}}
"""Scripts that an engine finishes at once."""


async def one(tab: Tab, name: str, *, engine: Engine, seconds: float) -> tuple[float, str]:
    """Seconds beyond the deadline, and what was wrong."""
    began = time.monotonic()
    try:
        await tab.run(SPINNING[name], engine=engine, timeout=seconds)
    except ScriptStopped:
        over, wrong = time.monotonic() - began - seconds, ""
    else:
        return 0.0, f"{name}: ended unexpectedly"
    if await tab.title() != "Still here":
        wrong = f"{name}: the tab did not respond"
    elif (await tab.run("return await tab.count('text=Press')", engine=engine)).value != 1:
        wrong = f"{name}: the next script did not run"
    return over, wrong


def spinning() -> list[int]:
    """Leftover script processes: a prepared one has used almost no CPU time."""
    ours = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit() and _of_ours(entry)]
    return [int(entry.name) for entry in ours if _processor_seconds(entry) > IDLE_SECONDS]


def _of_ours(entry: Path) -> bool:
    """Whether a process runs scripts, and its fork server is a child of this process."""
    try:
        runs_scripts = b"boathook.sandbox.worker" in (entry / "cmdline").read_bytes()
        ours = runs_scripts and _parent(_parent(int(entry.name))) == os.getpid()
        return ours or _is_left_over(entry)
    except OSError:
        return False  # it ended while we looked


def _is_left_over(entry: Path) -> bool:
    """Whether a process uses the folder of a script that has ended."""
    folder = str((entry / "cwd").readlink())
    return "/boathook-script-" in folder and folder.endswith("(deleted)")


def _parent(pid: int) -> int:
    return int(_facts(Path(f"/proc/{pid}"))[1])


def _processor_seconds(entry: Path) -> float:
    try:
        return int(_facts(entry)[11]) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def _facts(entry: Path) -> list[str]:
    """The fields of a process from its state on."""
    return (entry / "stat").read_text().rpartition(")")[2].split()


async def rounds(runs: int, *, engine: Engine, seconds: float) -> tuple[list[float], list[str]]:
    """All runs on one tab: seconds beyond the deadline, and what was wrong."""
    over, wrong = [], []
    names = [name for name in SPINNING if name not in LEFT_OUT.get(engine, ())]
    async with await boathook.launch() as browser:
        tab = await browser.open(PAGE)
        for number in range(runs):
            late, complaint = await one(tab, names[number % len(names)], engine=engine, seconds=seconds)
            over.append(late)
            wrong += [complaint] if complaint else []
        left = await asyncio.to_thread(spinning)
        wrong += [f"process {pid} is still running" for pid in left]
    return over, wrong


def main() -> int:
    """Run them; returns 1 if anything failed."""
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--runs", type=int, default=50)
    reading.add_argument("--seconds", type=float, default=1.0)
    reading.add_argument("--engine", choices=ENGINES, help="only this one")
    options = reading.parse_args()
    engines = [options.engine] if options.engine else ENGINES
    return max(report(engine, options.runs, seconds=options.seconds) for engine in engines)


def report(engine: Engine, runs: int, *, seconds: float) -> int:
    """Run them on one engine and print the result."""
    over, wrong = asyncio.run(rounds(runs, engine=engine, seconds=seconds))
    late = [seconds for seconds in over if seconds > ALLOWED_SECONDS]
    print(
        f"{engine}: {len(over)} spinning scripts: ended {statistics.median(over):.2f} s after their deadline, {max(over):.2f} s at most, "
        f"{len(late)} over {ALLOWED_SECONDS:g} s, {len(wrong)} failures"
    )
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong or late else 0


if __name__ == "__main__":
    sys.exit(main())
