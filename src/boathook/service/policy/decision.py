"""Decisions: a pure function from a policy and a call to yes, no, or a question for a person."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.hosts.urls import checked_address
from boathook.errors import BadSetting, BadUrl, PolicyBlocked
from boathook.service.policy.action_rules import ORDER
from boathook.service.policy.categories import CATEGORIES, categories_of
from boathook.service.policy.script_calls import runs_page_script
from boathook.service.surface import is_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from boathook.registry.registry import Command
    from boathook.service.policy.action_rules import ActionRules, Verdict
    from boathook.service.policy.policy import Policy

ADDRESSES = ("url", "other_url")
"""Parameters that say where a command goes."""
SAME_SITE = frozenset({"pushstate"})
"""Commands whose address cannot lead to another host."""
ATTACHING = frozenset({"connect"})
STEPS = frozenset({"batch"})
"""Commands that only run others, which are decided about one by one."""


@dataclass(frozen=True, slots=True)
class Allow:
    """It may be done."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A person has to say yes first."""

    reason: str


@dataclass(frozen=True, slots=True)
class Deny:
    """It may not be done."""

    reason: str
    hint: str = ""


Decision = Allow | Ask | Deny


def decide(policy: Policy, command: Command, arguments: Mapping[str, Any], *, door: str) -> Decision:
    """What the policy says about a command with these arguments, checked and with whole paths."""
    if command.for_people and is_model(door):
        return Deny(
            "only a person may do this", "ask the user; what is to be confirmed, the client asks about itself"
        )
    for rule in _RULES:
        denied = rule(policy, command, arguments)
        if denied is not None:
            return denied
    if command.name in STEPS or command.closes_session:
        return Allow()
    asked = min(policy.confirm & words_of(command, arguments), default="")
    for rules in policy.rules:
        verdict, word = _by_rules(rules, command, arguments)
        if verdict == "deny":
            why = f"{word} is denied" if word else "what it does not allow is denied"
            return Deny(f"{why} by the action policy {rules.source}", "the user can change that file")
        asked = asked or (verdict == "confirm" and (word or "what is not named")) or ""
    if asked:
        return Ask(f"{command.spoken} through the {door} needs a yes, since {asked} is to be confirmed")
    return Allow()


def _by_rules(rules: ActionRules, command: Command, arguments: Mapping[str, Any]) -> tuple[Verdict, str]:
    """The strictest of what a file says about each thing that a command counts as."""
    # A word that is both, such as `wait`, means the category.
    names = names_of(command) - set(CATEGORIES)
    found = [rules.verdict({one, *names}) for one in categories_of(command, arguments)]
    if not found:  # it is always allowed, unless it is named itself
        found = [rules.verdict(names)] if rules.words & names else [("allow", "")]
    return min(found, key=lambda one: ORDER.index(one[0]))


def names_of(command: Command) -> frozenset[str]:
    """The names of a command in every spelling."""
    return _spelled({command.name, command.spoken, *(" ".join(words) for words in command.words)})


def words_of(command: Command, arguments: Mapping[str, Any] | None = None) -> frozenset[str]:
    """Everything by which a confirmation may name a command: its names, its category, its group and its effect."""
    about = _spelled({command.group, command.effect.value})
    return names_of(command) | about | categories_of(command, arguments)


def _spelled(names: Iterable[str]) -> frozenset[str]:
    return frozenset(
        spelling for name in names for spelling in (name, *(name.replace(mark, "-") for mark in " _"))
    )


def check_words(
    words: Iterable[str], commands: Iterable[Command], *, where: str = "confirm_actions", groups: bool = True
) -> None:
    """BadSetting for a word that names nothing: a rule that never applies is worse than none."""
    said = words_of if groups else names_of
    known = {word for one in commands for word in said(one)} | set(CATEGORIES)
    unknown = min(set(words) - known, default="")
    if unknown:
        also = ", a group or an effect (reads, acts, changes-browser, changes-machine)" if groups else ""
        raise BadSetting(
            f"{where} names {unknown!r}, which is no command or category",
            hint=f"categories: {', '.join(CATEGORIES)}; or any command{also}",
        )


def _switched_off(policy: Policy, _command: Command, _arguments: Mapping[str, Any]) -> Deny | None:
    return (
        None
        if policy.enabled
        else Deny("the browser is switched off here", "the user can set enabled = true")
    )


def _address(policy: Policy, command: Command, arguments: Mapping[str, Any]) -> Deny | None:
    if not command.may_navigate or command.name in SAME_SITE:
        return None
    for url in (arguments.get(name) for name in ADDRESSES):
        try:
            if isinstance(url, str):
                checked_address(url, schemes=policy.schemes, reach=policy.reach)
        except PolicyBlocked as error:
            return Deny(error.message, error.marked_hint)
        except BadUrl:
            continue  # the command says better what is wrong with it
    return None


def _attaching(policy: Policy, command: Command, _arguments: Mapping[str, Any]) -> Deny | None:
    if policy.attach or command.name not in ATTACHING:
        return None
    return Deny(
        "limits on hosts cannot be enforced in a browser that somebody else started",
        "the user can choose such a browser|: `=cdp`",
    )


def _page_script(policy: Policy, command: Command, arguments: Mapping[str, Any]) -> Deny | None:
    if policy.evaluate or not runs_page_script(command, arguments):
        return None
    return Deny("scripts in pages are switched off", "the user can set evaluate_enabled = true")


def _program(policy: Policy, command: Command, arguments: Mapping[str, Any]) -> Deny | None:
    app = arguments.get("app")
    starts_app = isinstance(app, dict) and bool(app.get("path"))
    if policy.scripts or not (command.group == "scripts" or starts_app):
        return None
    return Deny("programs are switched off", "the user can set scripts_enabled = true")


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
                f"{outside} is outside of the folders that may be {said}",
                f"allowed: {listed or 'nowhere'}; the user can add others with {setting}",
            )
    return None


def _is_a_kept_name(command: Command, arguments: Mapping[str, Any], name: str) -> bool:
    """What stays a text was no path: it names something that is kept in a folder of our own."""
    return name in command.kept_by_name and isinstance(arguments.get(name), str)


def _paths(arguments: Mapping[str, Any], names: Sequence[str]) -> Iterator[Path]:
    for name in names:
        given = arguments.get(name)
        for one in given if isinstance(given, list | tuple) else [given]:
            if isinstance(one, str | Path) and str(one):
                yield Path(one)


def _outside(roots: Sequence[Path], paths: Iterable[Path]) -> Iterator[Path]:
    """Paths that lead out of all roots, links and dots followed."""
    real = [Path(os.path.realpath(root)) for root in roots]
    for path in paths:
        place = Path(os.path.realpath(path))
        if not any(place == root or place.is_relative_to(root) for root in real):
            yield path


_RULES: tuple[Callable[[Policy, Command, Mapping[str, Any]], Deny | None], ...] = (
    _switched_off,
    _address,
    _attaching,
    _page_script,
    _program,
    _files,
)
