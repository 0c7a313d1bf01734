"""Kill one process with -9 at a random moment of a random call: `python -m tools.stress.kill_rounds [--rounds N] [--victim KIND]`.

Each round, command lines or an MCP client open, read, fill, click, wait and run scripts on the demo site, and one process is killed,
often while everything is still starting: the daemon, the browser, a renderer, its network service or GPU process, a worker of
scripts, the MCP server, a command line. Then: what must end with it ends, the pending call succeeds or
reports why not, the next command works, losses are reported, records and journals are complete, and no
profile, process or partial file is left. A manually started browser and an unrelated Python must not be affected.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from examples.ticket_desk.demo import SITE, served

from boathook.engine.launch import posix
from tools.stress.bystanders import bystanders
from tools.stress.processes import processes_of
from tools.stress.remains import damage_in, left_overs, parts_in
from tools.stress.user import PATIENCE_SECONDS, Ended, User
from tools.stress.work import Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.stress.processes import Process

Victim = Literal["daemon", "browser", "renderer", "network", "gpu", "worker", "mcp", "client"]
VICTIMS: tuple[Victim, ...] = get_args(Victim)

GONE_SECONDS = 2.0
WORKS_SECONDS = 3.0
LATEST_KILL_SECONDS = 1.5
COLD_STARTS = 0.3
"""The fraction of rounds that start without a daemon."""
THROUGH_MCP = 0.5
"""The fraction of rounds in which an MCP client makes the calls."""
POLL_SECONDS = 0.02
UNDER_WAY = (
    "outcome_unknown",
    "browser_gone",
    "tab_gone",
    "tab_crashed",
    "launch_failed",
    "target_not_found",
    "timed_out",
    "daemon_not_started",
    "navigation_failed",
    "connection_failed",
    "script_error",
    "script_failed",
    "script_stopped",
    "unsupported",  # the server that forks workers was killed
)
"""Codes of a call whose daemon, browser, page or worker was killed, or which is made to fail."""
LOST = ("were lost", "browser_gone", "tab_gone", "launch_failed", "outcome_unknown", "tab_crashed")
SCRIPT = "for _ in range(5):\n    await tab.title()\n    await wait(0.1)"


def steps(site: str) -> tuple[Step, ...]:
    """The work that is interrupted; some of it takes a while in the page, so that kills hit it there."""
    return (
        Step("goto", {"url": f"{site}/index.html"}),
        Step("goto", {"url": f"{site}/new.html"}),
        Step("snapshot"),
        Step("snapshot", {"mode": "full"}),
        Step("fill", {"target": "label=Search", "value": "printer", "timeout": 1.0}),
        Step("click", {"target": "text=Find", "timeout": 1.0}),
        Step("title"),
        Step("evaluate", {"script": "new Promise(done => setTimeout(done, 400))"}),
        Step("evaluate", {"script": "for (let end = Date.now() + 400; Date.now() < end;);"}),
        Step("wait_for", {"target": "#never", "timeout": 0.5}),
        Step("screenshot", {"full_page": True}),
        Step("run", {"code": SCRIPT}),
        Step("requests"),
        Step("reload"),
    )


def is_proper(ended: Ended) -> bool:
    """Whether it succeeded, or failed with an error that a kill explains."""
    if "Traceback" in ended.said:
        return False
    return ended.code == 0 or ended.was_killed or ended.has_code(UNDER_WAY)


@dataclass(slots=True, kw_only=True)
class Round:
    """The result of one kill."""

    victim: Victim
    cold: bool
    through_mcp: bool
    wrong: list[str] = field(default_factory=list)
    gone_seconds: float = 0.0
    """Until everything that must end had ended."""
    interrupted_seconds: float = 0.0
    """From the kill to the end of the pending call."""
    works_seconds: float = 0.0
    """The duration of the next command; including a second one if the first only reported the loss."""
    ended: int = 0
    """Processes that had to end, and did."""
    hit: bool = False
    """Whether the pending call failed."""
    told: bool = False
    """Whether a loss was reported."""


async def one_round(user: User, victim: Victim, chance: random.Random, *, gone_seconds: float) -> Round:
    """Work, kill one process at a random moment, and check the outcome."""
    done = Round(
        victim=victim,
        cold=chance.random() < COLD_STARTS,
        through_mcp=victim == "mcp" or (victim != "client" and chance.random() < THROUGH_MCP),
    )
    if done.cold:
        await user.type("daemon", "stop")
    stop = asyncio.Event()
    ends: list[Ended] = []
    working = asyncio.create_task(_work(user, done, stop, ends, chance))
    await asyncio.sleep(chance.uniform(0, LATEST_KILL_SECONDS))  # the moment is what is being tried
    pids = await _chosen(user, victim, chance)
    before = processes_of(user.home)
    # A record may be that of an earlier session, such as of an MCP server that was killed: calls of this one count.
    records = user.kept.glob(f"sessions/{'mcp' if done.through_mcp else 'default'}-*.json")
    remembered = any(records) and not all(ended.code for ended in ends)
    earlier = len(ends)
    stop.set()
    began = time.monotonic()
    for pid in pids:
        kill(pid)
    done.gone_seconds = await _gone(done, pids, before, seconds=gone_seconds)
    await working
    done.interrupted_seconds = time.monotonic() - began
    interrupted = ends[earlier:]
    done.hit = any(ended.code for ended in interrupted)
    done.wrong += [str(end) for end in ends if not is_proper(end)]
    done.wrong += damage_in(user.kept)
    earlier_success = any(not ended.code for ended in ends[:earlier])
    await _goes_on(
        user, done, interrupted=interrupted, earlier_success=earlier_success, remembered=remembered
    )
    await _tidy(user, done, seconds=gone_seconds)
    return done


def kill(pid: int) -> None:
    """Kill -9, if it is still there."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


