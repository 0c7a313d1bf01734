"""Recording what happens: videos, traces, profiles, and what a page holds in memory.

Generated from commands/debugging/capture.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.capture.performance.heap_snapshots import HEAP_SECONDS, HeapFile
from boathook.engine.capture.video.video_recording import FINISH_SECONDS, Recorded
from boathook.engine.tab import NAVIGATE_SECONDS, READ_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boathook.commands.results import RecordingStarted
    from boathook.engine.capture.performance.cpu_profile import ProfileFile
    from boathook.engine.capture.performance.heap_summary import HeapSummary
    from boathook.engine.capture.performance.trace import TraceFile


class CaptureTab(TabBase):
    """Methods of a tab from commands/debugging/capture.py."""

    def record_start(
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
        return self._portal.call(
            self._inner.record_start(
                path,
                url,
                fps=fps,
                cursor=cursor,
                marks=marks,
                contact_sheet=contact_sheet,
                contact_sheet_threshold=contact_sheet_threshold,
                timeout=timeout,
            )
        )

    def record_stop(self, *, timeout: float = FINISH_SECONDS) -> Recorded:
        """End the recording of the session, and tell what is in the file."""
        return self._portal.call(self._inner.record_stop(timeout=timeout))

    def record_restart(
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
        return self._portal.call(
            self._inner.record_restart(
                path,
                url,
                fps=fps,
                cursor=cursor,
                marks=marks,
                contact_sheet=contact_sheet,
                contact_sheet_threshold=contact_sheet_threshold,
                timeout=timeout,
            )
        )

    def trace_start(self, *, categories: Sequence[str] = (), timeout: float = READ_SECONDS) -> str:
        """Trace the browser, until `trace stop`: loading, scripts, layout, painting; of all its tabs."""
        return self._portal.call(self._inner.trace_start(categories=categories, timeout=timeout))

    def trace_stop(self, path: str | Path | None = None, *, timeout: float = FINISH_SECONDS) -> TraceFile:
        """End the trace and write it as JSON, for the performance panel of developer tools; secrets are taken out."""
        return self._portal.call(self._inner.trace_stop(path, timeout=timeout))

    def profiler_start(self, *, interval: int = 500, timeout: float = READ_SECONDS) -> str:
        """Watch which functions of the page take the time, until `profiler stop`."""
        return self._portal.call(self._inner.profiler_start(interval=interval, timeout=timeout))

    def profiler_stop(
        self, path: str | Path | None = None, *, timeout: float = FINISH_SECONDS
    ) -> ProfileFile:
        """End the profile, write it as .cpuprofile, and name the functions that took most of the time."""
        return self._portal.call(self._inner.profiler_stop(path, timeout=timeout))

    def heap_snapshot(self, path: str | Path | None = None, *, timeout: float = HEAP_SECONDS) -> HeapFile:
        """Write all that the page's scripts hold in memory to a file, for the memory panel of developer tools."""
        return self._portal.call(self._inner.heap_snapshot(path, timeout=timeout))

    def heap_summary(
        self, path: str | Path | None = None, *, most: int = 20, timeout: float = HEAP_SECONDS
    ) -> HeapSummary:
        """Which constructors take up the memory: how many objects, how many bytes of their own."""
        return self._portal.call(self._inner.heap_summary(path, most=most, timeout=timeout))
