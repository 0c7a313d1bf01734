"""Single mouse and keyboard events, for what the high-level actions do not cover: canvases, games, gestures."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

from boathook.engine.actions.held_input import BITS, Button, release, send_up
from boathook.engine.actions.input.keyboard import FOCUSED, check_text, note_typed
from boathook.engine.actions.input.pointer_paths import (
    LONGEST_MS,
    human_duration_ms,
    human_path,
    steps_for,
    straight_path,
)
from boathook.engine.actions.keys import MODIFIERS, find_key, key_events
from boathook.engine.actions.perform import perform
from boathook.engine.actions.prepare import ActionRequirements
from boathook.errors import BadRequest, BadSetting

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.clock import Deadline
    from boathook.engine.actions.keys import KeyboardKey
    from boathook.engine.actions.perform import Performed
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.tab import Tab

MOST_STEPS = 700
MOST_CLICKS = 3
WHOLE_PAGE = "html"


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementOptions:
    """How the mouse moves."""

    steps: int | None = None
    """Number of moves; None is one, or one for each frame of the duration."""
    duration_ms: float = 0.0
    human: bool = False
    """Along a human-like path; `seed` makes it reproducible."""
    seed: int | None = None


async def mouse_move(
    tab: Tab, x: float, y: float, *, manner: MovementOptions, deadline: Deadline
) -> Performed:
    """Move the mouse to a point of the viewport, through intermediate points."""
    _check_numbers(x=x, y=y)
    start, end = tab.held.point or (x, y), (x, y)
    duration = manner.duration_ms or (human_duration_ms(start, end) if manner.human else 0.0)
    steps = steps_for(manner.steps, duration)
    if not 1 <= steps <= MOST_STEPS or not 0 <= duration <= LONGEST_MS:
        raise BadSetting(
            f"mouse movement is out of range: {steps} steps in {duration:g} ms",
            hint=f"use 1 to {MOST_STEPS} steps and at most {LONGEST_MS} ms",
        )
    places = human_path(start, end, steps, manner.seed) if manner.human else straight_path(start, end, steps)

    async def move() -> None:
        for place in places:  # one after the other: pages receive simultaneous moves as one
            tab.held.point = place
            await _move_there(tab)
            if duration:
                await asyncio.sleep(duration / steps / 1_000)

    return await _perform_on_page(tab, move, action="mouse move", target=f"to {x:g},{y:g}", deadline=deadline)


async def mouse_down(tab: Tab, *, button: Button = "left", clicks: int = 1, deadline: Deadline) -> Performed:
    """Press a button at the mouse position, and keep it down."""
    _check_button(button)
    if not 1 <= clicks <= MOST_CLICKS:
        raise BadSetting(f"click count is out of range: {clicks}", hint="use 1 to 3")
    if button in tab.held.buttons:
        raise BadRequest(f"the {button} button is already down", hint="`mouse up` releases it")
    place = _place(tab)

    async def press() -> None:
        if button == "left":
            await _watch_for_drags(tab)
        tab.held.buttons[button] = clicks
        await tab.session.send(
            "Input.dispatchMouseEvent", **_mouse(tab, "mousePressed"), button=button, clickCount=clicks
        )

    return await _perform_on_page(tab, press, action=f"{button} button down", target=place, deadline=deadline)


async def mouse_up(tab: Tab, *, button: Button = "left", deadline: Deadline) -> Performed:
    """Release a button that is down."""
    _check_button(button)
    if button not in tab.held.buttons:
        raise BadRequest(f"the {button} button is not down", hint="`mouse down` presses it")

    async def lift() -> None:
        await release(tab, button)

    return await _perform_on_page(
        tab, lift, action=f"{button} button up", target=_place(tab), deadline=deadline
    )


async def mouse_wheel(tab: Tab, right: float, down: float, *, deadline: Deadline) -> Performed:
    """Scroll the wheel over the element under the mouse."""
    _check_numbers(right=right, down=down)
    place = _place(tab)

    async def turn() -> None:
        await tab.session.send(
            "Input.dispatchMouseEvent", **_mouse(tab, "mouseWheel"), deltaX=right, deltaY=down
        )

    return await _perform_on_page(
        tab, turn, action=f"wheel {right:g},{down:g}", target=place, deadline=deadline
    )


async def key_down(tab: Tab, name: str, *, deadline: Deadline) -> Performed:
    """Press a key and keep it down; pressing it again repeats it, as on a keyboard."""
    key = _one_key(name)
    held = tab.held
    repeats = _id(key) in held.keys

    async def strike() -> None:
        modifiers = [modifier for modifier in held.modifiers if modifier != key.key]
        event = key_events(modifiers, key)[len(modifiers)]
        event["modifiers"] |= MODIFIERS.get(key.key, 0)
        held.keys[_id(key)] = key
        await tab.session.send("Input.dispatchKeyEvent", **event, autoRepeat=repeats)

    return await _perform_on_page(
        tab, strike, action=f"key down {name}", target="", anchor=FOCUSED, deadline=deadline
    )


async def key_up(tab: Tab, name: str, *, deadline: Deadline) -> Performed:
    """Release a key that is down."""
    key = _one_key(name)
    if _id(key) not in tab.held.keys:
        raise BadRequest(f"the key {name!r} is not down", hint="`keydown KEY` presses it")

    async def lift() -> None:
        await send_up(tab, key)

    return await _perform_on_page(
        tab, lift, action=f"key up {name}", target="", anchor=FOCUSED, deadline=deadline
    )


async def insert_text(tab: Tab, text: str, *, deadline: Deadline) -> Performed:
    """Insert text at the focus, all at once and without key events, as an input method does."""
    check_text(text)

    async def put() -> None:
        await tab.session.send("Input.insertText", text=text)

    return await _perform_on_page(
        tab,
        put,
        action=f"insert {len(text)} characters",
        target="",
        anchor=FOCUSED,
        deadline=deadline,
        typed=text,
    )


async def _perform_on_page(
    tab: Tab,
    gesture: Callable[[], Awaitable[None]],
    *,
    action: str,
    target: str,
    deadline: Deadline,
    anchor: str = WHOLE_PAGE,
    typed: str = "",
) -> Performed:
    """Perform on the page as a whole: nothing is checked, and held keys and buttons stay down."""

    async def work(spot: ActionPoint) -> None:
        note_typed(tab, spot, typed)
        await gesture()

    done = await perform(
        tab,
        anchor,
        work,
        action=action,
        deadline=deadline,
        wants=ActionRequirements(pointer=False, enabled=False),
        nth=0,
        keeps_held=True,
    )
    return replace(done, target=target or "the focused element", value=None)


async def _move_there(tab: Tab) -> None:
    """Send the new mouse position to the page; during an HTML drag, as drag events."""
    held = tab.held
    if held.dragged is None:
        # Without its button, a move starts no drag.
        button = next(iter(held.buttons), "none")
        await tab.session.send("Input.dispatchMouseEvent", **_mouse(tab, "mouseMoved"), button=button)
        return
    x, y = held.point or (0.0, 0.0)
    for kind in ("dragEnter", "dragOver"):
        await tab.session.send("Input.dispatchDragEvent", type=kind, x=x, y=y, data=held.dragged)


async def _watch_for_drags(tab: Tab) -> None:
    """An HTML drag would leave the page and never end; the browser intercepts it for us instead."""
    session, held = tab.session, tab.held
    if held.watched is not session:
        session.on("Input.dragIntercepted", lambda params: setattr(held, "dragged", params["data"]))
        held.watched = session
    await session.send("Input.setInterceptDrags", enabled=True)


def _mouse(tab: Tab, kind: str) -> dict[str, Any]:
    x, y = tab.held.point or (0.0, 0.0)
    held = tab.held
    return {"type": kind, "x": x, "y": y, "buttons": held.button_bits, "modifiers": held.modifier_bits}


def _place(tab: Tab) -> str:
    if tab.held.point is None:
        raise BadRequest("mouse position not set", hint="run `mouse move X Y` first")
    return f"at {tab.held.point[0]:g},{tab.held.point[1]:g}"


def _one_key(name: str) -> KeyboardKey:
    if not isinstance(name, str) or not name:
        raise BadRequest(f"a key must be a string such as Enter, not {name!r}"[:200])
    return find_key(name)


def _id(key: KeyboardKey) -> str:
    return key.code or key.key


def _check_button(button: str) -> None:
    if button not in BITS:
        raise BadSetting(f"unknown mouse button: {button!r}", hint=f"use {', '.join(get_args(Button))}")


def _check_numbers(**numbers: float) -> None:
    for name, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise BadRequest(f"{name} must be a number of pixels, not {value!r}"[:200])
