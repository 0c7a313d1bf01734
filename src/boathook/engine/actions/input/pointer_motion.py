"""Moving the mouse to an element: instantly, smoothly, or along a human-like path."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Literal

from boathook.clock import now
from boathook.engine.actions.input.pointer_paths import eased_path, human_duration_ms, human_path, steps_for

if TYPE_CHECKING:
    from boathook.engine.actions.input.pointer_paths import Point
    from boathook.engine.tab import Tab

PointerMotion = Literal["instant", "smooth", "human"]
LEAST_POINTS = 4


async def move_pointer(tab: Tab, start: Point, end: Point, *, human: bool = False, buttons: int = 0) -> bool:
    """Move there through intermediate points, in the pointer mode of the tab; False when the mode is instant."""
    pointer_motion = "human" if human else tab.pointer_motion
    if pointer_motion == "instant":
        return False
    duration = human_duration_ms(start, end)
    steps = steps_for(None, duration)
    points = (
        human_path(start, end, steps, None) if pointer_motion == "human" else eased_path(start, end, steps)
    )
    began, at = now(), -1
    while at < steps - 1:
        # A busy machine gets fewer points, not more time.
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
