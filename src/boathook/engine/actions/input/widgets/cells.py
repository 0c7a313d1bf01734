"""Filling cells of grids: a double-click opens their editor, Enter takes the value over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from boathook.engine.actions.input.pointer import press_at
from boathook.engine.actions.input.widgets.ask_widget import (
    answer_with,
    ask_widget,
    confirm,
    named,
    next_frame,
    strike,
)
from boathook.engine.actions.prepare import SHARE_FOR_CHECKS
from boathook.engine.page.page_call import ask
from boathook.errors import NotEditable, ValueNotTaken

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.tab import Tab

SCRIPT = "cell_editor"
CELLS = frozenset({"gridcell", "cell"})
OPENING_SECONDS = 1.0
"""How long a cell may take to show its editor."""
FRAMES_TO_SHOW = 30
_LETTERS = re.compile(r"[\W_]+")
"""Columns may format what they show, such as numbers and dates."""


async def fill_cell(tab: Tab, spot: ActionPoint, value: str, deadline: Deadline) -> str | None:
    """Edit a cell, and return what it shows then; None if the element is not a cell."""
    if spot.role not in CELLS:
        return None
    point = await ask(tab, spot.element, f"__boathook.pointTo({spot.element.local_id})")
    x_off, y_off = await tab.frames.offset_of(spot.element.frame)
    await press_at(tab, float(point["x"]) + x_off, float(point["y"]) + y_off, count=2)
    patience = deadline.shorten(min(OPENING_SECONDS, SHARE_FOR_CHECKS * deadline.remaining()))
    editor = await answer_with(tab, spot, SCRIPT, "editor", None, key="ready", patience=patience)
    if not editor.get("ready"):
        raise NotEditable(
            f"{named(spot)} opens no text field when it is double-clicked",
            hint="click the cell, and use what it shows then",
            kind="cell",
        )
    if value:
        await spot.element.frame.session.send("Input.insertText", text=value)
    else:
        await strike(spot, "Delete")
    await strike(spot, "Enter")
    shown = ""
    for _ in range(FRAMES_TO_SHOW):
        shown = str((await ask_widget(tab, spot, SCRIPT, "text")).get("text") or "")
        if _LETTERS.sub("", shown) == _LETTERS.sub("", value):
            await confirm(tab, spot)
            return shown
        await next_frame(spot)
    raise ValueNotTaken(
        f"{named(spot)} shows {shown!r} instead of {value!r}",
        ref=str(spot.element.ref),
    )
