"""The mouse on its way to an element: at once, smoothly, or as a hand moves."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

from boathook.engine.actions.paths import by_hand, eased, hand_ms, steps_for

if TYPE_CHECKING:
    from boathook.engine.actions.paths import Point
    from boathook.engine.tab import Tab

Gait = Literal["instant", "smooth", "human"]


async def glide(tab: Tab, start: Point, end: Point, *, human: bool = False, buttons: int = 0) -> bool:
    """Go there by way of points in between, in the manner of the tab; when that is at once, say that nothing was done."""
    gait = "human" if human else tab.gait
    if gait == "instant":
        return False
    duration = hand_ms(start, end)
    steps = steps_for(None, duration)
    for x, y in by_hand(start, end, steps, None) if gait == "human" else eased(start, end, steps):
        await tab.session.send(
            "Input.dispatchMouseEvent",
            type="mouseMoved",
            x=x,
            y=y,
            buttons=buttons,
            button="left" if buttons else "none",
        )
        await asyncio.sleep(duration / steps / 1_000)
    tab.held.point = end
    return True
