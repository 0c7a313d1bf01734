"""Doctor: each check looks at one thing, reports what it found, and repairs it where that is safe."""

from __future__ import annotations

import asyncio
import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook._version import __version__
from boathook.engine.launch import open as opening
from boathook.engine.launch.find_chrome import find_browser, read_version
from boathook.engine.launch.install import install_browser
from boathook.engine.launch.options import LaunchOptions
from boathook.engine.launch.profiles.profile_dir import cache_directory, runtime_directory, sweep
from boathook.engine.launch.sandbox import sandbox_obstacle
from boathook.errors import BoathookError, BrowserNotFound
from boathook.registry.context import CheckResult
from boathook.service.doctor.extras import how_to_add, missing_extras
from boathook.service.doctor.orphans import lock_of, other_daemons

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

MEGABYTE = 1024 * 1024
LEAST_DISK = 500 * MEGABYTE
LEAST_SHARED_MEMORY = 64 * MEGABYTE
_CORRECT_THE_PATH = (
    "correct or remove it: --executable, --browser, BOATHOOK_BROWSER or PUPPETEER_EXECUTABLE_PATH"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What the caller's own calls would use, and whether to repair it."""

    fix: bool = False
    quick: bool = False
    """Start no browser."""
    executable: str | None = None
    """The browser that the caller names."""
    display: str = ""
    profile: Path | None = None


async def examine(asked: Examination) -> list[CheckResult]:
    """Run every check, the cheap ones first; one that raises is a finding too."""
    findings = []
    for check in [check for check in CHECKS if check is not _start or not asked.quick]:
        try:
            findings.append(await check(asked))
        except BoathookError as error:
            findings.append(CheckResult(name=check.__name__.strip("_"), ok=False, said=str(error)))
    # A profile that does not exist yet, or a copy of the user's own, is not in use.
    if asked.profile is not None and await asyncio.to_thread(asked.profile.is_dir):
        findings.append(await asyncio.to_thread(_profile, asked.profile, fix=asked.fix))
    return findings


async def _version(_asked: Examination) -> CheckResult:
    return CheckResult(name="version", ok=True, said=f"boathook {__version__}")


async def _browser(asked: Examination) -> CheckResult:
    try:
        found = await asyncio.to_thread(find_browser, asked.executable)
    except BrowserNotFound as error:
        if asked.executable is not None:
            return CheckResult(name="browser", ok=False, said=error.message, cure=_CORRECT_THE_PATH)
        if not asked.fix:
            return CheckResult(name="browser", ok=False, said=error.message, cure="boathook install")
        found = await asyncio.to_thread(install_browser)
        return CheckResult(name="browser", ok=True, said=f"installed {found.path}", repaired=True)
    version = await asyncio.to_thread(read_version, found.path) or "unknown version"
    return CheckResult(name="browser", ok=True, said=f"{found.path} ({version}, found by {found.source})")


async def _sandbox(asked: Examination) -> CheckResult:
    try:
        browser = await asyncio.to_thread(find_browser, asked.executable)
    except BrowserNotFound:
        return CheckResult(name="sandbox", ok=True, said="not checked: there is no browser")
    obstacle = await asyncio.to_thread(sandbox_obstacle, browser.path)
    if not obstacle:
        return CheckResult(name="sandbox", ok=True, said="Chromium can use its sandbox")
    cure = "run as a non-root user" if "root" in obstacle else "allow user namespaces"
    return CheckResult(name="sandbox", ok=True, is_warning=True, said=f"off: {obstacle}", cure=cure)


async def _runtime_folder(_asked: Examination) -> CheckResult:
    folder = await asyncio.to_thread(runtime_directory)
    mode = (await asyncio.to_thread(folder.stat)).st_mode & 0o777
    private = mode == 0o700  # noqa: PLR2004 - for its owner alone
    return CheckResult(
        name="runtime folder",
        ok=private,
        said=f"{folder} (mode {mode:o})",
        cure="" if private else f"chmod 700 {folder}",
    )


async def _stale_profiles(_asked: Examination) -> CheckResult:
    removed = await asyncio.to_thread(sweep)
    if not removed:
        return CheckResult(name="leftover profiles", ok=True, said="none")
    return CheckResult(name="leftover profiles", ok=True, said=f"removed {len(removed)}", repaired=True)


async def _daemons(_asked: Examination) -> CheckResult:
    others = await asyncio.to_thread(other_daemons)
    stray = [other for other in others if other.is_stray]
    if stray:
        said = ", ".join(
            f"process {daemon.pid} serves {daemon.folder}, which no longer exists" for daemon in stray
        )
        cure = f"kill {' '.join(str(daemon.pid) for daemon in stray)}"
        return CheckResult(name="daemons", ok=False, said=said, cure=cure)
    elsewhere = f"; {len(others)} more in other folders" if others else ""
    return CheckResult(name="daemons", ok=True, said=f"this one is process {os.getpid()}{elsewhere}")


def _profile(path: Path, *, fix: bool) -> CheckResult:
    """The profile of the calls: whether another browser is using it."""
    lock = lock_of(path)
    if lock is None:
        return CheckResult(name="profile", ok=True, said=f"{path} is not in use")
    if lock.holder is None:
        if fix:
            lock.path.unlink(missing_ok=True)
        said = f"stale lock of a browser that has exited {'removed from' if fix else 'in'} {path}; it has no effect"
        return CheckResult(name="profile", ok=True, said=said, repaired=fix)
    cure = f"if no browser is running there: rm {lock.path}" if lock.is_foreign else "close that browser"
    return CheckResult(name="profile", ok=False, said=f"{path} is in use by {lock.holder}", cure=cure)


async def _disk(_asked: Examination) -> CheckResult:
    places = {await asyncio.to_thread(runtime_directory), _existing(cache_directory())}
    free = {place: shutil.disk_usage(place).free for place in places}
    place, least = min(free.items(), key=lambda pair: pair[1])
    ok = least >= LEAST_DISK
    cure = "" if ok else "boathook clean"
    return CheckResult(name="disk", ok=ok, said=f"{least // MEGABYTE} MB free at {place}", cure=cure)


def _existing(path: Path) -> Path:
    return next(place for place in (path, *path.parents) if place.exists())


async def _shared_memory(_asked: Examination) -> CheckResult:
    try:
        size = shutil.disk_usage("/dev/shm").total  # noqa: S108 - what Chromium uses
    except OSError:
        return CheckResult(name="shared memory", ok=True, said="not available on this system")
    ok = size >= LEAST_SHARED_MEMORY
    said = f"{size // MEGABYTE} MB" + ("" if ok else " (temporary files are used instead, which is slower)")
    cure = "" if ok else "docker run --shm-size=1g"
    return CheckResult(name="shared memory", ok=True, is_warning=not ok, said=said, cure=cure)


async def _display(asked: Examination) -> CheckResult:
    said = f"available: {asked.display}" if asked.display else "none (only --headed needs one)"
    return CheckResult(name="display", ok=True, said=said)


async def _extras(_asked: Examination) -> CheckResult:
    missing = await asyncio.to_thread(missing_extras)
    if not missing:
        return CheckResult(name="extras", ok=True, said="all are installed")
    said = "not installed: " + "; ".join(f"{extra.name} ({extra.purpose})" for extra in missing)
    return CheckResult(name="extras", ok=True, said=said, cure=how_to_add(missing))


async def _start(asked: Examination) -> CheckResult:
    browser = await opening.launch(LaunchOptions(executable=asked.executable))
    try:
        tab = await browser.open_tab("data:text/html,<title>well</title>")
        title = await tab.title()
    finally:
        await browser.close()
    return CheckResult(name="start", ok=title == "well", said=f"{browser.product} starts and loads a page")


CHECKS: tuple[Callable[[Examination], Awaitable[CheckResult]], ...] = (
    _version,
    _browser,
    _sandbox,
    _runtime_folder,
    _daemons,
    _stale_profiles,
    _disk,
    _shared_memory,
    _display,
    _extras,
    _start,
)
