"""Source: the system's package manager, which also installs the libraries and keeps the browser up to date."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.engine.launch import posix
from boathook.engine.launch.browser_locations import VARIABLES
from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.install.source import run_step
from boathook.errors import BrowserNotFound, InstallFailed

if TYPE_CHECKING:
    from boathook.engine.launch.find_chrome import FoundBrowser
    from boathook.engine.launch.install.source import InstallContext

_SECONDS = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageManager:
    """A package manager: how it refreshes its lists and installs Chromium."""

    command: str
    refresh: tuple[str, ...] = ()
    install: tuple[str, ...]
    needs_root: bool = True


MANAGERS = (
    PackageManager(
        command="apt-get",
        refresh=("update", "-q"),
        install=("install", "-q", "-y", "--no-install-recommends", "chromium", "fonts-liberation"),
    ),
    PackageManager(command="dnf", install=("install", "-y", "chromium")),
    PackageManager(command="pacman", install=("-Sy", "--noconfirm", "--needed", "chromium")),
    PackageManager(command="apk", install=("add", "--no-cache", "chromium", "ttf-liberation")),
    PackageManager(command="zypper", install=("--non-interactive", "install", "chromium")),
    PackageManager(command="brew", install=("install", "--cask", "chromium"), needs_root=False),
)


@dataclass(frozen=True, slots=True)
class SystemPackages:
    """Chromium as packaged by the distribution; needs root or a passwordless sudo."""

    name: str = "the system's package manager"
    managers: tuple[PackageManager, ...] = MANAGERS

    def install(self, context: InstallContext) -> FoundBrowser:
        """Install with the first package manager that is on PATH."""
        search = context.environ.get("PATH", "")
        manager = next((each for each in self.managers if shutil.which(each.command, path=search)), None)
        if manager is None:
            names = ", ".join(each.command for each in self.managers)
            raise InstallFailed(f"none of {names} is on PATH")
        prefix = _prefix(manager, context)
        environ = {**context.environ, "DEBIAN_FRONTEND": "noninteractive"}
        program = shutil.which(manager.command, path=search) or manager.command
        if manager.refresh:
            with suppress(InstallFailed):  # one dead mirror must not stop what the others have
                run_step((*prefix, program, *manager.refresh), environ=environ, seconds=_SECONDS)
        run_step((*prefix, program, *manager.install), environ=environ, seconds=_SECONDS)
        unnamed = {name: value for name, value in context.environ.items() if name not in VARIABLES}
        try:
            return find_browser(environ=unnamed, platform=context.platform)
        except BrowserNotFound as error:
            raise InstallFailed(
                f"{manager.command} reported success, but no working browser was found"
            ) from error


def _prefix(manager: PackageManager, context: InstallContext) -> tuple[str, ...]:
    if not manager.needs_root or posix.is_root():
        return ()
    sudo = shutil.which("sudo", path=context.environ.get("PATH", ""))
    if sudo is None:
        raise InstallFailed(f"{manager.command} needs root, but sudo is not available")
    try:
        run_step((sudo, "-n", "true"), environ=context.environ, seconds=10)
    except InstallFailed as error:
        raise InstallFailed(f"{manager.command} needs root, but sudo asks for a password") from error
    return (sudo, "-n")
