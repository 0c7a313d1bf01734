"""One run of a script: send it to a worker, serve its calls, and stop it at its deadline or at its limits."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from boathook.commands.results import ScriptResult
from boathook.errors import ScriptStopped
from boathook.service.scripts.find_monty import monty_facts, packages_of
from boathook.service.scripts.find_node import node_programs, node_readable, node_words
from boathook.service.scripts.fork_server import readable_folders
from boathook.service.scripts.scratch_folder import exceeds_limit, scratch_folder
from boathook.service.scripts.script_channel import ScriptChannel
from boathook.service.scripts.script_helpers import helper_names, helpers_giving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from boathook.service.scripts.fork_server import Worker
    from boathook.service.scripts.script_channel import Serve

GRACE_SECONDS = 0.5
END_SECONDS = 2.0
"""How long a killed process may take until its folder is removed."""
BUFFER_BYTES = 1 << 20
"""What of a script's messages is read ahead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRequest:
    """What to run, and where."""

    code: str
    tab: str
    seconds: float
    jail: bool = True
    state: Mapping[str, Any] = field(default_factory=dict)
    js: bool = False
    safe: bool = False
    """In an interpreter without system access, in addition to the sandbox."""
    folder: str = ""
    """The user's project: packages of other languages are searched from there."""
    package: str = ""
    """The folder of Playwright, if the script may use it in the jail."""
    no_package: str = ""
    """Why it may not."""
    landlock: int | None = None
    """Make do with this version of Landlock; None is that of the kernel."""


async def run(order: ScriptRequest, child: Worker, serve: Serve) -> ScriptResult:
    """Run it; its result, or a typed error. The worker is stopped in every case."""
    began = time.monotonic()
    ran = ScriptResult(tab=order.tab, code=order.code)
    try:
        reader, writer = await asyncio.open_unix_connection(sock=child.channel, limit=BUFFER_BYTES)
        async with scratch_folder() as scratch:
            channel = ScriptChannel(ran, reader, writer, partial(serve, scratch))
            try:
                async with _limited(order, child, channel, scratch):
                    await _converse(order, channel, scratch)
            finally:
                child.kill()
                channel.cancel()
                writer.close()
                await asyncio.shield(asyncio.to_thread(child.wait, END_SECONDS))
    finally:
        child.close()
    ran.seconds = round(time.monotonic() - began, 3)
    return ran


@asynccontextmanager
async def _limited(
    order: ScriptRequest, child: Worker, channel: ScriptChannel, scratch: str
) -> AsyncIterator[None]:
    """Kill the worker when its files exceed their limit."""

    async def watch() -> None:
        channel.exceeded = await exceeds_limit(scratch, child.pid)
        child.kill()

    watching = asyncio.create_task(watch(), name="limits of a script") if order.jail else None
    try:
        yield
    finally:
        if watching is not None:
            watching.cancel()


async def _converse(order: ScriptRequest, channel: ScriptChannel, scratch: str) -> None:
    """Send the request and process its messages, within the time limit."""
    deadline = asyncio.get_running_loop().time() + order.seconds
    try:
        async with asyncio.timeout_at(deadline):
            await channel.start(await _first(order, scratch))
            await channel.run_to_end()
    except TimeoutError:
        # Counted from the deadline and not from when we noticed: a busy machine notices late.
        await channel.stop(until=deadline + GRACE_SECONDS)
        raise ScriptStopped(
            f"the script was stopped after {order.seconds:g} s{channel.describe_running()}",
            hint="allow more time, or do less in one run",
            log=channel.ran.log[-20:],
        ) from None


async def _first(order: ScriptRequest, scratch: str) -> dict[str, Any]:
    first: dict[str, Any] = {
        "type": "begin",
        "code": order.code,
        "tab": order.tab,
        "tab_helpers": helper_names("tab"),
        "browser_helpers": helper_names("browser"),
        "element_helpers": helpers_giving("element"),
        "response_helpers": helpers_giving("response"),
        "helpers_giving_tabs": helpers_giving("tab", "browser"),
        "state": dict(order.state),
        "jail": order.jail,
        "scratch": scratch,
        "readable": readable_folders(),
        "writable": [scratch],
        "cpu_seconds": int(order.seconds) + 2,
        "landlock": order.landlock,
    }
    if not order.jail:
        first |= {"packages": packages_of("playwright"), "folder": order.folder}
    if order.js:
        words = await node_words(scratch, jail=order.jail, package=order.package)
        first |= {"node": words, "programs": node_programs(words[0])}
        first |= {"package": order.package, "no_package": order.no_package}
        first["readable"] = node_readable(order.package)
    if order.safe:
        first |= monty_facts(scratch)
    return first
