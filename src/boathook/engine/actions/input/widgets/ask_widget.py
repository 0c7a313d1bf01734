"""Asking a widget about its parts, and pressing them with real input."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from boathook.engine.actions.input.pointer import press_at
from boathook.engine.actions.keys import find_key, key_events
from boathook.engine.page.page_call import ask, to_javascript
from boathook.engine.page.page_eval import evaluate_in
from boathook.engine.page_scripts import page_script

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.tab import Tab

NEXT_FRAME = "new Promise(done => { requestAnimationFrame(done); setTimeout(done, 100) })"
FRAMES_STILL = 3
"""For so many frames: an animation that has just begun stands still at first."""
FRAMES_MOVING = 60


async def ask_widget(
    tab: Tab, spot: ActionPoint, script: str, question: str, details: object = None
) -> dict[str, Any]:
    """One question to a page script, about the element of an action."""
    field = f"__boathook.get({spot.element.local_id})"
    given = f"{to_javascript(question)}, field, {to_javascript(details)}"
    call = f"(field => field ? ({page_script(f'widgets/{script}.js')})({given}) : {{}})({field})"
    return await ask(tab, spot.element, call)


async def next_frame(spot: ActionPoint) -> None:
    """Wait until the page has painted once."""
    await evaluate_in(spot.element.frame.session, NEXT_FRAME, context_id=spot.element.world.context_id)


async def answer_with(
    tab: Tab, spot: ActionPoint, script: str, question: str, details: object, *, key: str, patience: Deadline
) -> dict[str, Any]:
    """Ask until the answer has a value for `key`, or patience is over."""
    reply = await ask_widget(tab, spot, script, question, details)
    while not reply.get(key) and patience.remaining() > 0:
        await next_frame(spot)
        reply = await ask_widget(tab, spot, script, question, details)
    return reply


async def press_part(tab: Tab, spot: ActionPoint, script: str, question: str, details: object = None) -> bool:
    """Press the part that the answer points to, once it stands still; whether it was found."""
    reply = await ask_widget(tab, spot, script, question, details)
    still = 0
    for _ in range(FRAMES_MOVING):
        if not reply.get("point") or still == FRAMES_STILL:
            break
        await next_frame(spot)
        after = await ask_widget(tab, spot, script, question, details)
        still = still + 1 if after.get("point") == reply["point"] else 0
        reply = after
    if not reply.get("point"):
        return False
    x_off, y_off = await tab.frames.offset_of(spot.element.frame)
    await press_at(tab, float(reply["point"]["x"]) + x_off, float(reply["point"]["y"]) + y_off)
    return True


async def strike(spot: ActionPoint, key: str, *, repeat: int = 1, modifiers: tuple[str, ...] = ()) -> None:
    """Press a key at the focus."""
    events = key_events(list(modifiers), find_key(key)) * repeat
    session = spot.element.frame.session
    await asyncio.gather(*(session.post("Input.dispatchKeyEvent", **event) for event in events))


async def confirm(tab: Tab, spot: ActionPoint, *, times: int = 1) -> None:
    """Note in the watch of the action that the widget's value was read back; it counts as that many events."""
    await ask(tab, spot.element, f"__boathook.confirmed({times})")


def named(spot: ActionPoint) -> str:
    """The element as errors name it."""
    return f"{spot.role} {spot.name!r} {spot.element.ref}"
