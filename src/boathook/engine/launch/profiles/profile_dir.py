"""Profile directories: private temporary ones that are removed after their owner, and persistent ones."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import shutil
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from boathook.engine.launch import posix
from boathook.errors import BadSetting, LaunchFailed, ProfileInUse
from boathook.runtime_folder import NoPrivateFolder, cache_folder, runtime_folder, why_not_private

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

_NAME = re.compile(r"profile-[0-9a-f]{16}\Z")
_LOCK_SUFFIX = ".lock"
_SOCKET_FOLDER = re.compile(r"\.?(org\.chromium\.Chromium|com\.google\.Chrome)\.[A-Za-z0-9]{6}\Z")
_SOCKET_FILES = ("SingletonSocket", "SingletonCookie")
_REMOVE_TRIES = 40
_BETWEEN_TRIES_SECONDS = 0.05


class Profile(Protocol):
    """A profile directory for one browser; closing it releases it."""

    @property
    def path(self) -> Path:
        """The directory."""

    async def close(self) -> None:
        """Release the directory; may be called twice."""


class TemporaryProfile:
    """A profile directory with a lock file next to it, held while we run and released when we exit.

    The next process removes directories whose lock is free (`sweep`), so kill -9 leaves nothing behind.
    """

    def __init__(self, base: Path) -> None:
        name = f"profile-{secrets.token_hex(8)}"
        self.path = base / name
        self._lock_path = base / (name + _LOCK_SUFFIX)
        lock = posix.open_lock(self._lock_path)
        if lock is None:
            raise LaunchFailed(f"{self._lock_path} is held by another process", path=str(self._lock_path))
        self._lock: int | None = lock
        self.path.mkdir(mode=0o700)

    @classmethod
    def create(cls, *, base: Path | None = None) -> TemporaryProfile:
        """A new empty profile in the private runtime directory, or in `base`."""
        return cls(base or runtime_directory())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Remove the directory; call it when the browser has exited. May be called twice."""
        if self._lock is None:
            return
        lock, self._lock = self._lock, None
        try:
            for _ in range(_REMOVE_TRIES):  # a helper of the browser may still be writing
                if await asyncio.to_thread(_remove, self.path):
                    break
                await asyncio.sleep(_BETWEEN_TRIES_SECONDS)
            self._lock_path.unlink(missing_ok=True)
        finally:
            os.close(lock)


@dataclass(frozen=True, slots=True)
class PersistentProfile:
    """A profile directory that belongs to the caller and is kept."""

    path: Path

    async def close(self) -> None:
        """Nothing to do: the directory is the caller's."""


def open_profile(path: Path | None, *, base: Path | None = None) -> TemporaryProfile | PersistentProfile:
    """The caller's own profile if a path is given, otherwise a new temporary one."""
    return TemporaryProfile.create(base=base) if path is None else claim_profile(path)


def profile_base(browser: Path) -> Path | None:
    """Where this browser can have a temporary profile, if it cannot access the usual location.

    A snap can access neither the machine's temporary directory nor hidden folders of the home directory.
    """
    if browser.parts[:2] != ("/", "snap") and browser.resolve().name != "snap":
        return None
    base = Path.home() / "snap/chromium/common/boathook"
    return base if why_not_private(os.fspath(base)) is None else None


def runtime_directory(environ: Mapping[str, str] = os.environ) -> Path:
    """A directory that only we can access, for files that are removed with us: the daemon's own."""
    try:
        return Path(runtime_folder(environ))
    except NoPrivateFolder as error:
        raise LaunchFailed(
            f"no private directory for temporary profiles: {error}", hint="set TMPDIR", refused=error.refused
        ) from error


def cache_directory(environ: Mapping[str, str] = os.environ) -> Path:
    """Where downloads and small results are kept between runs."""
    return Path(cache_folder(environ))


def sweep(base: Path | None = None) -> list[Path]:
    """Remove temporary profiles whose owner has exited; returns what was removed. Anything else is left alone."""
    base = base or runtime_directory()
    names = {entry.name.removesuffix(_LOCK_SUFFIX) for entry in base.iterdir()}
    return [base / name for name in sorted(names) if _NAME.match(name) and _sweep_one(base / name)]


def still_ending(base: Path | None = None) -> list[Path]:
    """Temporary profiles whose owner has exited while their browser is still running; a later sweep removes them."""
    base = base or runtime_directory()
    return [path for path in base.iterdir() if _NAME.match(path.name) and _is_orphan(path)]


