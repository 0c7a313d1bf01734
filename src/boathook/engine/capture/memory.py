"""What a tab remembers of its screenshots, to tell when the next one shows the same."""

from __future__ import annotations

import base64
from collections import OrderedDict
from typing import TYPE_CHECKING

from boathook.engine.waits.until import page_script
from boathook.errors import BoathookError

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

REMEMBERED = 4
TOLERANCE = 2
"""Of 255: drawing the same again may differ by that much, and nobody sees it."""


class PictureMemory:
    """The last picture of each kind."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, bytes] = OrderedDict()

    def last(self, kind: str) -> bytes | None:
        """The one that the next is compared with."""
        return self._last.get(kind)

    def keep(self, kind: str, data: bytes) -> None:
        """Remember a picture instead of the last of its kind."""
        self._last.pop(kind, None)
        self._last[kind] = data
        while len(self._last) > REMEMBERED:
            self._last.popitem(last=False)


async def is_news(tab: Tab, kind: str, data: bytes, *, deadline: Deadline) -> bool:
    """Whether a picture looks other than the last of its kind; if so, the next is compared with this one."""
    before = tab.pictures.last(kind)
    if before is not None and (before == data or await _look_same(tab, before, data, deadline)):
        return False
    tab.pictures.keep(kind, data)
    return True


async def _look_same(tab: Tab, before: bytes, after: bytes, deadline: Deadline) -> bool:
    """Chromium compares them, in our world of the page; when it cannot, they count as different."""
    pictures = ", ".join(f"'{base64.b64encode(data).decode()}'" for data in (before, after))
    async with deadline.stage("comparing with the last screenshot"):
        try:
            world = await tab.frames.world(tab.frames.main)
            reply = await tab.session.send(
                "Runtime.evaluate",
                expression=f"{page_script('same_picture.js')}({pictures}, {TOLERANCE})",
                contextId=world.context_id,
                awaitPromise=True,
                returnByValue=True,
            )
        except BoathookError:
            return False
    return reply["result"].get("value") is True
