"""Hints: what to do about an error, written once and rendered in the terms of the caller's surface.

A hint marks what only some callers have, in backticks, and separates phrases with `|`:

    "run `state list` for the names"                     a command line, without the program's name
    "take one first|, or pass a file: `--baseline`"      a flag of the command that was called, or a setting
    "the user can allow it: `=allow_private`"            a setting that only the user can change
    "`? click <target> [options]`"                       the usage of the command that was called

Each surface renders the marked parts in its own terms. A phrase with a part that the surface does not have is left out.
"""

from __future__ import annotations

import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_LINE = 200
_MARKED = re.compile(r"`([^`]+)`")
_FLAG = re.compile(r"--[\w-]+(?: \S+)?")
_LEADING = re.compile(r"^[\s,;:]*(?:or )?")
_PYTHON_NAMES = Path(__file__).parent / "data" / "python_names.json"


class SurfaceTerms(Protocol):
    """How a surface renders the marked parts; None for what it does not have."""

    def command(self, line: str) -> str | None:
        """A command line."""

    def flag(self, flag: str) -> str | None:
        """A flag, perhaps with a placeholder for its value."""

    def setting(self, name: str) -> str | None:
        """A setting that the user can change."""

    def usage(self, line: str) -> str | None:
        """The usage of a command."""


def render(marked: str, words: SurfaceTerms) -> str:
    """The hint in the terms of a surface; empty if no phrase applies."""
    if "`" not in marked:
        return marked
    phrases = [_phrase(phrase, words) for phrase in marked.split("|")]
    return _LEADING.sub("", "".join(phrase for phrase in phrases if phrase is not None))


def marked_parts(marked: str) -> list[str]:
    """The marked parts of a hint, as they are written."""
    return _MARKED.findall(marked)


def mark_line(words: Sequence[str]) -> str:
    """A command line as a marked part of a hint; empty if it is long, or contains what would be taken for a mark."""
    line = shlex.join(words)
    return f"`{line}`" if len(line) <= LONGEST_LINE and plain(line) == line else ""


def plain(text: str) -> str:
    """Escape foreign text, such as a page's, so that nothing in it is taken for a mark."""
    return text.replace("`", "'").replace("|", "/")


def _phrase(phrase: str, words: SurfaceTerms) -> str | None:
    said: list[str] = []
    for number, part in enumerate(_MARKED.split(phrase)):
        spoken = _render_part(part, words) if number % 2 else part
        if spoken is None:
            return None
        said.append(spoken)
    return "".join(said)


def _render_part(part: str, words: SurfaceTerms) -> str | None:
    if _FLAG.fullmatch(part):
        return words.flag(part)
    if part.startswith("? "):
        return words.usage(part.removeprefix("? "))
    if part.startswith("="):
        return words.setting(part.removeprefix("="))
    return words.command(part)


class CommandLineTerms:
    """The terms of the command line."""

    def command(self, line: str) -> str | None:
        """As it is typed."""
        return f"boathook {line}"

    def flag(self, flag: str) -> str | None:
        """As it is typed."""
        return flag

    def setting(self, name: str) -> str | None:
        """Its flag."""
        return "--" + name.replace("_", "-")

    def usage(self, line: str) -> str | None:
        """As help shows it."""
        return f"usage: boathook {line}"


class PythonTerms:
    """The terms of the Python library."""

    def command(self, line: str) -> str | None:
        """The method for a command, without its arguments."""
        words = line.split()
        for length in range(len(words), 0, -1):
            method = _python_names()["methods"].get(" ".join(words[:length]))
            if method is not None:
                return method if not method.endswith("()") or length == len(words) else f"{method[:-1]}…)"
        return None

    def flag(self, flag: str) -> str | None:
        """A keyword."""
        name, _, value = flag.removeprefix("--").partition(" ")
        word = name.replace("-", "_")
        if word not in _python_names()["keywords"]:
            return None
        return f"{word}=…" if value else f"{word}=True"

    def setting(self, name: str) -> str | None:
        """A keyword."""
        return f"{name}=…" if name in _python_names()["keywords"] else None

    def usage(self, line: str) -> str | None:
        """None: signatures show it."""
        del line
        return None


@cache
def _python_names() -> dict[str, Any]:
    """Methods by command line, and all keywords; generated from the commands."""
    names: dict[str, Any] = json.loads(_PYTHON_NAMES.read_text(encoding="utf-8"))
    return names


COMMAND_LINE = CommandLineTerms()
PYTHON = PythonTerms()
