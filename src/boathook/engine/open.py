"""Opening a browser: start one of our own, or attach to one that listens."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from boathook.cdp.connection import Connection
from boathook.cdp.endpoint import find_endpoint
from boathook.cdp.transport.pipe import PipeTransport
from boathook.cdp.transport.websocket import WebSocketTransport
from boathook.clock import Deadline
from boathook.engine.addresses import DEFAULT_SCHEMES
from boathook.engine.browser import Browser
from boathook.engine.launch.arguments import launch_arguments
from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.options import LaunchOptions, with_environment_defaults
from boathook.engine.launch.process import spawn
from boathook.engine.launch.profile import open_profile, sweep
from boathook.errors import BoathookError, BrowserGone, EndpointError, TimedOut

if TYPE_CHECKING:
    from collections.abc import Collection

    from boathook.engine.launch.process import BrowserProcess
    from boathook.engine.launch.profile import Profile

ATTACH_SECONDS = 10.0


async def launch(options: LaunchOptions, *, schemes: Collection[str] = DEFAULT_SCHEMES) -> Browser:
    """Start a browser of our own; it ends with us, whatever ends us."""
    options = with_environment_defaults(options, os.environ)
    found = find_browser(options.executable)
    profile = open_profile(options.profile)
    process: BrowserProcess | None = None
    try:
        plan = launch_arguments(options, browser=found, profile=profile.path)
        process = spawn(plan)
        transport = await PipeTransport.open(read_fd=process.read_fd, write_fd=process.write_fd)
        browser = Browser(
            Connection(transport),
            kind="managed",
            viewport=options.viewport if options.headless else None,
            schemes=schemes,
            release=lambda: _end(process, profile),
            notes=plan.notes,
        )
        await _ready(browser, process, options.launch_seconds)
    except BaseException:
        await asyncio.shield(_end(process, profile))
        raise
    browser.chores.start(_sweep(), name="sweep profiles")
    return browser


async def attach(
    endpoint: str, *, schemes: Collection[str] = DEFAULT_SCHEMES, seconds: float = ATTACH_SECONDS
) -> Browser:
    """Connect to a browser that somebody else started; it is never closed or signalled by us."""
    deadline = Deadline.after(seconds)
    async with deadline.stage(f"asking {endpoint} for its browser"):
        found = await find_endpoint(endpoint, seconds=seconds)
    async with deadline.stage(f"connecting to {found.socket_url}"):
        transport = await WebSocketTransport.open(found.socket_url)
    browser = Browser(Connection(transport), kind="cdp", address=found.address, schemes=schemes)
    try:
        async with deadline.stage(f"waiting for the browser at {found.socket_url} to answer"):
            await browser.start()
    except TimedOut as error:
        await browser.close()
        raise EndpointError(
            f"{found.socket_url} accepts connections but does not answer", url=found.socket_url
        ) from error
    except BaseException:
        await asyncio.shield(browser.close())
        raise
    return browser


async def _ready(browser: Browser, process: BrowserProcess, seconds: float) -> None:
    deadline = Deadline.after(seconds)
    try:
        async with deadline.stage("starting the browser", seen=lambda: process.stderr_tail[-500:]):
            await browser.start()
    except BrowserGone as error:
        await process.wait()
        raise process.failure() from error
    except BoathookError:
        await browser.connection.close()
        raise


async def _end(process: BrowserProcess | None, profile: Profile) -> None:
    if process is not None:
        await process.stop()
    await profile.close()


async def _sweep() -> None:
    """Remove what browsers of dead owners left; not urgent, so it never delays a start."""
    await asyncio.to_thread(sweep)
