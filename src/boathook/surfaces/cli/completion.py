"""Shell completion: commands, flags and choices, from the catalogue."""

from __future__ import annotations

import json
import os
import re

from boathook.client.blocking_client import DaemonConnection
from boathook.surfaces.cli.without_daemon import catalogue
from boathook.wire import messages
from boathook.wire.failures import WireFailure
from boathook.wire.socket_address import daemon_folder, socket_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Flags = Mapping[str, list[str] | None]
    """Flags with their values: none (None), one of some choices, or anything (an empty list)."""


_LISTED = ("--tab", "--session")
"""Flags whose values the daemon knows."""
_TAKES_TAB = ("tab", "tab close")
_PLAIN = re.compile(r"[\w.-]{1,80}")
"""Nothing that a page could have made."""


def candidates(words: list[str], known: Mapping[str, Any] | None = None) -> list[str]:
    """The completions of the last word, which may be empty or incomplete."""
    given = catalogue() if known is None else known
    commands: Mapping[str, Any] = given.get("completion", {})
    settings: Flags = given.get("settings", {})
    *before, begun = words or [""]
    rest = _without_settings(before, settings)
    if rest is None:
        return _fitting(_running(before[-1], before) or settings.get(before[-1]) or [], begun)
    name = _command(rest, commands)
    flags: Flags = {**settings, **(commands[name]["flags"] if name else {})}
    awaited = flags.get(before[-1]) if before else None
    if awaited is not None:
        return _fitting(_running(before[-1], before) or awaited, begun)
    if begun.startswith("-"):
        return _fitting(list(flags), begun)
    there = _running("--tab", before) if name in _TAKES_TAB and name == " ".join(rest) else []
    return _fitting([*_next_words(rest, commands), *_choices(rest, name, commands, flags), *there], begun)


def _running(flag: str, before: list[str]) -> list[str]:
    """Tabs or sessions of the running daemon, for the flags that take them; none if no daemon runs."""
    if flag not in _LISTED:
        return []
    found = [entry for entry in _ask(["session", "list"]) if isinstance(entry, dict)]
    if flag == "--tab":
        named = before[before.index("--session") + 1 :][:1] if "--session" in before else []
        here = [entry for entry in found if (entry.get("name") in named if named else entry.get("present"))]
        names = [str(tab).split(" ")[0] for entry in here for tab in entry.get("tabs", [])]
    else:
        names = [str(entry.get("name", "")) for entry in found]
    return [name for name in names if _PLAIN.fullmatch(name)]


def _ask(line: list[str]) -> list[Any]:
    """The data of one line from a daemon that is running already."""
    try:
        with DaemonConnection.open(socket_path(daemon_folder())) as connection:
            terminal = messages.terminal(is_tty=False, columns=80, colour=False)
            environment = {name: value for name, value in os.environ.items() if name.startswith("BOATHOOK_")}
            owner = messages.owner(pid=os.getpid(), start_time=None)
            call = messages.call(
                "1",
                argv=["--json", *line],
                cwd=os.getcwd(),  # noqa: PTH109 (the client does without pathlib)
                terminal=terminal,
                environment=environment,
                stdin=None,
                owner=owner,
            )
            data = json.loads(connection.call(call).out).get("data")
    except (WireFailure, OSError, ValueError, AttributeError):
        return []
    return data if isinstance(data, list) else []


def _without_settings(words: list[str], settings: Flags) -> list[str] | None:
    """The words after the settings before the command; None if the last setting still needs its value."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if settings.get(words[at]) is not None else 1
    return None if at > len(words) else words[at:]


def _command(words: list[str], commands: Mapping[str, Any]) -> str:
    for length in range(len(words), 0, -1):
        name = " ".join(words[:length])
        if name in commands:
            return name
    return ""


def _next_words(words: list[str], commands: Mapping[str, Any]) -> list[str]:
    """Words that continue the name of a command."""
    names = [name.split() for name in commands]
    return [name[len(words)] for name in names if len(name) > len(words) and name[: len(words)] == words]


def _choices(words: list[str], name: str, commands: Mapping[str, Any], flags: Flags) -> list[str]:
    """The choices of the command's next argument, if it has any."""
    if not name:
        return []
    arguments, awaits = 0, False
    for word in words[len(name.split()) :]:
        if not awaits and not word.startswith("-"):
            arguments += 1
        awaits = not awaits and flags.get(word) is not None
    places: list[list[str]] = commands[name]["arguments"]
    return places[arguments] if arguments < len(places) else []


def _fitting(words: list[str], begun: str) -> list[str]:
    return sorted({word for word in words if word.startswith(begun)})
