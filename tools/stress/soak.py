"""Work for a long time with three clients of one daemon, and measure what grows: `python -m tools.stress.soak [--minutes N]`.

A command line, an MCP client and the Python API make about one call per second between them, in sessions that are opened
and closed: pages, snapshots, actions, scripts, tabs, failures, timeouts. Every ten seconds the memory, descriptors, threads and processes
of the daemon, the MCP server and the browsers are recorded. The slopes are those of the least-squares lines after the first third.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import socket
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from examples.ticket_desk.demo import SITE, served

from boathook.client.blocking_client import DaemonConnection
from boathook.wire import messages
from boathook.wire.failures import WireFailure
from boathook.wire.socket_address import daemon_folder, socket_path
from tools.stress.usage import Group, Usage, files_below, slope_per_hour, usage_of
from tools.stress.work import CommandLine, PythonApi, Step, Task, mcp_client, pick, tasks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.stress.work import Worker

SAMPLE_SECONDS = 10.0
WINDOW_SECONDS = 600.0
"""Latencies are reported per window of this length."""
SECONDS_BETWEEN = 3.0
"""Between the calls of one of the three clients."""
UNTYPED = frozenset({"", "error", "unforeseen"})
GROUPS: tuple[Group, ...] = ("daemon", "mcp", "browser", "scripts")
SLOPES = ("rss", "pss", "fds", "threads", "processes")
MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What was measured at one moment."""

    seconds: float
    groups: dict[Group, Usage]
    files: int
    stored: float
    """MiB in the runtime, state and cache folders."""

    def __str__(self) -> str:
        parts = [
            f"{name} {usage.rss:.1f} rss {usage.pss:.1f} pss {usage.fds} fds {usage.threads} threads {usage.processes} processes"
            for name in GROUPS
            for usage in (self.groups.get(name, Usage()),)
        ]
        return f"{self.seconds:7.0f} s | {' | '.join(parts)} | {self.files} files {self.stored:.1f} MiB"


@dataclass(slots=True)
class Soak:
    """All that was recorded."""

    samples: list[Sample] = field(default_factory=list)
    calls: list[tuple[float, float, str]] = field(default_factory=list)
    """When each call began, how long it took, and the command."""
    outcomes: Counter[str] = field(default_factory=Counter)
    untyped: list[str] = field(default_factory=list)


async def work(
    worker: Worker, weighted: list[tuple[int, Task]], soak: Soak, *, chance: random.Random, began: float
) -> None:
    """Do one task after the other, in two sessions, until cancelled."""
    while True:
        session = f"{worker.kind.lower().replace(' ', '-')}-{chance.randrange(2)}"
        for step in pick(weighted, chance):
            await _one_call(worker, step, session, soak, began=began)
            await asyncio.sleep(chance.uniform(0.5, 1.5) * SECONDS_BETWEEN)  # the rate is part of the test


async def _one_call(worker: Worker, step: Step, session: str, soak: Soak, *, began: float) -> None:
    start = time.monotonic()
    try:
        code = await worker.call(step, session=session)
    except Exception as error:  # noqa: BLE001 - an error outside our tree is what this looks for
        soak.untyped.append(f"{worker.kind}: {step.command} raised {error!r}")
        return
    soak.calls.append((start - began, time.monotonic() - start, step.command))
    soak.outcomes[code or "ok"] += 1
    if code and (code in UNTYPED or code.startswith("untyped")):
        soak.untyped.append(f"{worker.kind}: {step.command} ended with {code!r}")


async def watch(home: Path, soak: Soak, *, began: float, every: float) -> None:
    """Record samples until cancelled."""
    while True:
        groups = await asyncio.to_thread(usage_of, home)
        files, size = await asyncio.to_thread(files_below, home / "run", home / ".local", home / ".cache")
        soak.samples.append(
            Sample(seconds=time.monotonic() - began, groups=groups, files=files, stored=size / MEBIBYTE)
        )
        print(soak.samples[-1], flush=True)
        await asyncio.sleep(every)


