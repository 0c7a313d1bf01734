"""Drawings and charts as text: SVG from the document, charts on canvases from the data of their library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from boathook.engine.page.page_eval import evaluate_in, thrown_in, value_of
from boathook.engine.page_scripts import page_script

if TYPE_CHECKING:
    from boathook.engine.page.frames import World
    from boathook.engine.tab import Tab

MOST_MARKS = 200
"""Of a chart on a canvas; more are left out."""
LONGEST_MODELS = 200_000
"""Characters of all charts on canvases; the page decides what its libraries return."""


async def describe_graphics(tab: Tab, world: World, *, root: int, short: bool) -> tuple[str, ...]:
    """A line for each drawing and for each of its parts, with refs; `short` for those that were not asked for."""
    options = {
        "base": tab.refs.next,
        "root": root,
        "short": short,
        "charts": await _charts_on_canvases(tab, world),
    }
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
    if world.frame is not tab.frames.main:
        return []
    script = page_script("graphics/chart_models.js")
    reply = await evaluate_in(world.frame.session, f"{script}({MOST_MARKS})")
    given = None if thrown_in(reply) else reply["result"].get("value")
    if not isinstance(given, list) or len(msgspec.json.encode(given)) > LONGEST_MODELS:
        return []
    return given
