"""Kill daemons, browsers, renderers and clients with -9 while real work goes on: `python -m tools.stress_rounds [--rounds N]`.

Each round, command lines open, read, fill and click on the demo site, and one process is killed at a random
moment, often while everything is still starting. Then: what must end with it ends, the pending command line succeeds or
reports an unknown outcome, the next command works, losses are reported, records and journals are complete, and no
profile, process or partial file is left. A manually started browser must not be affected.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from examples.ticket_desk.demo import SITE, served

from boathook.engine.launch import posix
from boathook.engine.launch.find_chrome import find_browser
from boathook.service.daemon.record_files import read_record
from boathook.service.records.journal import Journal
from boathook.service.sessions.session_records import SCHEMA

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

Victim = Literal["daemon", "browser", "renderer", "client", "helper"]
VICTIMS: tuple[Victim, ...] = ("daemon", "browser", "renderer", "client")
"""The default victims; helpers are the browser's network, GPU and similar processes."""

GONE_SECONDS = 2.0
WORKS_SECONDS = 3.0
LATEST_KILL_SECONDS = 1.5
COLD_STARTS = 0.3
"""The fraction of rounds that start without a daemon."""
PATIENCE_SECONDS = 60.0
POLL_SECONDS = 0.02
UNDER_WAY = (
    "outcome_unknown",
    "browser_gone",
    "tab_gone",
    "tab_crashed",
    "launch_failed",
    "target_not_found",
    "daemon_not_started",
)
"""Exit codes of a command line whose daemon, browser or page was killed."""
LOST = ("were lost", "browser_gone", "tab_gone", "launch_failed", "outcome_unknown", "tab_crashed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command line ended."""

    argv: tuple[str, ...]
    out: str
    err: str
    code: int
    seconds: float

    @property
    def said(self) -> str:
        """Both streams."""
        return self.out + self.err

    @property
    def is_proper(self) -> bool:
        """Whether it succeeded, or failed with an error that a kill explains."""
        if "Traceback" in self.said:
            return False
        return self.code in {0, -signal.SIGKILL} or any(f"[{code}]" in self.err for code in UNDER_WAY)

    def __str__(self) -> str:
        return f"{' '.join(self.argv)} ended with {self.code} after {self.seconds:.2f} s: {self.said.strip()[:500]}"


@dataclass(frozen=True, slots=True)
class Process:
    """A living process of the user under test."""

    pid: int
    parent: int
    line: bytes

    @property
    def kind(self) -> str:
        """What it is, by its command line."""
        if b"boathook.service.daemon" in self.line:
            return "daemon"
        if b"\0boathook\0" in self.line:
            return "client"
        if b"--type=renderer" in self.line:
            return "renderer"
        return "browser" if b"--user-data-dir" in self.line and b"--type=" not in self.line else "helper"


def processes_of(home: Path) -> list[Process]:
    """Living processes whose command line or environment names the user's folder."""
    mark = os.fsencode(home)
    found = []
    for pid in _pids():
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
            named = mark in line or mark in Path(f"/proc/{pid}/environ").read_bytes()
            parent = int(Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[1])
        except OSError:
            continue  # it ended while we looked, or it is a sandboxed helper that keeps its environment to itself
        if named and pid != os.getpid() and posix.is_alive(pid):
            found.append(Process(pid, parent, line))
    started = {match.pid for match in found if match.kind == "browser"}
    # A browser may be started by a script, whose own helpers look like it until they are something else.
    return [match for match in found if match.kind != "browser" or match.parent not in started]


def _pids() -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            yield int(entry.name)


def unreaped_children(parent: int) -> list[int]:
    """Zombie processes."""
    found = []
    for pid in _pids():
        try:
            facts = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if facts[0] == "Z" and int(facts[1]) == parent:
            found.append(pid)
    return found


class User:
    """A user with an empty home who works on a site with command lines."""

    def __init__(self, home: Path, site: str) -> None:
        self.home = home
        self.runtime = home / "run" / "boathook"
        self.kept = home / ".local/state/boathook"
        self.temporary = home / "tmp"
        self.site = site
        for folder in (home / "run", home / "work", self.temporary):
            folder.mkdir(mode=0o700)
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("BOATHOOK_", "XDG_"))
        }
        self.environment |= {
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(home / "run"),
            "TMPDIR": str(self.temporary),
        }
        self.client: asyncio.subprocess.Process | None = None
        """The running command line."""

    async def type(self, *argv: str) -> Ended:
        """Run one command line."""
        began = time.monotonic()
        self.client = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "boathook",
            *argv,
            cwd=self.home / "work",
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        client = self.client
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                out, err = await client.communicate()
        except TimeoutError:
            client.kill()
            out, err = b"", b"it hung"
            await client.wait()
        return Ended(
            argv=argv,
            out=out.decode(errors="replace"),
            err=err.decode(errors="replace"),
            code=client.returncode if client.returncode is not None else -1,
            seconds=time.monotonic() - began,
        )

    def lines(self) -> tuple[tuple[str, ...], ...]:
        """The work that is interrupted."""
        return (
            ("open", f"{self.site}/index.html"),
            ("snapshot",),
            ("fill", "label=Search", "printer"),
            ("click", "text=Find"),
            ("get", "title"),
            ("open", f"{self.site}/new.html"),
            ("snapshot", "--mode", "full"),
        )

    def find(self, victim: Victim) -> list[int]:
        """Running processes of this kind."""
        if victim == "client":
            return [self.client.pid] if self.client is not None and self.client.returncode is None else []
        return [process.pid for process in processes_of(self.home) if process.kind == victim]

    async def close(self) -> None:
        """Kill all processes of this user, and no others."""
        await self.type("daemon", "stop")
        for process in processes_of(self.home):
            _kill(process.pid)