async def run(home: Path, *, seconds: float, seed: int, every: float) -> Soak:
    """Let three clients work for so long."""
    soak, chance = Soak(), random.Random(seed)
    folder = home / "work"
    folder.mkdir()
    with served(SITE) as site, socket.socket() as silent, socket.socket() as closed:
        silent.bind(("127.0.0.1", 0))
        silent.listen(128)
        closed.bind(("127.0.0.1", 0))
        weighted = tasks(site, *(f"http://127.0.0.1:{each.getsockname()[1]}/" for each in (silent, closed)))
        api = PythonApi()
        async with mcp_client(folder) as mcp:
            began = time.monotonic()
            jobs = [
                asyncio.create_task(
                    work(each, weighted, soak, chance=random.Random(chance.random()), began=began)
                )
                for each in (CommandLine(folder), mcp, api)
            ]
            jobs.append(asyncio.create_task(watch(home, soak, began=began, every=every)))
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await asyncio.gather(*jobs)
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
        await api.close()
    return soak


def report(soak: Soak) -> Iterator[str]:
    """Slopes, latencies, outcomes."""
    last = soak.samples[-1].seconds
    late = [sample for sample in soak.samples if sample.seconds >= last / 3]
    yield f"{len(soak.calls)} calls in {last / 60:.1f} minutes, {len(soak.samples)} samples; slopes over the last {len(late)}:"
    for name in GROUPS:
        yield f"  {name}: " + ", ".join(_slope(late, name, figure) for figure in SLOPES)
    files = slope_per_hour((sample.seconds, sample.files) for sample in late)
    stored = slope_per_hour((sample.seconds, sample.stored) for sample in late)
    yield f"  files: {late[0].files} to {late[-1].files}, {files:+.1f} per hour; {stored:+.2f} MiB per hour"
    yield from _latencies(soak)
    yield "outcomes: " + ", ".join(f"{code} {count}" for code, count in soak.outcomes.most_common())
    yield f"{len(soak.untyped)} untyped errors"
    yield from soak.untyped


def _slope(samples: list[Sample], group: Group, figure: str) -> str:
    points = [
        (sample.seconds, float(getattr(sample.groups.get(group, Usage()), figure))) for sample in samples
    ]
    values = [value for _, value in points]
    return f"{figure} {min(values):.1f} to {max(values):.1f}, {slope_per_hour(points):+.2f} per hour"


def _latencies(soak: Soak) -> Iterator[str]:
    windows: dict[int, list[float]] = defaultdict(list)
    for start, seconds, _command in soak.calls:
        windows[int(start // WINDOW_SECONDS)].append(seconds)
    for number, times in sorted(windows.items()):
        ordered = sorted(times)
        last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
        yield (
            f"  minutes {number * 10} to {number * 10 + 10}: {len(times)} calls, "
            f"median {statistics.median(times):.3f} s, 99 % within {last:.2f} s"
        )


def _prepare(home: Path) -> None:
    """An empty home; the daemon, the servers and the clients in this process find each other through it."""
    (home / "run").mkdir(mode=0o700)
    (home / "tmp").mkdir(mode=0o700)
    settings = home / ".config" / "boathook"
    settings.mkdir(parents=True)
    (settings / "boathook.toml").write_text("scripts_enabled = true\nevaluate_enabled = true\n")
    for name in [name for name in os.environ if name.startswith(("BOATHOOK_", "XDG_"))]:
        del os.environ[name]
    os.environ |= {"HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run"), "TMPDIR": str(home / "tmp")}


def _stop_daemon() -> None:
    with suppress(WireFailure), DaemonConnection.open(socket_path(daemon_folder())) as connection:
        connection.ask(messages.stop())
        connection.wait_for_end(10)


def main() -> int:
    """Run and report; returns 1 if there was an untyped error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--every", type=float, default=SAMPLE_SECONDS, help="seconds between samples")
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="bh", ignore_cleanup_errors=True) as folder:
        _prepare(Path(folder))
        try:
            soak = asyncio.run(
                run(Path(folder), seconds=given.minutes * 60, seed=given.seed, every=given.every)
            )
        finally:
            _stop_daemon()
    print("\n".join(report(soak)))
    return 1 if soak.untyped or not soak.calls else 0


if __name__ == "__main__":
    sys.exit(main())
