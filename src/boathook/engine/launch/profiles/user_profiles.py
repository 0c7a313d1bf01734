"""The user's own browser profiles: a list, and a copy of one to use; the originals are only read."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.launch.profiles.profile_dir import default_profiles
from boathook.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Iterator

COPY_OF = "copy:"
"""Prefix of the path of a user's profile, whose copy is used."""
LARGEST_COPY = 2 * 1024**3
LARGEST_INDEX = 16 * 1024**2
MEBIBYTE = 1024**2
_INDEX = "Local State"
_COPIED_AS = "Default"
"""The folder that Chromium opens by default."""
_LEFT_OUT = frozenset(
    {
        "Cache", "Code Cache", "GPUCache", "DawnCache", "DawnGraphiteCache", "DawnWebGPUCache", "GrShaderCache",
        "ShaderCache", "CacheStorage", "ScriptCache", "Media Cache", "Application Cache", "blob_storage",
        "Crashpad", "Crash Reports", "Safe Browsing", "optimization_guide_model_store", "Sessions", "Session Storage",
        "SingletonLock", "SingletonSocket", "SingletonCookie", "lockfile", "LOCK", "DevToolsActivePort",
    }
)  # fmt: skip
"""Caches, which would only cost time; locks of running browsers; tabs, which must not be restored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserProfile:
    """A profile of a browser on this machine, as the user knows it."""

    name: str
    browser: str
    path: str

    @property
    def folder(self) -> str:
        """The name of its folder, such as Default or Profile 1."""
        return Path(self.path).name


def list_profiles() -> list[UserProfile]:
    """All profiles in the known locations; only the list that each browser keeps of them is read."""
    return [profile for root in default_profiles() if root.is_dir() for profile in _profiles_in(root)]


def find_profile(name: str) -> UserProfile | None:
    """The profile with this name or folder; BadSetting if several match."""
    wanted = name.casefold()
    known = list_profiles()
    found = [profile for profile in known if profile.folder.casefold() == wanted] or [
        profile for profile in known if profile.name.casefold() == wanted
    ]
    if len(found) > 1:
        listed = ", ".join(f"{match.browser} {match.folder}" for match in found)
        named = [match for match in found if match.browser.casefold() in {"chrome", "google-chrome"}]
        if len(named) != 1:
            raise BadSetting(
                f"several profiles are named {name!r}: {listed}",
                hint="`profiles` shows their other names",
            )
        return named[0]
    return found[0] if found else None


def copy_profile(source: Path, target: Path) -> str:
    """Copy a profile into an empty user-data folder; returns a note about it. The original is read and never written."""
    size = sum(path.stat().st_size for path in _files(source))
    if size > LARGEST_COPY:
        raise BadSetting(
            f"the profile {source} is too large to copy: {size // MEBIBYTE} MiB without caches",
            hint=f"the limit is {LARGEST_COPY // MEBIBYTE} MiB",
        )
    for path in _files(source):
        place = target / _COPIED_AS / path.relative_to(source)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileNotFoundError):  # a browser that runs there removes what it no longer needs
            shutil.copyfile(path, place, follow_symlinks=False)
    index = source.parent / _INDEX
    if index.is_file():
        shutil.copyfile(index, target / _INDEX)  # on some systems the key of its cookies is there
    return (
        f"using a copy of the profile {source} ({size // MEBIBYTE} MiB): the original is not changed, "
        "and changes are lost when the session closes"
    )


def _profiles_in(root: Path) -> Iterator[UserProfile]:
    listed = _read_profile_list(root)
    for folder in sorted(path for path in root.iterdir() if (path / "Preferences").is_file()):
        facts = listed.get(folder.name)
        name = facts.get("name") if isinstance(facts, dict) else None
        yield UserProfile(name=str(name or folder.name)[:100], browser=_browser(root), path=str(folder))


def _read_profile_list(root: Path) -> dict[str, Any]:
    """The browser's own list of its profiles; empty if that cannot be read."""
    index = root / _INDEX
    try:
        if index.stat().st_size > LARGEST_INDEX:
            return {}
        found = json.loads(index.read_bytes())["profile"]["info_cache"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _browser(root: Path) -> str:
    """The name of a browser by the location of its profiles."""
    name = root.parent.name if root.name == "User Data" else root.name
    return name.removeprefix("google-").lower()


def _files(source: Path) -> Iterator[Path]:
    for path in sorted(source.iterdir()):
        if path.name in _LEFT_OUT or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files_below(path)
        elif path.is_file():
            yield path


def _files_below(folder: Path) -> Iterator[Path]:
    with suppress(PermissionError, FileNotFoundError):
        yield from _files(folder)