def _kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


@dataclass(slots=True, kw_only=True)
class Round:
    """The result of one kill."""

    victim: Victim
    cold: bool
    wrong: list[str] = field(default_factory=list)
    gone_seconds: float = 0.0
    """Until everything that must end had ended."""
    interrupted_seconds: float = 0.0
    """From the kill to the end of the pending command line."""
    works_seconds: float = 0.0
    """The duration of the next command; including a second one if the first only reported the loss."""
    ended: int = 0
    """Processes that had to end, and did."""
    told: bool = False
    """Whether a loss was reported."""


async def one_round(user: User, victim: Victim, chance: random.Random, *, gone_seconds: float) -> Round:
    """Work, kill one process at a random moment, and check the outcome."""
    done = Round(victim=victim, cold=chance.random() < COLD_STARTS)
    if done.cold:
        await user.type("daemon", "stop")
    stop = asyncio.Event()
    ends: list[Ended] = []
    working = asyncio.create_task(_work(user, stop, ends))
    await asyncio.sleep(chance.uniform(0, LATEST_KILL_SECONDS))  # the moment is what is being tried
    pid = await _chosen(user, victim, chance)
    before = processes_of(user.home)
    remembered = any(user.kept.glob("sessions/*.json"))
    earlier = len(ends)
    stop.set()
    began = time.monotonic()
    _kill(pid)
    done.gone_seconds = await _gone(done, pid, before, seconds=gone_seconds)
    await working
    done.interrupted_seconds = time.monotonic() - began
    done.wrong += [str(end) for end in ends if not end.is_proper]
    done.wrong += damage_in(user.kept)
    await _goes_on(user, done, interrupted=ends[earlier:], remembered=remembered)
    await _tidy(user, done, seconds=gone_seconds)
    return done


async def _work(user: User, stop: asyncio.Event, ends: list[Ended]) -> None:
    while not stop.is_set():
        for line in user.lines():
            if stop.is_set():
                return
            ends.append(await user.type(*line))


async def _chosen(user: User, victim: Victim, chance: random.Random) -> int:
    """Wait for a process of this kind."""
    found: list[int] = []

    def is_there() -> bool:
        found[:] = user.find(victim)
        return bool(found)

    await _until(is_there)
    return chance.choice(found)


