"""Writes the files generated from the registry: docs/reference.md, and in data/: catalogue.json, skill.md, tools.json, python_names.json.

`--check` writes nothing and fails when a file is not current.
"""

from __future__ import annotations

import inspect
import json
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boathook
from boathook.commands import catalogue
from boathook.mcp_clients.known_clients import CLIENTS
from boathook.presentation.help import full_help, help_for, list_commands, overview
from boathook.registry.registry import Scope
from boathook.registry.tool_schemas import catalogue_of_tools
from boathook.service.input.argument_types import usage
from boathook.service.input.command_line import table_of
from boathook.settings import SETTINGS
from boathook.surfaces.cli.setup_command import SWITCHES

if TYPE_CHECKING:
    from boathook.registry.registry import Command, Parameter
    from boathook.settings import Setting

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "src/boathook/data"
SKILL_GROUPS = ("navigate", "observe", "act", "wait", "facts", "read", "tabs", "dialogs", "files", "session")

ANSWERED_BY_CLIENT: dict[str, Any] = {
    "setup": {
        "flags": dict.fromkeys(SWITCHES) | {"--place": ["user", "project"], "--tools": [], "--command": []},
        "arguments": [list(CLIENTS)],
    },
    "daemon": {
        "flags": {"--json": None, "--force": None},
        "arguments": [["start", "stop", "restart", "status"]],
    },
    "version": {"flags": {"--json": None}, "arguments": []},
    "uninstall": {"flags": {"--yes": None, "--json": None}, "arguments": []},
}
"""Commands about the daemon itself, which the client handles."""


def reference(commands: dict[str, Command]) -> str:
    """Every command, by group."""
    parts = ["# Reference\n\nGenerated from the commands by `make gen`; do not edit.\n"]
    for group, members in groupby(list_commands(commands.values()), key=lambda one: one.group):
        parts.append(f"## {group}\n")
        parts += [f"### {member.cli_name}\n\n```text\n{help_for(member)}```\n" for member in members]
    parts.append("## Settings\n\n| flag | variable | description |\n|---|---|---|")
    parts += [f"| `{setting.flag}` | `{setting.variable}` | {setting.doc} |" for setting in SETTINGS.values()]
    return "\n".join(parts) + "\n"


def catalogue_json(commands: dict[str, Command]) -> str:
    """What a client can print without the daemon."""
    spoken = {" ".join(words): command for words, command in table_of(commands).items()}
    told = {
        "help": overview(commands.values()),
        "help_all": full_help(commands.values()),
        "commands": sorted({command.cli_name for command in commands.values()}),
        "completion": {name: _words_after(command) for name, command in sorted(spoken.items())}
        | ANSWERED_BY_CLIENT,
        "settings": {setting.flag: _values(setting) for setting in SETTINGS.values()},
    }
    return json.dumps(told, indent=1) + "\n"


def _words_after(one: Command) -> dict[str, Any]:
    """Completions after the name of a command: flags with their values, and arguments with choices."""
    flags = {parameter.flag: _values(parameter) for parameter in one.parameters if not parameter.positional}
    flags |= {f"-{parameter.short}": _values(parameter) for parameter in one.parameters if parameter.short}
    flags |= {
        other.flag: None if other.value is not None else _values(parameter)
        for parameter in one.parameters
        for other in parameter.also
    }
    arguments = [list(parameter.choices) for parameter in one.parameters if parameter.positional]
    return {"flags": flags, "arguments": arguments if any(arguments) else []}


def _values(one: Parameter | Setting) -> list[str] | None:
    return None if one.kind == "flag" else list(one.choices)


def python_names(commands: dict[str, Command]) -> str:
    """The Python names for what hints mention: methods by command line, and keywords."""
    methods = {
        " ".join(words): _method(command)
        for words, command in table_of(commands).items()
        if command.method_name
    } | {"install": "boathook.install_browser()", "tab": "browser.tabs()"}
    keywords = {
        parameter.name
        for command in commands.values()
        for parameter in command.parameters
        if command.method_name
    }
    keywords |= set(inspect.signature(boathook.launch).parameters)
    names = {"methods": dict(sorted(methods.items())), "keywords": sorted(keywords)}
    return json.dumps(names, indent=1) + "\n"


def _method(one: Command) -> str:
    holder = "browser" if one.scope is Scope.BROWSER else "tab"
    return f"{holder}.{one.method_name}" + ("" if one.as_property else "()")


def skill(commands: dict[str, Command]) -> str:
    """The guide to the command line for agents."""
    lines = [(DATA / "skill_head.md").read_text().rstrip(), "", "## Commands", ""]
    for group in SKILL_GROUPS:
        members = [entry for entry in list_commands(commands.values()) if entry.group == group]
        lines += [f"- `boathook {usage(member)}`: {member.summary}" for member in members]
    return "\n".join(lines) + "\n"


def main(argv: list[str]) -> int:
    """Write the files, or compare them."""
    every = catalogue()
    commands = in_groups({name: command for name, command in every.items() if not command.tool_set})
    wanted = {
        ROOT / "docs/reference.md": reference(commands),
        DATA / "catalogue.json": catalogue_json(commands),
        DATA / "skill.md": skill(commands),
        DATA / "python_names.json": python_names(commands),
        DATA / "tools.json": json.dumps(catalogue_of_tools(every), ensure_ascii=False, indent=1) + "\n",
    }
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in argv:
        for path in stale:
            sys.stderr.write(f"{path.relative_to(ROOT)} is not current: run make gen\n")
        return 1 if stale else 0
    for path in stale:
        path.write_text(wanted[path])
    return 0


def in_groups(commands: dict[str, Command]) -> dict[str, Command]:
    """The commands, sorted by group."""
    order = list(dict.fromkeys(command.group for command in commands.values()))
    return dict(sorted(commands.items(), key=lambda pair: order.index(pair[1].group)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
