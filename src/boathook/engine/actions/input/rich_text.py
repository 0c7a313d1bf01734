"""Text of several lines in editable regions: entered so that editors keep up, and compared line by line."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from boathook.cdp.errors_map import ContextGone
from boathook.engine.actions.keys import find_key, key_events
from boathook.engine.page.page_eval import evaluate_in
from boathook.errors import ProtocolError

if TYPE_CHECKING:
    from boathook.cdp.cdp_session import CdpSession

NEXT_FRAME = "new Promise(done => { requestAnimationFrame(done); setTimeout(done, 100) })"
PACED_LINES = 100
"""With more lines than this, editors are not waited for: a frame for each line would take longer than a call may."""
_LETTERS = re.compile(r"[\W_]+")


async def insert_lines(session: CdpSession, text: str) -> None:
    """Insert text at the caret. An Enter key makes each paragraph: a newline inside inserted text is lost or becomes a space."""
    lines = split_lines(text)
    for number, line in enumerate(lines):
        if number:
            await press_enter(session, paced=len(lines) <= PACED_LINES)
        if line:
            await session.send("Input.insertText", text=line)


async def press_enter(session: CdpSession, *, paced: bool) -> None:
    """Press Enter; editors that render themselves place the caret in the new line one frame later."""
    events = key_events([], find_key("Enter"))
    await asyncio.gather(*(session.post("Input.dispatchKeyEvent", **event) for event in events))
    if paced:
        # Enter may send the text, and leave the document.
        with suppress(ContextGone, ProtocolError):
            await evaluate_in(session, NEXT_FRAME)


def split_lines(text: str) -> list[str]:
    """The lines of text, whichever line ends it has."""
    return text.replace("\r\n", "\n").split("\n")


def has_same_lines(shown: str, wanted: str) -> bool:
    """Whether both have the same lines; an editor may change punctuation and spaces in them, such as quotes and bullets."""
    one, other = (_comparable(text) for text in (shown, wanted))
    return len(one) == len(other) and all(map(_is_same_line, one, other))


def _comparable(text: str) -> list[str]:
    return split_lines(text.replace("\u00a0", " ").rstrip("\r\n"))


def _is_same_line(one: str, other: str) -> bool:
    one, other = one.strip().casefold(), other.strip().casefold()
    if one == other:
        return True
    return _LETTERS.sub("", one) == _LETTERS.sub("", other) != ""
