"""The call that failed, on another element; and what kind of call it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.effects import Effect
from boathook.service.input.command_words import command_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.registry.registry import Command

EDITABLE = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})
TYPING = frozenset({"fill", "type"})
_FIND = "find"
_READING = "text"
_WORDS = {_READING: ("get", "text")}
"""Actions of `find` that are called otherwise as commands."""


def action_of(command: Command, arguments: Mapping[str, Any]) -> str:
    """What a call does to its element: the action of `find`, or the command itself."""
    if command.name != _FIND:
        return command.name
    words = list(arguments.get("words") or ())[1 if arguments.get("by") == "nth" else 0 :]
    return str(words[0]) if words else "click"


def target_of(command: Command, arguments: Mapping[str, Any]) -> str:
    """The target of a call that has exactly one; else empty."""
    if command.target_of is not None:
        found = command.target_of(arguments)
        return found[0] if found is not None else ""
    given = [str(arguments[name]) for name in _element_names(command, arguments)]
    return given[0] if len(given) == 1 else ""


def reads(command: Command, arguments: Mapping[str, Any]) -> bool:
    """Whether the call only reads."""
    return command.effect is Effect.READS or action_of(command, arguments) == _READING


def on_element(command: Command, arguments: Mapping[str, Any], ref: str) -> tuple[str, ...]:
    """The same call on another element; empty if it would repeat what was typed, which may be secret."""
    action = action_of(command, arguments)
    if command.name == _FIND:
        is_plain = action not in {*TYPING, "select"}
        return (*_WORDS.get(action, (action,)), ref) if is_plain else ()
    names = _element_names(command, arguments)
    if command.secrets or len(names) != 1:
        return ()
    return tuple(command_words(command, {**arguments, names[0]: ref, "nth": None}))


def _element_names(command: Command, arguments: Mapping[str, Any]) -> list[str]:
    return [parameter.name for parameter in command.elements if arguments.get(parameter.name) is not None]
