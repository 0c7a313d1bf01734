"""Dragging with the mouse, and with HTML drag and drop where the page uses it."""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, get_args

from boathook.cdp.errors_map import ContextGone
from boathook.engine.actions.input.pointer import move_to
from boathook.engine.actions.input.pointer_motion import move_pointer
from boathook.engine.actions.perform import Performed, perform
from boathook.engine.actions.prepare import ActionRequirements
from boathook.engine.elements.locate import locate
from boathook.engine.elements.selector import parse_target
from boathook.engine.page.page_call import ask, to_javascript
from boathook.engine.page.page_eval import evaluate_in
from boathook.errors import BadSetting, ProtocolError, TargetError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.cdp.connection import EventStream
    from boathook.clock import Deadline
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

Where = Literal["onto", "before", "after"]
STEPS = 12
DRAG_PIXELS = 6
"""How far the mouse must move before Chromium starts a drag; earlier it is not known whether one starts."""
INTERCEPT_SECONDS = 0.25
"""How long to wait until it is known whether a drag is an HTML drag; the first moves decide."""
HANDED_SECONDS = 5.0
"""How long a busy browser may take to report an HTML drag that the page has started."""
APPROACH_PIXELS = (6.0, 3.0)
"""How far before the target's point the drag events of an HTML drag begin."""
REST_FRAMES = 2
MOST_REST_FRAMES = 30
"""How many frames items that make room for what is dragged may take; while they move, many lists ignore the pointer."""
IS_MOVING = """new Promise(done => {
  const limited = one => one.playState === 'running' && one.effect && Number.isFinite(one.effect.getComputedTiming().endTime);
  const answer = () => done(document.getAnimations().some(limited));
  requestAnimationFrame(answer);
  setTimeout(answer, 100);
})"""


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
    """Drag an element onto, before or after another one, or by an offset in pixels; points are exact."""
    if where not in get_args(Where):
        raise BadSetting(f"invalid drop position: {where!r}", hint=f"use {', '.join(get_args(Where))}")
    if (target is None) == (offset is None):
        raise BadSetting(
            "a drag needs either a target or an offset",
            hint="for example `drag @e3 @e7` or `drag @e3 --offset 40,0`",
        )

    point = parse_target(source).point

    async def carry(spot: ActionPoint) -> None:
        start = point or await _handle_point(tab, spot) or (spot.x, spot.y)
        end = (
            await _drop_point(tab, target, where, deadline)
            if target
            else _offset_point(start, offset or (0, 0))
        )
        await move_pointer(tab, tab.held.point or (0.0, 0.0), start, human=human)
        await _carry(tab, spot.element, start, end, human=human, deadline=deadline)

    return await perform(
        tab,
        source,
        carry,
        action="drag",
        deadline=deadline,
        # Pressed on the element, which was still there when the button was released.
        proof=("carried",),
        wants=ActionRequirements(pointer=point is None, enabled=point is None),
    )


async def _handle_point(tab: Tab, spot: ActionPoint) -> tuple[float, float] | None:
    """The middle of the handle by which an item is carried, if it has one."""
    point = await ask(tab, spot.element, f"__boathook.dragHandle({spot.element.local_id})")
    if "x" not in point:
        return None
    x_off, y_off = await tab.frames.offset_of(spot.element.frame)
    return point["x"] + x_off, point["y"] + y_off


def _offset_point(start: tuple[float, float], offset: tuple[float, float]) -> tuple[float, float]:
    return start[0] + offset[0], start[1] + offset[1]


async def _drop_point(tab: Tab, target: str, where: str, deadline: Deadline) -> tuple[float, float]:
    if (exactly := parse_target(target).point) is not None:
        return exactly
    element = await locate(tab, target, deadline=deadline)
    point = await ask(tab, element, f"__boathook.dropPoint({element.local_id}, {to_javascript(where)})")
    if "x" not in point:
        raise TargetError(
            f"{element.ref} is not in the viewport together with the dragged element", ref=str(element.ref)
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
            asked, data = False, None
            for step in range(1, STEPS + 1):
                share = step / STEPS
                x, y = start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
                await move_to(tab, x, y, buttons=1)
                if not asked and (step == STEPS or math.dist(start, (x, y)) >= DRAG_PIXELS):
                    asked = True
                    data = await _wait_for_drag(tab, element, intercepted, deadline=deadline)
                    if data is not None:
                        await _drop(tab, element, (start, end), data)
                        break
                    if await move_pointer(tab, (x, y), end, human=human, buttons=1):
                        break
            if data is None:
                await _rest(element, lambda: move_to(tab, *end, buttons=1))
            await _button(tab, "mouseReleased", end)
        finally:
            with suppress(ProtocolError):
                await session.send("Input.setInterceptDrags", enabled=False)


async def _wait_for_drag(
    tab: Tab, element: Element, intercepted: EventStream, *, deadline: Deadline
) -> dict[str, Any] | None:
    """The data of an HTML drag, if it is one; the page knows about it before the browser reports it."""
    data = await _wait_for_drag_data(intercepted, seconds=INTERCEPT_SECONDS)
    if data is None and await _has_begun(tab, element):
        data = await _wait_for_drag_data(intercepted, seconds=min(HANDED_SECONDS, deadline.remaining()))
    return data


async def _has_begun(tab: Tab, element: Element) -> bool:
    try:
        return bool((await ask(tab, element, "__boathook.dragBegan()")).get("began"))
    except (TargetError, ContextGone):
        return False  # its document was replaced meanwhile: the button must still be released


async def _wait_for_drag_data(intercepted: EventStream, *, seconds: float) -> dict[str, Any] | None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            _method, params = await anext(intercepted)
            return dict(params["data"])
    return None


async def _drop(
    tab: Tab,
    element: Element,
    way: tuple[tuple[float, float], tuple[float, float]],
    data: dict[str, Any],
) -> None:
    """HTML drag and drop: the browser intercepts the drag, and we dispatch its events at the target."""
    start, end = way

    async def send(kind: str, back: float = 0) -> None:
        share = min(1.0, back / (math.dist(start, end) or 1))
        x, y = end[0] + (start[0] - end[0]) * share, end[1] + (start[1] - end[1]) * share
        await tab.session.send("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    # Lists judge by where the pointer comes from: it comes to rest over the target, and does not appear in its middle.
    await send("dragEnter", APPROACH_PIXELS[0])
    for back in APPROACH_PIXELS:
        await send("dragOver", back)
    await _rest(element, lambda: send("dragOver"))
    await send("drop")


async def _rest(element: Element, stay: Callable[[], Awaitable[None]]) -> None:
    """Stay over the target for some frames, and until what makes room there has moved."""
    with suppress(TargetError, ContextGone, ProtocolError):
        for frame in range(MOST_REST_FRAMES):
            reply = await evaluate_in(element.frame.session, IS_MOVING, context_id=element.world.context_id)
            await stay()
            if frame + 1 >= REST_FRAMES and reply["result"].get("value") is not True:
                return


async def _button(tab: Tab, kind: str, at: tuple[float, float]) -> None:
    buttons = 1 if kind == "mousePressed" else 0
    await tab.session.send(
        "Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", buttons=buttons, clickCount=1
    )
