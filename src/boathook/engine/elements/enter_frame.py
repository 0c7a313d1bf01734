"""Entering a frame: the following commands are limited to its document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.elements.locate import locate
from boathook.errors import BadTarget

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.page.frames import Frame
    from boathook.engine.tab import Tab


async def enter_frame(tab: Tab, name: str, *, deadline: Deadline) -> str:
    """Limit the following commands to a frame, by its name, or by a target that matches its element; returns its name or URL."""
    named = next((frame for frame in tab.frames if frame.parent_id and frame.name == name), None)
    frame = named or await _frame_of(tab, name, deadline=deadline)
    tab.frames.enter(frame)
    return frame.name or frame.url


async def _frame_of(tab: Tab, target: str, *, deadline: Deadline) -> Frame:
    element = await locate(tab, target, deadline=deadline)
    node = await element.frame.session.send("DOM.describeNode", objectId=await element.handle())
    frame = tab.frames.get(str(node["node"].get("frameId", "")))
    if frame is None:
        raise BadTarget(f"not a frame: {target!r}", hint="`frames` lists them")
    return frame
