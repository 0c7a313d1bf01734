"""What `boathook` answers by itself: its version and its first page of help."""
# ruff: noqa: PTH118, PTH120, PTH123

from __future__ import annotations

import json
import os

from boathook._version import __version__

_VERSION = ("--version", "-V")
_HELP = ("--help", "-h", "help")
_SHORT_HELP = """\
usage: boathook COMMAND [ARGUMENTS …]

  boathook open https://example.org     open a page
  boathook snapshot                     what is on it, with refs
  boathook click @e2                    act on it
  boathook daemon status                the process behind all this
"""


def answered_alone(argv: list[str]) -> str | None:
    """The text for a command line that needs no daemon; None for any other."""
    if len(argv) > 1:
        return None
    if argv and argv[0] in _VERSION:
        return f"boathook {__version__}\n"
    return _help() if not argv or argv[0] in _HELP else None


def _help() -> str:
    """The generated catalogue's `help`; the short one when it is missing."""
    catalogue = os.path.join(os.path.dirname(__file__), "..", "..", "data", "catalogue.json")
    try:
        with open(catalogue, encoding="utf-8") as file:
            text = json.load(file)["help"]
    except (OSError, ValueError, KeyError, TypeError):
        return _SHORT_HELP
    return text if isinstance(text, str) else _SHORT_HELP
