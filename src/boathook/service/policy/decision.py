"""Decisions: a pure function from a policy and a call to allow, deny or ask."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.effects import FOR_PEOPLE, SideEffect
from boathook.engine.hosts.urls import normalize_url
from boathook.errors import BadSetting, BadUrl, PolicyBlocked
from boathook.registry.registry import URL_PARAMETERS
from boathook.service.policy.action_rules import ORDER
from boathook.service.policy.categories import CATEGORIES, categories_of, categories_of_effects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from boathook.registry.registry import Command
    from boathook.service.policy.action_rules import ActionRules, Verdict
    from boathook.service.policy.policy import Policy
    from boathook.service.surface import Surface


@dataclass(frozen=True, slots=True)
class Allow:
    """Allowed."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Requires confirmation by a person."""

    reason: str


@dataclass(frozen=True, slots=True)
class Deny:
    """Denied."""

    reason: str
    hint: str = ""


Decision = Allow | Ask | Deny
_NO_LIMITS_THERE = "limits on hosts cannot be enforced in a browser that boathook did not start"
_CHOOSE_BROWSER = "the user can choose such a browser|: `=cdp`"


def decide(
    policy: Policy,
    command: Command,
    arguments: Mapping[str, Any],
    *,
    surface: Surface,
    setting_effects: frozenset[SideEffect] = frozenset(),
) -> Decision:
    """The decision about a command with these arguments, checked and with absolute paths, and about the settings that came with it."""
    effects = command.side_effects_of(arguments) | setting_effects
    if surface.is_model and (command.for_people or effects & FOR_PEOPLE):
        return Deny("only a person may do this", "ask the user; the client asks for confirmations itself")
    denied = _by_limits(policy, command, arguments, effects)
    if denied is not None:
        return denied
    if command.runs_commands or command.closes_session:
        return Allow()
    also = categories_of_effects(setting_effects)
    confirmed = min(policy.confirm & (words_of(command, arguments) | also), default="")
    asked = f"confirm_actions includes {confirmed}" if confirmed else ""
    for rules in policy.rules:
        verdict, word = _by_rules(rules, command, arguments, also)
        if verdict == "deny":
            why = f"{word} is denied" if word else "everything that is not allowed is denied"
            return Deny(f"{why} by the action policy {rules.source}", "the user can change that file")
        if verdict == "confirm" and not asked:
            asked = f"the action policy {rules.source} requires it for {word or 'every action that it does not list'}"
    if asked:
        return Ask(f"{command.cli_name} requires confirmation ({asked})")
    return Allow()


def _by_rules(
    rules: ActionRules, command: Command, arguments: Mapping[str, Any], also: frozenset[str]
) -> tuple[Verdict, str]:
    """The strictest verdict of a file over all categories of a command, and of the settings of its call."""
    # A word that is both, such as `wait`, means the category.
    names = names_of(command) - set(CATEGORIES)
    found = [rules.verdict({category, *names}) for category in categories_of(command, arguments)]
    found += [rules.verdict({category}) for category in also]
    if not found:  # it is always allowed, unless it is named itself
        found = [rules.verdict(names)] if rules.words & names else [("allow", "")]
    return min(found, key=lambda verdict: ORDER.index(verdict[0]))


def names_of(command: Command) -> frozenset[str]:
    """The names of a command in every spelling."""
    return _spellings({command.name, command.cli_name, *(" ".join(words) for words in command.aliases)})


def words_of(command: Command, arguments: Mapping[str, Any] | None = None) -> frozenset[str]:
    """Everything by which confirm_actions may name a command: its names, its category, its group and its effect."""
    about = _spellings({command.group, command.effect.value})
    return names_of(command) | about | categories_of(command, arguments)


def _spellings(names: Iterable[str]) -> frozenset[str]:
    return frozenset(
        spelling for name in names for spelling in (name, *(name.replace(mark, "-") for mark in " _"))
    )


