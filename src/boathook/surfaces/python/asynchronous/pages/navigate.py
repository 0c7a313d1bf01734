"""Navigation: open a URL, reload, back and forward.

Generated from commands/pages/navigate.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.commands.pages import navigate
from boathook.engine.tab import NAVIGATE_SECONDS
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.commands.results import NavigationResult
    from boathook.values import WaitUntil


class NavigateTab(TabBase):
    """Methods of a tab from commands/pages/navigate.py."""

    async def goto(
        self,
        url: str = "about:blank",
        *,
        wait_until: WaitUntil = "load",
        headers: Mapping[str, str] | None = None,
        timeout: float = NAVIGATE_SECONDS,
    ) -> NavigationResult:
        """Open a URL and wait for it to load. Prints the final URL, title and HTTP status."""
        return await invoke(
            navigate.goto, self._engine, url, wait_until=wait_until, headers=headers, timeout=timeout
        )

    async def reload(
        self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS
    ) -> NavigationResult:
        """Reload the current page."""
        return await invoke(navigate.reload, self._engine, wait_until=wait_until, timeout=timeout)

    async def back(
        self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS
    ) -> NavigationResult:
        """Go back one page in history."""
        return await invoke(navigate.back, self._engine, wait_until=wait_until, timeout=timeout)

    async def forward(
        self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS
    ) -> NavigationResult:
        """Go forward one page in history."""
        return await invoke(navigate.forward, self._engine, wait_until=wait_until, timeout=timeout)
