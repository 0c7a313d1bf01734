"""Opening a browser: launch one, or attach to a running one."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING

from boathook.cdp.connection import Connection
from boathook.cdp.endpoint_url import find_endpoint
from boathook.cdp.transport.pipe import PipeTransport
from boathook.cdp.transport.websocket import WebSocketTransport
from boathook.clock import Deadline
from boathook.engine.browser import Browser
from boathook.engine.emulation.fingerprint.fingerprint_injector import FingerprintInjector
from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.engine.hosts.urls import DEFAULT_SCHEMES
from boathook.engine.launch import early_browser
from boathook.engine.launch.arguments import launch_arguments
from boathook.engine.launch.early_browser import with_temporary_folder
from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.fingerprint_choice import fingerprint_for
from boathook.engine.launch.network_limits import egress_for
from boathook.engine.launch.options import LaunchOptions, with_environment_defaults
from boathook.engine.launch.process import spawn
from boathook.engine.launch.profiles.profile_dir import open_profile, profile_base, still_ending, sweep
from boathook.engine.launch.profiles.user_profiles import copy_profile
from boathook.engine.launch.watchdog import Watchdog
from boathook.errors import BrowserGone, EndpointError, TimedOut

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from boathook.engine.emulation.fingerprint.fingerprint_profile import FingerprintProfile
    from boathook.engine.hosts.host_policy import HostPolicy
    from boathook.engine.launch.find_chrome import FoundBrowser
    from boathook.engine.launch.process import BrowserProcess, LaunchPlan
    from boathook.engine.network.proxy.egress_proxy import EgressProxy

ATTACH_SECONDS = 10.0
DISCOVERY_SECONDS = 5.0
"""How long a browser may take to say where its WebSocket is, and again to open it."""
NOT_ENFORCED = (
    "limits on hosts apply only to URLs opened by boathook: it did not start this browser, "
    "so requests from pages, including redirects, cannot be blocked"
)
ENDING_SECONDS = 5.0
SWEEPS = 10
BETWEEN_SWEEPS_SECONDS = 0.5
PROFILE_SECONDS = 5.0
"""How long a browser with a persistent profile may take to save it."""


async def launch(options: LaunchOptions, *, schemes: Collection[str] = DEFAULT_SCHEMES) -> Browser:
    """Launch a browser; it exits with us, whatever ends us."""
    options = with_environment_defaults(options, os.environ)
    found = find_browser(options.executable, headless=options.headless)
    egress = egress_for(options)
    async with AsyncExitStack() as opened:  # whatever fails or cancels this, what was opened is closed again
        process, profile, notes = await _start(options, found, opened, egress=egress)
        transport = await _open_pipe(process)
        connection = Connection(transport)
        opened.push_async_callback(connection.close)
        browser = Browser(
            connection,
            kind="managed",
            viewport=options.viewport if options.headless else None,
            schemes=schemes,
            host_policy=options.host_policy,
            egress=egress,
            keeps_profile=options.profile is not None,
            notes=notes,
            folder=profile / "Boathook files",
        )
        await _ready(browser, process, options.launch_seconds)
        await _apply_fingerprint(browser, fingerprint_for(options, found, os.environ))
        browser.release = opened.pop_all().aclose
    watchdog = Watchdog(connection, process, disconnect=transport.on_process_exit, release=browser.release)
    browser.lasting_tasks.start(watchdog.watch(), name="watchdog")
    browser.background_tasks.start(_sweep(profile_base(found.path)), name="sweep profiles")
    return browser


def _copy_profile(options: LaunchOptions, target: Path) -> tuple[str, ...]:
    """Fill a temporary profile from one of the user's, if requested; returns a note about it."""
    return () if options.profile_copy is None else (copy_profile(options.profile_copy, target),)


async def _apply_fingerprint(browser: Browser, fingerprint: FingerprintProfile) -> None:
    """Apply the fingerprint profile to a browser of ours, before any tab shows anything."""
    browser.console_unasked = not fingerprint.whole
    if fingerprint.anything:
        wearing = FingerprintInjector(browser.connection, fingerprint)
        browser.apply_fingerprint = wearing.wait_for_target
        await wearing.begin()


