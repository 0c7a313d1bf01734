"""Configuration: defaults, the user's file, the project's file, the environment, flags; the later ones win."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.errors import BadSetting
from boathook.service.command_line import setting_value
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.settings import Setting

FILE_NAME = "boathook.toml"
LARGEST_FILE = 64 * 1024


def merged(flags: Mapping[str, Any], *, environment: Mapping[str, str], folder: str) -> dict[str, Any]:
    """Every setting that somebody has given, from the weakest source to the strongest."""
    values: dict[str, Any] = {}
    values |= _from_file(user_file(environment), trusted=True)
    values |= _from_file(project_file(folder), trusted=False)
    values |= from_environment(environment)
    return values | dict(flags)


def user_file(environment: Mapping[str, str]) -> Path:
    """Where a user's own settings are."""
    base = environment.get("XDG_CONFIG_HOME", "")
    home = Path(environment.get("HOME", "/"))
    return (Path(base) if base.startswith("/") else home / ".config") / "boathook" / FILE_NAME


def project_file(folder: str) -> Path | None:
    """The settings of the project that a folder belongs to: the nearest file on the way up to the repository's root."""
    here = Path(folder)
    for place in (here, *here.parents):
        if (place / FILE_NAME).is_file():
            return place / FILE_NAME
        if (place / ".git").exists():
            return None
    return None


def from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Settings from variables such as BOATHOOK_SESSION; NO_COLOR is heard too."""
    values: dict[str, Any] = {}
    for setting in SETTINGS.values():
        text = environment.get(setting.variable)
        if text:
            values[setting.name] = setting_value(setting, text)
    if environment.get("NO_COLOR") and "color" not in values:
        values["color"] = "never"
    return values


def _from_file(path: Path | None, *, trusted: bool) -> dict[str, Any]:
    if path is None or not path.is_file():
        return {}
    if path.stat().st_size > LARGEST_FILE:
        raise BadSetting(f"{path} is larger than {LARGEST_FILE} bytes")
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path} cannot be read: {error}") from error
    return {name: _checked(path, name, value, trusted=trusted) for name, value in given.items()}


def _checked(path: Path, name: str, value: Any, *, trusted: bool) -> Any:
    setting = SETTINGS.get(name)
    if setting is None:
        raise BadSetting(f"{path}: there is no setting {name!r}", hint=f"there are {', '.join(SETTINGS)}")
    if setting.trusted_only and not trusted:
        raise BadSetting(
            f"{path}: {name} may not be set by a project",
            hint=f"give {setting.flag}, or set it in your own file",
        )
    if not _fits(setting, value):
        raise BadSetting(f"{path}: {name} is a {setting.kind}, not {value!r}")
    return value


def _fits(setting: Setting, value: Any) -> bool:
    if setting.kind == "choice":
        return value in setting.choices
    kinds: dict[str, tuple[type, ...]] = {
        "flag": (bool,), "number": (int, float), "integer": (int,), "text": (str,), "path": (str,)
    }  # fmt: skip
    return isinstance(value, kinds[setting.kind]) and (setting.kind == "flag" or not isinstance(value, bool))
