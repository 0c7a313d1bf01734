"""Tabs: open, find, list and close.

Generated from commands/pages/tabs.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.commands.pages import tabs
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.registry.invoke import invoke
from boathook.surfaces.python.browser_base import BrowserBase
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from boathook.commands.results import PageInfo


class TabsBrowser(BrowserBase):
    """Methods of a browser from commands/pages/tabs.py."""

    async def pages(self) -> list[PageInfo]:
        """List all open pages in this browser, including those not attached."""
        return await invoke(tabs.pages, self._engine)


class TabsTab(TabBase):
    """Methods of a tab from commands/pages/tabs.py."""

    async def bring_to_front(self, *, timeout: float = ACTION_SECONDS) -> None:
        """Bring the tab to the front of its window."""
        await invoke(tabs.bring_to_front, self._engine, timeout=timeout)

    async def close(self) -> None:
        """Close a tab."""
        await invoke(tabs.tab_close, self._engine)
