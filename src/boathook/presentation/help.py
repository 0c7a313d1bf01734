"""Help: the list of commands, and the help of one command, from the registry."""

from __future__ import annotations

from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.registry.registry import Command, Parameter

WIDTH = 26
MOST_CHOICES = 3
"""That many are listed in the form of a flag; more are listed in its description."""
PROGRAM = "boathook"
SCREEN_WIDTH = 100
COMMON_SETTINGS = ("session", "tab", "headed", "browser", "profile", "json", "timeout")
THIS_PROGRAM = {
    "mcp": "Run the MCP server; `tools` lists its tools.",
    "setup": "Add the MCP server and skill to other programs; without a name, offers the installed ones.",
    "relay": "Run the relay for your own Chrome, or install its extension.",
    "extension": "Install or check the Chrome extension.",
    "daemon": "Start, stop or restart the daemon, or print its status.",
    "version": "Print the version of this program, and of the daemon if one is running.",
    "uninstall": "Remove all stored files from this machine, and print what is left to do.",
}
"""Commands that are not in the registry: they need no session."""
_HEAD = (
    f"{PROGRAM}: a browser for agents",
    "",
    f"usage: {PROGRAM} [settings] <command> [arguments]",
    f"       {PROGRAM} <command> --help     help for one command",
)
_ALSO = "see also: "
_UNBROKEN = "\u00a0"
"""In place of the spaces inside names while lines are broken."""
FIRST_STEPS = ("open example.org", "snapshot", "click @e2", "read", "close")


def overview(commands: Iterable[Command]) -> str:
    """One screen: the core commands, the groups of the others, and where the rest is."""
    listed = list_commands(commands)
    groups = list(dict.fromkeys(command.group for command in listed if not command.core))
    lines = [
        *_HEAD,
        f"       {PROGRAM} --help all           all commands and settings",
        "",
        "core commands:",
        *(_row(command.cli_name, _first_sentence(command)) for command in listed if command.core),
        "",
        "this program:",
        *(_row(name, summary) for name, summary in THIS_PROGRAM.items()),
        "",
        f"more commands, by group ({PROGRAM} help <group>):",
        *wrap(", ".join(groups), SCREEN_WIDTH, initial_indent="  ", subsequent_indent="  "),
        *wrap(f"settings: {', '.join(map(_flag, COMMON_SETTINGS))}", SCREEN_WIDTH, subsequent_indent="  "),
        f"first steps: {'; '.join(FIRST_STEPS)}",
    ]
    return "\n".join(lines) + "\n"


def full_help(commands: Iterable[Command]) -> str:
    """All commands by group, a line each, and the settings of every command."""
    lines = list(_HEAD)
    for group, members in groupby(list_commands(commands), key=lambda command: command.group):
        lines += ["", f"{group}:", *(_row(command.cli_name, command.summary) for command in members)]
    lines += ["", "this program:", *(_row(name, summary) for name, summary in THIS_PROGRAM.items())]
    lines += ["", "settings, for any command (also as BOATHOOK_NAME and in boathook.toml):"]
    lines += [_row(_setting_form(name), SETTINGS[name].doc) for name in SETTINGS]
    lines += ["", "first steps:", *(f"  {PROGRAM} {line}" for line in FIRST_STEPS)]
    return "\n".join(lines) + "\n"


def list_commands(commands: Iterable[Command]) -> list[Command]:
    """Commands by the start of the line; a line that stands for several commands is listed once."""
    every = list(commands)
    taken = {entry.cli_name for entry in every if entry.cli_only}
    return [entry for entry in every if entry.cli_only or entry.cli_name not in taken]


def family_help(commands: Iterable[Command], word: str) -> str:
    """The commands whose line begins with it or whose group it is, a line each; empty if there are none."""
    rows = [_row(name, command.summary) for name, command in _family(commands, word)]
    if not rows:
        return ""
    usage = [f"usage: {PROGRAM} {word} <command> [arguments]", ""]
    begins = any(name.startswith(f"{word} ") for name, _ in _family(commands, word))
    return "\n".join([*(usage if begins else [f"{word}:"]), *rows]) + "\n"


def related_commands(commands: Iterable[Command], command: Command, word: str) -> str:
    """A line with the commands that the help of a word means too; empty if there are none."""
    names = [name for name, other in _family(commands, word) if other.name != command.name]
    if not names:
        return ""
    unbroken = ", ".join(name.replace(" ", _UNBROKEN) for name in names)
    lines = wrap(f"{_ALSO}{unbroken}", SCREEN_WIDTH, subsequent_indent=f"{'':{len(_ALSO)}}")
    return "\n" + "\n".join(lines).replace(_UNBROKEN, " ") + "\n"


