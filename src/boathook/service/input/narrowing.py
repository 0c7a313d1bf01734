"""Narrowing: what an untrusted source may do to settings; it can restrict, never extend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.hosts.host_policy import common_patterns, host_patterns
from boathook.errors import BadSetting
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boathook.settings import Setting


def narrow_settings(base: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with those of an untrusted source; BadSetting if they would extend anything."""
    values = dict(base)
    for name, value in given.items():
        setting = SETTINGS.get(name)
        if setting is None or value is None:
            continue
        if setting.trusted_only:
            raise BadSetting(
                f"{name} may not be set by a project or a model",
                hint=f"the user can: `={setting.name}`, or a file",
            )
        values[name] = _WAYS[setting.narrows](setting, values.get(name), value)
    return values


def _fewer(_setting: Setting, before: Any, value: Any) -> tuple[str, ...]:
    """Hosts that both allow; what the user has not limited may be limited freely."""
    wanted = host_patterns(value)
    found = wanted if before is None else common_patterns(host_patterns(before), wanted)
    return tuple(str(match) for match in found)


def _more(_setting: Setting, before: Any, value: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(before or ()), *value)))


def _only(*, allowed: bool) -> Callable[[Setting, Any, Any], Any]:
    def check_value(setting: Setting, before: Any, value: Any) -> Any:
        if value is not allowed and value != before:
            raise BadSetting(
                f"{setting.name} may only be set to {str(allowed).lower()} by a project or a model",
                hint=f"the user can loosen it: `={setting.name}`, or a file",
            )
        return value

    return check_value


_WAYS: dict[str, Callable[[Setting, Any, Any], Any]] = {
    "": lambda _setting, _before, value: value,
    "fewer": _fewer,
    "more": _more,
    "no": _only(allowed=False),
    "yes": _only(allowed=True),
}
