"""Leave the daemon few file descriptors, and none, while it works: `python -m tools.stress.descriptors [--rounds N]`.

Each round allows it a few more than it has, and runs every kind of call that needs one: a session, a tab, another browser, a
screenshot, a script. Each must succeed or report the limit. With the limit lifted all of them must work again, and the
daemon must have as many descriptors as before. Then connections that send nothing fill the rest.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import shutil
import socket
import sys
import tempfile
from pathlib import Path

from examples.ticket_desk.demo import SITE, served

from boathook.wire.socket_address import daemon_folder, socket_path
from tools.stress.user import User

LIMITED = ("too_many", "launch_failed", "file_error", "unsupported", "tab_crashed", "daemon_not_started", "outcome_unknown", "daemon_error")  # fmt: skip
"""Codes of calls that a limit explains."""
SPARE_LEAST = 1
"""One is for the connection of the call itself."""
FLOOD = 600
SETTLED_SECONDS = 10.0
ALLOWED_MORE = 3
"""Descriptors that may remain after the first use of something: a spare worker, a log."""


def descriptors_of(pid: int) -> int:
    """How many it has."""
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def limit_to(pid: int, count: int) -> None:
    """Allow a process so many; the hard limit stays."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (min(count, hard), hard))


class Descriptors:
    """A user whose daemon runs out of them."""

    def __init__(self, user: User) -> None:
        self._user = user
        self.wrong: list[str] = []
        self.calls = 0
        self.limited = 0

    def lines(self) -> tuple[tuple[str, ...], ...]:
        """Calls that need descriptors."""
        page = f"{self._user.site}/index.html"
        return (
            ("open", page),
            ("--session", "second", "open", page),
            ("--session", "third", "--viewport", "800x600", "open", page),
            ("screenshot",),
            ("pdf", "page.pdf"),
            ("run", "--code", "return await tab.title()"),
            ("state", "save", "desk.json"),
            ("tab", "new", page),
            ("tab", "close"),
        )

    async def under_limit(self, pid: int, spare: int) -> None:
        """Run all lines with so many descriptors to spare."""
        limit_to(pid, descriptors_of(pid) + spare)
        for line in self.lines():
            ended = await self._user.type(*line)
            self.calls += 1
            if ended.code:
                self.limited += 1
            if ended.code and (not ended.has_code(LIMITED) or "Traceback" in ended.said):
                self.wrong.append(f"{spare} to spare: {ended}")

    async def with_room(self, pid: int) -> None:
        """Lift the limit; everything works. Sessions are closed, so that the next round starts browsers and contexts."""
        limit_to(pid, 1 << 16)
        closing = (("--session", "second", "close"), ("--session", "third", "close"))
        for line in (*closing, *self.lines(), *closing):
            ended = await self._user.type(*line)
            if ended.code and not ended.has_code(("no_such_session",)):
                self.wrong.append(f"the limit is lifted, but {ended}")

    async def flood(self, pid: int) -> None:
        """Clients that connect and send nothing."""
        path = socket_path(daemon_folder(self._user.environment))
        held = []
        try:
            for _ in range(FLOOD):
                connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                connection.settimeout(0)
                held.append(connection)
                if connection.connect_ex(path):
                    break
            ended = await self._user.type("get", "title")
            if ended.code and not ended.has_code(("daemon_refused", *LIMITED)):
                self.wrong.append(f"{len(held)} connections: {ended}")
        finally:
            for connection in held:
                connection.close()
        await self.with_room(pid)


async def run(rounds: int) -> Descriptors:
    """All rounds, for one user."""
    place = Path(tempfile.mkdtemp(prefix="bh"))
    try:
        with served(SITE) as site:
            user = User(place, site)
            test = Descriptors(user)
            try:
                await user.type("open", f"{site}/index.html")
                [pid] = user.find("daemon")
                await test.with_room(pid)
                before = descriptors_of(pid)
                for number in range(rounds):
                    await test.under_limit(pid, SPARE_LEAST + number)
                    await test.with_room(pid)
                await test.flood(pid)
                if user.find("daemon") != [pid]:
                    test.wrong.append("the daemon did not survive")
                elif (after := await _settled(pid, before)) > before + ALLOWED_MORE:
                    test.wrong.append(f"{before} descriptors before, {after} after")
            finally:
                await user.close()
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return test


async def _settled(pid: int, before: int) -> int:
    """How many descriptors it has once it has closed what it does not need."""
    try:
        async with asyncio.timeout(SETTLED_SECONDS):
            while descriptors_of(pid) > before + ALLOWED_MORE:  # noqa: ASYNC110 (descriptors of others send no event)
                await asyncio.sleep(0.1)
    except TimeoutError:
        pass
    return descriptors_of(pid)


def main() -> int:
    """Run and report; returns 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    test = asyncio.run(run(parser.parse_args().rounds))
    print("\n".join(test.wrong), end="\n" if test.wrong else "")
    print(
        f"descriptors: {test.calls} calls with few to spare, {test.limited} reported a limit; {len(test.wrong)} failures"
    )
    return 1 if test.wrong or not test.limited else 0


if __name__ == "__main__":
    sys.exit(main())
