"""The mouse: clicks, hover, press at a point."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Any, Literal, get_args

from boathook.engine.actions.input.pointer_motion import move_pointer
from boathook.engine.actions.keys import MODIFIERS
from boathook.engine.actions.perform import Performed, perform
from boathook.engine.actions.prepare import ActionRequirements
from boathook.engine.actions.settle import Sent
from boathook.engine.elements.selector import parse_target
from boathook.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.clock import Deadline
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.tab import Tab

Button = Literal["left", "right", "middle"]
_HELD = {"left": 1, "right": 2, "middle": 4}
_PROOF: dict[str, tuple[str, ...]] = {
    "left": ("click", "taken"),
    "right": ("contextmenu", "taken"),
    "middle": ("auxclick", "taken"),
}
"""One of these must reach the element; `taken` is a press after which the page itself removed the element."""
_TWICE = ("dblclick", "taken")
MOST_CLICKS = 3


async def click(
    tab: Tab,
    target: str,
    *,
    button: Button = "left",
    count: int = 1,
    modifiers: Sequence[str] = (),
    offset: tuple[float, float] | None = None,
    nth: int | None = None,
    human: bool = False,
    deadline: Deadline,
) -> Performed:
    """Click an element and wait until the page settles; `human` moves the mouse along a human-like path."""
    if button not in get_args(Button):
        raise BadSetting(f"unknown mouse button: {button!r}", hint=f"use {', '.join(get_args(Button))}")
    if not 1 <= count <= MOST_CLICKS:
        raise BadSetting(f"click count is out of range: {count}", hint="use 1 to 3")
    held = modifier_bits(modifiers)
    point = parse_target(target).point
    opens_tab = button == "middle" or bool({"Control", "Meta"} & set(modifiers))

    async def press(spot: ActionPoint) -> Sent | None:
        x, y = point or (spot.x, spot.y)
        await move_pointer(tab, tab.held.point or (0.0, 0.0), (x, y), human=human)
        send = functools.partial(send_press, tab, x, y, button=button, count=count, held=held)
        if count == 1:
            return Sent(send=send, event=_PROOF[button][0])
        await send()
        return None

    action = "double click" if count == 2 else f"{button} click" if button != "left" else "click"  # noqa: PLR2004
    tab.opens_tabs = opens_tab
    try:
        return await perform(
            tab,
            target,
            press,
            action=action,
            deadline=deadline,
            wants=ActionRequirements(offset=offset, pointer=point is None, enabled=point is None),
            proof=_TWICE if count > 1 and button == "left" else _PROOF[button],
            nth=nth,
        )
    finally:
        tab.opens_tabs = False


async def tap(tab: Tab, target: str, *, nth: int | None = None, deadline: Deadline) -> Performed:
    """Tap an element on a touch screen."""

    async def touch(spot: ActionPoint) -> None:
        # Not synthesizeTapGesture: pages see its touch, but no click follows.
        point = {"x": spot.x, "y": spot.y}
        down = tab.session.post("Input.dispatchTouchEvent", type="touchStart", touchPoints=[point])
        lift = tab.session.post("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        await asyncio.gather(down, lift)

    return await perform(
        tab,
        target,
        touch,
        action="tap",
        deadline=deadline,
        proof=("touchstart", "pointerdown", "click"),
        nth=nth,
    )


async def hover(tab: Tab, target: str, *, nth: int | None = None, deadline: Deadline) -> Performed:
    """Move the mouse over an element."""

    async def move(spot: ActionPoint) -> None:
        await move_pointer(tab, tab.held.point or (0.0, 0.0), (spot.x, spot.y))
        await move_to(tab, spot.x, spot.y)

    return await perform(
        tab,
        target,
        move,
        action="hover",
        deadline=deadline,
        wants=ActionRequirements(enabled=False),
        proof=("mouseover", "mousemove", "pointerover"),
        nth=nth,
    )


def modifier_bits(names: Sequence[str]) -> int:
    """Names of held keys as protocol bits."""
    bits = 0
    for name in names:
        proper = {"ctrl": "Control", "cmd": "Meta"}.get(name.lower(), name.capitalize())
        if proper not in MODIFIERS:
            raise BadSetting(f"unknown modifier: {name!r}", hint=f"use {', '.join(MODIFIERS)}")
        bits |= MODIFIERS[proper]
    return bits


async def move_to(tab: Tab, x: float, y: float, *, held: int = 0, buttons: int = 0) -> None:
    """Move the mouse to a point of the viewport."""
    await tab.session.send(
        "Input.dispatchMouseEvent",
        type="mouseMoved",
        x=x,
        y=y,
        modifiers=held,
        buttons=buttons,
        button="left" if buttons else "none",
    )


async def press_at(
    tab: Tab, x: float, y: float, *, button: Button = "left", count: int = 1, held: int = 0
) -> None:
    """Move, press and release, and wait until the page has received it."""
    await send_press(tab, x, y, button=button, count=count, held=held)


def send_press(
    tab: Tab, x: float, y: float, *, button: Button = "left", count: int = 1, held: int = 0
) -> asyncio.Future[list[Any]]:
    """Move, press and release; the events are sent together and arrive in order."""
    common = {"x": x, "y": y, "modifiers": held}
    events = [{**common, "type": "mouseMoved", "button": "none", "buttons": 0}]
    for number in range(1, count + 1):
        pressed = {**common, "button": button, "clickCount": number}
        events.append({**pressed, "type": "mousePressed", "buttons": _HELD[button]})
        events.append({**pressed, "type": "mouseReleased", "buttons": 0})
    return asyncio.gather(*(tab.session.post("Input.dispatchMouseEvent", **event) for event in events))