async def _work(
    user: User, done: Round, stop: asyncio.Event, ends: list[Ended], chance: random.Random
) -> None:
    lines = steps(user.site)
    scripts = [line for line in lines if line.command == "run"]
    next_step = lines[0]
    while not stop.is_set():
        ends.append(await user.do(next_step, through_mcp=done.through_mcp))
        next_step = chance.choice(scripts if done.victim == "worker" else lines)


async def _chosen(user: User, victim: Victim, chance: random.Random) -> list[int]:
    """Wait for a process of this kind.

    Of the renderers all are killed, since only one of them has the page of the pending call; and with a daemon that is
    starting, the process that forks it.
    """
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (found := user.find(victim)):  # noqa: ASYNC110 (processes of others send no event)
            await asyncio.sleep(POLL_SECONDS)
    return found if victim in {"renderer", "daemon"} else [chance.choice(found)]


async def _gone(done: Round, pids: list[int], before: list[Process], *, seconds: float) -> float:
    """Wait until what must end has ended; returns how long that took."""
    of_browser = {"browser", "renderer", "network", "gpu", "helper"}
    with_it = {"daemon": {"daemon", "worker", *of_browser}, "browser": of_browser}
    doomed = set(pids) | {
        process.pid for process in before if process.kind in with_it.get(done.victim, set())
    }
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


async def _goes_on(
    user: User, done: Round, *, interrupted: list[Ended], earlier_success: bool, remembered: bool
) -> None:
    """The next commands: one that may report the loss, and an open, which must work."""
    first = Step("run", {"code": SCRIPT}) if done.victim == "worker" else Step("title")
    look = await user.do(first, through_mcp=done.through_mcp)
    if done.victim == "worker" and look.code:  # the spare worker was lost with the process that forks them
        look = await user.do(first, through_mcp=done.through_mcp)
    opened = await user.do(Step("goto", {"url": f"{user.site}/index.html"}), through_mcp=done.through_mcp)
    done.works_seconds = look.seconds + (opened.seconds if look.code else 0)
    if not is_proper(look):
        done.wrong.append(str(look))
    if opened.code != 0:
        done.wrong.append(f"the next command does not work: {opened}")
    said = [*interrupted, look, opened]
    done.told = any(word in message.said for message in said for word in LOST)
    had_page = earlier_success or any(
        ended.code for ended in interrupted
    )  # else it was killed while it started
    if done.victim == "browser" and had_page and not done.told:
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


async def rounds(
    count: int,
    *,
    seed: int,
    victims: tuple[Victim, ...] = VICTIMS,
    gone_seconds: float = GONE_SECONDS,
    on_round: Callable[[Round], None] = lambda _: None,
) -> list[Round]:
    """Many rounds for one user, each kind of victim equally often, beside an unrelated browser and Python."""
    chance = random.Random(seed)
    results: list[Round] = []
    place = Path(tempfile.mkdtemp(prefix="bh"))
    user_home = place / "h"  # short: sockets lie below it
    user_home.mkdir(mode=0o700)
    try:
        with served(SITE) as site:
            user = User(user_home, site)
            async with bystanders(place / "theirs") as theirs:
                try:
                    for victim in _in_turn(count, chance, victims):
                        results.append(await one_round(user, victim, chance, gone_seconds=gone_seconds))
                        if not theirs.untouched():
                            results[-1].wrong.append("a bystander was touched")
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
    for victim in VICTIMS:
        ours = [result for result in results if result.victim == victim]
        if ours:
            works = [result.works_seconds for result in ours]
            lines.append(
                f"{victim}: {len(ours)} killed ({sum(result.cold for result in ours)} from no daemon, "
                f"{sum(result.through_mcp for result in ours)} under MCP calls, {sum(result.hit for result in ours)} pending calls failed), "
                f"{sum(result.ended for result in ours)} processes ended, after {max(result.gone_seconds for result in ours):.2f} s at most; "
                f"the pending call ended after {max(result.interrupted_seconds for result in ours):.2f} s at most; "
                f"the next command worked after {statistics.median(works):.2f} s, at most {max(works):.2f} s; "
                f"{sum(result.told for result in ours)} losses reported"
            )
    return lines


def main() -> int:
    """Run and report; returns 1 if anything failed or was slow."""
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--rounds", type=int, default=100)
    reading.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    reading.add_argument("--victim", choices=VICTIMS, action="append", help="only these; may be repeated")
    options = reading.parse_args()

    done = 0

    def show(result: Round) -> None:
        nonlocal done
        done += 1
        if done % 50 == 0:
            print(f"{done} rounds", flush=True)
        how = f"{result.victim}{' (cold)' if result.cold else ''}{' (MCP)' if result.through_mcp else ''}"
        for text in result.wrong:
            print(f"{how}: {text}", flush=True)
        if result.works_seconds > WORKS_SECONDS:
            print(f"{how}: the next command took {result.works_seconds:.2f} s", flush=True)

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
