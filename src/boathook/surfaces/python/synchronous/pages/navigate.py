"""Going somewhere: to an address, and back and forward in history.

Generated from commands/pages/navigate.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.tab import NAVIGATE_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.commands.results import Arrived
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
    ) -> Arrived:
        """Load an address and wait for it; says where that led, with the title and the server's status."""
        return self._portal.call(
            self._inner.goto(url, wait_until=wait_until, headers=headers, timeout=timeout)
        )

    def reload(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> Arrived:
        """Load the present address again."""
        return self._portal.call(self._inner.reload(wait_until=wait_until, timeout=timeout))

    def back(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> Arrived:
        """Go one page back."""
        return self._portal.call(self._inner.back(wait_until=wait_until, timeout=timeout))

    def forward(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> Arrived:
        """Go one page forward."""
        return self._portal.call(self._inner.forward(wait_until=wait_until, timeout=timeout))
