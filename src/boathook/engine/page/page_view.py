"""The view of a page: the size and scale of its viewport, and how far it is scrolled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.engine.page.page_eval import value_of

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """Sizes and offsets in CSS pixels."""

    width: int
    height: int
    scale: float
    x: int
    y: int
    content_width: int
    content_height: int


_MEASURE = """(() => {
  const top = document.documentElement || { scrollWidth: 0, scrollHeight: 0 };
  return [innerWidth, innerHeight, devicePixelRatio, scrollX, scrollY, top.scrollWidth, top.scrollHeight];
})()"""


async def page_view(tab: Tab, *, deadline: Deadline) -> PageView:
    """The current view of the top frame."""
    async with deadline.stage("reading the viewport"):
        reply = await tab.frames.run(tab.frames.main, _MEASURE)
    width, height, scale, x, y, *content = value_of(reply, failed="the viewport could not be measured")
    return PageView(
        width=width,
        height=height,
        scale=scale,
        x=round(x),
        y=round(y),
        content_width=content[0],
        content_height=content[1],
    )
