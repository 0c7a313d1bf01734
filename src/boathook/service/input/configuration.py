"""Configuration: defaults, the user's file, the project's file, the environment, flags; later ones win, within policy files.

A file has settings at its top or in `[browser]`, and per agent in `[agents.ID.browser]`. A project's file can only
narrow what the user allows, and so can flags that come from a model instead of a person.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.errors import BadSetting
from boathook.service.input.command_line import setting_value
from boathook.service.input.configuration_file import ConfigurationFile, read_file
from boathook.service.input.narrowing import narrow_settings
from boathook.service.surface import Surface
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE_NAME = "boathook.toml"
MCP = "mcp"
_BY_VARIABLE = {setting.variable: setting for setting in SETTINGS.values()}
SURFACE_DEFAULTS: dict[str, dict[str, Any]] = {
    "mcp": {"evaluate_enabled": False, "scripts_enabled": False},
    "mcp http": {"evaluate_enabled": False, "scripts_enabled": False, "allow_private": False},
}
"""Defaults for calls from one surface; other surfaces have no separate defaults."""


def merge_settings(
    flags: Mapping[str, Any],
    *,
    environment: Mapping[str, str],
    folder: str,
    agent: str | None = None,
    surface: Surface = Surface.COMMAND_LINE,
    trusted_flags: bool = True,
) -> dict[str, Any]:
    """Every setting that was given, from the weakest source to the strongest; BadSetting for an unknown agent."""
    users, projects = _files(flags, environment, folder)
    _check_agent(agent, users, projects)
    values = surface_defaults(surface) | users.settings(agent, trusted=True)
    values = narrow_settings(values, projects.settings(agent, trusted=False))
    values |= from_environment(environment)
    given = _whole(_plain(flags), folder)
    return values | given if trusted_flags else narrow_settings(values, given)


def settings_of_call(flags: Mapping[str, Any], environment: Mapping[str, str], folder: str) -> frozenset[str]:
    """The settings that come with a command line itself, and not from files that the user has written for every call."""
    named = flags.get("config") or environment.get(SETTINGS["config"].variable)
    file = read_file(Path(folder, named)) if named else ConfigurationFile()
    return frozenset({*_plain(flags), *from_environment(environment), *file.settings(None, trusted=True)})


def _files(
    flags: Mapping[str, Any], environment: Mapping[str, str], folder: str
) -> tuple[ConfigurationFile, ConfigurationFile]:
    """The user's file and the project's; an explicit one replaces both, and must exist."""
    named = flags.get("config") or environment.get(SETTINGS["config"].variable)
    if not named:
        return read_file(user_file(environment)), read_file(project_file(folder))
    path = Path(folder, named)
    if not path.is_file():
        raise BadSetting(f"no such configuration file: {path}")
    return read_file(path), ConfigurationFile()


def with_flags(
    settings: Mapping[str, Any], flags: Mapping[str, Any], *, folder: str, trusted: bool
) -> dict[str, Any]:
    """The settings of a call for one of its steps, whose words may contain flags."""
    given = _whole(_plain(flags), folder)
    return {**settings, **given} if trusted else narrow_settings(dict(settings), given)


def surface_defaults(surface: Surface) -> dict[str, Any]:
    """Defaults for calls from one surface."""
    return dict(SURFACE_DEFAULTS.get(surface) or SURFACE_DEFAULTS.get(surface.partition(" ")[0], {}))


def user_file(environment: Mapping[str, str]) -> Path:
    """The user's configuration file."""
    return user_folder(environment) / FILE_NAME


def user_folder(environment: Mapping[str, str]) -> Path:
    """The folder of the user's files."""
    return _user_folder(environment.get("XDG_CONFIG_HOME", ""), environment.get("HOME", "/"))


@lru_cache(maxsize=16)
def _user_folder(base: str, home: str) -> Path:
    return (Path(base) if base.startswith("/") else Path(home, ".config")) / "boathook"


def project_file(folder: str) -> Path | None:
    """The configuration of the project that a folder belongs to: the nearest file up to the repository's root."""
    for file, repository in _places_up(folder):
        if file.is_file():
            return file
        if repository.exists():
            return None
    return None


@lru_cache(maxsize=64)
def _places_up(folder: str) -> tuple[tuple[Path, Path], ...]:
    """Where the file may be, from a folder upwards, each with the place of a repository beside it."""
    here = Path(folder)
    return tuple((place / FILE_NAME, place / ".git") for place in (here, *here.parents))


def from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Settings from variables such as BOATHOOK_SESSION; NO_COLOR is respected too."""
    values: dict[str, Any] = {}
    for variable, setting in _BY_VARIABLE.items():
        text = environment.get(variable)
        if text:
            values[setting.name] = setting_value(setting, text)
    if environment.get("NO_COLOR") and "color" not in values:
        values["color"] = "never"
    return _plain(values)


def _plain(given: Mapping[str, Any]) -> dict[str, Any]:
    """Aliases of settings, such as headless for not headed, become that setting."""
    values = dict(given)
    for name in [path for path in values if path in SETTINGS and SETTINGS[path].alias_of]:
        value, opposite = values.pop(name), SETTINGS[name].alias_of
        if value is None:
            continue
        if values.get(opposite) is value:
            raise BadSetting(
                f"{SETTINGS[opposite].flag} and {SETTINGS[name].flag} conflict", hint="use one of them"
            )
        values.setdefault(opposite, not value)
    return values


def _whole(values: dict[str, Any], folder: str) -> dict[str, Any]:
    """Lists of paths are relative to the caller's working directory."""
    return {
        name: tuple(str(Path(folder, path)) for path in value)
        if name in SETTINGS and SETTINGS[name].kind == "paths" and value is not None
        else value
        for name, value in values.items()
    }


def _check_agent(agent: str | None, *files: ConfigurationFile) -> None:
    known = sorted({name for file in files for name in file.agents})
    if agent is not None and agent not in known:
        raise BadSetting(
            f"unknown agent: {agent!r}",
            hint=f"use one of {', '.join(known)}"
            if known
            else "define it in [agents.ID.browser] of boathook.toml",
            agent=agent,
        )
