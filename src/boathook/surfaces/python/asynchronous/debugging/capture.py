"""Recording: videos, traces, profiles and heap snapshots.

Generated from commands/debugging/capture.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.clock import READ_SECONDS
from boathook.commands.debugging import capture
from boathook.engine.capture.performance.heap_snapshots import HEAP_SECONDS, HeapFile
from boathook.engine.capture.video.video_recording import FINISH_SECONDS, Recorded
from boathook.engine.tab import NAVIGATE_SECONDS
from boathook.registry.invoke import invoke
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
        """Record the page as a video until `record stop`. Requires ffmpeg.

        The recording continues across navigations and ends when the tab or the browser is closed.
        """
        return await invoke(
            capture.record_start,
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
        """Stop the recording and print what the file contains."""
        return await invoke(capture.record_stop, self._engine, timeout=timeout)

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
        """Stop the current recording, if any, and start a new one in another file."""
        return await invoke(
            capture.record_restart,
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
        """Trace loading, scripts, layout and painting in all tabs of the browser until `trace stop`."""
        return await invoke(capture.trace_start, self._engine, categories=categories, timeout=timeout)

    async def trace_stop(
        self, path: str | Path | None = None, *, timeout: float = FINISH_SECONDS
    ) -> TraceFile:
        """Stop the trace and write it as JSON for the DevTools Performance panel. Secrets are removed."""
        return await invoke(capture.trace_stop, self._engine, path, timeout=timeout)

    async def profiler_start(self, *, interval: int = 500, timeout: float = READ_SECONDS) -> str:
        """Profile the page's JavaScript until `profiler stop`."""
        return await invoke(capture.profiler_start, self._engine, interval=interval, timeout=timeout)

    async def profiler_stop(
        self, path: str | Path | None = None, *, timeout: float = FINISH_SECONDS
    ) -> ProfileFile:
        """Stop the profile, write it as .cpuprofile and print the functions with the most self time."""
        return await invoke(capture.profiler_stop, self._engine, path, timeout=timeout)

    async def heap_snapshot(
        self, path: str | Path | None = None, *, timeout: float = HEAP_SECONDS
    ) -> HeapFile:
        """Write a heap snapshot of the page to a file, for the DevTools Memory panel."""
        return await invoke(capture.heap_snapshot, self._engine, path, timeout=timeout)

    async def heap_summary(
        self, path: str | Path | None = None, *, most: int = 20, timeout: float = HEAP_SECONDS
    ) -> HeapSummary:
        """Summarize heap memory by constructor: object count and self size."""
        return await invoke(capture.heap_summary, self._engine, path, most=most, timeout=timeout)
