"""The part of the public Tab that reads: the page as Markdown, text, HTML, outline or tables."""

from __future__ import annotations

import asyncio

from boathook.engine.reading import ReadFormat, read_page
from boathook.engine.reading_files import save_reading
from boathook.engine.tab import READ_SECONDS
from boathook.errors import BadSetting
from boathook.presentation.reading import DEFAULT_LIMIT, Reading, fits, presented
from boathook.surfaces.python.tab_base import TabBase


class TabReading(TabBase):
    """Reading what a page says, without what stands around it."""

    async def read(
        self,
        format: ReadFormat = "markdown",
        *,
        target: str | None = None,
        limit: int = DEFAULT_LIMIT,
        timeout: float = READ_SECONDS,
    ) -> Reading:
        """The main part of the page without menus and banners, or the element that `target` names.

        `format` is `markdown`, `text`, `html` (without anything that acts), `outline` (landmarks and headings of the
        whole page) or `tables` (rows as data). Text beyond `limit` characters is saved to a private file that goes
        away with the browser, and the last line names it. A PDF in the browser's viewer is read page by page.
        """
        if not isinstance(limit, int) or limit < 1:
            raise BadSetting(f"a limit of {limit!r} characters is out of range", hint="use 1 or more")
        async with self._engine.call("reading the page", seconds=timeout, looks=True) as deadline:
            page = await read_page(self._engine, format=format, target=target, deadline=deadline)
        path = None
        if not fits(page, limit=limit):
            path = await asyncio.to_thread(save_reading, self._browser.folder, page.text, format=format)
        return presented(page, format=format, limit=limit, path=path)
