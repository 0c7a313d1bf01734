"""Choosing days in calendars that pages draw: go to the month, press the day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.actions.input.widgets.ask_widget import (
    answer_with,
    ask_widget,
    named,
    next_frame,
    press_part,
)
from boathook.errors import ValueNotTaken

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.actions.input.widgets.iso_dates import IsoMoment
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.tab import Tab

SCRIPT = "calendar"
MOST_STEPS = 600
MONTHS = 12
FRAMES_PER_STEP = 40
"""How many frames a calendar may take to show another month."""


async def shown_months(
    tab: Tab, spot: ActionPoint, patience: Deadline | None = None
) -> list[tuple[int, int]]:
    """The years and months that a calendar on the page shows; none if the page shows no calendar."""
    if patience is None:
        reply = await ask_widget(tab, spot, SCRIPT, "months")
    else:
        reply = await answer_with(tab, spot, SCRIPT, "months", None, key="months", patience=patience)
    return [(month["year"], month["month"]) for month in reply.get("months") or ()]


async def choose_day(tab: Tab, spot: ActionPoint, moment: IsoMoment, deadline: Deadline) -> None:
    """Go to the month of a date, and press its day."""
    await _go_to_month(tab, spot, moment, deadline)
    details = {"year": moment.year, "month": moment.month, "day": moment.day}
    if (await ask_widget(tab, spot, SCRIPT, "day", details)).get("off"):
        raise ValueNotTaken(
            f"the calendar of {named(spot)} does not allow {moment.date_text}: the day is disabled",
            hint="choose another date",
        )
    if not await press_part(tab, spot, SCRIPT, "day", details):
        raise ValueNotTaken(f"the calendar of {named(spot)} does not show {moment.date_text}")


async def _go_to_month(tab: Tab, spot: ActionPoint, moment: IsoMoment, deadline: Deadline) -> None:
    wanted = _number(moment.year or 0, moment.month or 1)
    for _ in range(MOST_STEPS):
        shown = [_number(*month) for month in await shown_months(tab, spot)]
        if not shown or wanted in shown:
            return
        if deadline.remaining() <= 0:
            break
        away = wanted - shown[-1] if wanted > shown[-1] else wanted - shown[0]
        if not (await _press_step(tab, spot, moment, away) and await _has_moved(tab, spot, shown)):
            break
    raise ValueNotTaken(
        f"the calendar of {named(spot)} cannot be moved to {moment.date_text[:7]}",
        hint="it may not allow this date, or take too many steps: read it, and increase the timeout",
    )


def _number(year: int, month: int) -> int:
    return year * MONTHS + month


async def _press_step(tab: Tab, spot: ActionPoint, moment: IsoMoment, away: int) -> bool:
    """Another year by its field or its buttons, if the calendar has some; otherwise the next month."""
    details = {"direction": "on" if away > 0 else "back", "wide": False}
    if abs(away) >= MONTHS:
        if (await ask_widget(tab, spot, SCRIPT, "focusYear"))["found"]:
            session = spot.element.frame.session
            await session.send("Input.insertText", text=f"{moment.year:04}")
            await session.send("Input.dispatchKeyEvent", type="keyUp", key="Unidentified")
            return True
        if await press_part(tab, spot, SCRIPT, "step", {**details, "wide": True}):
            return True
    return await press_part(tab, spot, SCRIPT, "step", details)


async def _has_moved(tab: Tab, spot: ActionPoint, before: list[int]) -> bool:
    for _ in range(FRAMES_PER_STEP):
        shown = [_number(*month) for month in await shown_months(tab, spot)]
        if shown and shown != before:
            return True
        await next_frame(spot)
    return False
