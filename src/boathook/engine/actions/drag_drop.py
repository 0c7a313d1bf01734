"""Dragging: with the mouse, and through HTML's own drag and drop when the page uses it."""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, get_args

from boathook.cdp.errors_map import ContextGone
from boathook.engine.actions.input.pointer import move_to
from boathook.engine.actions.input.pointer_motion import glide
from boathook.engine.actions.perform import Performed, Wants, perform
from boathook.engine.elements.locate import locate
from boathook.engine.elements.selector import parse_target
from boathook.engine.page.page_call import ask, encoded
from boathook.errors import BadSetting, ProtocolError, TargetError

if TYPE_CHECKING:
    from boathook.cdp.connection import EventStream
    from boathook.clock import Deadline
    from boathook.engine.actions.perform import Spot
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

Where = Literal["onto", "before", "after"]
STEPS = 12
DRAG_PIXELS = 6
"""How far the mouse has to move for Chromium to begin a drag; asked earlier, nobody knows yet whether one begins."""
INTERCEPT_SECONDS = 0.25
"""How long a drag may take to show whether it is HTML's own; the first moves decide."""
HANDED_SECONDS = 5.0
"""How long a busy browser may take to hand over one that the page has begun."""


async def drag(
    tab: Tab,
    source: str,
    target: str | None = None,
    *,
    where: Where = "onto",
    offset: tuple[float, float] | None = None,
    human: bool = False,
    deadline: Deadline,
) -> Performed:
    """Drag an element onto, before or after another one, or by an offset in pixels; points are meant to the pixel."""
    if where not in get_args(Where):
        raise BadSetting(f"{where!r} is no place to drop", hint=f"use {', '.join(get_args(Where))}")
    if (target is None) == (offset is None):
        raise BadSetting("a drag needs a target or an offset, and only one of them")

    point = parse_target(source).point

    async def carry(spot: Spot) -> None:
        start = point or (spot.x, spot.y)
        end = await _drop_point(tab, target, where, deadline) if target else _moved(start, offset or (0, 0))
        await glide(tab, tab.held.point or (0.0, 0.0), start, human=human)
        await _carry(tab, spot.element, start, end, human=human, deadline=deadline)

    return await perform(
        tab,
        source,
        carry,
        action="drag",
        deadline=deadline,
        # Pressed on the element, which was still there when the button was released.
        proof=("carried",),
        wants=Wants(pointer=point is None, enabled=point is None),
    )


def _moved(start: tuple[float, float], offset: tuple[float, float]) -> tuple[float, float]:
    return start[0] + offset[0], start[1] + offset[1]


async def _drop_point(tab: Tab, target: str, where: str, deadline: Deadline) -> tuple[float, float]:
    if (exactly := parse_target(target).point) is not None:
        return exactly
    element = await locate(tab, target, deadline=deadline)
    point = await ask(tab, element, f"__boathook.dropPoint({element.local_id}, {encoded(where)})")
    if "x" not in point:
        raise TargetError(
            f"{element.ref} is not on the screen together with what is dragged", ref=str(element.ref)
        )
    x_off, y_off = await tab.frames.offset_of(element.frame)
    return point["x"] + x_off, point["y"] + y_off


async def _carry(
    tab: Tab,
    element: Element,
    start: tuple[float, float],
    end: tuple[float, float],
    *,
    human: bool,
    deadline: Deadline,
) -> None:
    """Press at one point, move in steps, release at the other."""
    session = tab.session
    with session.events("Input.dragIntercepted") as intercepted:
        await session.send("Input.setInterceptDrags", enabled=True)
        try:
            await move_to(tab, *start)
            await _button(tab, "mousePressed", start)
            asked = False
            for step in range(1, STEPS + 1):
                share = step / STEPS
                x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
                await move_to(tab, x, y, buttons=1)
                if not asked and (step == STEPS or math.dist(start, (x, y)) >= DRAG_PIXELS):
                    asked = True
                    data = await _began(tab, element, intercepted, deadline=deadline)
                    if data is not None:
                        await _drop(tab, end, data)
                        break
                    if await glide(tab, (x, y), end, human=human, buttons=1):
                        break
            await _button(tab, "mouseReleased", end)
        finally:
            with suppress(ProtocolError):
                await session.send("Input.setInterceptDrags", enabled=False)


async def _began(
    tab: Tab, element: Element, intercepted: EventStream, *, deadline: Deadline
) -> dict[str, Any] | None:
    """What is dragged, when it is HTML's own drag; the page knows of one before the browser hands it over."""
    data = await _handed_over(intercepted, seconds=INTERCEPT_SECONDS)
    if data is None and await _has_begun(tab, element):
        data = await _handed_over(intercepted, seconds=min(HANDED_SECONDS, deadline.remaining()))
    return data


async def _has_begun(tab: Tab, element: Element) -> bool:
    try:
        return bool((await ask(tab, element, "__boathook.dragBegan()")).get("began"))
    except (TargetError, ContextGone):
        return False  # its document went away meanwhile: the button must be let go of all the same


async def _handed_over(intercepted: EventStream, *, seconds: float) -> dict[str, Any] | None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            _method, params = await anext(intercepted)
            return dict(params["data"])
    return None


async def _drop(tab: Tab, end: tuple[float, float], data: dict[str, Any]) -> None:
    """HTML's drag and drop: the browser hands us what is dragged, we carry it to its place."""
    for kind in ("dragEnter", "dragOver", "dragOver", "drop"):
        await tab.session.send("Input.dispatchDragEvent", type=kind, x=end[0], y=end[1], data=data)


async def _button(tab: Tab, kind: str, at: tuple[float, float]) -> None:
    buttons = 1 if kind == "mousePressed" else 0
    await tab.session.send(
        "Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", buttons=buttons, clickCount=1
    )
