"""Files: uploads to pages, downloads from them.

Generated from commands/input/files.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.tab import READ_SECONDS
from boathook.engine.waits.wait_for_event import DOWNLOAD_SECONDS, WAIT_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.engine.actions.uploads import Uploaded
    from boathook.engine.files.downloads import Download


class FilesTab(TabBase):
    """Methods of a tab from commands/input/files.py."""

    def upload(
        self, target: str, *paths: str | Path, nth: int | None = None, timeout: float = WAIT_SECONDS
    ) -> Uploaded:
        """Give files to a file input, to what opens a file chooser, or to a place that takes dropped files."""
        return self._portal.call(self._inner.upload(target, *paths, nth=nth, timeout=timeout))

    def answer_file_chooser(self, *paths: str | Path, timeout: float = WAIT_SECONDS) -> Uploaded:
        """Give files to the chooser that the page has opened."""
        return self._portal.call(self._inner.answer_file_chooser(*paths, timeout=timeout))

    def wait_for_download(
        self, path: str | Path | None = None, *, since: int | None = None, timeout: float = DOWNLOAD_SECONDS
    ) -> Download:
        """The first download that nobody took yet, also one that is over; without a path it goes with the browser."""
        return self._portal.call(self._inner.wait_for_download(path, since=since, timeout=timeout))

    def download(
        self,
        target: str,
        path: str | Path | None = None,
        *,
        nth: int | None = None,
        timeout: float = DOWNLOAD_SECONDS,
    ) -> Download:
        """Click an element and wait for the download that begins; without a path it goes with the browser."""
        return self._portal.call(self._inner.download(target, path, nth=nth, timeout=timeout))

    def cancel_downloads(self, *, timeout: float = READ_SECONDS) -> int:
        """Stop the downloads that are on their way; gives their number."""
        return self._portal.call(self._inner.cancel_downloads(timeout=timeout))
