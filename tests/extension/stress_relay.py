"""Kill the service worker, the relay or the client at random moments during work: `python -m tests.extension.stress_relay [--rounds N] [--seed N]`.

The relay is a process, as it is used; "relay" ends it politely, "kill" with kill -9. A restart takes the time of a start.
After each round the extension must be connected again, the tab that the user attached by hand must still be, no tab of the
user's may be closed, work must go on, and with the last client gone no other tab may have a debugger.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from boathook.relay.extension.install_extension import install
from boathook.relay.server.credentials import RelayCredentials
from tests.extension.chrome import RawClient, UserChrome
from tests.extension.test_worker_restart import by_hand
from tests.support.site import Site, dead_port
from tests.support.waiting import until_asked

KINDS = ("worker", "relay", "kill", "client", "nothing")
AUTO = {"autoAttach": True, "flatten": True, "waitForDebuggerOnStart": False}
MOST_SECONDS = 5.0
"""In which the extension is back where a tab is attached."""


class RelayProcess:
    """A relay in a separate process, observed through its replies to clients."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        self.files = RelayCredentials(folder)
        self.port = dead_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """For a client."""
        return f"ws://127.0.0.1:{self.port}/cdp/{self.files.token()}"

    async def start(self) -> None:
        """Run it, until it answers."""
        words = [sys.executable, "-m", "boathook", "relay", "--port", str(self.port)]
        self._process = subprocess.Popen(  # noqa: ASYNC220 - it takes no time
            [*words, "--secrets", str(self.files.folder)], stdout=subprocess.DEVNULL
        )
        await until_asked(self.status, named="the relay answers")

    async def stop(self, number: int = signal.SIGTERM) -> None:
        """End it, politely or not."""
        if self._process is not None:
            self._process.send_signal(number)
            await asyncio.to_thread(self._process.wait)

    async def status(self) -> dict[str, Any]:
        """Its reply; empty if there is none."""
        return await asyncio.to_thread(self._status)

    def _status(self) -> dict[str, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/status", headers={"Authorization": f"Bearer {self.files.token()}"})
            told: dict[str, Any] = json.loads(connection.getresponse().read())
        except (OSError, ValueError, http.client.HTTPException):
            return {}
        finally:
            connection.close()
        return told

    async def has_extension(self, seconds: float = 30) -> None:
        """Wait for the extension."""

        async def connected() -> bool:
            return any(extension["connected"] for extension in (await self.status()).get("extensions", []))

        await until_asked(connected, named="the extension is connected", seconds=seconds)

    async def has_tab(self, url: str) -> Any:
        """Wait for a tab."""

        async def found() -> Any:
            extensions = (await self.status()).get("extensions", [])
            rows = [row for extension in extensions for row in extension["tabs"] if row["url"] == url]
            return SimpleNamespace(tab_id=rows[0]["tabId"]) if rows else None

        return await until_asked(found, named=f"the relay knows {url}")

    async def clients(self) -> int:
        """How many are in."""
        return len((await self.status()).get("clients", []))


@asynccontextmanager
async def paired(folder: Path) -> Any:
    """A relay and a Chromium with the extension."""
    relay = RelayProcess(folder / "secrets")
    await relay.start()
    extension = install(relay.files, port=relay.port, folder=folder / "extension")
    chrome = await UserChrome.start(extension=extension, profile=folder / "profile")
    try:
        await relay.has_extension()
        yield relay, chrome
    finally:
        chrome.stop()
        await relay.stop()


class Round:
    """One round: work, a kill in the middle, and what must hold afterwards."""

    def __init__(self, relay: Any, chrome: Any, urls: list[str], *, dice: random.Random) -> None:
        self.relay, self.chrome, self.urls, self.dice = relay, chrome, urls, dice
        self.back_seconds = 0.0

    async def work(self, client: RawClient, *, times: int) -> None:
        """Ask every tab something, again and again."""
        await client.send("Target.setAutoAttach", AUTO)
        for _ in range(times):
            for event in client.seen("Target.attachedToTarget"):
                if event["targetInfo"]["url"] in self.urls:
                    ask = {"expression": "document.title"}
                    await client.whole("Runtime.evaluate", ask, session=event["sessionId"])

    async def kill(self, kind: str, client: RawClient) -> None:
        """At a moment that the dice say."""
        await asyncio.sleep(self.dice.uniform(0, 0.25))
        if kind == "worker" and await self.chrome.worker() is not None:
            await self.chrome.kill_worker()
        elif kind in {"relay", "kill"}:
            await self.relay.stop(signal.SIGKILL if kind == "kill" else signal.SIGTERM)
            await self.relay.start()
        elif kind == "client":
            client.socket.transport.abort()

    async def run(self, kind: str) -> None:
        """The whole round; an AssertionError says what does not hold."""
        client = await RawClient.connect(self.relay.url)
        working = asyncio.create_task(self.work(client, times=30))
        await self.kill(kind, client)
        began = time.monotonic()
        if kind == "worker":  # pages do things; that wakes it
            await asyncio.sleep(0.05)
            for target in await self.chrome.targets():
                if target["url"] == self.urls[0]:
                    await self.chrome.evaluate(target, f"document.title = 'mine {began}'")
        await self.relay.has_extension(seconds=60)
        self.back_seconds = time.monotonic() - began
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await client.close()
        again = await RawClient.connect(self.relay.url)
        await self.relay.has_tab(self.urls[-1])
        await self.work(again, times=1)
        await again.close()
        await self.check()

    async def check(self) -> None:
        """What must hold when no client is active."""
        async with asyncio.timeout(20):
            while (attached := await self.chrome.attached()) != [self.urls[0]]:  # noqa: ASYNC110 - Chrome sends no event
                await asyncio.sleep(0.05)
        assert attached == [self.urls[0]], attached
        there = {target["url"] for target in await self.chrome.targets()}
        assert set(self.urls) <= there, f"closed: {set(self.urls) - there}"
        assert await self.relay.clients() == 0


async def stress(rounds: int, seed: int) -> int:
    """All rounds; how many failed."""
    dice, site, failed = random.Random(seed), Site(), 0
    back: defaultdict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        async with paired(Path(folder)) as (relay, chrome):
            urls = [site.page(f"tab {number}") for number in range(4)]
            for url in urls:
                await chrome.open(url)
                await relay.has_tab(url)
            await by_hand(chrome, await relay.has_tab(urls[0]))
            for number in range(rounds):
                kind = dice.choice(KINDS)
                one = Round(relay, chrome, urls, dice=dice)
                try:
                    async with asyncio.timeout(90):
                        await one.run(kind)
                except (AssertionError, TimeoutError, OSError) as error:
                    failed += 1
                    print(f"round {number} ({kind}): {error!r}", flush=True)
                    with suppress(AssertionError):
                        await relay.has_extension(seconds=60)
                back[kind].append(one.back_seconds)
    site.close()
    slow = sum(seconds > MOST_SECONDS for many in back.values() for seconds in many)
    for kind, many in sorted(back.items()):
        print(
            f"{kind}: {len(many)} rounds, back after {statistics.median(many):.2f} s, at most {max(many):.2f} s"
        )
    print(f"{rounds} rounds: {failed} failed; {slow} came back after more than {MOST_SECONDS:g} s")
    return failed + slow


def main() -> None:
    """Run; the exit status says whether all held."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    sys.exit(1 if asyncio.run(stress(options.rounds, options.seed)) else 0)


if __name__ == "__main__":
    main()
