"""Help texts on terminals: bold headings, and lines that are as long as the screen. It imports nothing, since the command line uses it without the daemon."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_USAGE = "usage:"
_FLAG = "--color"
_EXAMPLE = "  boathook "
"""Begins a line that is to be copied: it is left whole."""
_ROW_INDENT = 2
_LEAST_COLUMNS = 60
"""A narrower screen breaks lines itself."""


def help_on_screen(
    text: str,
    *,
    argv: Sequence[str],
    environment: Mapping[str, str],
    has_colour: bool,
    columns: int | None,
) -> str:
    """A help text as a terminal of this width shows it: its headings bold, if color is wanted; `None`: there is no terminal."""
    if columns is not None and columns >= _LEAST_COLUMNS:
        text = "\n".join(part for line in text.split("\n") for part in _fitted(line, columns))
    if not wants_colour(argv, environment=environment, has_colour=has_colour):
        return text
    return "\n".join(map(_styled, text.split("\n")))


def wants_colour(argv: Sequence[str], *, environment: Mapping[str, str], has_colour: bool) -> bool:
    """Whether an answer to a line that cannot be read, or that asks for help, has color."""
    wanted = _wanted(argv, environment)
    return wanted == "always" or (wanted != "never" and has_colour)


def _wanted(argv: Sequence[str], environment: Mapping[str, str]) -> str:
    """The setting, read before the line is: a line that asks for help may be wrong in all other words."""
    wanted = environment.get("BOATHOOK_COLOR", "auto")
    for word, following in zip(argv, [*argv, ""][1:], strict=True):
        if word == _FLAG:
            wanted = following
        elif word.startswith(f"{_FLAG}="):
            wanted = word.partition("=")[2]
    return wanted


def _styled(line: str) -> str:
    if line.startswith(_USAGE):
        return f"{_BOLD}{_USAGE}{_PLAIN}{line.removeprefix(_USAGE)}"
    is_heading = line.endswith(":") and not line.startswith(" ")
    return f"{_BOLD}{line}{_PLAIN}" if is_heading else line


def _fitted(line: str, columns: int) -> list[str]:
    """A line in as many as the screen needs, each below the text of the first."""
    lines = []
    indent = _indent_of(line)
    while len(line) > columns and not line.startswith(_EXAMPLE):
        end = line.rfind(" ", indent + 1, columns + 1)
        if end < 0:
            break
        lines.append(line[:end])
        line = f"{'':{indent}}{line[end + 1 :]}"
    return [*lines, line]


def _indent_of(line: str) -> int:
    """Where the text of a line begins: the second column of a row."""
    if line.startswith(_USAGE):
        return len(_USAGE) + 1
    indent = len(line) - len(line.lstrip(" "))
    gap = line.find("  ", indent)
    if indent != _ROW_INDENT or gap < 0:
        return indent
    return len(line) - len(line[gap:].lstrip(" "))
