"""Where the time of Boathook's snapshot goes: JavaScript in the page, the protocol's round trip, our own Python.

  python benchmarks/snapshot_split.py [--pages flat/1000,deep/1000] [--calls 9] [--mode full]

First: a fresh document (the walker is installed on the way). Again: an unchanged page. Floor: the raw walker in the
same page, timed in JavaScript alone.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from pathlib import Path

import peers

import boathook

peers.use()

import cdp as C

HERE = Path(__file__).resolve().parent
PAGES = (
    "flat/1000,deep/1000,css/1000,flat/5000,deep/5000,css/5000,flat/20000,deep/20000,css/20000,desk,frames"
)
FLOOR = (HERE / "walker.js").read_text()


async def clocked(work) -> float:
    began = time.perf_counter()
    await work
    return (time.perf_counter() - began) * 1e3


async def measure(tab, url: str, options) -> list[float]:
    async def whole():
        view = await tab.snapshot(mode=options.mode, **options.how)
        return view.text

    engine = tab._engine
    question = '{mode: "%s", base: 0}' % options.mode
    walk = f"__boathook.walk({question})"
    inside = f"(() => {{ const t = performance.now(); {walk}; return performance.now() - t; }})()"
    firsts, parts = [], []
    for _ in range(options.firsts):
        await tab.goto(url)
        firsts.append(await clocked(whole()))
    for _ in range(options.calls):
        javascript = (await engine.frames.run(engine.frames.main, inside))["result"]["value"]
        trip = await clocked(engine.frames.run(engine.frames.main, walk))
        total = await clocked(whole())
        floor = await tab.evaluate(f"({FLOOR})('text').ms")
        parts.append((javascript, trip, total, floor))
    return [statistics.median(firsts), *(statistics.median(column) for column in zip(*parts, strict=True))]


async def main(options) -> None:
    server = subprocess.Popen(
        [sys.executable, str(HERE / "fixtures.py"), str(options.port)], stdout=subprocess.PIPE
    )
    server.stdout.readline()
    print(
        "| page | first | again, in all | page's JavaScript | round trip with it | our Python | floor's JavaScript |"
    )
    print("|---|---|---|---|---|---|---|")
    try:
        async with await boathook.launch(executable=C.chrome_path()) as browser:
            tab = await browser.open()
            for page in options.pages.split(","):
                first, javascript, trip, total, floor = await measure(
                    tab, f"http://127.0.0.1:{options.port}/{page}", options
                )
                cells = (first, total, javascript, trip, total - trip, floor)
                print(f"| {page} | " + " | ".join(f"{ms:.1f}" for ms in cells) + " |", flush=True)
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--pages", default=PAGES)
    ask.add_argument("--calls", type=int, default=9)
    ask.add_argument("--firsts", type=int, default=5)
    ask.add_argument("--mode", default="full")
    ask.add_argument("--port", type=int, default=8799)
    chosen = ask.parse_args()
    chosen.how = {"budget": None, "fold": False} if chosen.mode == "full" else {}
    asyncio.run(main(chosen))