def _is_orphan(path: Path) -> bool:
    try:
        lock = posix.open_lock(path.with_name(path.name + _LOCK_SUFFIX))
    except OSError:
        return False
    if lock is None:
        return False
    os.close(lock)
    return holder_of(path) is not None


def _sweep_one(path: Path) -> bool:
    lock_path = path.with_name(path.name + _LOCK_SUFFIX)
    try:
        lock = posix.open_lock(lock_path)
    except OSError:
        return False  # a symlink or a foreign file under our name: not ours to touch
    if lock is None:
        return False
    try:
        existed = path.exists()
        # The browser of a dead owner exits a moment later; the next sweep removes its profile.
        if holder_of(path) is not None or not _remove(path):
            return False
        lock_path.unlink(missing_ok=True)
        return existed
    finally:
        os.close(lock)


def _remove(path: Path) -> bool:
    """Try once to remove a directory tree; False if something of it still exists."""
    if path.is_symlink():
        return False
    _remove_socket(path)
    shutil.rmtree(path, ignore_errors=True)
    return not path.exists()


def _remove_socket(profile: Path) -> None:
    """Remove the temporary folder of a profile's socket: a killed Chromium leaves it behind.

    The profile contains its path, which is not trusted: only a folder of ours with Chromium's name for it loses the two
    files that Chromium puts there, and is removed when it is empty.
    """
    with suppress(OSError):
        folder = (profile / _SOCKET_FILES[0]).readlink().parent
        if not _SOCKET_FOLDER.match(folder.name) or folder.lstat().st_uid != posix.user_id():
            return
        for name in _SOCKET_FILES:
            (folder / name).unlink(missing_ok=True)
        folder.rmdir()


def claim_profile(path: Path) -> PersistentProfile:
    """Check that a persistent profile can be used now: not the user's default, and not in use."""
    path = Path(os.path.realpath(path.expanduser()))
    for own in default_profiles():
        if path == own or own in path.parents:
            raise BadSetting(
                f"{path} is the default profile of a browser on this machine",
                hint="use a separate directory: Chromium refuses automation of its default profile, "
                "and a crash could damage the user's data",
                path=str(path),
            )
    if path.exists() and not path.is_dir():
        raise BadSetting(f"the profile {path} is not a directory", path=str(path))
    holder = holder_of(path)
    if holder is not None:
        raise ProfileInUse(
            f"the profile {path} is in use by {holder}",
            path=str(path),
            holder_pid=holder.pid,
            holder_host=holder.host,
        )
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetting(f"the profile {path} cannot be created: {error.strerror}", path=str(path)) from error
    return PersistentProfile(path)


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that uses a profile."""

    host: str
    pid: int

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


def holder_of(path: Path) -> Holder | None:
    """The process that uses the profile, from the link that Chromium creates there; None if there is none or it has exited."""
    try:
        host, _, pid = str((path / "SingletonLock").readlink()).rpartition("-")
    except OSError:
        return None
    if not pid.isdigit():
        return None
    holder = Holder(host=host, pid=int(pid))
    if host != socket.gethostname():
        return holder  # a shared directory: we cannot see that machine's processes, and nor can Chromium
    return holder if posix.is_alive(holder.pid) else None


_BROWSERS_CONFIG = (
    "google-chrome",
    "google-chrome-beta",
    "google-chrome-unstable",
    "chromium",
    "microsoft-edge",
    "microsoft-edge-dev",
    "BraveSoftware/Brave-Browser",
)
_BROWSERS_MACOS = (
    "Google/Chrome",
    "Google/Chrome Beta",
    "Google/Chrome Canary",
    "Chromium",
    "Microsoft Edge",
    "BraveSoftware/Brave-Browser",
)
_BROWSERS_WINDOWS = ("Google/Chrome", "Chromium", "Microsoft/Edge", "BraveSoftware/Brave-Browser")


def default_profiles(environ: Mapping[str, str] = os.environ, *, platform: str = sys.platform) -> list[Path]:
    """The default profile directories of browsers on this machine, existing or not."""
    home = Path.home()
    if platform == "darwin":
        found = [home / "Library/Application Support" / name for name in _BROWSERS_MACOS]
    elif platform == "win32":
        local = Path(environ.get("LOCALAPPDATA", home / "AppData/Local"))
        found = [local / name / "User Data" for name in _BROWSERS_WINDOWS]
    else:
        config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
        found = [config / name for name in _BROWSERS_CONFIG]
        found += [
            home / "snap/chromium/common/chromium",
            home / ".var/app/org.chromium.Chromium/config/chromium",
            home / ".var/app/com.google.Chrome/config/google-chrome",
        ]
    return [Path(os.path.realpath(path)) for path in found]
