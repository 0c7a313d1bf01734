"""The controls of what covers an element: one of them may close it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boathook.engine.tab import Tab
    from boathook.values import Ref


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlayControl:
    """A button, link or menu item of an overlay."""

    ref: str
    role: str
    name: str


async def is_on_top(tab: Tab, ref: Ref) -> bool:
    """Whether an element lies over the page, in view."""
    found = tab.refs.find(ref)
    if found is None or not found[0].alive:
        return False
    world, local_id = found
    reply = await tab.frames.run(world.frame, f"__boathook.isOnTop({local_id})")
    return reply["result"].get("value") is True


async def overlay_controls(tab: Tab, cover: Ref) -> list[OverlayControl]:
    """The controls of the dialog around a covering element, or of the element itself."""
    found = tab.refs.find(cover)
    if found is None or not found[0].alive:
        return []
    world, local_id = found
    reply = await tab.frames.run(world.frame, f"__boathook.controlsOver({local_id}, {tab.refs.next})")
    value = reply["result"].get("value") or {"found": [], "first": 0, "next": 0}
    tab.refs.adopt(world, first=value["first"], after_last=value["next"])
    return [
        OverlayControl(ref=str(tab.refs.ref_of(world, entry["id"])), role=entry["role"], name=entry["name"])
        for entry in value["found"]
    ]
