"""Highlighting an element: drawn by the browser over the page, not in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.engine.elements.locate import locate

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

_COLOURS = {
    "showInfo": True,
    "contentColor": {"r": 111, "g": 168, "b": 220, "a": 0.5},
    "paddingColor": {"r": 147, "g": 196, "b": 125, "a": 0.5},
    "borderColor": {"r": 255, "g": 229, "b": 153, "a": 0.6},
    "marginColor": {"r": 246, "g": 178, "b": 107, "a": 0.5},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlighted:
    """The highlighted element."""

    ref: str


async def highlight_element(tab: Tab, target: str, *, deadline: Deadline) -> Highlighted:
    """Highlight an element until another one is highlighted, or none."""
    element = await locate(tab, target, deadline=deadline)
    session = element.frame.session
    handle = await element.handle()
    await session.send("DOM.enable")
    await session.send("Overlay.enable")
    await session.send("Overlay.highlightNode", objectId=handle, highlightConfig=_COLOURS)
    return Highlighted(ref=str(element.ref))


async def stop_highlighting(tab: Tab) -> None:
    """Remove the highlight, in all frames."""
    for session in {frame.session.id: frame.session for frame in tab.frames}.values():
        await session.send("Overlay.disable")
