"""Filling sliders made of other elements: arrow keys, or the handle is dragged while its value is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.actions.input.pointer import move_to
from boathook.engine.actions.input.widgets.ask_widget import ask_widget, confirm, named, next_frame, strike
from boathook.errors import BadRequest, ValueNotTaken

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.tab import Tab

SCRIPT = "slider"
MOST_KEYS = 100
"""With more presses than this the handle is dragged first."""
KEYS_WITHOUT_POINTER = 2_000
MOST_MOVES = 16
"""How many moves of the mouse may search for the value."""
FRAMES_TO_CHANGE = 5
FIRST_MOVES = (8, -8, 30, -30)
"""Moves in pixels that show what a pixel is worth; at its limit a handle moves in one direction only."""
TOLERANCE = 1e-6


async def fill_slider(tab: Tab, spot: ActionPoint, value: str, deadline: Deadline) -> str | None:
    """Set a slider to a number, and return what it holds; None if the element is not a slider that says its value."""
    facts = await ask_widget(tab, spot, SCRIPT, "focus")
    if facts.get("now") is None:
        return None
    wanted = _checked_number(spot, value, facts)
    now = await _with_keys(tab, spot, wanted, most=MOST_KEYS, deadline=deadline)
    if not _is_same(now, wanted):
        await _with_pointer(tab, spot, wanted, deadline)
        now = await _with_keys(tab, spot, wanted, most=KEYS_WITHOUT_POINTER, deadline=deadline)
    if not _is_same(now, wanted):
        raise ValueNotTaken(
            f"{named(spot)} is at {now:g} instead of {wanted:g}",
            hint="use a value that its steps or its length in pixels allow",
            ref=str(spot.element.ref),
        )
    await confirm(tab, spot)
    return f"{now:g}"


def _checked_number(spot: ActionPoint, value: str, facts: dict[str, Any]) -> float:
    least, most = facts["least"], facts["most"]
    takes = f"use a number from {least:g} to {most:g}" if None not in (least, most) else "use a number"
    try:
        number = float(value)
    except ValueError:
        raise BadRequest(f"{named(spot)} is a slider, which takes no text: {value!r}", hint=takes) from None
    if (least is not None and number < least) or (most is not None and number > most):
        raise BadRequest(f"{named(spot)} has no such value: {number:g}", hint=takes)
    return number


def _is_same(one: float, other: float) -> bool:
    return abs(one - other) <= TOLERANCE * max(1.0, abs(other))


async def _with_keys(tab: Tab, spot: ActionPoint, wanted: float, *, most: int, deadline: Deadline) -> float:
    """Arrow keys as often as needed, if one press brings it nearer by a part of the way and `most` presses are enough."""
    now = await _now(tab, spot)
    keys = ["ArrowUp", "ArrowDown"] if wanted > now else ["ArrowDown", "ArrowUp"]
    for key in keys:
        while not _is_same(now, wanted) and deadline.remaining() > 0:
            after = await _pressed(tab, spot, key, now)
            step, now = after - now, after
            if _is_same(step, 0) or step * (wanted - now) < 0:
                break
            count = round((wanted - now) / step)
            if count > most:
                return now
            if count:
                await strike(spot, key, repeat=count)
                now = await _settled(tab, spot, now)
    return now


async def _pressed(tab: Tab, spot: ActionPoint, key: str, before: float) -> float:
    await strike(spot, key)
    return await _settled(tab, spot, before)


async def _settled(tab: Tab, spot: ActionPoint, before: float) -> float:
    """The value once it has changed and stays; the old one if it does not change."""
    last = before
    for _ in range(FRAMES_TO_CHANGE):
        await next_frame(spot)
        now = await _now(tab, spot)
        if now == last != before:
            break
        last = now
    return last


async def _now(tab: Tab, spot: ActionPoint) -> float:
    return float((await ask_widget(tab, spot, SCRIPT, "describe")).get("now") or 0)


async def _with_pointer(tab: Tab, spot: ActionPoint, wanted: float, deadline: Deadline) -> None:
    """Drag the handle, and correct by what each move changed, until the value is there or comes no nearer."""
    facts = await ask_widget(tab, spot, SCRIPT, "focus")
    x_off, y_off = await tab.frames.offset_of(spot.element.frame)
    start = (float(facts["point"]["x"]) + x_off, float(facts["point"]["y"]) + y_off)
    upright = facts["upright"]

    async def value_at(way: float) -> float:
        await move_to(tab, start[0] + (0 if upright else way), start[1] + (way if upright else 0), buttons=1)
        await next_frame(spot)
        return await _now(tab, spot)

    await _button(tab, "mousePressed", start)
    way = 0.0
    try:
        way = await _approach(value_at, float(facts["now"]), wanted, deadline)
    finally:
        await _button(
            tab, "mouseReleased", (start[0] + (0 if upright else way), start[1] + (way if upright else 0))
        )


async def _approach(value_at: Any, now: float, wanted: float, deadline: Deadline) -> float:
    """How far to drag: the value of a pixel is known from two places, and better after each move."""
    base, way, after = now, 0.0, now
    for first in FIRST_MOVES:
        way, after = float(first), await value_at(first)
        if not _is_same(after, base):
            break
    if _is_same(after, base):
        await value_at(0)
        return 0.0
    best = (abs(wanted - after), way)
    for _ in range(MOST_MOVES):
        if _is_same(after, wanted) or deadline.remaining() <= 0:
            return way
        per_pixel = (after - base) / way if way else 0
        if not per_pixel:
            break
        ahead = round((wanted - after) / per_pixel) or (1 if (wanted - after) / per_pixel > 0 else -1)
        way, after = way + ahead, await value_at(way + ahead)
        if abs(wanted - after) >= best[0]:
            break
        best = (abs(wanted - after), way)
    if best[1] != way:
        await value_at(best[1])
    return best[1]


async def _button(tab: Tab, kind: str, at: tuple[float, float]) -> None:
    buttons = 1 if kind == "mousePressed" else 0
    await tab.session.send(
        "Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", buttons=buttons, clickCount=1
    )
