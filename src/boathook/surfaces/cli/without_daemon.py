"""Commands that need no daemon: version, help overview and shell completion."""
# ruff: noqa: PTH118, PTH120, PTH123

from __future__ import annotations

import json
import os

from boathook._version import __version__
from boathook.help_headings import help_on_screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_VERSION = ("--version", "-V")
_HELP = ("--help", "-h", "help")
_ALL = ("--help", "all")
_SHELLS = ("bash", "zsh", "fish")
_SHORT_HELP = """\
usage: boathook COMMAND [ARGUMENTS …]

  boathook open https://example.org     open a page
  boathook snapshot                     print its elements with refs
  boathook click @e2                    act on an element
  boathook daemon status                status of the daemon
"""


def answer_locally(argv: list[str], *, has_colour: bool = False, columns: int | None = None) -> str | None:
    """The output of a command line that needs no daemon; None for any other."""
    if argv and argv[0] == "--complete":
        from boathook.surfaces.cli.completion import candidates  # noqa: PLC0415 (a shell asks for it, no call does)

        return "".join(f"{word}\n" for word in candidates(argv[1:]))
    if argv and argv[0] == "completion":
        return _completion(argv[1:])
    if len(argv) == len(_ALL) and argv[0] in _HELP and argv[1] == _ALL[1]:
        return _help("help_all", argv, has_colour=has_colour, columns=columns)
    if len(argv) > 1:
        return None
    if argv and argv[0] in _VERSION:
        return f"boathook {__version__}\n"
    is_help = not argv or argv[0] in _HELP
    return _help("help", argv, has_colour=has_colour, columns=columns) if is_help else None


def _help(name: str, argv: list[str], *, has_colour: bool, columns: int | None) -> str:
    text = catalogue().get(name)
    shown = text if isinstance(text, str) else _SHORT_HELP
    return help_on_screen(shown, argv=argv, environment=os.environ, has_colour=has_colour, columns=columns)


def catalogue() -> dict[str, Any]:
    """The generated catalogue; empty if it is missing."""
    try:
        with open(_data("catalogue.json"), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _completion(words: list[str]) -> str | None:
    shell = words[0] if words else "bash"
    if len(words) > 1 or shell not in _SHELLS:
        return None
    try:
        with open(_data(f"completion.{shell}"), encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def _data(name: str) -> str:
    return os.path.join(os.path.dirname(__file__), "..", "..", "data", name)
