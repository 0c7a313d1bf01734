"""File uploads and downloads.

Generated from commands/input/files.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.clock import READ_SECONDS
from boathook.commands.input import files
from boathook.engine.waits.wait_for_event import DOWNLOAD_SECONDS, WAIT_SECONDS
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boathook.engine.actions.uploads import Uploaded
    from boathook.engine.files.downloads import Download


class FilesTab(TabBase):
    """Methods of a tab from commands/input/files.py."""

    async def upload(
        self,
        target: str,
        *paths: str | Path | Sequence[str | Path],
        nth: int | None = None,
        timeout: float = WAIT_SECONDS,
    ) -> Uploaded:
        """Upload files to a file input, a file chooser button or a drop zone."""
        return await invoke(files.upload, self._engine, target, *paths, nth=nth, timeout=timeout)

    async def answer_file_chooser(
        self, *paths: str | Path | Sequence[str | Path], timeout: float = WAIT_SECONDS
    ) -> Uploaded:
        """Upload files to the open file chooser."""
        return await invoke(files.answer_file_chooser, self._engine, *paths, timeout=timeout)

    async def wait_for_download(
        self, path: str | Path | None = None, *, since: int | None = None, timeout: float = DOWNLOAD_SECONDS
    ) -> Download:
        """Wait for a download, or take one that already finished. Without a path, the file is deleted with the browser."""
        return await invoke(files.wait_for_download, self._engine, path, since=since, timeout=timeout)

    async def download(
        self,
        target: str,
        path: str | Path | None = None,
        *,
        nth: int | None = None,
        timeout: float = DOWNLOAD_SECONDS,
    ) -> Download:
        """Click an element and wait for the download. Without a path, the file is deleted with the browser."""
        return await invoke(files.download, self._engine, target, path, nth=nth, timeout=timeout)

    async def cancel_downloads(self, *, timeout: float = READ_SECONDS) -> int:
        """Cancel pending downloads. Prints how many."""
        return await invoke(files.cancel_downloads, self._engine, timeout=timeout)
