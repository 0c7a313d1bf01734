"""Help: the list of commands, and the help of one command, from the registry."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.registry.registry import Command, Parameter

WIDTH = 26
PROGRAM = "boathook"


def overview(commands: Iterable[Command]) -> str:
    """All commands by group, a line each, and the settings of every command."""
    lines = [
        f"{PROGRAM}: a browser for agents",
        "",
        f"usage: {PROGRAM} [settings] <command> [arguments]",
        f"       {PROGRAM} <command> --help     help for one command",
    ]
    for group, members in groupby(listed(commands), key=lambda one: one.group):
        lines += ["", f"{group}:", *(_row(one.cli_name, one.summary) for one in members)]
    lines += ["", "this program:"]
    lines += [_row("daemon", "Start, stop or restart the daemon, or print its status.")]
    lines += [_row("mcp", "Run the MCP server; `tools` lists its tools.")]
    lines += [_row("uninstall", "Remove all stored files from this machine, and print what is left to do.")]
    lines += ["", "settings, for any command (also as BOATHOOK_NAME and in boathook.toml):"]
    lines += [_row(_setting_form(name), SETTINGS[name].doc) for name in SETTINGS]
    lines += ["", "first steps:"]
    lines += [
        f"  {PROGRAM} {line}" for line in ("open example.org", "snapshot", "click @e2", "read", "close")
    ]
    return "\n".join(lines) + "\n"


def listed(commands: Iterable[Command]) -> list[Command]:
    """Commands by the start of the line; a line that stands for several commands is listed once."""
    every = list(commands)
    taken = {one.cli_name for one in every if one.cli_only}
    return [one for one in every if one.cli_only or one.cli_name not in taken]


def help_for(command: Command) -> str:
    """One command: usage, parameters, examples."""
    positional = [one for one in command.parameters if one.positional]
    flags = [one for one in command.parameters if not one.positional]
    words = [PROGRAM, command.cli_name, *(_placeholder(one) for one in positional)]
    lines = [f"usage: {' '.join([*words, *(['[options]'] if flags else [])])}", "", command.summary]
    if command.details:
        lines += ["", command.details]
    if positional:
        lines += ["", "arguments:", *(_row(_placeholder(one), _about(one)) for one in positional)]
    if flags:
        lines += ["", "options:", *(_row(_flag_form(one), _about(one)) for one in flags)]
    others = [" ".join(words) for words in command.aliases[1:]]
    if others:
        lines += ["", f"aliases: {', '.join(others)}"]
    lines += ["", "examples:", *(f"  {PROGRAM} {line}" for line in command.examples)]
    return "\n".join(lines) + "\n"


def _row(left: str, right: str) -> str:
    if len(left) + 2 >= WIDTH:
        return f"  {left}\n  {'':{WIDTH}}{right}"
    return f"  {left:{WIDTH}}{right}"


def _placeholder(one: Parameter) -> str:
    name = f"<{one.name.replace('_', ' ')}>{' …' if one.variadic else ''}"
    return name if one.required else f"[{name}]"


def _flag_form(one: Parameter) -> str:
    short = f"-{one.short}, " if one.short else ""
    if one.kind == "flag":
        return short + (one.flag.replace("--", "--no-") if one.default is True else one.flag)
    value = "|".join(one.choices) if one.choices and len(one.choices) <= 3 else f"<{_value_name(one)}>"  # noqa: PLR2004
    return f"{short}{one.flag} {value}"


def _value_name(one: Parameter) -> str:
    names = {"integer": "number", "point": "x,y", "texts": "text", "paths": "path", "choice": "which"}
    return names.get(one.kind, one.kind)


def _about(one: Parameter) -> str:
    facts = []
    if one.choices and len(one.choices) > 3:  # noqa: PLR2004 - as above
        facts.append(f"one of {', '.join(one.choices)}")
    if one.bounds is not None:
        facts.append(f"{_number(one.bounds.least)} to {_number(one.bounds.most)}")
    if one.default not in {None, False, True, ""} and one.default != ():
        shown = f"{one.default:g}" if isinstance(one.default, float) else one.default
        facts.append(f"default {shown}")
    facts += _other_flags(one)
    return one.doc + (f" ({'; '.join(facts)})" if facts else "")


def _other_flags(one: Parameter) -> list[str]:
    """Alias flags; some stand for a value."""
    by_value: dict[Any, list[str]] = {}
    for other in one.also:
        by_value.setdefault(None if other.value is True else other.value, []).append(other.flag)
    return [
        f"also {', '.join(flags)}" + (f" for {value}" if value is not None else "")
        for value, flags in by_value.items()
    ]


def _number(value: float) -> str:
    return f"{int(value):,}" if float(value).is_integer() else f"{value:g}"


def _setting_form(name: str) -> str:
    setting = SETTINGS[name]
    if setting.kind == "flag":
        return setting.flag
    return f"{setting.flag} {'|'.join(setting.choices) or f'<{setting.kind}>'}"