async def _gone(done: Round, pid: int, before: list[Process], *, seconds: float) -> float:
    """Wait until what must end has ended; returns how long that took."""
    with_it = {
        "daemon": {"daemon", "browser", "renderer", "helper"},
        "browser": {"browser", "renderer", "helper"},
    }
    doomed = {pid} | {process.pid for process in before if process.kind in with_it.get(done.victim, set())}
    done.ended = len(doomed)
    began = time.monotonic()
    while left := [pid for pid in doomed if posix.is_alive(pid)]:
        if time.monotonic() - began > seconds:
            kinds = Counter(process.kind for process in before if process.pid in left)
            done.wrong.append(
                f"{seconds:g} s after the kill of a {done.victim} these are still running: {dict(kinds)}"
            )
            break
        await asyncio.sleep(POLL_SECONDS)
    return time.monotonic() - began


async def _goes_on(user: User, done: Round, *, interrupted: list[Ended], remembered: bool) -> None:
    """The next commands: a snapshot, which may report the loss, and an open, which must work."""
    look = await user.type("get", "title")
    opened = await user.type("open", f"{user.site}/index.html")
    done.works_seconds = look.seconds + (opened.seconds if look.code else 0)
    if not look.is_proper:
        done.wrong.append(str(look))
    if opened.code != 0:
        done.wrong.append(f"the next command does not work: {opened}")
    said = [*interrupted, look, opened]
    done.told = any(word in message.said for message in said for word in LOST)
    if done.victim == "browser" and not done.told:
        done.wrong.append(f"the loss of the browser was not reported: {[str(message) for message in said]}")
    if done.victim == "daemon" and remembered and not any("were lost" in message.said for message in said):
        done.wrong.append(f"the loss was not reported: {[str(message) for message in said]}")


async def _tidy(user: User, done: Round, *, seconds: float) -> None:
    """Nothing is left of what was killed, after the sweep of the next start."""
    began = time.monotonic()
    while left := left_overs(user):
        if time.monotonic() - began > seconds:
            done.wrong += left
            return
        await asyncio.sleep(POLL_SECONDS)


def left_overs(user: User) -> list[str]:
    """Unexpected files and processes: there may be only one daemon with one browser on one profile."""
    wrong = damage_in(user.kept)
    alive = processes_of(user.home)
    kinds = Counter(process.kind for process in alive)
    wrong += [
        f"{kinds[kind]} processes of kind {kind}, not 1" for kind in ("daemon", "browser") if kinds[kind] != 1
    ]
    profiles = [path.name for path in user.runtime.glob("profile-*")]
    if len(profiles) != 2:  # noqa: PLR2004 (the folder and its lock)
        wrong.append(f"profiles: {profiles}")
    for daemon in (process.pid for process in alive if process.kind == "daemon"):
        if zombies := unreaped_children(daemon):
            wrong.append(f"{len(zombies)} children of the daemon are not reaped")
    in_use = sum(process.kind == "browser" for process in alive)
    temporary = [path.name for path in user.temporary.iterdir()]
    if len(temporary) > in_use:
        wrong.append(f"temporary files: {temporary}")
    return wrong


def damage_in(kept: Path) -> list[str]:
    """Damaged records and journals, and partial files."""
    wrong: list[str] = []
    for path in kept.glob("sessions/*.json"):
        record = read_record(path, schema=SCHEMA)
        if record.damage:
            wrong.append(f"a record is damaged: {record.damage}")
    for path in kept.glob("history/*.journal.jsonl"):
        session = path.name.removesuffix(".journal.jsonl")
        if damaged := Journal(kept / "history", session=session).read().damaged:
            wrong.append(f"{damaged} lines of the journal {session} are damaged")
    return wrong


def parts_in(kept: Path) -> list[str]:
    """Partial files."""
    return [path.name for path in kept.rglob(".*") if path.is_file() and path.name != ".boathook-owner"]


class Bystander:
    """A manually started Chromium."""

    def __init__(self, process: subprocess.Popen[bytes], helpers: frozenset[int]) -> None:
        self.process = process
        self._helpers = helpers

    def untouched(self) -> bool:
        """Whether it and all its helpers are the same as before."""
        return self.process.poll() is None and self._helpers <= frozenset(_children(self.process.pid))


def _children(parent: int) -> list[int]:
    return [pid for pid in posix.group_members(parent) if pid != parent]


