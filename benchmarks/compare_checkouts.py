"""Two checkouts in one run, interleaved: `compare_checkouts.py OLD NEW [--samples 30]`.

Each sample measures the old code, the new code, and the old code once more in a second set of processes, in changing order, so
that the noise of the machine shows as old against old. Every checkout needs its own `make setup`.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import json
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

PAGE = (
    "<title>Rows</title><input id=name aria-label=Name><button id=go>Go</button><table>"
    + "".join(
        f"<tr><td><a href='#{n}'>Row {n}</a></td><td>text {n}</td><td><button>Open {n}</button></td></tr>"
        for n in range(333)
    )
    + "</table>"
)
WORKER = """
import asyncio, json, sys, time, boathook
async def main():
    async with await boathook.launch() as browser:
        tab = await browser.open(sys.argv[1])
        await tab.snapshot()
        loop = asyncio.get_running_loop()
        print("ready", flush=True)
        while line := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
            began = time.perf_counter()
            if line == "snapshot": str(await tab.snapshot())
            elif line == "click": await tab.click("#go")
            elif line == "fill": await tab.fill("#name", "abc")
            print(time.perf_counter() - began, flush=True)
asyncio.run(main())
"""
HELLO = [
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server without a log."""

    def log_message(self, *_: object) -> None:
        pass


class Subject:
    """One checkout with its own home, daemon and browser."""

    def __init__(self, name: str, root: Path, url: str) -> None:
        self.name, self.root, self.url = name, root, url
        self.home = Path(tempfile.mkdtemp(prefix=f"compare-{name}-"))
        self.cold_home = Path(tempfile.mkdtemp(prefix=f"compare-cold-{name}-"))
        self.bin = root / ".venv/bin"
        self.worker = subprocess.Popen(
            [self.bin / "python", "-c", WORKER, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=self.environment(self.home),
        )
        assert self.worker.stdout is not None
        assert self.worker.stdout.readline() == "ready\n"
        self.cli("open", url)

    def environment(self, home: Path) -> dict[str, str]:
        return {"HOME": str(home), "PATH": os.environ["PATH"]}

    def cli(self, *argv: str, home: Path | None = None) -> float:
        began = time.perf_counter()
        subprocess.run(
            [self.bin / "boathook", *argv],
            env=self.environment(home or self.home),
            capture_output=True,
            check=True,
        )
        return time.perf_counter() - began

    def measure(self, what: str) -> float:
        if what == "warm get url":
            return self.cli("get", "url")
        if what == "mcp start":
            return self.mcp()
        if what == "cold start":
            seconds = self.cli("open", self.url, home=self.cold_home)
            self.cli("daemon", "stop", home=self.cold_home)
            return seconds
        assert self.worker.stdin is not None
        assert self.worker.stdout is not None
        self.worker.stdin.write(f"{what}\n")
        self.worker.stdin.flush()
        return float(self.worker.stdout.readline())

    def mcp(self) -> float:
        began = time.perf_counter()
        with subprocess.Popen(
            [self.bin / "boathook", "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=self.environment(self.home),
        ) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            for message in HELLO:
                server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            while '"id":2' not in server.stdout.readline().replace(" ", ""):
                pass
            seconds = time.perf_counter() - began
            server.stdin.close()
            server.wait(20)
        return seconds

    def close(self) -> None:
        self.worker.communicate("\n")
        self.cli("daemon", "stop")
        for home in (self.home, self.cold_home):
            shutil.rmtree(home, ignore_errors=True)


def main() -> None:
    reading = argparse.ArgumentParser()
    reading.add_argument("old", type=Path)
    reading.add_argument("new", type=Path)
    reading.add_argument("--samples", type=int, default=30)
    options = reading.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="compare-page-"))
    (folder / "index.html").write_text(PAGE)
    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/index.html"
    subjects = [
        Subject("old", options.old, url),
        Subject("new", options.new, url),
        Subject("again", options.old, url),
    ]
    items = {"snapshot": 3, "click": 2, "fill": 2, "warm get url": 2, "mcp start": 1, "cold start": 1}
    found: dict[str, dict[str, list[float]]] = {what: {one.name: [] for one in subjects} for what in items}
    try:
        for _ in range(options.samples):
            for what, times in items.items():
                for _ in range(times):
                    for subject in random.sample(subjects, len(subjects)):
                        found[what][subject.name].append(subject.measure(what))
    finally:
        for subject in subjects:
            subject.close()
        server.shutdown()
    print(f"{'median ms':16}{'old':>9}{'new':>9}{'again':>9}{'new/old':>9}{'again/old':>11}")
    for what, by in found.items():
        old, new, again = (statistics.median(by[name]) * 1_000 for name in ("old", "new", "again"))
        print(
            f"{what:16}{old:9.1f}{new:9.1f}{again:9.1f}{new / old:9.3f}{again / old:11.3f}   n={len(by['old'])}"
        )


if __name__ == "__main__":
    main()
