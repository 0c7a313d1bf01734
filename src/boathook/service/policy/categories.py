"""Categories of commands: the names that an action policy uses; each command has one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.effects import CATEGORIES as OF_SIDE_EFFECT
from boathook.effects import SideEffect

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boathook.registry.registry import Command

CATEGORIES: dict[str, str] = {
    "navigate": "open URLs and go through history, also in a new tab",
    "tabs": "list, open, switch and close tabs",
    "snapshot": "see the page: snapshots, screenshots, PDF",
    "read": "read the page's text",
    "get": "get single facts: text, values, URLs, whether something is visible",
    "wait": "wait for something",
    "scroll": "scroll",
    "click": "click and tap",
    "fill": "enter values into fields: fill, type, select, check",
    "interact": "all other input: keys, mouse, dragging, clipboard, dialogs",
    "upload": "upload files",
    "download": "download files",
    "eval": "run a script in the page",
    "scripts": "run programs that control a tab",
    "network": "observe and change network traffic",
    "state": "cookies, storage, saved states and logins",
    "emulate": "emulate another device or location; permissions",
    "capture": "record: videos, traces, profiles",
    "debug": "consoles, errors, audits, styles, coverage",
    "machine": "change this machine: installed browsers, clients, stored files, other browsers",
}
"""What each one covers."""

_OF_GROUP = {
    "navigate": "navigate",
    "tabs": "tabs",
    "observe": "snapshot",
    "read": "read",
    "act": "interact",
    "keyboard and mouse": "interact",
    "wait": "wait",
    "dialogs": "interact",
    "handoff": "interact",
    "watch": "debug",
    "files": "download",
    "storage": "state",
    "login": "state",
    "emulate": "emulate",
    "facts": "get",
    "scripts": "scripts",
    "network": "network",
    "capture": "capture",
    "diff": "snapshot",
    "debug": "debug",
    "frameworks": "debug",
    "machine": "machine",
}
ALWAYS = frozenset({"session", "single", "direct", "named", "scripted"})
"""Groups that no policy blocks: closing and listing sessions, and commands that only run others, which are checked themselves."""


def categories_of(command: Command, arguments: Mapping[str, Any] | None = None) -> frozenset[str]:
    """The categories of a command with these arguments; empty for what is always allowed.

    Each of its side effects adds a category: one that also opens a URL counts as `navigate` too, one that saves a
    download as `download`.
    """
    given = arguments or {}
    own = _own(command, given)
    effects = command.side_effects_of(given)
    navigates = {"navigate"} if SideEffect.REACHES_HOST in effects and own else set[str]()
    return frozenset({own} - {""}) | navigates | categories_of_effects(effects)


def categories_of_effects(effects: Iterable[SideEffect]) -> frozenset[str]:
    """The categories that side effects belong to."""
    return frozenset(OF_SIDE_EFFECT[effect] for effect in effects if effect in OF_SIDE_EFFECT)


def _own(command: Command, given: Mapping[str, Any]) -> str:
    if command.category is not None:
        return command.category(given) if callable(command.category) else command.category
    every_call = {parameter.name: True for parameter in command.parameters if parameter.required}
    for effect, category in OF_SIDE_EFFECT.items():
        if effect in command.side_effects_of(every_call):
            return category
    return "" if command.group in ALWAYS else _OF_GROUP[command.group]
