"""Debugging: performance, accessibility, styles, coverage and DevTools.

Generated from commands/debugging/debug.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.clock import READ_SECONDS
from boathook.engine.tab import NAVIGATE_SECONDS
from boathook.surfaces.python.sync_base import TabBase

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

    def vitals(self, url: str | None = None, *, timeout: float = NAVIGATE_SECONDS) -> Vitals:
        """Show Core Web Vitals so far (LCP, FCP, TTFB, CLS, INP), with ratings."""
        return self._portal.call(self._inner.vitals(url, timeout=timeout))

    def a11y(
        self,
        url: str | None = None,
        *,
        tags: Sequence[str] = (),
        selector: str | None = None,
        axe: str | Path | None = None,
        timeout: float = NAVIGATE_SECONDS,
    ) -> Audit:
        """Audit the page for accessibility with axe-core. Prints each violation with its impact and elements."""
        return self._portal.call(
            self._inner.a11y(url, tags=tags, selector=selector, axe=axe, timeout=timeout)
        )

    def styles(self, target: str, *, timeout: float = READ_SECONDS) -> Styling:
        """List the CSS rules that match an element, strongest first, with their source and the winning declarations."""
        return self._portal.call(self._inner.styles(target, timeout=timeout))

    def coverage_start(self, *, timeout: float = READ_SECONDS) -> str:
        """Start recording JavaScript and CSS coverage."""
        return self._portal.call(self._inner.coverage_start(timeout=timeout))

    def coverage_stop(self, *, timeout: float = READ_SECONDS) -> Coverage:
        """Stop recording and print the coverage of each file, most unused bytes first."""
        return self._portal.call(self._inner.coverage_stop(timeout=timeout))

    def highlight(
        self, target: str | None = None, *, clear: bool = False, timeout: float = NAVIGATE_SECONDS
    ) -> Highlighted | None:
        """Highlight an element in the browser window, as DevTools does. The page cannot detect it."""
        return self._portal.call(self._inner.highlight(target, clear=clear, timeout=timeout))

    def inspect(self, *, stop: bool = False, timeout: float = NAVIGATE_SECONDS) -> str | None:
        """Open DevTools on the tab. Prints a URL for any Chrome or Chromium on this machine.

        Anyone with the URL has full control of the tab until `inspect --stop` or until the tab is closed. A headed browser
        also opens DevTools in a window.
        """
        return self._portal.call(self._inner.inspect(stop=stop, timeout=timeout))
