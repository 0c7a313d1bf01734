"""Secrets by name: `env:NAME` instead of a value keeps it out of prompts, logs and shell histories."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.commands.registry import Command

_NAMED = re.compile(r"env:([A-Za-z_][A-Za-z0-9_]*)")


def resolved(
    command: Command, arguments: dict[str, Any], environment: Mapping[str, str]
) -> tuple[dict[str, Any], frozenset[str]]:
    """The arguments with values in place of names, and those values, which must not be told to anybody."""
    secrets: set[str] = set()

    def one(value: Any) -> Any:
        match = _NAMED.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            return value
        if not environment.get(match[1]):
            raise BadRequest(f"the variable {match[1]} is not set", hint="set it where boathook is called")
        secrets.add(environment[match[1]])
        return environment[match[1]]

    given = dict(arguments)
    for name in command.secrets:
        value = given.get(name)
        given[name] = [one(part) for part in value] if isinstance(value, list) else one(value)
        if given[name] is None:
            given.pop(name)
    return given, frozenset(secrets)
