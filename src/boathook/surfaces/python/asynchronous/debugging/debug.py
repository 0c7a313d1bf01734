"""Looking into pages: how fast they are, what is wrong with them, where an element is.

Generated from commands/debugging/debug.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.commands.debugging import debug
from boathook.engine.tab import NAVIGATE_SECONDS, READ_SECONDS
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boathook.engine.debug.audit import Audit
    from boathook.engine.debug.coverage import Coverage
    from boathook.engine.debug.highlight import Highlighted
    from boathook.engine.debug.style_rules import Styling
    from boathook.engine.debug.vitals import Vitals


class DebugTab(TabBase):
    """Methods of a tab from commands/debugging/debug.py."""

    async def vitals(self, url: str | None = None, *, timeout: float = NAVIGATE_SECONDS) -> Vitals:
        """How the page felt so far: largest and first paint, first byte, shifts of the layout, slowest answer; with ratings."""
        return await debug.vitals(self._engine, url, timeout=timeout)

    async def a11y(
        self,
        url: str | None = None,
        *,
        tags: Sequence[str] = (),
        selector: str | None = None,
        axe: str | Path | None = None,
        timeout: float = NAVIGATE_SECONDS,
    ) -> Audit:
        """Audit the page for accessibility with axe-core: what is wrong, how badly, and where."""
        return await debug.a11y(self._engine, url, tags=tags, selector=selector, axe=axe, timeout=timeout)

    async def styles(self, target: str, *, timeout: float = READ_SECONDS) -> Styling:
        """The page's rules that match an element, the strongest first: where each stands, and which declarations win."""
        return await debug.styles(self._engine, target, timeout=timeout)

    async def coverage_start(self, *, timeout: float = READ_SECONDS) -> str:
        """Count from now on what pages use of the scripts and style sheets that they load."""
        return await debug.coverage_start(self._engine, timeout=timeout)

    async def coverage_stop(self, *, timeout: float = READ_SECONDS) -> Coverage:
        """What was used since `coverage start`, file by file, those with most that is unused first."""
        return await debug.coverage_stop(self._engine, timeout=timeout)

    async def highlight(
        self, target: str | None = None, *, clear: bool = False, timeout: float = NAVIGATE_SECONDS
    ) -> Highlighted | None:
        """Point an element out for whoever looks at the window, as developer tools do; the page does not notice."""
        return await debug.highlight(self._engine, target, clear=clear, timeout=timeout)

    async def inspect(self, *, stop: bool = False, timeout: float = NAVIGATE_SECONDS) -> str | None:
        """Let a person look into the tab with developer tools: an address for any Chrome or Chromium on this machine.

        Whoever knows the address can do anything in the tab, until `inspect --stop` or until the tab is closed. A browser that has
        windows shows the tools in one of them as well.
        """
        return await debug.inspect(self._engine, stop=stop, timeout=timeout)
