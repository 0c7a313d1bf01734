"""A browser that starts while the daemon is still loading; the first launch with the same options takes it.

Loading takes a third of the time of the first `open`, and so does the start of Chromium. This module therefore imports little.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.engine.launch.arguments import launch_arguments
from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.network_limits import egress_for
from boathook.engine.launch.options import LaunchOptions, with_environment_defaults
from boathook.engine.launch.process import spawn
from boathook.engine.launch.profiles.profile_dir import open_profile, profile_base
from boathook.errors import BoathookError

if TYPE_CHECKING:
    from boathook.engine.launch.find_chrome import FoundBrowser
    from boathook.engine.launch.process import BrowserProcess, LaunchPlan
    from boathook.engine.launch.profiles.profile_dir import Profile

LONGEST_TEMPORARY = 58
"""Bytes: Chromium creates a socket there, whose path must not be longer than 103 bytes; hence the short name."""


@dataclass(frozen=True, slots=True)
class EarlyBrowser:
    """A browser process with a temporary profile, and what it was started from."""

    options: LaunchOptions
    found: FoundBrowser
    profile: Profile
    process: BrowserProcess

    async def close(self) -> None:
        """End it, and remove its profile."""
        try:
            await self.process.stop(grace_seconds=0)
        finally:
            await self.profile.close()


_waiting: list[EarlyBrowser] = []
"""At most one."""


async def start() -> None:
    """Start a browser with default options; if that fails, the launch that needs one reports why."""
    options = with_environment_defaults(LaunchOptions(), os.environ)
    try:
        if egress_for(options) is None and not _waiting:
            found = find_browser(options.executable, headless=options.headless)
            await _start(options, found)
    except (BoathookError, OSError):
        return


async def _start(options: LaunchOptions, found: FoundBrowser) -> None:
    profile = open_profile(None, base=profile_base(found.path))
    try:
        plan = launch_arguments(options, browser=found, profile=profile.path, egress_port=None)
        process = spawn(with_temporary_folder(plan, profile.path))
    except BaseException:
        await profile.close()
        raise
    _waiting.append(EarlyBrowser(options, found, profile, process))


def take(options: LaunchOptions, found: FoundBrowser) -> EarlyBrowser | None:
    """The waiting browser, if it is just the one that would be started; the caller closes it."""
    if not _waiting or (_waiting[0].options, _waiting[0].found) != (options, found):
        return None
    return _waiting.pop() if _waiting[0].process.running else None


async def close_unused() -> None:
    """End a browser that no launch has taken."""
    while _waiting:
        await _waiting.pop().close()


def with_temporary_folder(plan: LaunchPlan, profile: Path | None) -> LaunchPlan:
    """Temporary files of a browser are in its temporary profile, so that they are removed with it, also after kill -9.

    Chromium creates a socket among them and does not start if that has a long path, so other profiles are skipped.
    """
    folder = profile / "t" if profile is not None else None
    if folder is not None and len(os.fsencode(folder)) <= LONGEST_TEMPORARY:
        folder.mkdir(mode=0o700)
    elif len(os.fsencode(plan.environment.get("TMPDIR", ""))) <= LONGEST_TEMPORARY:
        return plan
    else:
        folder = Path("/tmp")  # noqa: S108 (Chromium creates a private folder there)
    return replace(plan, environment={**plan.environment, "TMPDIR": str(folder)})
