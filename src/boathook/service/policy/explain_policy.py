"""The effective policy of a call, rule by rule, with where each rule comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.registry.context import PolicyRule
from boathook.service.input.configuration import project_file, surface_defaults, user_file
from boathook.service.input.configuration_file import read_file
from boathook.service.policy.action_rules import read_rules
from boathook.service.policy.session_guards import guards_of
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from boathook.service.call import Call
    from boathook.service.input.locked_policy import LockedPolicy
    from boathook.service.policy.action_rules import ActionRules

_DEFAULTS: dict[str, str] = {
    "allowed_domains": "every host",
    "denied_domains": "none",
    "allow_private": "allowed unless hosts are limited",
    "upload_roots": "everywhere",
    "output_roots": "everywhere",
    "confirm_actions": "nothing",
    "stop_before": "nothing",
    "required_artifacts": "none",
    "boundaries": "on unless a person reads the output",
    "sandbox": "auto",
    "script_engine": "jail",
    "max_browsers": "8",
    "proxy": "none",
    "encrypt_states": "off",
}
"""What applies where nothing is set."""


def explain_policy(call: Call, *, session_limits: Mapping[str, Any], lock: LockedPolicy) -> list[PolicyRule]:
    """Every setting that limits something, and every rule of the action policies."""
    rules = [_rule(call, name, lock) for name, setting in SETTINGS.items() if setting.locking]
    rules += [
        PolicyRule(name=name, value=_shown(value), source="the running session")
        for name, value in session_limits.items()
        if SETTINGS[name].locking and value != _plain(call.settings.get(name))
    ]
    guards = guards_of(call.settings) | guards_of(session_limits)
    for path in sorted(guards.policies | lock.action_policies):
        rules += _action_rules(read_rules(path), locked=path in lock.action_policies)
    return rules


def _rule(call: Call, name: str, lock: LockedPolicy) -> PolicyRule:
    value = call.settings.get(name)
    if name in lock.sources:
        return PolicyRule(name=name, value=_shown(value), source=lock.sources[name], locked=True)
    if value is None:
        value = surface_defaults(call.surface).get(name)
    if value is None or value == SETTINGS[name].default:
        shown = _DEFAULTS.get(name, "off" if SETTINGS[name].default is False else "on")
        return PolicyRule(name=name, value=shown, source="default")
    return PolicyRule(name=name, value=_shown(value), source=_source_of(call, name))


def _source_of(call: Call, name: str) -> str:
    """Where a setting comes from: the strongest source that has it."""
    if name in call.own_settings:
        return "this call"
    for path in (project_file(call.folder), user_file(call.environment)):
        if path is not None and name in _names_in(path):
            return str(path)
    if name in surface_defaults(call.surface) and call.settings.get(name) is False:
        return f"default over {call.surface}"
    return "the options of the server"


def _names_in(path: Path) -> set[str]:
    file = read_file(path)
    agents = {name for settings in file.agents.values() for name in settings}
    return {*file.top, *agents}


def _action_rules(rules: ActionRules, *, locked: bool) -> Iterator[PolicyRule]:
    listed = {
        "actions denied": rules.deny,
        "actions to confirm": rules.confirm,
        "actions allowed": rules.allow,
    }
    for name, words in listed.items():
        if words:
            yield PolicyRule(name=name, value=", ".join(sorted(words)), source=rules.source, locked=locked)
    yield PolicyRule(name="other actions", value=rules.default, source=rules.source, locked=locked)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)
