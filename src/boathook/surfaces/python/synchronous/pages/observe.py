"""Observing a page: snapshots, title, frames, scripts, screenshots and PDF.

Generated from commands/pages/observe.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.clock import READ_SECONDS
from boathook.engine.elements.evaluate import RESULT_LIMIT, WorldName
from boathook.engine.snapshot.token_budget import DEFAULT_BUDGET
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boathook.commands.results import FrameInfo
    from boathook.engine.capture.pdf import Pdf
    from boathook.surfaces.python.result_views import Screenshot, SnapshotView
    from boathook.values import ImageFormat, SnapshotMode


class ObserveTab(TabBase):
    """Methods of a tab from commands/pages/observe.py."""

    def snapshot(
        self,
        *,
        mode: SnapshotMode = "interactive",
        root: str | None = None,
        depth: int = 0,
        viewport_only: bool = False,
        search: str = "",
        role: str = "",
        urls: bool = False,
        boxes: bool = False,
        graphics: bool = False,
        content_refs: bool = False,
        since: int | None = None,
        budget: int | None = DEFAULT_BUDGET,
        fold: bool = True,
        expand: Sequence[str] = (),
        timeout: float = READ_SECONDS,
    ) -> SnapshotView:
        """Print the page as text with refs; with `since`, only what changed since that revision."""
        return self._portal.call(
            self._inner.snapshot(
                mode=mode,
                root=root,
                depth=depth,
                viewport_only=viewport_only,
                search=search,
                role=role,
                urls=urls,
                boxes=boxes,
                graphics=graphics,
                content_refs=content_refs,
                since=since,
                budget=budget,
                fold=fold,
                expand=expand,
                timeout=timeout,
            )
        )

    def title(self) -> str:
        """Get the page title."""
        return self._portal.call(self._inner.title())

    def frames(self) -> list[FrameInfo]:
        """List the frames of the page, top frame first. A frame keeps its `handle` across navigations."""
        return self._portal.call(self._inner.frames())

    def evaluate(
        self,
        script: str,
        *arguments: Any,
        target: str | None = None,
        world: WorldName = "main",
        base64: bool = False,
        limit: int = RESULT_LIMIT,
        timeout: float = READ_SECONDS,
    ) -> Any:
        """Run JavaScript: an expression, statements, or a function that receives the arguments (after the element of `target`).

        The value is printed as JSON.
        """
        return self._portal.call(
            self._inner.evaluate(
                script, *arguments, target=target, world=world, base64=base64, limit=limit, timeout=timeout
            )
        )

    def screenshot(
        self,
        path: str | Path | None = None,
        *,
        target: str | None = None,
        also_show: Sequence[str] = (),
        full_page: bool = False,
        annotate: bool = False,
        for_model: bool = False,
        if_changed: bool = False,
        threshold: float = 0.0,
        format: ImageFormat | None = None,
        quality: int | None = None,
        timeout: float = READ_SECONDS,
    ) -> Screenshot:
        """Take a screenshot of the viewport, the full page or elements; `annotate` labels elements with refs.

        `for_model` returns a copy of at most 1024 pixels a side and 150 KiB, and saves the original to disk.
        With `if_changed`, a screenshot that equals the last one is returned without data and is not saved.
        """
        return self._portal.call(
            self._inner.screenshot(
                path,
                target=target,
                also_show=also_show,
                full_page=full_page,
                annotate=annotate,
                for_model=for_model,
                if_changed=if_changed,
                threshold=threshold,
                format=format,
                quality=quality,
                timeout=timeout,
            )
        )

    def pdf(
        self,
        path: str | Path | None = None,
        *,
        format: str = "a4",
        landscape: bool = False,
        background: bool = True,
        scale: float = 1.0,
        margin_mm: float = 10.0,
        margins: str = "",
        pages: str = "",
        header: str = "",
        footer: str = "",
        page_size: bool = False,
        outline: bool = False,
        tagged: bool = True,
        timeout: float = WAIT_SECONDS,
    ) -> Pdf:
        """Save the page as PDF. A tab that shows a PDF saves that file."""
        return self._portal.call(
            self._inner.pdf(
                path,
                format=format,
                landscape=landscape,
                background=background,
                scale=scale,
                margin_mm=margin_mm,
                margins=margins,
                pages=pages,
                header=header,
                footer=footer,
                page_size=page_size,
                outline=outline,
                tagged=tagged,
                timeout=timeout,
            )
        )
