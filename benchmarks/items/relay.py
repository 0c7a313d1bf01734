"""The relay: what a round trip, a thousand evaluations and a page workflow cost beside the same over a direct connection.

  python benchmarks/items/relay.py [--rounds 5]

One Chromium with the extension; the same tab is driven directly over its debugging port and through relay and extension,
in turns. Results go to benchmarks/results/relay.json.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.extension.chrome import (
    RawClient,  # noqa: E402
    UserChrome,  # noqa: E402
)
from tests.support.site import Site, dead_port  # noqa: E402

TRIPS = 300
EVALUATIONS = 1_000
AUTO = {"autoAttach": True, "flatten": True, "waitForDebuggerOnStart": False}
FORM = "".join(
    f"<label>Field {n}<input id=f{n}></label><button id=b{n} onclick='this.textContent=\"done\"'>Go {n}</button>"
    for n in range(6)
)


@contextlib.asynccontextmanager
async def paired(folder):
    """A relay in a process of its own, as it is used, and a browser with the extension; (address, browser)."""
    port = dead_port()
    environment = {**os.environ, "BOATHOOK_RELAY_FOLDER": str(folder / "secrets")}
    words = [sys.executable, "-m", "boathook", "relay"]
    subprocess.run(
        [*words, "install", "--port", str(port)], env=environment, check=True, stdout=subprocess.DEVNULL
    )
    url = subprocess.run(
        [*words, "url", "--port", str(port)], env=environment, check=True, capture_output=True, text=True
    )
    relay = subprocess.Popen([*words, "--port", str(port)], env=environment, stdout=subprocess.DEVNULL)
    chrome = await UserChrome.start(extension=folder / "secrets" / "extension", profile=folder / "profile")
    try:
        yield url.stdout.strip(), chrome
    finally:
        chrome.stop()
        relay.terminate()
        relay.wait()


async def connected(address):
    """The extension may be on its way still."""
    for _ in range(10):
        with contextlib.suppress(Exception):
            return await RawClient.connect(address)
        await asyncio.sleep(0.5)
    return await RawClient.connect(address)


async def session_at(address, url):
    """A client with a session of the page; the relay may hear a moment later that it was led back there."""
    async with asyncio.timeout(30):
        while True:
            client = await connected(address)
            await client.send("Target.setAutoAttach", AUTO)
            for event in client.seen("Target.attachedToTarget"):
                if event["targetInfo"]["url"] == url:
                    return client, event["sessionId"]
            await client.close()
            await asyncio.sleep(0.1)


async def trips(client, session):
    taken = []
    for _ in range(TRIPS):
        began = time.perf_counter()
        await client.send("Runtime.evaluate", {"expression": "1"}, session=session)
        taken.append((time.perf_counter() - began) * 1e3)
    return statistics.median(taken)


async def evaluations(client, session):
    began = time.perf_counter()
    for number in range(EVALUATIONS):
        await client.send("Runtime.evaluate", {"expression": f"{number} + 1"}, session=session)
    return (time.perf_counter() - began) * 1e3


async def workflow(page, url):
    """Twenty actions: go, fill, press, read."""
    began = time.perf_counter()
    await page.goto(url)
    for number in range(6):
        await page.fill(f"#f{number}", "words")
        await page.click(f"#b{number}")
        assert await page.inner_text(f"#b{number}") == "done"
    await page.title()
    return (time.perf_counter() - began) * 1e3


async def measure(rounds):
    from playwright.async_api import async_playwright

    site = Site()
    found = {
        name: {"direct": [], "relay": []}
        for name in ("round_trip", "evaluations_1000", "first_command", "workflow_20")
    }
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        async with paired(Path(folder)) as (relay_url, chrome), async_playwright() as playwright:
            url, form = site.page("measured"), site.page(FORM)
            await chrome.open(url)
            direct = (await chrome.ask("/json/version"))["webSocketDebuggerUrl"]
            for turn in range(rounds + 1):
                ways = [("direct", direct), ("relay", relay_url)]
                random.Random(turn).shuffle(ways)
                for name, address in ways:
                    client, session = await session_at(address, url)
                    await client.send("Runtime.evaluate", {"expression": "1"}, session=session)
                    results = {
                        "round_trip": await trips(client, session),
                        "evaluations_1000": await evaluations(client, session),
                    }
                    await client.close()
                    browser = await playwright.chromium.connect_over_cdp(address)
                    page = next(page for page in browser.contexts[0].pages if page.url == url)
                    began = time.perf_counter()
                    await page.title()  # attaches, through the relay
                    results["first_command"] = (time.perf_counter() - began) * 1e3
                    # Programs load other pages only in tabs that they opened.
                    own = await browser.contexts[0].new_page()
                    await own.title()
                    results["workflow_20"] = await workflow(own, form)
                    await own.close()
                    await browser.close()
                    if turn:  # the first round pays for loading
                        for item, value in results.items():
                            found[item][name].append(value)
    site.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    found = asyncio.run(measure(rounds))
    told = {}
    for item, ways in found.items():
        direct, relay = statistics.median(ways["direct"]), statistics.median(ways["relay"])
        told[item] = {
            "direct_ms": round(direct, 3),
            "relay_ms": round(relay, 3),
            "ratio": round(relay / direct, 2),
            "adds_ms": round(relay - direct, 3),
        }
        print(item, told[item])
    (ROOT / "benchmarks" / "results" / "relay.json").write_text(
        json.dumps({"rounds": rounds, "medians": told, "all": found}, indent=1) + "\n"
    )


if __name__ == "__main__":
    main()
