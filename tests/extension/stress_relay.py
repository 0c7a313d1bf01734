"""Kill the service worker, the relay or the client at random moments during work: `python -m tests.extension.stress_relay [--rounds N] [--seed N]`.

After each round the extension must be connected again, the tab that the user attached by hand must still be, no tab of the
user's may be closed, work must go on, and with the last client gone no other tab may have a debugger.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.extension.chrome import RawClient
from tests.extension.conftest import paired
from tests.extension.test_surviving import by_hand
from tests.support.site import Site

KINDS = ("worker", "relay", "client", "nothing")
AUTO = {"autoAttach": True, "flatten": True, "waitForDebuggerOnStart": False}
MOST_SECONDS = 5.0
"""In which the extension is back where a tab is attached."""


class Round:
    """One round: work, a kill in the middle, and what must hold afterwards."""

    def __init__(self, relay: Any, chrome: Any, urls: list[str], *, dice: random.Random) -> None:
        self.relay, self.chrome, self.urls, self.dice = relay, chrome, urls, dice
        self.back_seconds = 0.0

    async def work(self, client: RawClient, *, times: int) -> None:
        """Ask every tab something, again and again."""
        await client.send("Target.setAutoAttach", AUTO)
        for _ in range(times):
            for one in client.seen("Target.attachedToTarget"):
                if one["targetInfo"]["url"] in self.urls:
                    ask = {"expression": "document.title"}
                    await client.whole("Runtime.evaluate", ask, session=one["sessionId"])

    async def kill(self, kind: str, client: RawClient) -> None:
        """At a moment that the dice say."""
        await asyncio.sleep(self.dice.uniform(0, 0.25))
        if kind == "worker" and await self.chrome.worker() is not None:
            await self.chrome.kill_worker()
        elif kind == "relay":
            await self.relay.stop()
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
        """What must hold when nobody works."""
        async with asyncio.timeout(20):
            while (attached := await self.chrome.attached()) != [self.urls[0]]:  # noqa: ASYNC110 - Chrome sends no event
                await asyncio.sleep(0.05)
        assert attached == [self.urls[0]], attached
        there = {one["url"] for one in await self.chrome.targets()}
        assert set(self.urls) <= there, f"closed: {set(self.urls) - there}"
        assert not self.relay.hub.clients


async def stress(rounds: int, seed: int) -> int:
    """All rounds; how many failed."""
    dice, site, failed = random.Random(seed), Site(), 0
    slow: list[float] = []
    done: Counter[str] = Counter()
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
                done[kind] += 1
                slow += [one.back_seconds] if one.back_seconds > MOST_SECONDS else []
    site.close()
    print(
        f"{rounds} rounds {dict(done)}: {failed} failed; {len(slow)} came back after more than {MOST_SECONDS:g} s {slow[:5]}"
    )
    return failed + len(slow)


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