def check_words(
    words: Iterable[str], commands: Iterable[Command], *, where: str = "confirm_actions", groups: bool = True
) -> None:
    """BadSetting for an unknown name: a rule that never applies is worse than none."""
    said = words_of if groups else names_of
    known = {word for command in commands for word in said(command)} | set(CATEGORIES)
    unknown = min(set(words) - known, default="")
    if unknown:
        also = ", a group or an effect (reads, acts, changes-browser, changes-machine)" if groups else ""
        raise BadSetting(
            f"unknown command or category in {where}: {unknown!r}",
            hint=f"categories: {', '.join(CATEGORIES)}; or any command{also}",
        )


def _by_limits(
    policy: Policy, command: Command, arguments: Mapping[str, Any], effects: frozenset[SideEffect]
) -> Deny | None:
    """The first limit that a call exceeds."""
    if not policy.enabled:
        return Deny("the browser is disabled", _cure(policy, "enabled"))
    if SideEffect.REACHES_HOST in effects and (denied := _address(policy, arguments)):
        return denied
    for effect, allowed, reason, cure in (
        (SideEffect.ATTACHES_BROWSER, policy.attach, _NO_LIMITS_THERE, _CHOOSE_BROWSER),
        (
            SideEffect.RUNS_PAGE_SCRIPT,
            policy.evaluate,
            "scripts in pages are disabled",
            _cure(policy, "evaluate_enabled"),
        ),
        (SideEffect.RUNS_PROGRAM, policy.scripts, "programs are disabled", _cure(policy, "scripts_enabled")),
    ):
        if effect in effects and not allowed:
            return Deny(reason, cure)
    return _files(policy, command, arguments)


def _cure(policy: Policy, setting: str) -> str:
    """How the user can turn on what a setting has turned off."""
    if setting in policy.locked:
        return f"{policy.locked[setting]} limits it"
    return f"the user can set {setting} = true"


def _address(policy: Policy, arguments: Mapping[str, Any]) -> Deny | None:
    for url in (arguments.get(name) for name in URL_PARAMETERS):
        try:
            if isinstance(url, str):
                normalize_url(url, schemes=policy.schemes, host_policy=policy.host_policy)
        except PolicyBlocked as error:
            return Deny(error.message, error.marked_hint)
        except BadUrl:
            continue  # the command says better what is wrong with it
    return None


def _files(policy: Policy, command: Command, arguments: Mapping[str, Any]) -> Deny | None:
    for roots, names, said, setting in (
        (policy.upload_roots, command.reads_files, "read from", "upload_roots"),
        (policy.output_roots, command.writes_files, "written to", "output_roots"),
    ):
        paths = _paths(arguments, [name for name in names if not _is_a_kept_name(command, arguments, name)])
        outside = next(_outside(roots, paths), None) if roots is not None else None
        if outside is not None:
            listed = ", ".join(str(root) for root in roots or ())
            return Deny(
                f"{outside} is outside the folders that may be {said}",
                f"allowed: {listed or 'none'}; "
                + (
                    f"{policy.locked[setting]} limits it"
                    if setting in policy.locked
                    else f"the user can add others with {setting}"
                ),
            )
    return None


def _is_a_kept_name(command: Command, arguments: Mapping[str, Any], name: str) -> bool:
    """An argument that is still text is not a path: it names something that is stored in our own folder."""
    return name in command.stored_by_name and isinstance(arguments.get(name), str)


def _paths(arguments: Mapping[str, Any], names: Sequence[str]) -> Iterator[Path]:
    for name in names:
        given = arguments.get(name)
        for path in given if isinstance(given, list | tuple) else [given]:
            if isinstance(path, str | Path) and str(path):
                yield Path(path)


def _outside(roots: Sequence[Path], paths: Iterable[Path]) -> Iterator[Path]:
    """Paths outside all roots, with links and dots resolved."""
    real = [Path(os.path.realpath(root)) for root in roots]
    for path in paths:
        place = Path(os.path.realpath(path))
        if not any(place == root or place.is_relative_to(root) for root in real):
            yield path