def rest_of_group(commands: Iterable[Command], command: Command, word: str) -> str:
    """The other commands of the group that a word names, a line each; empty if it names none."""
    rows = [
        _row(name, other.summary)
        for name, other in _family(commands, word)
        if other.group == word and other.name != command.name
    ]
    return "\n".join(["", f"more commands of the group {word}:", *rows]) + "\n" if rows else ""


def _family(commands: Iterable[Command], word: str) -> list[tuple[str, Command]]:
    """Commands with the name under which they belong to a word: one that begins with it, or that of a group."""
    family = []
    for command in list_commands(commands):
        names = (command.cli_name, *(" ".join(alias) for alias in command.aliases))
        name = next((name for name in names if name.split()[0] == word), "")
        if name or command.group == word:
            family.append((name or command.cli_name, command))
    return family


def help_for(command: Command) -> str:
    """One command: usage, parameters, examples."""
    positional = [parameter for parameter in command.parameters if parameter.positional]
    flags = [parameter for parameter in command.parameters if not parameter.positional]
    words = [PROGRAM, command.cli_name, *(_placeholder(parameter) for parameter in positional)]
    lines = [f"usage: {' '.join([*words, *(['[options]'] if flags else [])])}", "", command.summary]
    if command.details:
        lines += ["", command.details]
    if positional:
        lines += [
            "",
            "arguments:",
            *(_row(_placeholder(parameter), _about(parameter)) for parameter in positional),
        ]
    if flags:
        lines += ["", "options:", *(_row(_flag_form(parameter), _about(parameter)) for parameter in flags)]
    others = [" ".join(words) for words in command.aliases[1:]]
    if others:
        lines += ["", f"aliases: {', '.join(others)}"]
    lines += ["", "examples:", *(f"  {PROGRAM} {line}" for line in command.examples)]
    return "\n".join(lines) + "\n"


def _first_sentence(command: Command) -> str:
    return command.summary.partition(". ")[0].rstrip(".") + "."


def _flag(setting: str) -> str:
    return SETTINGS[setting].flag


def _row(left: str, right: str) -> str:
    if len(left) + 2 >= WIDTH:
        return f"  {left}\n  {'':{WIDTH}}{right}"
    return f"  {left:{WIDTH}}{right}"


def _placeholder(parameter: Parameter) -> str:
    name = f"<{parameter.name.replace('_', ' ')}>{' …' if parameter.variadic else ''}"
    return name if parameter.required else f"[{name}]"


def _flag_form(parameter: Parameter) -> str:
    short = f"-{parameter.short}, " if parameter.short else ""
    if parameter.kind == "flag":
        return short + (
            parameter.flag.replace("--", "--no-") if parameter.default is True else parameter.flag
        )
    value = (
        "|".join(parameter.choices)
        if parameter.choices and parameter.kind != "json" and len(parameter.choices) <= MOST_CHOICES
        else f"<{_value_name(parameter)}>"
    )
    return f"{short}{parameter.flag} {value}"


def _value_name(parameter: Parameter) -> str:
    names = {"integer": "number", "point": "x,y", "texts": "text", "paths": "path", "choice": "which"}
    return names.get(parameter.kind, parameter.kind)


def _about(parameter: Parameter) -> str:
    facts = []
    if parameter.choices and parameter.kind != "json" and len(parameter.choices) > MOST_CHOICES:
        facts.append(f"one of {', '.join(parameter.choices)}")
    if parameter.bounds is not None:
        facts.append(f"{_number(parameter.bounds.least)} to {_number(parameter.bounds.most)}")
    if parameter.free_text:
        facts.append("the rest of the line, without quotes too; after -- no word is an option")
    if parameter.default not in {None, False, True, ""} and parameter.default != ():
        shown = f"{parameter.default:g}" if isinstance(parameter.default, float) else parameter.default
        facts.append(f"default {shown}")
    facts += _other_flags(parameter)
    # A flag that is on by default is listed as `--no-…`.
    about = (
        f"do not {parameter.doc}" if parameter.kind == "flag" and parameter.default is True else parameter.doc
    )
    return about + (f" ({'; '.join(facts)})" if facts else "")


def _other_flags(parameter: Parameter) -> list[str]:
    """Alias flags; some stand for a value."""
    by_value: dict[Any, list[str]] = {}
    for other in parameter.also:
        if other.flag == parameter.flag:
            continue  # the flag alone: its description says what that means
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
