"""`boathook setup`: writes the MCP server into the configuration of other programs, in the process of the caller."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from boathook.errors import BadRequest, BoathookError
from boathook.hints import COMMAND_LINE, render
from boathook.mcp_clients.client_setup import (
    ConfigScope,
    data_of,
    plan,
    plan_undo,
    snippet,
    write,
)
from boathook.mcp_clients.known_clients import CLIENTS, find_client, is_installed
from boathook.mcp_clients.server_check import start_once
from boathook.mcp_clients.server_command import server_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from boathook.mcp_clients.client_setup import FileChange
    from boathook.mcp_clients.known_clients import McpClient, Place
    from boathook.mcp_clients.server_check import SeenServer

USAGE = f"""\
usage: boathook setup [<client> …] [options]

Add the MCP server and skill to the configuration of other programs. Prints a diff, keeps a backup, and starts the
server once as the client would. Without a client, finds the installed ones and offers them.

clients:
  {", ".join(list(CLIENTS)[: len(CLIENTS) // 2])},
  {", ".join(list(CLIENTS)[len(CLIENTS) // 2 :])}

options:
  --all                     every installed client
  --place user|project      user configuration or project configuration (default user)
  --tools <sets>            tool sets to offer, such as core,storage
  --command <words>         the program to start, such as 'uvx boathook' (default: this one, by its absolute path)
  --dry-run                 show the changes without writing
  --undo                    remove the entry; files that are unchanged since are restored to the byte
  --show                    print the entry without writing
  --no-check                do not start the server
  --json                    print the result as JSON

examples:
  boathook setup claude
  boathook setup cursor --place project --dry-run
  boathook setup codex --undo
"""
SWITCHES = ("--all", "--dry-run", "--undo", "--show", "--no-check", "--json")
VALUES = ("--place", "--tools", "--command")


@dataclass(slots=True)
class _Asked:
    """The command line."""

    clients: list[str]
    switches: set[str]
    values: dict[str, str]

    def has(self, switch: str) -> bool:
        return f"--{switch}" in self.switches

    @property
    def place(self) -> Place:
        return "project" if self.values.get("--place") == "project" else "user"


def main(argv: list[str]) -> int:
    """Run the command; returns the exit status."""
    as_json = "--json" in argv
    try:
        if {"--help", "-h"} & set(argv):
            sys.stdout.write(USAGE)
            return 0
        return _run(_read(argv), environment=os.environ)
    except BoathookError as error:
        hint = render(error.marked_hint, COMMAND_LINE)
        if as_json:
            problem = {
                "code": error.code,
                "message": error.message,
                "hint": hint,
                "retry_safe": error.retry_safe,
            }
            sys.stdout.write(json.dumps({"ok": False, "category": error.category, "error": problem}) + "\n")
        else:
            sys.stderr.write(f"error: {error.message}{f' ({hint})' if hint else ''} [{error.code}]\n")
        return error.exit_status
    except (KeyboardInterrupt, EOFError):
        return 130
    finally:
        sys.stdout.flush()


def _read(argv: list[str]) -> _Asked:
    asked = _Asked([], set(), {})
    words = iter(argv)
    for word in words:
        name, equals, value = word.partition("=")
        if name in VALUES:
            asked.values[name] = value if equals else next(words, "")
        elif word in SWITCHES:
            asked.switches.add(word)
        elif word.startswith("-"):
            raise BadRequest(f"setup has no option {word!r:.60}", hint="run `setup --help`")
        else:
            asked.clients.append(word)
    if asked.values.get("--place", "user") not in {"user", "project"}:
        raise BadRequest(f"invalid place: {asked.values['--place']!r:.40}", hint="use user or project")
    return asked


def _run(asked: _Asked, *, environment: Mapping[str, str]) -> int:
    where = ConfigScope(
        place=asked.place, home=_home(environment), project=_project(Path.cwd()), environment=environment
    )
    clients = [find_client(name) for name in asked.clients] or _choose(asked, where)
    if not clients:
        return 0
    command = server_command(
        tools=asked.values.get("--tools", ""),
        given=asked.values.get("--command", ""),
        environment=environment,
        program=sys.argv[0],
    )
    if asked.has("show"):
        sys.stdout.write("\n".join(snippet(client, command) for client in clients) + "\n")
        return 0
    undo = asked.has("undo")
    planned = [(one, plan_undo(one, where) if undo else plan(one, where, command=command)) for one in clients]
    seen = None
    if not (undo or asked.has("dry-run") or asked.has("no-check")):
        seen = start_once(command, environment=environment, folder=where.home)
    written = [_carry_out(client, changes, asked, where) for client, changes in planned]
    if asked.has("json"):
        data = {"clients": written, "command": command, "server": _server_data(seen)}
        sys.stdout.write(json.dumps({"ok": True, "data": data}) + "\n")
        return 0
    for report in written:
        sys.stdout.write("\n".join(report["lines"]) + "\n")
    if seen is not None:
        sys.stdout.write(_checked(seen, command) + "\n")
    return 0


def _home(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("HOME") or Path.home())


def _project(folder: Path) -> Path:
    """The root of the repository, or the working directory."""
    return next((place for place in (folder, *folder.parents) if (place / ".git").exists()), folder)


def _choose(asked: _Asked, where: ConfigScope) -> list[McpClient]:
    """The installed clients, or those of them that a person chooses on the terminal."""
    found = [
        client
        for client in CLIENTS.values()
        if client.config(where.place) and is_installed(client, home=where.home, environment=where.environment)
    ]
    if not found:
        raise BadRequest(
            "no supported client is installed here", hint=f"name one of {', '.join(CLIENTS)}|: `setup NAME`"
        )
    if asked.has("all"):
        return found
    if asked.has("json"):
        names = [client.name for client in found]
        sys.stdout.write(json.dumps({"ok": True, "data": {"installed": names}}) + "\n")
        return []
    sys.stdout.write("installed clients:\n")
    sys.stdout.writelines(
        f"  {number}  {client.name:16}{client.title}\n" for number, client in enumerate(found, 1)
    )
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.stdout.write("run `boathook setup NAME`, or `boathook setup --all`\n")
        return []
    sys.stdout.write("set up which? (numbers or names, all; nothing to stop) ")
    sys.stdout.flush()
    return _chosen(sys.stdin.readline().replace(",", " ").split(), found)


def _chosen(words: list[str], found: list[McpClient]) -> list[McpClient]:
    if words == ["all"]:
        return found
    numbers = {str(number): client for number, client in enumerate(found, 1)}
    return [numbers[word] if word in numbers else find_client(word) for word in words]


def _carry_out(
    client: McpClient, changes: list[FileChange], asked: _Asked, where: ConfigScope
) -> dict[str, Any]:
    """Write the changes of one client; returns the report."""
    undo, dry_run = asked.has("undo"), asked.has("dry-run")
    if not changes:
        said = f"{client.title} is {'not' if undo else 'already'} set up; nothing to change"
        return {"client": client.name, "changes": [], "lines": [said]}
    lines = [change.difference for change in changes if change.path != where.skill(client)]
    if dry_run:
        lines.append("nothing was written")
    for change in [] if dry_run else changes:
        lines += write(change, where)
    if not dry_run:
        lines.append(
            f"boathook was removed from {client.title}"
            if undo
            else f"restart {client.title} to load the browser tools"
        )
    return {"client": client.name, "changes": [data_of(change) for change in changes], "lines": lines}


def _server_data(seen: SeenServer | None) -> dict[str, Any] | None:
    if seen is None:
        return None
    return {
        "name": seen.name,
        "version": seen.version,
        "tools": list(seen.tools),
        "seconds": round(seen.seconds, 2),
    }


def _checked(seen: SeenServer, command: list[str]) -> str:
    return (
        f"checked: {' '.join(command)} started as {seen.name} {seen.version} "
        f"and offers {len(seen.tools)} tools ({seen.seconds:.2f} s)"
    )