async def _start(
    options: LaunchOptions, found: FoundBrowser, opened: AsyncExitStack, *, egress: EgressProxy | None
) -> tuple[BrowserProcess, Path, tuple[str, ...]]:
    """The process of a browser, which is closed with `opened`, its profile, and notes."""
    if egress is not None:
        await opened.enter_async_context(egress)
    elif (early := early_browser.take(options, found)) is not None:
        opened.push_async_callback(early.close)
        return early.process, early.profile.path, early.process.plan.notes
    profile = open_profile(options.profile, base=profile_base(found.path))
    opened.push_async_callback(profile.close)
    copied = await asyncio.to_thread(_copy_profile, options, profile.path)
    plan = await _plan_launch(options, found, profile.path, egress_port=egress.port if egress else None)
    process = spawn(with_temporary_folder(plan, profile.path if options.profile is None else None))
    # A profile that goes away with the browser needs no time to be written to disk.
    opened.push_async_callback(process.stop, grace_seconds=0 if options.profile is None else PROFILE_SECONDS)
    return process, profile.path, (*plan.notes, *copied)


async def _open_pipe(process: BrowserProcess) -> PipeTransport:
    """The transport of a browser; its exit is reported even if the end of the pipe is not seen, because a helper held it longer."""
    try:
        transport = await PipeTransport.open(read_fd=process.read_fd, write_fd=process.write_fd)
    except OSError as error:  # it exited at once, and the pipe was closed with it
        raise process.failure() from error
    process.on_ended = partial(transport.on_process_exit, "the browser has exited")
    return transport


async def _plan_launch(
    options: LaunchOptions, found: FoundBrowser, profile: Path, *, egress_port: int | None
) -> LaunchPlan:
    plan = partial(launch_arguments, options, browser=found, profile=profile, egress_port=egress_port)
    # Only the import of authorities is slow; other launches need no thread.
    return await asyncio.to_thread(plan) if options.ca_bundle is not None else plan()


async def attach(
    endpoint: str,
    *,
    schemes: Collection[str] = DEFAULT_SCHEMES,
    host_policy: HostPolicy = UNLIMITED,
    seconds: float = ATTACH_SECONDS,
) -> Browser:
    """Connect to a browser that we did not start; it is never closed or signalled by us.

    Its requests do not pass through us, so `reach` is checked only for URLs that we open.
    """
    deadline = Deadline.after(seconds)
    try:
        async with deadline.stage(f"querying {endpoint} for its browser"):
            found = await find_endpoint(endpoint, seconds=min(seconds, DISCOVERY_SECONDS))
    except TimedOut as error:
        raise EndpointError(
            f"{endpoint} does not respond (waited {seconds:g} s for its browser)", url=endpoint
        ) from error
    async with deadline.shorten(DISCOVERY_SECONDS).stage(f"connecting to {found.socket_url}"):
        transport = await WebSocketTransport.open(found.socket_url)
    browser = Browser(
        Connection(transport),
        kind="cdp",
        address=found.address,
        schemes=schemes,
        host_policy=host_policy,
        notes=(NOT_ENFORCED,) if host_policy.limited else (),
    )
    try:
        async with deadline.stage(f"waiting for the browser at {found.socket_url} to respond"):
            await browser.start()
    except TimedOut as error:
        await browser.close()
        raise EndpointError(
            f"{found.socket_url} accepts connections but does not respond", url=found.socket_url
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
        async with asyncio.timeout(ENDING_SECONDS):
            await process.wait()
        raise process.failure() from error


async def _sweep(base: Path | None) -> None:
    """Remove what browsers of dead owners left; not urgent, so it never delays a start.

    A browser exits a moment after its owner, so one that is just exiting is checked again.
    """
    for _ in range(SWEEPS):
        await asyncio.to_thread(sweep, base)
        if not await asyncio.to_thread(still_ending, base):
            return
        await asyncio.sleep(BETWEEN_SWEEPS_SECONDS)
