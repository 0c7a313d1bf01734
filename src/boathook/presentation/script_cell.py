"""A script run on a terminal: the code, its steps, its result, and images where the terminal supports them."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from boathook.presentation.families.scripts import render_displayed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from boathook.commands.results import ScriptResult

    Clean = Callable[[str], str]

Pictures = Literal["", "kitty", "iterm"]
CODE_LINES = 16
STEP_LINES = 20
LEAST_COLUMNS = 20
PICTURE_BYTES = 4 << 20
KITTY_CHUNK = 4096
_PNG = b"\x89PNG"
_BY_TERM: dict[str, Pictures] = {"xterm-kitty": "kitty", "xterm-ghostty": "kitty"}
_BY_PROGRAM: dict[str, Pictures] = {
    "iTerm.app": "iterm", "WezTerm": "iterm", "mintty": "iterm", "vscode": "", "ghostty": "kitty",
}  # fmt: skip
_DIM, _BOLD, _PLAIN = "\x1b[2m", "\x1b[1m", "\x1b[0m"


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What a terminal can show."""

    columns: int
    is_tty: bool = True
    """Otherwise a program reads the output, which may want its colors."""
    colour: bool = False
    pictures: Pictures = ""


def pictures_of(environment: Mapping[str, str]) -> Pictures:
    """The image protocol of a terminal, by its name; querying it would take time."""
    program = environment.get("TERM_PROGRAM", "")
    if program in _BY_PROGRAM:
        return _BY_PROGRAM[program]
    return _BY_TERM.get(environment.get("TERM", ""), "")


def script_cell(ran: ScriptResult, screen: Screen, *, clean: Clean) -> str:
    """The whole cell; `clean` makes text of the script or the page safe."""
    width = max(LEAST_COLUMNS, screen.columns)
    lines = [
        *_code(ran.code, width, screen, clean),
        *_steps(ran, width, screen, clean),
        *_results(ran, screen, clean),
        _style(f"└ {ran.seconds:.1f} s on tab {clean(ran.tab)}", _DIM, screen),
    ]
    return "\n".join(lines) + "\n"


def _code(code: str, width: int, screen: Screen, clean: Clean) -> Iterator[str]:
    given = clean(code.strip("\n")).splitlines()
    for number, line in enumerate(given[:CODE_LINES], 1):
        yield _style(_cut(f"│ {number:>3}  {line}", width), _BOLD, screen)
    if len(given) > CODE_LINES:
        yield _style(f"│ …    {len(given) - CODE_LINES} more lines", _DIM, screen)


def _steps(ran: ScriptResult, width: int, screen: Screen, clean: Clean) -> Iterator[str]:
    """The first and the last of them, if there are many."""
    steps = ran.steps
    left_out = len(steps) - STEP_LINES
    half = STEP_LINES // 2
    for number, step in enumerate(steps):
        if left_out > 0 and half <= number < half + left_out:
            if number == half:
                yield _style(f"  … {left_out} more", _DIM, screen)
            continue
        mark = "✓" if not step.failed else "✗"
        said = " ".join(clean(f"{step.name} {step.about}").split())
        ended = f"  {step.failed}" if step.failed else f"  {step.seconds:.2f} s"
        yield _style(f"{_cut(f'  {mark} {said}', width - len(ended))}{ended}", _DIM, screen)


def _results(ran: ScriptResult, screen: Screen, clean: Clean) -> Iterator[str]:
    for part in (*ran.shown, *([ran.value] if ran.gives else [])):
        drawn = _draw_image(part, screen.pictures) if isinstance(part, dict) else ""
        if drawn:
            yield drawn
        elif text := clean(render_displayed(part)):
            yield text
    for note in ran.notes:
        yield f"note: {clean(note)}"
    for line in ran.log:
        yield _style(f"  {clean(line)}", _DIM, screen)


def _draw_image(part: Mapping[str, Any], way: Pictures) -> str:
    """The escape sequence that shows an image; empty if the terminal does not support it."""
    if not way or part.get("type") != "image":
        return ""
    try:
        data = base64.b64decode(str(part.get("data", "")), validate=True)
    except (binascii.Error, ValueError):
        return ""
    if not data or len(data) > PICTURE_BYTES:
        return ""
    # Re-encoded: data that a script declares as an image never reaches the terminal unchanged.
    encoded = base64.b64encode(data).decode()
    if way == "iterm":
        return f"\x1b]1337;File=inline=1;size={len(data)};preserveAspectRatio=1:{encoded}\x07"
    return _for_kitty(encoded) if data.startswith(_PNG) else ""


def _for_kitty(encoded: str) -> str:
    chunks = [encoded[at : at + KITTY_CHUNK] for at in range(0, len(encoded), KITTY_CHUNK)]
    parts = []
    for number, chunk in enumerate(chunks):
        more = int(number < len(chunks) - 1)
        what = f"a=T,f=100,m={more}" if number == 0 else f"m={more}"
        parts.append(f"\x1b_G{what};{chunk}\x1b\\")
    return "".join(parts)


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _style(line: str, style: str, screen: Screen) -> str:
    return f"{style}{line}{_PLAIN}" if screen.colour else line
