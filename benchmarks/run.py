"""Run work items over several tools, interleaved round by round, and write one results JSON.

  python benchmarks/run.py                                     all items of `make bench`, then the bars
  python benchmarks/run.py --tools rawcdp,boathook --items S --pages flat/1000 --rounds 4 --name try

Format of the JSON: {"meta": {...}, "samples": {tool: {item: [ms, ...]}}, "facts": {tool: {item: {...}}},
"errors": {tool: {item: text}}}. Samples of one item were taken in the same interleaved run, so ratios between tools
inside one file are comparable; absolute numbers depend on the machine and its load, which is kept for each item.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import peers

peers.use()

import bars
import drivers
import tokens
from drivers.base import Driver, Unsupported, own_rss
from items import actions, daemon, many, mcp, reading, scripts, snapshots, start
from machine import about_machine, versions

HERE = Path(__file__).resolve().parent
ITEMS = {
    "S": snapshots.first_and_again,
    "P": snapshots.real_pages_again,
    "L": snapshots.linearity,
    "N": snapshots.node_counts,
    "T": snapshots.desk_tokens,
    "W1": start.warm_tab,
    "W2": start.round_trip,
    "W4": actions.single_actions,
    "W5": actions.form,
    "W6": many.navigation,
    "W7": reading.screenshots,
    "W8": reading.markdown,
    "MCP": reading.tool_lists,
    "M": mcp.start_and_calls,
    "D": daemon.client_and_memory,
    "R": scripts.warm_worker,
}
BENCH_ITEMS = "C,T,N,W4,W5,W7,D,M,R,L,S,P"
BENCH_TOOLS = "rawcdp,boathook,boathook-default,boathook-cli,playwright-py,playwright-mcp,agent-browser,devtools-mcp,rawcdp-pipe,pydoll,browser-use"
COLD_ONLY = ("rawcdp-pipe", "pydoll")


class Record:
    """Samples, facts and errors, by tool and item."""

    def __init__(self) -> None:
        self.samples: dict = {}
        self.facts: dict = {}
        self.errors: dict = {}

    def add(self, tool: str, item: str, ms: float) -> None:
        self.samples.setdefault(tool, {}).setdefault(item, []).append(round(ms, 3))

    def fact(self, tool: str, item: str, **facts) -> None:
        self.facts.setdefault(tool, {}).setdefault(item, {}).update(facts)

    def error(self, tool: str, item: str, error: BaseException) -> None:
        text = f"{type(error).__name__}: {error}"[:300]
        self.errors.setdefault(tool, {})[item] = text.replace(os.environ["BENCH_PEERS"], "BENCH_PEERS")


async def timed(driver: Driver, work):
    """The result and its milliseconds; a bridge that timed the call itself has the last word."""
    driver.last_ms = None
    began = time.perf_counter()
    value = await work
    ms = (time.perf_counter() - began) * 1e3
    return value, (driver.last_ms if driver.last_ms is not None else ms)


class Run:
    """One run: the server of the pages, the tools that live, and what was measured."""

    def __init__(self, options) -> None:
        self.options = options
        self.base = f"http://127.0.0.1:{options.port}"
        self.record = Record()
        self.live: dict[str, Driver] = {}
        self.meta = {
            **about_machine(),
            "rounds": options.rounds,
            "load": {},
            "tokens": tokens.load(),
            "versions": versions(),
        }
        self.timed = timed

    def url(self, page: str) -> str:
        return f"{self.base}/{page}"

    def print(self, *words) -> None:
        print(time.strftime("%H:%M:%S"), *words, flush=True)

    async def each(self, item: str, sample, rounds: int | None = None, tools=None) -> None:
        """Interleave: every round visits every live tool once, in a shuffled order."""
        dead = set()
        began, load = time.perf_counter(), os.getloadavg()[0]
        for turn in range(rounds or self.options.rounds):
            order = [name for name in (tools or self.live) if name in self.live and name not in dead]
            random.Random(f"{item}{turn}").shuffle(order)
            for name in order:
                try:
                    await asyncio.wait_for(sample(self.live[name], turn), self.options.limit)
                except Unsupported:
                    dead.add(name)
                except Exception as error:
                    self.record.error(name, item, error)
                    dead.add(name)
        self.meta["load"][item] = [round(load, 1), round(os.getloadavg()[0], 1)]
        self.save()
        failed = {name: errors[item] for name, errors in self.record.errors.items() if item in errors}
        self.print(f"{item} done in {time.perf_counter() - began:.0f} s", failed or "")

    def save(self) -> None:
        self.options.out.parent.mkdir(parents=True, exist_ok=True)
        kept = {
            "meta": self.meta,
            "samples": self.record.samples,
            "facts": self.record.facts,
            "errors": self.record.errors,
        }
        self.options.out.write_text(json.dumps(kept, indent=1) + "\n")

    def keep_memory(self) -> None:
        """Resident memory of the tools that run outside this process, or of the only one inside it."""
        for name, driver in self.live.items():
            inside = driver.roots() == [os.getpid()]
            if not inside or len(self.live) == 1:
                size = round(own_rss(driver.roots()) / 1e6, 1)
                self.record.fact(name, "W9.memory", rss_mb=size, in_process=inside)

    async def start_tools(self) -> None:
        for name in self.options.tools:
            if name in COLD_ONLY and len(self.options.tools) > len(COLD_ONLY):
                continue
            driver = drivers.make_or_none(name, self)
            if driver is None:
                continue
            try:
                await asyncio.wait_for(driver.start(), 60)
                await asyncio.wait_for(driver.open(self.url("nav/0")), 60)
                self.live[name] = driver
            except Exception as error:
                self.record.error(name, "start", error)
                await stopped(driver)
        self.print("measuring", ", ".join(self.live), self.record.errors or "")

    async def main(self) -> None:
        server = subprocess.Popen(
            [sys.executable, str(HERE / "fixtures.py"), str(self.options.port)], stdout=subprocess.PIPE
        )
        server.stdout.readline()
        try:
            if "C" in self.options.items:
                await start.cold(self)
            if set(self.options.items) & set(ITEMS):
                await self.start_tools()
            for item in self.options.items:
                if item in ITEMS:
                    await ITEMS[item](self)
        finally:
            for driver in self.live.values():
                await stopped(driver)
            server.kill()
            server.wait()
            if "W9" in self.options.items:
                reading.memory(self, __file__)
            self.meta["ended"] = time.strftime("%Y-%m-%d %H:%M")
            self.save()


async def stopped(driver: Driver) -> None:
    try:
        await asyncio.wait_for(driver.stop(), 30)
    except Exception as error:
        print(f"{driver.name} did not stop well: {error}")


def read_options():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--tools", default=BENCH_TOOLS, help="of " + ", ".join(drivers.REGISTRY))
    ask.add_argument("--items", default=BENCH_ITEMS, help="of C, W9, " + ", ".join(ITEMS))
    ask.add_argument("--rounds", type=int, default=8)
    ask.add_argument("--pages", default="", help="pages of item S, comma separated")
    ask.add_argument("--navigations", type=int, default=200, help="pages of item W6")
    ask.add_argument("--limit", type=float, default=90, help="seconds allowed for one sample")
    ask.add_argument("--port", type=int, default=int(os.environ.get("BENCH_PORT", "8798")))
    ask.add_argument("--dump", default="", help="folder for the snapshots themselves")
    ask.add_argument("--name", default="bench", help="results/NAME.json")
    ask.add_argument("--out", default="")
    options = ask.parse_args()
    options.tools, options.items = options.tools.split(","), options.items.split(",")
    options.pages = options.pages.split(",") if options.pages else snapshots.PAGES
    options.out = Path(options.out) if options.out else HERE / "results" / f"{options.name}.json"
    return options


def main() -> None:
    options = read_options()
    asyncio.run(Run(options).main())
    bars.report([options.out], HERE / "RESULTS.md" if options.name == "bench" and not options.dump else None)


if __name__ == "__main__":
    main()
