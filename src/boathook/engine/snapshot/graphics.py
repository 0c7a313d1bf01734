"""Drawings and charts as text: SVG from the document, charts on canvases from the data of their library."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.engine.page.page_eval import thrown_in, value_of
from boathook.engine.page_scripts import page_script
from boathook.engine.snapshot.listeners import can_probe
from boathook.errors import BoathookError

if TYPE_CHECKING:
    from boathook.engine.page.frames import World
    from boathook.engine.tab import Tab

MOST_MARKS = 200
"""Of a chart on a canvas; more are left out."""
CHARTS_SECONDS = 2.0
"""How long the page may take; a snapshot without the data of its charts is better than a late one."""
CHARTS_MS = 1_000
"""How long its functions may run before Chromium ends them."""
LONGEST_MODELS = 200_000
"""Characters of all charts on canvases; the page decides what its libraries return."""


async def describe_graphics(tab: Tab, world: World, *, root: int, short: bool) -> tuple[str, ...]:
    """A line for each drawing and for each of its parts, with refs; `short` for those that were not asked for."""
    # The data of charts are asked of the page's own functions: never without being asked for.
    charts = [] if short else await _charts_on_canvases(tab, world)
    options = {"base": tab.refs.next, "root": root, "short": short, "charts": charts}
    expression = f"__boathook.graphics({msgspec.json.encode(options).decode()})"
    reply = await tab.frames.run(world.frame, expression)
    head, _, text = str(value_of(reply, failed="the drawings could not be read")).partition("\n")
    if not world.alive:
        return ()
    meta = msgspec.json.decode(head.encode())
    tab.refs.adopt(world, first=int(meta["first"]), after_last=int(meta["next"]))
    return tuple(tab.refs.in_session_numbers(world, text).splitlines())


async def _charts_on_canvases(tab: Tab, world: World) -> list[Any]:
    """What the page's chart libraries say of each canvas; it runs in the page's main world, and so is page content."""
    if world.frame is not tab.frames.main or not can_probe(tab, world.frame):
        return []
    script = page_script("graphics/chart_models.js")
    try:
        async with asyncio.timeout(CHARTS_SECONDS):
            reply = await world.frame.session.send(
                "Runtime.evaluate",
                expression=f"{script}({MOST_MARKS})",
                returnByValue=True,
                timeout=CHARTS_MS,
            )
    except (TimeoutError, BoathookError):
        return []
    given = None if thrown_in(reply) else reply["result"].get("value")
    if not isinstance(given, list) or len(msgspec.json.encode(given)) > LONGEST_MODELS:
        return []
    return given
