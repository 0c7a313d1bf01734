"""Policy files: limits of the user or the administrator that flags, variables, `--config` and projects can only tighten.

A file has the settings that limit something, at its top or in `[browser]`, and `[actions]` with the lists of an action
policy. It is found by the account of the user, so a changed HOME does not hide it.
"""

from __future__ import annotations

import os
import pwd
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.hosts.host_policy import common_patterns, host_patterns
from boathook.errors import BadSetting
from boathook.input_files import read_input_file
from boathook.service.input.configuration_file import ConfigurationFile, configuration_of
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

FILE_NAME = "policy.toml"
ACTIONS = "actions"
ADMINISTRATORS = Path("/etc/boathook") / FILE_NAME
LARGEST_FILE = 64 * 1024
_STRICTEST: dict[str, object] = {"no": False, "yes": True}
_NOT_A_LIMIT = "set it in boathook.toml instead; a policy file has what limits something"


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """The limits of one file."""

    path: Path
    settings: Mapping[str, Any] = field(default_factory=dict)
    actions: bool = False
    """Whether it has an action policy."""


@dataclass(frozen=True, slots=True)
class LockedPolicy:
    """The limits of all policy files, the administrator's first."""

    files: tuple[PolicyFile, ...] = ()

    @property
    def action_policies(self) -> frozenset[str]:
        """The files with an action policy."""
        return frozenset(str(file.path) for file in self.files if file.actions)

    def tighten(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings within the limits of every file."""
        values = dict(settings)
        for file in self.files:
            for name, locked in file.settings.items():
                values[name] = _WAYS[SETTINGS[name].locking](values.get(name), locked)
        if "proxy" in self.sources and "proxy_bypass" not in self.sources:
            values["proxy_bypass"] = ()
        return values

    @property
    def sources(self) -> dict[str, str]:
        """The settings that are limited, each with the first file that does."""
        return {name: str(file.path) for file in reversed(self.files) for name in file.settings}


NOT_LOCKED = LockedPolicy()


def locked_policy(environment: Mapping[str, str]) -> LockedPolicy:
    """The policy of the user and of the administrator; BadSetting if a file cannot be read, so that nothing runs without it."""
    found = (_read_if_there(path) for path in policy_paths(environment))
    return LockedPolicy(tuple(file for file in found if file is not None))


def policy_paths(environment: Mapping[str, str]) -> list[Path]:
    """Where policy files are; the folder of the environment can only add one."""
    places = _policy_paths(
        ADMINISTRATORS, _account_home(), environment.get("HOME", ""), environment.get("XDG_CONFIG_HOME", "")
    )
    return list(places)


@lru_cache(maxsize=16)
def _policy_paths(administrators: Path, account: str, home: str, base: str) -> tuple[Path, ...]:
    folders = [Path(account) / ".config", Path(home or "/") / ".config"]
    if base.startswith("/"):
        folders.append(Path(base))
    return tuple(dict.fromkeys([administrators, *(folder / "boathook" / FILE_NAME for folder in folders)]))


@lru_cache(maxsize=1)
def _account_home() -> str:
    """The home of this account by the system's list, which is a file or a server: asked once."""
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:  # an account without an entry, as in some containers
        return "/"


def _read_if_there(path: Path) -> PolicyFile | None:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        # A home folder that this account cannot enter has no file for it.
        if isinstance(error, PermissionError) and not os.access(path.parent, os.X_OK):
            return None
        raise _unreadable(path, error.strerror or "cannot be read") from error
    return _read(path, found.st_mtime_ns, found.st_size, found.st_ino)


@lru_cache(maxsize=16)
def _read(path: Path, _changed: int, _size: int, _number: int) -> PolicyFile:
    """A file, read once for each version of it."""
    try:
        raw = read_input_file(str(path), most_bytes=LARGEST_FILE)
        given = tomllib.loads(raw.decode("utf-8"))
    except OSError as error:
        raise _unreadable(path, error.strerror or "cannot be read") from error
    except RecursionError:
        raise _unreadable(path, "it is nested too deeply") from None
    except ValueError as error:
        raise _unreadable(path, str(error)) from error
    if len(raw) > LARGEST_FILE:
        raise _unreadable(path, f"larger than {LARGEST_FILE} bytes")
    actions = given.pop(ACTIONS, None)
    if actions is not None and not isinstance(actions, dict):
        raise _unreadable(path, f"{ACTIONS} must be a table")
    settings = configuration_of(path, given)
    return PolicyFile(path, _check_limits(settings), actions=actions is not None)


def _unreadable(path: Path, why: str) -> BadSetting:
    return BadSetting(
        f"the policy file {path} cannot be used: {why}",
        hint="only closing is allowed until it can be read; fix the file",
    )


def _check_limits(file: ConfigurationFile) -> dict[str, Any]:
    """The settings of a policy file; BadSetting for one that limits nothing."""
    if file.agents or file.secrets:
        raise BadSetting(f"{file.path}: a policy file has no agents and no secrets", hint=_NOT_A_LIMIT)
    values = file.settings(None, trusted=True)
    for name, value in values.items():
        way = SETTINGS[name].locking
        if not way:
            raise BadSetting(f"{file.path}: {name} is not a limit", hint=_NOT_A_LIMIT)
        strictest = _STRICTEST.get(way, SETTINGS[name].strictest)
        if strictest not in {"", value}:
            allowed = str(strictest).lower()
            raise BadSetting(f"{file.path}: {name} can only be {allowed} in a policy file", hint=_NOT_A_LIMIT)
    return values


def _fewer(given: Any, locked: Any) -> tuple[str, ...]:
    wanted = host_patterns(locked)
    found = wanted if given is None else common_patterns(wanted, host_patterns(given))
    return tuple(str(pattern) for pattern in found)


def _more(given: Any, locked: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*locked, *(given or ()))))


def _folders(given: Sequence[str] | None, locked: Sequence[str]) -> tuple[str, ...]:
    """Folders that are inside both lists."""
    if given is None:
        return tuple(locked)
    pairs = [(os.path.realpath(one), os.path.realpath(other)) for one in given for other in locked]
    inner = [max(pair, key=len) for pair in pairs if os.path.commonpath(pair) in pair]
    return tuple(dict.fromkeys(inner))


def _exactly(_given: Any, locked: Any) -> Any:
    return locked


_WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "fewer": _fewer,
    "more": _more,
    "no": _exactly,
    "yes": _exactly,
    "folders": _folders,
    "least": lambda given, locked: locked if given is None else min(given, locked),
    "fixed": _exactly,
}
