"""Recording what happens: videos, traces, profiles, and what a page holds in memory.

Generated from commands/debugging/capture.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.commands.debugging import capture
from boathook.engine.capture.performance.heap_snapshots import HEAP_SECONDS, HeapFile
from boathook.engine.capture.video.video_recording import FINISH_SECONDS, Recorded
from boathook.engine.tab import NAVIGATE_SECONDS, READ_SECONDS
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boathook.commands.results import RecordingStarted
    from boathook.engine.capture.performance.cpu_profile import ProfileFile
    from boathook.engine.capture.performance.heap_summary import HeapSummary
    from boathook.engine.capture.performance.trace import TraceFile


class CaptureTab(TabBase):
    """Methods of a tab from commands/debugging/capture.py."""

    async def record_start(
        self,
        path: str | Path,
        url: str | None = None,
        *,
        fps: int = 30,
        cursor: bool = False,
        marks: bool = False,
        contact_sheet: bool = False,
        contact_sheet_threshold: float = 0.05,
        timeout: float = NAVIGATE_SECONDS,
    ) -> RecordingStarted:
        """Record the page as a video, from as it is now until `record stop`; needs ffmpeg.

        Navigations and new documents of the tab stay in the picture; when it or the browser is closed, the file ends there.
        """
        return await capture.record_start(
            self._engine,
            path,
            url,
            fps=fps,
            cursor=cursor,
            marks=marks,
            contact_sheet=contact_sheet,
            contact_sheet_threshold=contact_sheet_threshold,
            timeout=timeout,
        )

    async def record_stop(self, *, timeout: float = FINISH_SECONDS) -> Recorded:
        """End the recording of the session, and tell what is in the file."""
        return await capture.record_stop(self._engine, timeout=timeout)

    async def record_restart(
        self,
        path: str | Path,
        url: str | None = None,
        *,
        fps: int = 30,
        cursor: bool = False,
        marks: bool = False,
        contact_sheet: bool = False,
        contact_sheet_threshold: float = 0.05,
        timeout: float = FINISH_SECONDS,
    ) -> RecordingStarted:
        """End the recording that runs, if any, and begin another one in another file."""
        return await capture.record_restart(
            self._engine,
            path,
            url,
            fps=fps,
            cursor=cursor,
            marks=marks,
            contact_sheet=contact_sheet,
            contact_sheet_threshold=contact_sheet_threshold,
            timeout=timeout,
        )

    async def trace_start(self, *, categories: Sequence[str] = (), timeout: float = READ_SECONDS) -> str:
        """Trace the browser, until `trace stop`: loading, scripts, layout, painting; of all its tabs."""
        return await capture.trace_start(self._engine, categories=categories, timeout=timeout)

    async def trace_stop(
        self, path: str | Path | None = None, *, timeout: float = FINISH_SECONDS
    ) -> TraceFile:
        """End the trace and write it as JSON, for the performance panel of developer tools; secrets are taken out."""
        return await capture.trace_stop(self._engine, path, timeout=timeout)

    async def profiler_start(self, *, interval: int = 500, timeout: float = READ_SECONDS) -> str:
        """Watch which functions of the page take the time, until `profiler stop`."""
        return await capture.profiler_start(self._engine, interval=interval, timeout=timeout)

    async def profiler_stop(
        self, path: str | Path | None = None, *, timeout: float = FINISH_SECONDS
    ) -> ProfileFile:
        """End the profile, write it as .cpuprofile, and name the functions that took most of the time."""
        return await capture.profiler_stop(self._engine, path, timeout=timeout)

    async def heap_snapshot(
        self, path: str | Path | None = None, *, timeout: float = HEAP_SECONDS
    ) -> HeapFile:
        """Write all that the page's scripts hold in memory to a file, for the memory panel of developer tools."""
        return await capture.heap_snapshot(self._engine, path, timeout=timeout)

    async def heap_summary(
        self, path: str | Path | None = None, *, most: int = 20, timeout: float = HEAP_SECONDS
    ) -> HeapSummary:
        """Which constructors take up the memory: how many objects, how many bytes of their own."""
        return await capture.heap_summary(self._engine, path, most=most, timeout=timeout)
