"""The smallest client of the protocol pipe, and a look at process trees, for the tests of the launcher."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.launch import posix
from boathook.engine.launch.arguments import launch_arguments
from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.options import LaunchOptions
from boathook.engine.launch.process import BrowserProcess, spawn
from boathook.engine.launch.profiles.profile_dir import open_profile
from tests.support.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Pipe:
    """Calls over the pipe, one after the other; events are dropped."""

    def __init__(self, process: BrowserProcess) -> None:
        self.process = process
        self._last_id = 0
        self._rest = b""

    async def call(self, method: str, *, session: str | None = None, **params: Any) -> dict[str, Any]:
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": params}
        if session is not None:
            message["sessionId"] = session
        os.write(self.process.write_fd, json.dumps(message).encode() + b"\0")
        while True:
            async with asyncio.timeout(PATIENCE):
                for reply in await self._read():
                    if reply.get("id") == self._last_id:
                        return reply

    async def open_page(self, *, isolated: bool = False) -> str:
        """A new blank tab; its protocol session."""
        where = {}
        if isolated:
            where["browserContextId"] = (await self.call("Target.createBrowserContext"))["result"][
                "browserContextId"
            ]
        target = (await self.call("Target.createTarget", url="about:blank", **where))["result"]["targetId"]
        attached = await self.call("Target.attachToTarget", targetId=target, flatten=True)
        session = attached["result"]["sessionId"]
        await self.call("Runtime.evaluate", session=session, expression="1")  # its renderer is there now
        return session

    async def _read(self) -> list[dict[str, Any]]:
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        loop.add_reader(self.process.read_fd, readable.set)
        try:
            await readable.wait()
        finally:
            loop.remove_reader(self.process.read_fd)
        data = os.read(self.process.read_fd, 1 << 20)
        if not data:
            raise EOFError(self.process.stderr_tail)
        *whole, self._rest = (self._rest + data).split(b"\0")
        return [json.loads(message) for message in whole]


@asynccontextmanager
async def launched(options: LaunchOptions | None = None) -> AsyncIterator[Pipe]:
    """A running browser that answers."""
    options = options or LaunchOptions()
    profile = open_profile(options.profile)
    try:
        plan = launch_arguments(options, browser=find_browser(), profile=profile.path)
        async with spawn(plan) as process:
            pipe = Pipe(process)
            await pipe.call("Browser.getVersion")
            yield pipe
    finally:
        await profile.close()


def process_tree(root: int) -> list[tuple[int, int]]:
    """The process, all its descendants and all of its session, each with its start time."""
    parents, sessions = {}, {}
    for entry in Path("/proc").iterdir():
        facts = posix._stat_fields(entry.name) if entry.name.isdigit() else None
        if facts is not None and facts[0] not in "ZX":
            parents[int(entry.name)] = int(facts[1])
            sessions[int(entry.name)] = int(facts[3])
    tree = {root} | {pid for pid, session in sessions.items() if session == root}
    while more := {pid for pid, parent in parents.items() if parent in tree} - tree:
        tree |= more
    return [(pid, start) for pid in sorted(tree) if (start := posix.start_time(pid)) is not None]


def still_alive(tree: list[tuple[int, int]]) -> list[int]:
    return [pid for pid, start in tree if posix.is_alive(pid) and posix.start_time(pid) == start]


async def until_gone(tree: list[tuple[int, int]]) -> None:
    await until(lambda: not still_alive(tree), named="every process of the tree has ended")
