"""Scrolling the page, a container, or to an element.

What does not scroll in the wanted direction is an error that lists what does. At the end of what scrolls, a call succeeds and says
that it is at its end: callers that scroll until nothing is left rely on it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.cdp.errors_map import ContextGone
from boathook.engine.elements.locate import locate
from boathook.errors import NotScrolled, ProtocolError, TargetError

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.page.frames import Frame
    from boathook.engine.tab import Tab


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrolled:
    """How far something scrolled, its current position, and what it was."""

    right: float
    down: float
    at: tuple[float, float]
    end: tuple[float, float]
    container: str = ""

    @property
    def moved(self) -> bool:
        """Whether anything moved at all."""
        return bool(self.right or self.down)


async def scroll(
    tab: Tab, *, right: float = 0, down: float = 0, target: str | None = None, deadline: Deadline
) -> Scrolled:
    """Scroll by pixels, or by a share of the visible part if the number is between -1 and 1."""
    local_id, frame = 0, tab.frames.main
    if target is not None:
        element = await locate(tab, target, deadline=deadline)
        local_id, frame = element.local_id, element.frame
    async with deadline.stage("scrolling"):
        reply = await tab.frames.run(
            frame, f"__boathook.scrollBy({local_id}, {right}, {down}, {tab.refs.next})"
        )
        value = reply["result"]["value"]
        if any(value["moved"]):
            await _wait_for_frame(frame)
    container = ""
    if frame.world is not None:
        tab.refs.adopt(frame.world, first=value["first"], after_last=value["next"])
    if value["box"] and frame.world is not None:
        container = f"{value['box']['role']} {tab.refs.ref_of(frame.world, value['box']['id'])}"
    if not any(value["moved"]) and not _can_scroll(value["end"], right=right, down=down):
        raise _not_scrolled(tab, frame, value, container)
    return Scrolled(
        right=value["moved"][0],
        down=value["moved"][1],
        at=tuple(value["at"]),
        end=tuple(value["end"]),
        container=container,
    )


def _can_scroll(end: list[float], *, right: float, down: float) -> bool:
    """Whether it scrolls on a wanted axis at all: at its end, nothing is left to do and the caller has what it wants."""
    return not (right or down) or bool(right and end[0] > 0) or bool(down and end[1] > 0)


def _not_scrolled(tab: Tab, frame: Frame, value: dict[str, Any], container: str) -> NotScrolled:
    scrollers = [
        {"ref": str(tab.refs.ref_of(frame.world, entry["id"])), "role": entry["role"], "name": entry["name"]}
        for entry in value["scrollers"]
        if frame.world is not None
    ]
    listed = ", ".join(f"{entry['role']} {entry['ref']}" for entry in scrollers)
    what = container or "the page"
    return NotScrolled(
        f"{what} does not scroll in this direction{f'; scrollable: {listed}' if listed else ''}",
        hint="scroll one of these" if listed else "nothing is left to scroll; take a snapshot",
        scrollers=scrollers,
    )


_DRAWN = "new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); setTimeout(done, 250); })"
"""Pages receive scroll events with the next frame, and lists render their rows in that frame or the one after it."""


async def _wait_for_frame(frame: Frame) -> None:
    """Let the page react to the scrolling; a page that has closed meanwhile is done."""
    if frame.world is not None:
        with suppress(ContextGone):
            await frame.session.send(
                "Runtime.evaluate", expression=_DRAWN, contextId=frame.world.context_id, awaitPromise=True
            )


async def scroll_to(tab: Tab, target: str, *, deadline: Deadline) -> None:
    """Bring an element into view."""
    element = await locate(tab, target, deadline=deadline)
    async with deadline.stage(f"scrolling to {element.ref}"):
        try:
            await element.frame.session.send("DOM.scrollIntoViewIfNeeded", objectId=await element.handle())
        except ProtocolError as error:
            raise TargetError(f"{element.ref} is not rendered, so it cannot be scrolled into view") from error
