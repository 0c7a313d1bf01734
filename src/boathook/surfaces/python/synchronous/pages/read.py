"""Reading page content without navigation and banners, and collecting long lists.

Generated from commands/pages/read.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.clock import READ_SECONDS
from boathook.commands.results import DEFAULT_LIMIT
from boathook.engine.actions.collect_items import COLLECT_SECONDS, Collected
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from boathook.engine.content.read_page import ReadFormat
    from boathook.presentation.families.reading import Reading


class ReadTab(TabBase):
    """Methods of a tab from commands/pages/read.py."""

    def read(
        self,
        format: ReadFormat = "markdown",
        *,
        target: str | None = None,
        comments: bool = False,
        limit: int = DEFAULT_LIMIT,
        timeout: float = READ_SECONDS,
    ) -> Reading:
        """Print the main content of the page without menus and banners, or one element.

        `format` is `markdown`, `text`, `html` (without scripts and controls), `outline` (landmarks and headings of the
        whole page) or `tables` (rows as data). An article begins with its headline, and a line with author and date; comments
        on it are omitted unless `comments` is set. Text beyond `limit` characters is saved to a private file that is
        deleted with the browser, and the last line names it. A PDF in the browser's viewer is read page by page.
        """
        return self._portal.call(
            self._inner.read(format, target=target, comments=comments, limit=limit, timeout=timeout)
        )

    def collect(
        self,
        items: str,
        *,
        within: str | None = None,
        until: str | None = None,
        count: int | None = None,
        most: int = 500,
        timeout: float = COLLECT_SECONDS,
    ) -> Collected:
        """Scroll through a list from the top and collect its items: to the end, or until some text or a count is reached."""
        return self._portal.call(
            self._inner.collect(items, within=within, until=until, count=count, most=most, timeout=timeout)
        )
