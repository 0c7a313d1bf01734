"""Inspecting: developer tools of the user's browser connect to a tab, through a server that runs until it is stopped."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from boathook.cdp.replies import ignore_reply
from boathook.engine.debug.devtools_session import Inspector
from boathook.errors import BoathookError, ProtocolError, TabGone, Unsupported
from boathook.local_server.token_websocket import TokenWebSocketServer

if TYPE_CHECKING:
    from boathook.engine.tab import Tab

FRONT_END = "devtools://devtools/bundled/inspector.html"
"""The developer tools that every Chromium contains."""
ORIGIN = "devtools://devtools"
SHOW_SECONDS = 20.0
"""Time for a window with developer tools to connect to the tab."""


class Inspection:
    """The server for one tab, and the window that shows its developer tools where there are windows."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._socket_server = TokenWebSocketServer(lambda line: Inspector(tab, line), origin=ORIGIN)
        self._alone = asyncio.Lock()
        self._watching: asyncio.Task[None] | None = None
        self._window = ""

    async def open(self) -> str:
        """The URL of the developer tools; the same one if it is already open."""
        async with self._alone:
            if self._watching is None:
                self._watching = self._tab.browser.background_tasks.start(
                    self._close_with_tab(), name="inspected"
                )
            await self._require_guests()
            address = f"{FRONT_END}?ws={await self._socket_server.url()}"
            if self._watching is None or self._watching.done():
                await self._end()
                raise TabGone(f"tab {self._tab.id} was closed", tab=self._tab.id)
            if _has_windows(self._tab) and self._tab.browser.targets.get(self._window) is None:
                await self._show(address)
            return address

    async def close(self) -> None:
        """Stop it and disconnect its clients; may be called twice."""
        async with self._alone:
            if self._watching is not None:
                self._watching.cancel()
                await asyncio.gather(self._watching, return_exceptions=True)
            await self._end()

    async def _close_with_tab(self) -> None:
        """It stays open as long as the tab does."""
        try:
            await self._tab.closed.wait()
        finally:
            await self._end()

    async def _end(self) -> None:
        if _inspections.get(self._tab) is self:
            del _inspections[self._tab]
        self._close_window()
        await self._socket_server.close()

    async def _require_guests(self) -> None:
        connection = self._tab.browser.connection
        try:
            reply = await connection.send("Target.attachToBrowserTarget")
        except (ProtocolError, Unsupported) as error:
            raise Unsupported(
                f"this browser accepts no second debugging client ({error})",
                hint="open the developer tools in the browser window",
            ) from error
        await connection.send("Target.detachFromTarget", {"sessionId": reply["sessionId"]})

    async def _show(self, address: str) -> None:
        """Open it in a window, and close the window again if it shows nothing: a proxy may block it."""
        self._socket_server.visited.clear()
        with suppress(BoathookError, TimeoutError):
            async with asyncio.timeout(SHOW_SECONDS):
                options = {"url": address, "newWindow": True}
                reply = await self._tab.browser.connection.send("Target.createTarget", options)
                self._window = str(reply["targetId"])
                await self._socket_server.visited.wait()
            self._tab.news.append("the developer tools of this tab are open in a window of this browser")
            return
        self._close_window()

    def _close_window(self) -> None:
        window, self._window = self._window, ""
        connection = self._tab.browser.connection
        if window and connection.closed_because is None:
            closing = connection.post("Target.closeTarget", {"targetId": window})
            ignore_reply(closing)


_inspections: WeakKeyDictionary[Tab, Inspection] = WeakKeyDictionary()


async def open_inspector(tab: Tab) -> str:
    """Allow developer tools to connect to a tab; returns the URL that opens them in any Chromium."""
    inspection = _inspections.get(tab)
    if inspection is None:
        inspection = _inspections[tab] = Inspection(tab)
    return await inspection.open()


async def stop_inspecting(tab: Tab) -> None:
    """Disconnect developer tools from a tab."""
    inspection = _inspections.get(tab)
    if inspection is not None:
        await inspection.close()


def _has_windows(tab: Tab) -> bool:
    """Whether it is in a browser of ours with windows, in which developer tools can connect to it: limits on hosts prevent that.

    Only browsers without windows have their own clipboard.
    """
    browser = tab.browser
    return browser.managed and not browser.own_clipboard and browser.egress is None
