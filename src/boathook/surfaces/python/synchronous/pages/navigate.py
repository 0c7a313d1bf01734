"""Navigation: open a URL, reload, back and forward.

Generated from commands/pages/navigate.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.tab import NAVIGATE_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.commands.results import NavigationResult
    from boathook.values import WaitUntil


class NavigateTab(TabBase):
    """Methods of a tab from commands/pages/navigate.py."""

    def goto(
        self,
        url: str = "about:blank",
        *,
        wait_until: WaitUntil = "load",
        headers: Mapping[str, str] | None = None,
        timeout: float = NAVIGATE_SECONDS,
    ) -> NavigationResult:
        """Open a URL and wait for it to load. Prints the final URL, title and HTTP status."""
        return self._portal.call(
            self._inner.goto(url, wait_until=wait_until, headers=headers, timeout=timeout)
        )

    def reload(
        self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS
    ) -> NavigationResult:
        """Reload the current page."""
        return self._portal.call(self._inner.reload(wait_until=wait_until, timeout=timeout))

    def back(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> NavigationResult:
        """Go back one page in history."""
        return self._portal.call(self._inner.back(wait_until=wait_until, timeout=timeout))

    def forward(
        self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS
    ) -> NavigationResult:
        """Go forward one page in history."""
        return self._portal.call(self._inner.forward(wait_until=wait_until, timeout=timeout))
