"""Command words: a command and its arguments as the words of a command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.registry.registry import Command, Parameter


def command_words(command: Command, arguments: Mapping[str, Any]) -> list[str]:
    """The words that run the command with these arguments; empty if a command line cannot express them."""
    words, flags, held = command.cli_name.split(), [], []
    is_complete = True
    for parameter in command.parameters:
        value = arguments.get(parameter.name)
        if not parameter.positional:
            flags += _flag_words(parameter, value) if value not in (None, parameter.default) else []
        elif value is None:
            is_complete = False
        elif value == parameter.default:
            held.append(_word(value))  # needed only if a later one is given
        elif not is_complete:
            return []  # an earlier positional one was left out
        else:
            words += [*held, *(_word(part) for part in (value if parameter.variadic else [value]))]
            held = []
    return [*words, *flags]


def _flag_words(parameter: Parameter, value: Any) -> list[str]:
    if parameter.kind == "flag":
        return [parameter.flag if value else parameter.flag.replace("--", "--no-", 1)]
    if parameter.kind in {"texts", "paths"}:
        return [word for part in value for word in (parameter.flag, _word(part))]
    return [parameter.flag, _word(value)]


def _word(value: Any) -> str:
    match value:
        case str():
            return value
        case [int() | float() as x, int() | float() as y]:
            return f"{x:g},{y:g}"
        case dict() | list():
            return json.dumps(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
