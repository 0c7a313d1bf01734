"""Orphans: what other processes of ours, or of Chromium, may have left behind: daemons without a folder, profile locks."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from boathook.engine.launch.profiles.profile_dir import Holder, holder_of

DAEMON = "boathook.service.daemon"
LOCK = "SingletonLock"


@dataclass(frozen=True, slots=True)
class OtherDaemon:
    """A daemon of the same user that is not this one."""

    pid: int
    folder: str

    @property
    def is_stray(self) -> bool:
        """Whether no client can find it: its folder was removed."""
        return not Path(self.folder).is_dir()


def other_daemons(processes: Path = Path("/proc")) -> list[OtherDaemon]:
    """Daemons of this user, where the system lists its processes; otherwise empty."""
    if not processes.is_dir():
        return []
    found = (_daemon(place) for place in processes.iterdir() if place.name.isdigit())
    return sorted((match for match in found if match is not None), key=lambda daemon: daemon.pid)


def _daemon(place: Path) -> OtherDaemon | None:
    try:
        if place.stat().st_uid != os.geteuid():
            return None
        words = (place / "cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return None  # it has ended meanwhile
    pid = int(place.name)
    if pid == os.getpid() or DAEMON not in words or "--folder" not in words[:-1]:
        return None
    return OtherDaemon(pid=pid, folder=words[words.index("--folder") + 1])


@dataclass(frozen=True, slots=True)
class ProfileLock:
    """The lock of a profile, and its holder; None if its browser has exited."""

    path: Path
    holder: Holder | None
    is_foreign: bool
    """It names another machine, or an earlier name of this one, as in containers."""


def lock_of(profile: Path) -> ProfileLock | None:
    """The lock that a browser created on a profile; None if there is none."""
    path = profile / LOCK
    if not path.is_symlink():
        return None
    holder = holder_of(profile)
    return ProfileLock(
        path=path, holder=holder, is_foreign=holder is not None and holder.host != os.uname().nodename
    )
