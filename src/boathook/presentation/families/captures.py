"""Text for recordings, traces, profiles, heap snapshots and PDFs."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

from boathook.commands.results import RecordingStarted
from boathook.engine.capture.pdf import Pdf
from boathook.engine.capture.performance.cpu_profile import ProfileFile
from boathook.engine.capture.performance.heap_snapshots import HeapFile
from boathook.engine.capture.performance.heap_summary import HeapSummary
from boathook.engine.capture.performance.trace import TraceFile
from boathook.engine.capture.video.video_recording import Recorded
from boathook.presentation.quoting import quote
from boathook.presentation.rendering import as_data, own_lines, plain_data

if TYPE_CHECKING:
    from pathlib import Path

KIB = 1024
CAPTURES = (RecordingStarted, Recorded, TraceFile, ProfileFile, HeapFile, HeapSummary, Pdf)
"""The types that are rendered here."""


@singledispatch
def render_capture(value: Any) -> str:
    """What was captured, its file and its size."""
    return str(value)


@render_capture.register
def _render_recording_started(value: RecordingStarted) -> str:
    before = f"{render_capture(value.before)}\n" if value.before is not None else ""
    return f"{before}recording {value.tab} to {value.path}; run `record stop` to finish"


@render_capture.register
def _render_recorded(value: Recorded) -> str:
    rate = f"{value.frames} frames at {value.fps} fps"
    facts = f"{value.seconds:.1f} s, {rate}, {value.width}x{value.height}, {_size(value.size)}"
    lines = [f"saved {value.path} ({facts})"]
    if value.dropped:
        lines.append(f"{value.dropped} of {value.pictures} frames were dropped: the machine was busy")
    if value.contact_sheet is not None:
        moments = "1 moment" if value.moments == 1 else f"{value.moments} moments"
        lines.append(f"saved {value.contact_sheet} ({moments})")
    if value.ended:
        lines.append(f"the recording ended early: {value.ended}")
    return "\n".join(lines)


@render_capture.register
def _render_trace_file(value: TraceFile) -> str:
    full = "" if value.complete else "; the browser's trace buffer filled up before the end"
    return _render_saved(value.path, f"{value.events} events, {_size(value.size)}") + full


@render_capture.register
def _render_profile_file(value: ProfileFile) -> str:
    head = _render_saved(value.path, f"{value.seconds:.1f} s, {value.samples} samples, {_size(value.size)}")
    rows = [
        f"  {spot.milliseconds:8.1f} ms {quote(spot.name)} {_place(spot.place)}" for spot in value.busiest
    ]
    return "\n".join([head, *(row.rstrip() for row in rows)])


@render_capture.register
def _render_heap_file(value: HeapFile) -> str:
    return _render_saved(value.path, _size(value.size)) + "; it may contain secrets"


@render_capture.register
def _render_heap_summary(value: HeapSummary) -> str:
    head = f"{value.objects} objects, {_size(value.bytes)}; largest constructors by self size"
    return "\n".join(
        [head, *(f"  {_size(group.bytes):>10} {group.count:8} {quote(group.name)}" for group in value.groups)]
    )


@render_capture.register
def _render_pdf(value: Pdf) -> str:
    size = f"{len(value.data)} bytes"
    return f"{_render_saved(value.path, size)}; it may contain secrets" if value.path else size


@as_data.register
def _pdf_data(value: Pdf) -> dict[str, Any]:
    """Its content is in the file."""
    return {
        "path": plain_data(value.path),
        "bytes": len(value.data),
        "pages": value.pages,
        "printed": value.printed,
    }


def _render_saved(path: Path, facts: str) -> str:
    return f"saved {path} ({facts})"


def _place(place: str) -> str:
    return quote(place, marks=False) if place else ""


def _size(count: int) -> str:
    return f"{count} bytes" if count < KIB else f"{count // KIB} KiB"


for captured in CAPTURES:
    own_lines(render_capture, kind=captured)
