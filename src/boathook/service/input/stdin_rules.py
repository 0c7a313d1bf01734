"""Which command lines read standard input: what would be ignored is refused instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boathook.service.input.command_line import ParsedCommandLine

_FLAG = "_stdin"
"""Flags such as `--password-stdin` end so."""


def reads_stdin(line: ParsedCommandLine) -> bool:
    """Whether a line reads standard input, with its flags and with `-` for a parameter."""
    command = line.command
    if any(line.arguments.get(name) == "-" for name in command.from_stdin):
        return True
    flags = [parameter.name for parameter in command.parameters if parameter.name.endswith(_FLAG)]
    if flags:
        return any(line.arguments.get(name) for name in flags)
    return command.reads_stdin
