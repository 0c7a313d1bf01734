"""The endpoint: a doorway for one run, through which a guest sees the tab's context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.debug.doorway import Doorway
from boathook.service.endpoint.cdp_proxy_session import Guest
from boathook.service.endpoint.method_policy import Sight

if TYPE_CHECKING:
    from boathook.engine.debug.doorway import Line
    from boathook.engine.tab import Tab


class Endpoint:
    """Opened when somebody asks for its address, and gone with `close`."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._doorway = Doorway(self._welcome)

    @property
    def target_id(self) -> str:
        """The tab beside which it is, as guests know it."""
        return self._tab.target_id

    async def address(self) -> str:
        """Where it listens."""
        return f"ws://{await self._doorway.place()}"

    async def close(self) -> None:
        """End it, and whoever is there; harmless when repeated."""
        await self._doorway.close()

    def _welcome(self, line: Line) -> Guest:
        return Guest(self._tab.browser.connection, self._sight(), send=line.send)

    def _sight(self) -> Sight:
        tab = self._tab
        info = tab.browser.targets.get(tab.target_id)
        only = None if tab.browser.managed else {tab.target_id}
        return Sight(context=info.context_id if info is not None else "", only=only)
