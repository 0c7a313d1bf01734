"""File uploads and downloads.

Generated from commands/input/files.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.clock import READ_SECONDS
from boathook.engine.waits.wait_for_event import DOWNLOAD_SECONDS, WAIT_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boathook.engine.actions.uploads import Uploaded
    from boathook.engine.files.downloads import Download


class FilesTab(TabBase):
    """Methods of a tab from commands/input/files.py."""

    def upload(
        self,
        target: str,
        *paths: str | Path | Sequence[str | Path],
        nth: int | None = None,
        timeout: float = WAIT_SECONDS,
    ) -> Uploaded:
        """Upload files to a file input, a file chooser button or a drop zone."""
        return self._portal.call(self._inner.upload(target, *paths, nth=nth, timeout=timeout))

    def answer_file_chooser(
        self, *paths: str | Path | Sequence[str | Path], timeout: float = WAIT_SECONDS
    ) -> Uploaded:
        """Upload files to the open file chooser."""
        return self._portal.call(self._inner.answer_file_chooser(*paths, timeout=timeout))

    def wait_for_download(
        self, path: str | Path | None = None, *, since: int | None = None, timeout: float = DOWNLOAD_SECONDS
    ) -> Download:
        """Wait for a download, or take one that already finished. Without a path, the file is deleted with the browser."""
        return self._portal.call(self._inner.wait_for_download(path, since=since, timeout=timeout))

    def download(
        self,
        target: str,
        path: str | Path | None = None,
        *,
        nth: int | None = None,
        timeout: float = DOWNLOAD_SECONDS,
    ) -> Download:
        """Click an element and wait for the download. Without a path, the file is deleted with the browser."""
        return self._portal.call(self._inner.download(target, path, nth=nth, timeout=timeout))

    def cancel_downloads(self, *, timeout: float = READ_SECONDS) -> int:
        """Cancel pending downloads. Prints how many."""
        return self._portal.call(self._inner.cancel_downloads(timeout=timeout))
