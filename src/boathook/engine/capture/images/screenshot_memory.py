"""What a tab remembers about its screenshots, to detect that the next one is identical."""

from __future__ import annotations

import base64
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.engine.page.page_eval import evaluate_in
from boathook.engine.page_scripts import page_script
from boathook.errors import BoathookError

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

REMEMBERED = 4
TOLERANCE = 2
"""Of 255: rendering the same content again may differ by this much, which is not visible."""


@dataclass(frozen=True, slots=True)
class ScreenshotComparison:
    """The comparison of a screenshot with the last one of its kind."""

    changed: bool
    ratio: float
    """The share of pixels that differ."""
    revision: int
    """How many different ones there were so far."""


class ScreenshotMemory:
    """The last screenshot of each kind."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, tuple[bytes, int]] = OrderedDict()

    def last(self, kind: str) -> tuple[bytes, int] | None:
        """The one that the next is compared with, and its revision."""
        return self._last.get(kind)

    def keep(self, kind: str, data: bytes, revision: int) -> None:
        """Remember a screenshot instead of the last of its kind."""
        self._last.pop(kind, None)
        self._last[kind] = (data, revision)
        while len(self._last) > REMEMBERED:
            self._last.popitem(last=False)


async def compare_with_last(
    tab: Tab, kind: str, data: bytes, *, threshold: float, deadline: Deadline
) -> ScreenshotComparison:
    """Whether more than a share of a screenshot differs from the last of its kind; if so, it becomes the new reference."""
    before = tab.pictures.last(kind)
    if before is None:
        tab.pictures.keep(kind, data, 1)
        return ScreenshotComparison(changed=True, ratio=1.0, revision=1)
    last, revision = before
    ratio = 0.0 if last == data else await _share_that_differs(tab, last, data, deadline)
    if ratio <= threshold:
        return ScreenshotComparison(changed=False, ratio=ratio, revision=revision)
    tab.pictures.keep(kind, data, revision + 1)
    return ScreenshotComparison(changed=True, ratio=ratio, revision=revision + 1)


async def _share_that_differs(tab: Tab, before: bytes, after: bytes, deadline: Deadline) -> float:
    """Chromium compares them in our world of the page; if it cannot, they count as different."""
    pictures = ", ".join(f"'{base64.b64encode(data).decode()}'" for data in (before, after))
    async with deadline.stage("comparing with the last screenshot"):
        try:
            world = await tab.frames.world(tab.frames.main)
            script = f"{page_script('debug/image_difference.js')}({pictures}, {TOLERANCE})"
            reply = await evaluate_in(tab.session, script, context_id=world.context_id)
        except BoathookError:
            return 1.0
    share = reply["result"].get("value")
    return float(share) if isinstance(share, int | float) else 1.0
