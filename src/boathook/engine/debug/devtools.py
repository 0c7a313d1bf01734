"""Inspecting: developer tools of the user's own browser look into a tab, through a doorway that is open for as long as he likes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from boathook.cdp.replies import forgotten
from boathook.engine.debug.devtools_session import Inspector
from boathook.engine.debug.doorway import Doorway
from boathook.errors import BoathookError, ProtocolError, TabGone, Unsupported

if TYPE_CHECKING:
    from boathook.engine.tab import Tab

FRONT_END = "devtools://devtools/bundled/inspector.html"
"""The developer tools that every Chromium brings along."""
ORIGIN = "devtools://devtools"
SHOW_SECONDS = 20.0
"""For a window with developer tools to find its way to the tab."""


class Inspection:
    """The doorway to one tab, and the window that shows what is behind it where there are windows."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._doorway = Doorway(lambda line: Inspector(tab, line), origin=ORIGIN)
        self._alone = asyncio.Lock()
        self._watching: asyncio.Task[None] | None = None
        self._window = ""

    async def open(self) -> str:
        """Where developer tools can be opened; the same place when it is open already."""
        async with self._alone:
            if self._watching is None:
                self._watching = self._tab.browser.chores.start(self._until_closed(), name="inspected")
            await self._require_guests()
            address = f"{FRONT_END}?ws={await self._doorway.place()}"
            if self._watching is None or self._watching.done():
                await self._end()
                raise TabGone(f"tab {self._tab.id} was closed meanwhile", tab=self._tab.id)
            if _has_windows(self._tab) and self._tab.browser.targets.get(self._window) is None:
                await self._show(address)
            return address

    async def close(self) -> None:
        """Close it, and whatever looks through it; harmless when repeated."""
        async with self._alone:
            if self._watching is not None:
                self._watching.cancel()
                await asyncio.gather(self._watching, return_exceptions=True)
            await self._end()

    async def _until_closed(self) -> None:
        """It is open for as long as the tab is."""
        try:
            await self._tab.closed.wait()
        finally:
            await self._end()

    async def _end(self) -> None:
        if _inspections.get(self._tab) is self:
            del _inspections[self._tab]
        self._close_window()
        await self._doorway.close()

    async def _require_guests(self) -> None:
        connection = self._tab.browser.connection
        try:
            reply = await connection.send("Target.attachToBrowserTarget")
        except (ProtocolError, Unsupported) as error:
            raise Unsupported(
                f"this browser lets nobody look on beside us ({error})",
                hint="open its own developer tools in its window",
            ) from error
        await connection.send("Target.detachFromTarget", {"sessionId": reply["sessionId"]})

    async def _show(self, address: str) -> None:
        """Open it in a window, and not leave one there that shows nothing: a proxy may hold it back."""
        self._doorway.visited.clear()
        with suppress(BoathookError, TimeoutError):
            async with asyncio.timeout(SHOW_SECONDS):
                options = {"url": address, "newWindow": True}
                reply = await self._tab.browser.connection.send("Target.createTarget", options)
                self._window = str(reply["targetId"])
                await self._doorway.visited.wait()
            self._tab.news.append("developer tools for it are open in a window of this browser")
            return
        self._close_window()

    def _close_window(self) -> None:
        window, self._window = self._window, ""
        connection = self._tab.browser.connection
        if window and connection.closed_because is None:
            closing = connection.post("Target.closeTarget", {"targetId": window})
            forgotten(closing)


_inspections: WeakKeyDictionary[Tab, Inspection] = WeakKeyDictionary()


async def inspected(tab: Tab) -> str:
    """Let developer tools look into a tab; the address under which any Chromium of the user's opens them."""
    inspection = _inspections.get(tab)
    if inspection is None:
        inspection = _inspections[tab] = Inspection(tab)
    return await inspection.open()


async def stop_inspecting(tab: Tab) -> None:
    """Let nobody look into a tab any more."""
    inspection = _inspections.get(tab)
    if inspection is not None:
        await inspection.close()


def _has_windows(tab: Tab) -> bool:
    """Whether it is in a browser of ours with windows, in which developer tools find the way to it: limits on hosts end that.

    A clipboard of its own is what browsers without windows have.
    """
    browser = tab.browser
    return browser.managed and not browser.own_clipboard and browser.egress is None
