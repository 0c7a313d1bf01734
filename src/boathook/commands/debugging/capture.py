"""Recording what happens: videos, traces, profiles, and what a page holds in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from boathook.commands.pages.navigate import goto
from boathook.commands.results import RecordingStarted
from boathook.engine.capture.performance import cpu_profile, heap_snapshots, trace
from boathook.engine.capture.performance.cpu_profile import ProfileFile
from boathook.engine.capture.performance.heap_snapshots import HEAP_SECONDS, HeapFile
from boathook.engine.capture.performance.heap_summary import HeapSummary
from boathook.engine.capture.performance.trace import TraceFile
from boathook.engine.capture.video import recordings
from boathook.engine.capture.video.video_recording import FINISH_SECONDS, Filming, Recorded
from boathook.engine.tab import NAVIGATE_SECONDS, READ_SECONDS, Tab
from boathook.registry.parameters import Address, FileToWrite, Timeout
from boathook.registry.registry import Between, Doc, Effect, command

Video = Annotated[str | Path, Doc("the file to write: .webm or .mp4")]
FrameRate = Annotated[int, Doc("frames a second of the file"), Between(1, 60)]
Cursor = Annotated[bool, Doc("draw the pointer into it")]
Marks = Annotated[bool, Doc("draw a ring wherever something is pressed")]
Sheet = Annotated[bool, Doc("also a picture of the moments at which something changed, beside the file")]
SheetThreshold = Annotated[float, Doc("share of the picture that must change for that"), Between(0, 1)]


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    may_navigate=True,
    writes_files=("path",),
    examples=("record start take.webm", "record start take.mp4 --fps 10 --cursor --marks --contact-sheet"),
)
async def record_start(
    tab: Tab,
    path: Video,
    url: Address = None,
    *,
    fps: FrameRate = 30,
    cursor: Cursor = False,
    marks: Marks = False,
    contact_sheet: Sheet = False,
    contact_sheet_threshold: SheetThreshold = 0.05,
    timeout: Timeout = NAVIGATE_SECONDS,
) -> RecordingStarted:
    """Record the page as a video, from as it is now until `record stop`; needs ffmpeg.

    Navigations and new documents of the tab stay in the picture; when it or the browser is closed, the file ends there.
    """
    filming = Filming(
        path=_whole(path),
        fps=fps,
        cursor=cursor,
        marks=marks,
        contact_sheet=contact_sheet,
        contact_sheet_threshold=contact_sheet_threshold,
    )
    if url is not None:
        await goto(tab, url, timeout=timeout)
    async with tab.call("starting a recording", seconds=timeout, looks=True) as deadline:
        take = await recordings.start_take(tab, filming, deadline=deadline)
    return RecordingStarted(path=take.filming.path, tab=tab.id)


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    examples=("record stop",),
)
async def record_stop(tab: Tab, *, timeout: Timeout = FINISH_SECONDS) -> Recorded:
    """End the recording of the session, and tell what is in the file."""
    async with tab.call("finishing a recording", seconds=timeout, looks=True, needs_page=False) as deadline:
        return await recordings.stop_take(tab, deadline=deadline)


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    may_navigate=True,
    writes_files=("path",),
    examples=("record restart second.webm",),
)
async def record_restart(
    tab: Tab,
    path: Video,
    url: Address = None,
    *,
    fps: FrameRate = 30,
    cursor: Cursor = False,
    marks: Marks = False,
    contact_sheet: Sheet = False,
    contact_sheet_threshold: SheetThreshold = 0.05,
    timeout: Timeout = FINISH_SECONDS,
) -> RecordingStarted:
    """End the recording that runs, if any, and begin another one in another file."""
    filming = Filming(
        path=_whole(path),
        fps=fps,
        cursor=cursor,
        marks=marks,
        contact_sheet=contact_sheet,
        contact_sheet_threshold=contact_sheet_threshold,
    )
    if url is not None:
        await goto(tab, url, timeout=timeout)
    async with tab.call("starting another recording", seconds=timeout, looks=True) as deadline:
        before, take = await recordings.restart_take(tab, filming, deadline=deadline)
    return RecordingStarted(path=take.filming.path, tab=tab.id, before=before)


def _whole(path: str | Path) -> Path:
    """The working directory may be another one when the file is finished."""
    return Path(path).absolute()


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    examples=("trace start", "trace start --categories devtools.timeline,loading"),
)
async def trace_start(
    tab: Tab,
    *,
    categories: Annotated[Sequence[str], Doc("what to trace, in Chromium's words; commas between")] = (),
    timeout: Timeout = READ_SECONDS,
) -> str:
    """Trace the browser, until `trace stop`: loading, scripts, layout, painting; of all its tabs."""
    async with tab.call("starting a trace", seconds=timeout, looks=True, needs_page=False) as deadline:
        wanted = await trace.start_trace(tab, categories, deadline=deadline)
    return f"tracing {len(wanted)} categories; trace stop writes it down"


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    writes_files=("path",),
    unnamed_file="trace.json",
    examples=("trace stop trace.json", "trace stop"),
)
async def trace_stop(tab: Tab, path: FileToWrite = None, *, timeout: Timeout = FINISH_SECONDS) -> TraceFile:
    """End the trace and write it as JSON, for the performance panel of developer tools; secrets are taken out."""
    async with tab.call("writing a trace", seconds=timeout, looks=True, needs_page=False) as deadline:
        return await trace.stop_trace(tab, None if path is None else Path(path), deadline=deadline)


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    examples=("profiler start", "profiler start --interval 100"),
)
async def profiler_start(
    tab: Tab,
    *,
    interval: Annotated[int, Doc("microseconds between two looks"), Between(50, 100_000)] = 500,
    timeout: Timeout = READ_SECONDS,
) -> str:
    """Watch which functions of the page take the time, until `profiler stop`."""
    async with tab.call("starting a profile", seconds=timeout, looks=True) as deadline:
        await cpu_profile.start_profile(tab, microseconds=interval, deadline=deadline)
    return "profiling; profiler stop writes it down"


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    writes_files=("path",),
    unnamed_file="profile.cpuprofile",
    examples=("profiler stop page.cpuprofile", "profiler stop"),
)
async def profiler_stop(
    tab: Tab, path: FileToWrite = None, *, timeout: Timeout = FINISH_SECONDS
) -> ProfileFile:
    """End the profile, write it as .cpuprofile, and name the functions that took most of the time."""
    async with tab.call("writing a profile", seconds=timeout, looks=True) as deadline:
        return await cpu_profile.stop_profile(tab, None if path is None else Path(path), deadline=deadline)


@command(
    group="capture",
    writes_files=("path",),
    unnamed_file="heap.heapsnapshot",
    examples=("heap snapshot page.heapsnapshot",),
)
async def heap_snapshot(tab: Tab, path: FileToWrite = None, *, timeout: Timeout = HEAP_SECONDS) -> HeapFile:
    """Write all that the page's scripts hold in memory to a file, for the memory panel of developer tools."""
    async with tab.call("writing a heap snapshot", seconds=timeout, looks=True) as deadline:
        return await heap_snapshots.save_heap(tab, None if path is None else Path(path), deadline=deadline)


@command(
    group="capture",
    reads_files=("path",),
    examples=("heap summary", "heap summary page.heapsnapshot --most 5"),
)
async def heap_summary(
    tab: Tab,
    path: Annotated[str | Path | None, Doc("a .heapsnapshot file instead of the page as it is now")] = None,
    *,
    most: Annotated[int, Doc("how many constructors are named"), Between(1, 500)] = 20,
    timeout: Timeout = HEAP_SECONDS,
) -> HeapSummary:
    """Which constructors take up the memory: how many objects, how many bytes of their own."""
    async with tab.call(
        "adding up the heap", seconds=timeout, looks=True, needs_page=path is None
    ) as deadline:
        return await heap_snapshots.summarise_heap(
            tab, None if path is None else Path(path), most=most, deadline=deadline
        )
