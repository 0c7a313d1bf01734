"""Diffs: against the last snapshot, against a file, or between two URLs.

Generated from commands/pages/diff.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.clock import READ_SECONDS
from boathook.commands.pages import diff
from boathook.engine.tab import NAVIGATE_SECONDS
from boathook.presentation.families.differences import Difference
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boathook.engine.diff.image_diff import PictureDiff
    from boathook.values import WaitUntil


class DiffTab(TabBase):
    """Methods of a tab from commands/pages/diff.py."""

    async def diff_snapshot(
        self,
        *,
        baseline: str | Path | None = None,
        root: str | None = None,
        compact: bool = False,
        full: bool = False,
        depth: int = 0,
        timeout: float = READ_SECONDS,
    ) -> Difference:
        """Compare the current snapshot with the last one or with a file. Refs are ignored."""
        return Difference.of(
            await invoke(
                diff.diff_snapshot,
                self._engine,
                baseline=baseline,
                root=root,
                compact=compact,
                full=full,
                depth=depth,
                timeout=timeout,
            )
        )

    async def diff_screenshot(
        self,
        *,
        baseline: str | Path,
        path: str | Path | None = None,
        threshold: float = 0.1,
        mask: Sequence[str] = (),
        full_page: bool = False,
        target: str | None = None,
        timeout: float = READ_SECONDS,
    ) -> PictureDiff:
        """Compare a screenshot with a baseline image and write an image that shows the differences."""
        return await invoke(
            diff.diff_screenshot,
            self._engine,
            baseline=baseline,
            path=path,
            threshold=threshold,
            mask=mask,
            full_page=full_page,
            target=target,
            timeout=timeout,
        )

    async def diff_url(
        self,
        url: str,
        other_url: str,
        *,
        screenshot: bool = False,
        path: str | Path | None = None,
        threshold: float = 0.1,
        full_page: bool = False,
        root: str | None = None,
        compact: bool = False,
        depth: int = 0,
        wait_until: WaitUntil = "load",
        timeout: float = NAVIGATE_SECONDS,
    ) -> Difference:
        """Compare two URLs by snapshot, and optionally by screenshot, in a separate tab."""
        return Difference.of(
            await invoke(
                diff.diff_url,
                self._engine,
                url,
                other_url,
                screenshot=screenshot,
                path=path,
                threshold=threshold,
                full_page=full_page,
                root=root,
                compact=compact,
                depth=depth,
                wait_until=wait_until,
                timeout=timeout,
            )
        )
