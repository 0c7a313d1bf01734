"""Headings of help texts on terminals: bold. It imports nothing, since the command line uses it without the daemon."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_USAGE = "usage:"
_FLAG = "--color"


def help_on_screen(
    text: str, *, argv: Sequence[str], environment: Mapping[str, str], has_colour: bool
) -> str:
    """A help text as a terminal shows it: its headings bold, if color is wanted."""
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
