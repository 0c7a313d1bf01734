"""Tabs: open, find, list and close.

Generated from commands/pages/tabs.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.surfaces.python.sync_base import BrowserBase, TabBase

if TYPE_CHECKING:
    from boathook.commands.results import PageInfo


class TabsBrowser(BrowserBase):
    """Methods of a browser from commands/pages/tabs.py."""

    def pages(self) -> list[PageInfo]:
        """List all open pages in this browser, including those not attached."""
        return self._portal.call(self._inner.pages())


class TabsTab(TabBase):
    """Methods of a tab from commands/pages/tabs.py."""

    def bring_to_front(self, *, timeout: float = ACTION_SECONDS) -> None:
        """Bring the tab to the front of its window."""
        self._portal.call(self._inner.bring_to_front(timeout=timeout))

    def close(self) -> None:
        """Close a tab."""
        self._portal.call(self._inner.close())