def _by_hand(folder: Path) -> subprocess.Popen[bytes]:
    sandbox = ["--no-sandbox"] if posix.is_root() else []
    switches = ["--headless=new", "--remote-debugging-port=0", "--no-first-run", "--disable-gpu", *sandbox]
    return subprocess.Popen(
        [str(find_browser().path), *switches, f"--user-data-dir={folder}", "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@asynccontextmanager
async def bystander(folder: Path) -> AsyncIterator[Bystander]:
    """Start one with a separate profile and port; killed with its process group."""
    process = _by_hand(folder)
    try:
        await _until((folder / "DevToolsActivePort").exists)
        yield Bystander(process, frozenset(_settled_children(process.pid)))
    finally:
        posix.signal_group(process.pid, force=True)
        process.wait()


def _settled_children(parent: int) -> list[int]:
    """Its lasting helpers: zygotes and network; renderers come and go."""
    return [pid for pid in _children(parent) if b"--type=zygote" in Path(f"/proc/{pid}/cmdline").read_bytes()]


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110 (files and processes of others send no event)
            await asyncio.sleep(POLL_SECONDS)


async def rounds(
    count: int,
    *,
    seed: int,
    victims: tuple[Victim, ...] = VICTIMS,
    gone_seconds: float = GONE_SECONDS,
    on_round: Callable[[Round], None] = lambda _: None,
) -> list[Round]:
    """Many rounds for one user, each kind of victim equally often, beside an unrelated browser."""
    chance = random.Random(seed)
    results: list[Round] = []
    place = Path(tempfile.mkdtemp(prefix="bh"))
    user_home = place / "h"  # short: sockets lie below it
    user_home.mkdir(mode=0o700)
    try:
        with served(SITE) as site:
            user = User(user_home, site)
            async with bystander(place / "theirs") as theirs:
                try:
                    for victim in _in_turn(count, chance, victims):
                        results.append(await one_round(user, victim, chance, gone_seconds=gone_seconds))
                        if not theirs.untouched():
                            results[-1].wrong.append("the bystander was touched")
                        on_round(results[-1])
                    if results and (parts := parts_in(user.kept)):
                        results[-1].wrong.append(f"partial files are left: {parts}")
                finally:
                    await user.close()
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return results


def _in_turn(count: int, chance: random.Random, victims: tuple[Victim, ...]) -> list[Victim]:
    order: list[Victim] = []
    while len(order) < count:
        order += chance.sample(victims, len(victims))
    return order[:count]


def report(results: list[Round]) -> list[str]:
    """The results of the rounds, a line per kind of victim."""
    lines = []
    for victim in get_args(Victim):
        ours = [result for result in results if result.victim == victim]
        if ours:
            works = [command.works_seconds for command in ours]
            lines.append(
                f"{victim}: {len(ours)} killed ({sum(command.cold for command in ours)} from no daemon), "
                f"{sum(command.ended for command in ours)} processes ended, after {max(command.gone_seconds for command in ours):.2f} s at most; "
                f"the pending command line ended after {max(command.interrupted_seconds for command in ours):.2f} s at most; "
                f"the next command worked after {statistics.median(works):.2f} s, at most {max(works):.2f} s; "
                f"{sum(command.told for command in ours)} losses reported"
            )
    return lines


def main() -> int:
    """Run and report; returns 1 if anything failed or was slow."""
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--rounds", type=int, default=100)
    reading.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    reading.add_argument(
        "--victim", choices=get_args(Victim), action="append", help="only these; may be repeated"
    )
    options = reading.parse_args()

    def show(one: Round) -> None:
        for text in one.wrong:
            print(f"{one.victim}{' (cold)' if one.cold else ''}: {text}", flush=True)

    results = asyncio.run(
        rounds(options.rounds, seed=options.seed, victims=tuple(options.victim or VICTIMS), on_round=show)
    )
    wrong = sum(bool(result.wrong) for result in results)
    slow = [result for result in results if result.works_seconds > WORKS_SECONDS]
    print("\n".join(report(results)))
    print(
        f"{len(results)} rounds (seed {options.seed}): {wrong} with failures, "
        f"{len(slow)} in which the next command took over {WORKS_SECONDS:g} s"
    )
    return 1 if wrong or slow else 0


if __name__ == "__main__":
    sys.exit(main())
