"""Kill the service worker, the relay or the browser at random moments during work: `python -m tests.extension.stress_relay [--rounds N] [--seed N]`.

The relay is a process, as it is used; "relay" ends it politely, "kill" with kill -9. Of ten rounds, four kill the worker and
two each the others; some more kill the client. While two clients work, every command must be answered or fail in time, and every answer must
come from the tab that was asked. Afterwards the extension must be connected again, the tab that the user attached by hand must still be
attached, no tab of the user's may be closed, and without clients no other tab may have a debugger.
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
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from boathook.relay.extension.install_extension import install
from boathook.relay.server.credentials import RelayCredentials
from tests.extension.chrome import RawClient, UserChrome
from tests.extension.test_worker_restart import by_hand
from tests.support.site import Site, dead_port
from tests.support.waiting import until_asked

KINDS = ("worker", "worker", "relay", "kill", "browser")
CLIENT_ROUNDS = 10
"""Of a hundred rounds, these many more kill a client."""
AUTO = {"autoAttach": True, "flatten": True, "waitForDebuggerOnStart": False}
MOST_SECONDS = {"worker": 2.0, "relay": 5.0, "kill": 5.0, "browser": 20.0, "client": 2.0}
"""In which the extension is connected again."""
ANSWER_SECONDS = 15.0
"""In which a command is answered, or fails."""
CLIENTS = 2


@dataclass
class Tally:
    """What the rounds found."""

    commands: int = 0
    failed_commands: int = 0
    seconds: list[float] = field(default_factory=list)
    unanswered: int = 0
    wrong: list[str] = field(default_factory=list)
    back: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    broken: list[str] = field(default_factory=list)


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

    async def connections(self) -> int:
        """How often an extension has connected to this process."""
        return sum(extension["connections"] for extension in (await self.status()).get("extensions", []))

    async def has_extension(self, seconds: float = 30, *, after: int = 0) -> None:
        """Wait for the extension; `after` that many connections."""

        async def connected() -> bool:
            extensions = (await self.status()).get("extensions", [])
            is_new = sum(extension["connections"] for extension in extensions) > after
            return is_new and any(extension["connected"] for extension in extensions)

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


class User:
    """The user's browser with their tabs; it can be killed and started again."""

    def __init__(self, relay: RelayProcess, folder: Path, urls: list[str]) -> None:
        self.relay, self.folder, self.urls = relay, folder, urls
        self.extension = install(relay.files, port=relay.port, folder=folder / "extension")
        self.chrome: UserChrome = None

    async def start(self) -> None:
        """Start the browser, with the profile of before."""
        self.chrome = await UserChrome.start(extension=self.extension, profile=self.folder / "profile")

    async def open_tabs(self) -> None:
        """Open the tabs, and attach the first by hand."""
        for url in self.urls:
            await self.chrome.open(url)
        for url in self.urls:
            await self.relay.has_tab(url)
        popup = await by_hand(self.chrome, await self.relay.has_tab(self.urls[0]))
        await self.chrome.close(popup["id"])


@asynccontextmanager
async def started(folder: Path, urls: list[str]) -> Any:
    """A relay, and the user's browser."""
    relay = RelayProcess(folder / "secrets")
    await relay.start()
    user = User(relay, folder, urls)
    await user.start()
    try:
        await relay.has_extension()
        await user.open_tabs()
        yield relay, user
    finally:
        user.chrome.stop()
        await relay.stop()


