"""Recording: videos, traces, profiles and heap snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.pages.navigate import goto
from boathook.commands.results import RecordingStarted
from boathook.effects import Effect, SideEffect
from boathook.engine.capture.performance import cpu_profile, heap_snapshots, trace
from boathook.engine.capture.performance.cpu_profile import ProfileFile
from boathook.engine.capture.performance.heap_snapshots import HEAP_SECONDS, HeapFile
from boathook.engine.capture.performance.heap_summary import HeapSummary
from boathook.engine.capture.performance.trace import TraceFile
from boathook.engine.capture.video import recordings
from boathook.engine.capture.video.video_recording import FINISH_SECONDS, Recorded, RecordingOptions
from boathook.engine.tab import NAVIGATE_SECONDS, Tab
from boathook.registry.parameters import Address, FileToWrite, Timeout
from boathook.registry.registry import Between, Doc, command

Video = Annotated[str | Path, Doc("the file to write: .webm or .mp4")]
FrameRate = Annotated[int, Doc("frames per second"), Between(1, 60)]
Cursor = Annotated[bool, Doc("draw the mouse pointer")]
Marks = Annotated[bool, Doc("mark clicks with a ring")]
Sheet = Annotated[bool, Doc("also write a contact sheet: one image of the frames where the page changed")]
SheetThreshold = Annotated[
    float, Doc("fraction of the frame that must change for the contact sheet"), Between(0, 1)
]


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
    """Record the page as a video until `record stop`. Requires ffmpeg.

    The recording continues across navigations and ends when the tab or the browser is closed.
    """
    recording_options = RecordingOptions(
        path=_whole(path),
        fps=fps,
        cursor=cursor,
        marks=marks,
        contact_sheet=contact_sheet,
        contact_sheet_threshold=contact_sheet_threshold,
    )
    if url is not None:
        await goto(tab, url, timeout=timeout)
    async with tab.call("starting a recording", seconds=timeout, read_only=True) as deadline:
        take = await recordings.start_recording(tab, recording_options, deadline=deadline)
    return RecordingStarted(path=take.recording_options.path, tab=tab.id)


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    doing="finishing a recording",
    timeout=FINISH_SECONDS,
    side_effects=(SideEffect.WRITES_FILE,),
    examples=("record stop",),
)
async def record_stop(tab: Tab, *, deadline: Deadline) -> Recorded:
    """Stop the recording and print what the file contains."""
    return await recordings.stop_recording(tab, deadline=deadline)


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
    """Stop the current recording, if any, and start a new one in another file."""
    recording_options = RecordingOptions(
        path=_whole(path),
        fps=fps,
        cursor=cursor,
        marks=marks,
        contact_sheet=contact_sheet,
        contact_sheet_threshold=contact_sheet_threshold,
    )
    if url is not None:
        await goto(tab, url, timeout=timeout)
    async with tab.call("starting another recording", seconds=timeout, read_only=True) as deadline:
        before, take = await recordings.restart_recording(tab, recording_options, deadline=deadline)
    return RecordingStarted(path=take.recording_options.path, tab=tab.id, before=before)


def _whole(path: str | Path) -> Path:
    """The working directory may have changed when the file is finished."""
    return Path(path).absolute()


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    doing="starting a trace",
    timeout=READ_SECONDS,
    own_text=True,
    examples=("trace start", "trace start --categories devtools.timeline,loading"),
)
async def trace_start(
    tab: Tab,
    *,
    categories: Annotated[Sequence[str], Doc("Chromium trace categories, comma-separated")] = (),
    deadline: Deadline,
) -> str:
    """Trace loading, scripts, layout and painting in all tabs of the browser until `trace stop`."""
    wanted = await trace.start_trace(tab, categories, deadline=deadline)
    return f"tracing {len(wanted)} categories; run `trace stop` to write the file"


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    writes_files=("path",),
    default_file_name="trace.json",
    doing="writing a trace",
    timeout=FINISH_SECONDS,
    side_effects=(SideEffect.REVEALS_SECRETS,),
    examples=("trace stop trace.json", "trace stop"),
)
async def trace_stop(tab: Tab, path: FileToWrite = None, *, deadline: Deadline) -> TraceFile:
    """Stop the trace and write it as JSON for the DevTools Performance panel. Secrets are removed."""
    return await trace.stop_trace(tab, None if path is None else Path(path), deadline=deadline)


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    doing="starting a profile",
    timeout=READ_SECONDS,
    own_text=True,
    examples=("profiler start", "profiler start --interval 100"),
)
async def profiler_start(
    tab: Tab,
    *,
    interval: Annotated[int, Doc("sampling interval in microseconds"), Between(50, 100_000)] = 500,
    deadline: Deadline,
) -> str:
    """Profile the page's JavaScript until `profiler stop`."""
    await cpu_profile.start_profile(tab, microseconds=interval, deadline=deadline)
    return "profiling; run `profiler stop` to write the file"


@command(
    group="capture",
    effect=Effect.CHANGES_BROWSER,
    writes_files=("path",),
    default_file_name="profile.cpuprofile",
    doing="writing a profile",
    timeout=FINISH_SECONDS,
    examples=("profiler stop page.cpuprofile", "profiler stop"),
)
async def profiler_stop(tab: Tab, path: FileToWrite = None, *, deadline: Deadline) -> ProfileFile:
    """Stop the profile, write it as .cpuprofile and print the functions with the most self time."""
    return await cpu_profile.stop_profile(tab, None if path is None else Path(path), deadline=deadline)


@command(
    group="capture",
    writes_files=("path",),
    default_file_name="heap.heapsnapshot",
    doing="writing a heap snapshot",
    timeout=HEAP_SECONDS,
    side_effects=(SideEffect.REVEALS_SECRETS,),
    examples=("heap snapshot page.heapsnapshot",),
)
async def heap_snapshot(tab: Tab, path: FileToWrite = None, *, deadline: Deadline) -> HeapFile:
    """Write a heap snapshot of the page to a file, for the DevTools Memory panel."""
    return await heap_snapshots.save_heap(tab, None if path is None else Path(path), deadline=deadline)


@command(
    group="capture",
    reads_files=("path",),
    examples=("heap summary", "heap summary page.heapsnapshot --most 5"),
)
async def heap_summary(
    tab: Tab,
    path: Annotated[
        str | Path | None, Doc("a .heapsnapshot file to read instead of the current page")
    ] = None,
    *,
    most: Annotated[int, Doc("number of constructors to list"), Between(1, 500)] = 20,
    timeout: Timeout = HEAP_SECONDS,
) -> HeapSummary:
    """Summarize heap memory by constructor: object count and self size."""
    async with tab.call(
        "summarizing the heap", seconds=timeout, read_only=True, needs_page=path is None
    ) as deadline:
        return await heap_snapshots.summarise_heap(
            tab, None if path is None else Path(path), most=most, deadline=deadline
        )
