"""The mouse on its way to an element: at once, smoothly, or as a hand moves."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Literal

from boathook.clock import now
from boathook.engine.actions.input.pointer_paths import by_hand, eased, hand_ms, steps_for

if TYPE_CHECKING:
    from boathook.engine.actions.input.pointer_paths import Point
    from boathook.engine.tab import Tab

Gait = Literal["instant", "smooth", "human"]
LEAST_POINTS = 4


async def glide(tab: Tab, start: Point, end: Point, *, human: bool = False, buttons: int = 0) -> bool:
    """Go there by way of points in between, in the manner of the tab; when that is at once, say that nothing was done."""
    gait = "human" if human else tab.gait
    if gait == "instant":
        return False
    duration = hand_ms(start, end)
    steps = steps_for(None, duration)
    points = by_hand(start, end, steps, None) if gait == "human" else eased(start, end, steps)
    began, at = now(), -1
    while at < steps - 1:
        # A busy machine is given fewer points, not more time.
        due = math.ceil((now() - began) * 1_000 / duration * steps)
        at = min(max(at + 1, due), at + max(1, steps // LEAST_POINTS), steps - 1)
        await _move(tab, points[at], buttons)
        await asyncio.sleep(duration / steps / 1_000)
    tab.held.point = end
    return True


async def _move(tab: Tab, point: Point, buttons: int) -> None:
    await tab.session.send(
        "Input.dispatchMouseEvent",
        type="mouseMoved",
        x=point[0],
        y=point[1],
        buttons=buttons,
        button="left" if buttons else "none",
    )