class Round:
    """One round: work, a kill in the middle, and what must hold afterwards."""

    def __init__(self, relay: RelayProcess, user: User, tally: Tally, *, dice: random.Random) -> None:
        self.relay, self.user, self.tally, self.dice = relay, user, tally, dice

    async def work(self, client: RawClient, *, times: int) -> None:
        """Ask every tab where it is, again and again."""
        await client.send("Target.setAutoAttach", AUTO)
        for _ in range(times):
            ended = {event["sessionId"] for event in client.seen("Target.detachedFromTarget")}
            for event in client.seen("Target.attachedToTarget"):
                if event["targetInfo"]["url"] in self.user.urls and event["sessionId"] not in ended:
                    await self.ask(client, event["sessionId"], event["targetInfo"]["url"])
            await asyncio.sleep(0.01)  # sessions begin again when the extension is back

    async def ask(self, client: RawClient, session: str, url: str) -> None:
        """One command: answered by the right tab, or failed, in time."""
        tally, began = self.tally, time.monotonic()
        tally.commands += 1
        ask = {"expression": "location.href"}
        try:
            answer = await client.whole("Runtime.evaluate", ask, session=session, seconds=ANSWER_SECONDS)
        except TimeoutError:
            tally.unanswered += 1
            raise
        finally:
            tally.seconds.append(time.monotonic() - began)
        if "error" in answer:
            tally.failed_commands += 1
        elif answer["result"]["result"]["value"] != url:
            tally.wrong.append(f"asked {url}, answered {answer['result']['result']['value']}")

    async def kill(self, kind: str, clients: list[RawClient]) -> int:
        """At a moment that the dice say; how many connections of the extension there were."""
        await asyncio.sleep(self.dice.uniform(0, 0.4))
        before = await self.relay.connections()
        if kind == "worker":
            worker = await until_asked(self.user.chrome.worker, named="the worker runs")
            await self.user.chrome.close(worker["id"])
            return before
        if kind in {"relay", "kill"}:
            await self.relay.stop(signal.SIGKILL if kind == "kill" else signal.SIGTERM)
            await self.relay.start()
            return 0
        if kind == "browser":
            await asyncio.to_thread(self.user.chrome.stop)
            await self.user.start()
            return before
        clients[0].socket.transport.abort()
        return before - 1

    async def run(self, kind: str) -> None:
        """The whole round; an AssertionError says what does not hold."""
        clients = [await RawClient.connect(self.relay.url) for _ in range(CLIENTS)]
        working = [asyncio.create_task(self.work(client, times=2_000)) for client in clients]
        before = await self.kill(kind, clients)
        began = time.monotonic()
        await self.relay.has_extension(seconds=60, after=before)
        self.tally.back[kind].append(time.monotonic() - began)
        for task in working:
            task.cancel()
        ended = await asyncio.gather(*working, return_exceptions=True)
        assert not [error for error in ended if isinstance(error, TimeoutError)], "a command was not answered"
        for client in clients:
            await client.close()
        if kind == "browser":
            await self.user.open_tabs()  # as its user does; Chrome's own restoring is not what is tested
        again = await RawClient.connect(self.relay.url)
        await self.relay.has_tab(self.user.urls[-1])
        await self.work(again, times=1)
        await again.close()
        await self.check()

    async def check(self) -> None:
        """What must hold when no client is active."""
        urls = self.user.urls

        async def only_by_hand() -> bool:
            return await self.user.chrome.attached() == [urls[0]]

        await until_asked(only_by_hand, named="only the tab attached by hand has a debugger")
        there = {target["url"] for target in await self.user.chrome.targets()}
        assert set(urls) <= there, f"closed: {set(urls) - there}"
        assert await self.relay.clients() == 0
        assert not self.tally.wrong, self.tally.wrong


def plan(rounds: int, dice: random.Random) -> list[str]:
    """The kinds of all rounds, mixed."""
    kinds = [KINDS[number % len(KINDS)] for number in range(rounds)]
    kinds += ["client"] * (rounds * CLIENT_ROUNDS // 100)
    dice.shuffle(kinds)
    return kinds


async def stress(rounds: int, seed: int) -> Tally:
    """All rounds."""
    dice, site, tally = random.Random(seed), Site(), Tally()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        urls = [site.page(f"tab {number}") for number in range(4)]
        async with started(Path(folder), urls) as (relay, user):
            for number, kind in enumerate(plan(rounds, dice)):
                try:
                    async with asyncio.timeout(120):
                        await Round(relay, user, tally, dice=dice).run(kind)
                except (AssertionError, TimeoutError, OSError) as error:
                    tally.broken.append(f"round {number} ({kind}): {error!r}")
                    print(tally.broken[-1], flush=True)
                    with suppress(AssertionError):
                        await relay.has_extension(seconds=60)
    site.close()
    return tally


def report(tally: Tally) -> bool:
    """Print the figures; whether everything held."""
    late = []
    for kind, many in sorted(tally.back.items()):
        ordered = sorted(many)
        nearly_all = ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]
        late += [seconds for seconds in many if seconds > MOST_SECONDS[kind]]
        print(
            f"{kind}: {len(many)} rounds, back after {statistics.median(many):.2f} s,"
            f" 95% within {nearly_all:.2f} s, at most {ordered[-1]:.2f} s"
        )
    print(
        f"{tally.commands} commands: {tally.failed_commands} failed, {tally.unanswered} unanswered,"
        f" 99% within {sorted(tally.seconds)[len(tally.seconds) * 99 // 100]:.2f} s, the slowest {max(tally.seconds):.2f} s;"
        f" {len(tally.wrong)} answered by a wrong tab"
    )
    print(f"{len(tally.broken)} rounds failed; {len(late)} came back late")
    return not (tally.broken or tally.wrong or tally.unanswered or late)


def main() -> None:
    """Run; the exit status says whether all held."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    sys.exit(0 if report(asyncio.run(stress(options.rounds, options.seed))) else 1)


if __name__ == "__main__":
    main()
