"""Which elements listen: asked in the page's own world, where listeners and the handlers of frameworks can be seen.

Before the first snapshot of a document Chromium is asked whether anything listens at all, later during each walk, so that
pages without handlers pay almost nothing. Once something does, a probe runs before each walk and its answer is passed along.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from boathook.engine.page_scripts import page_script
from boathook.errors import BoathookError

if TYPE_CHECKING:
    from boathook.engine.page.frames import Frame, World
    from boathook.engine.tab import Tab

PROBE_SECONDS = 1.0
"""How long a probe may take; a snapshot without its answer is better than a late one."""
PROBE_MS = 400
"""How long the script itself may run."""
LONGEST_ANSWER = 1_000_000
ACTING_TYPES = frozenset(
    [
        "click",
        "dblclick",
        "mousedown",
        "mouseup",
        "pointerdown",
        "pointerup",
        "touchstart",
        "touchend",
        "contextmenu",
        "dragstart",
        "drop",
        "keydown",
    ]
)


def can_probe(tab: Tab, frame: Frame) -> bool:
    """Whether the page's world of a frame is probed; under stealth `full` nothing of ours runs there."""
    return tab.console.unasked and tab.frames.is_process_root(frame)


async def anything_listens(world: World) -> bool:
    """Whether an element or the document has a listener for input that a pointer or a drag causes."""
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            return bool(ACTING_TYPES & await _types_listened_to(world))
    except (TimeoutError, BoathookError):
        return False


async def _types_listened_to(world: World) -> set[str]:
    # Through the document of our own world, asked during a walk, Chromium mixes up the wrappers of both worlds: our script
    # meets "Illegal invocation", and the tab crashes soon after. Only runs of benchmarks/tasks have shown that so far.
    session = world.frame.session
    if not world.page_document:
        document = await session.send("Runtime.evaluate", expression="document")
        world.page_document = document["result"].get("objectId", "")
    if not world.page_document:
        return set()
    reply = await session.send(
        "DOMDebugger.getEventListeners", objectId=world.page_document, depth=-1, pierce=True
    )
    return {listener["type"] for listener in reply["listeners"]}


async def learn_listeners(frame: Frame) -> str:
    """The expression that passes to the walker what listens; empty if that is not known."""
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            reply = await frame.session.send(
                "Runtime.evaluate",
                expression=page_script("actions/listener_probe.js"),
                includeCommandLineAPI=True,
                returnByValue=True,
                timeout=PROBE_MS,
            )
    except (TimeoutError, BoathookError):
        return ""
    return _as_expression(reply.get("result", {}).get("value"))


def _as_expression(answer: object) -> str:
    """Numbers only: the page may have changed what its world answers."""
    if not isinstance(answer, str) or len(answer) > LONGEST_ANSWER:
        return ""
    try:
        count, listed = msgspec.json.decode(answer, type=tuple[int, list[tuple[int, int]]])
    except msgspec.MsgspecError:
        return ""
    return f"__boathook.learnActors({msgspec.json.encode(listed).decode()}, {count})"
