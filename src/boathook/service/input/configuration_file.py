"""A configuration file: settings at its top and in `[browser]`, overrides per agent, and the user's secrets by name."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.errors import BadSetting
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from boathook.settings import Setting

LARGEST_FILE = 64 * 1024
SPELLINGS = {"executable_path": "executable"}
"""Other names of settings, which only files use."""
_KINDS: dict[str, tuple[type, ...]] = {
    "flag": (bool,),
    "number": (int, float),
    "integer": (int,),
    "text": (str,),
    "path": (str,),
    "texts": (list,),
    "paths": (list,),
}
_KIND_NAMES: dict[str, str] = {
    "flag": "true or false",
    "number": "a number",
    "integer": "an integer",
    "text": "a string",
    "path": "a path",
    "texts": "a list of strings",
    "paths": "a list of paths",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationFile:
    """The content of one file."""

    path: Path | None = None
    top: dict[str, Any] = field(default_factory=dict)
    agents: dict[str, dict[str, Any]] = field(default_factory=dict)
    secrets: dict[str, Any] = field(default_factory=dict, repr=False)

    def settings(self, agent: str | None, *, trusted: bool) -> dict[str, Any]:
        """The settings for an agent, each checked; a project's file may not set everything."""
        if self.secrets and not trusted:
            raise BadSetting(
                f"{self.path}: secrets may not be set by a project",
                hint="put them into your user configuration",
            )
        given = self.top | (self.agents.get(agent, {}) if agent is not None else {})
        values: dict[str, Any] = {}
        for name, value in given.items():
            setting = self._setting(SPELLINGS.get(name, name), value, trusted=trusted)
            if value == "":
                continue  # as if it were not there: so it is written in files that list everything
            if setting.alias_of:
                values[setting.alias_of] = not value
            else:
                values[setting.name] = self._value(setting, value)
        return values

    def _setting(self, name: str, value: Any, *, trusted: bool) -> Setting:
        setting = SETTINGS.get(name)
        if setting is None:
            raise BadSetting(
                f"{self.path}: unknown setting {name!r}", hint=f"use one of {', '.join(SETTINGS)}"
            )
        if (setting.trusted_only or setting.per_call) and not trusted and value != "":
            raise BadSetting(
                f"{self.path}: {name} may not be set by a project",
                hint=f"set it in your user configuration|, or pass `={setting.name}`",
            )
        if not _fits(setting, value):
            raise BadSetting(f"{self.path}: {name} must be {_expected(setting)}, not {value!r}")
        return setting

    def _value(self, setting: Setting, value: Any) -> Any:
        if setting.kind == "texts":
            return tuple(value)
        if setting.kind == "paths" and self.path is not None:
            return tuple(str(self.path.parent / Path(text).expanduser()) for text in value)
        # From a file, a rule must not depend on the folder of the caller.
        if setting.name == "action_policy" and value and self.path is not None:
            return str(self.path.parent / Path(value).expanduser())
        return value


def read_file(path: Path | None) -> ConfigurationFile:
    """Read a file; a missing one is empty."""
    if path is None or not path.is_file():
        return ConfigurationFile()
    found = path.stat()
    if found.st_size > LARGEST_FILE:
        raise BadSetting(f"{path} is larger than {LARGEST_FILE} bytes")
    return _read_version(path, found.st_mtime_ns, found.st_size, found.st_ino)


@lru_cache(maxsize=16)
def _read_version(path: Path, _changed: int, _size: int, _number: int) -> ConfigurationFile:
    """A file, read once for each version of it."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise BadSetting(f"{path} cannot be read: it is nested too deeply") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path} cannot be read: {error}") from error
    return configuration_of(path, given)


def configuration_of(path: Path, given: dict[str, Any]) -> ConfigurationFile:
    """The content of a file that has been parsed."""
    secrets = _table(path, "secrets", given.pop("secrets", {}))
    agents = _agents(path, given.pop("agents", {}))
    defaults = _table(path, "defaults", given.pop("defaults", {}))
    browser = _table(path, "defaults.browser", defaults.pop("browser", {}))
    if isinstance(given.get("browser"), dict):  # else it is the setting of this name
        browser |= given.pop("browser")
    return ConfigurationFile(path=path, top=given | defaults | browser, agents=agents, secrets=secrets)


def _agents(path: Path, given: Any) -> dict[str, dict[str, Any]]:
    """`[agents.ID.browser]`, or `[[agents]]` with an id and `[agents.browser]`."""
    if isinstance(given, list):
        listed = [_table(path, "agents", entry) for entry in given]
        if any(not isinstance(entry.get("id"), str) for entry in listed):
            raise BadSetting(f"{path}: an agent has no id", hint='set id = "…" under [[agents]]')
        named = {entry["id"]: entry for entry in listed}
    else:
        named = {
            name: _table(path, f"agents.{name}", table)
            for name, table in _table(path, "agents", given).items()
        }
    agents: dict[str, dict[str, Any]] = {}
    for name, agent in named.items():
        if unknown := set(agent) - {"id", "browser"}:
            raise BadSetting(
                f"{path}: agent {name} has the unknown key {min(unknown)!r}",
                hint=f"put settings into [agents.{name}.browser]",
            )
        agents[name] = _table(path, f"agents.{name}.browser", agent.get("browser", {}))
    return agents


def _table(path: Path, name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadSetting(f"{path}: {name} must be a table, not {value!r}", hint=f"use [{name}]")
    return dict(value)


def _expected(setting: Setting) -> str:
    if setting.kind == "choice":
        return f"one of {', '.join(setting.choices)}"
    return _KIND_NAMES[setting.kind]


def _fits(setting: Setting, value: Any) -> bool:
    if setting.kind == "choice":
        return value in setting.choices
    if setting.kind in {"texts", "paths"}:
        return isinstance(value, list) and all(isinstance(text, str) for text in value)
    return isinstance(value, _KINDS[setting.kind]) and (setting.kind == "flag" or not isinstance(value, bool))
