"""The heap of a page: all objects of its scripts, as a .heapsnapshot file."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.engine.capture.cdp_streams import open_private, place_for
from boathook.engine.capture.performance.heap_summary import HeapSummary, summarize
from boathook.errors import BadRequest, PageError, ProtocolError

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

HEAP_SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeapFile:
    """A heap snapshot that was written."""

    path: Path
    size: int


async def save_heap(tab: Tab, path: Path | None, *, deadline: Deadline) -> HeapFile:
    """Write the heap of the page to a file, in chunks."""
    target = place_for(tab, path, "heaps", ".heapsnapshot")
    clean = tab.redactor().literals
    trouble: list[OSError] = []
    begun: list[str] = []
    with open_private(target) as file:

        def write(text: str) -> None:
            # In the reader loop: chunks must not be lost, and a queue of them would keep the heap in memory.
            try:
                file.write(clean(text).encode("utf-8", "replace"))
            except OSError as error:
                trouble.append(error)

        def take(piece: str) -> None:
            # By whole lines, each of which contains a string: a chunk may end in the middle of a secret.
            lines, newline, rest = piece.rpartition("\n")
            if newline:
                write("".join((*begun, lines, newline)))
                begun.clear()
            begun.append(rest)

        stop = tab.session.on("HeapProfiler.addHeapSnapshotChunk", lambda params: take(str(params["chunk"])))
        try:
            async with deadline.stage("reading the heap"):
                await tab.session.send("HeapProfiler.takeHeapSnapshot", reportProgress=False)
        except ProtocolError as error:
            raise PageError(f"the heap could not be read: {error.text}") from error
        finally:
            stop()
        write("".join(begun))
    if trouble:
        raise BadRequest(f"{target} cannot be written: {trouble[0].strerror}")
    return HeapFile(path=target, size=target.stat().st_size)


async def summarise_heap(tab: Tab, path: Path | None, *, most: int, deadline: Deadline) -> HeapSummary:
    """What uses the memory, from a file or from the current page."""
    if path is not None:
        return await asyncio.to_thread(summarize, path, most=most)
    saved = await save_heap(tab, None, deadline=deadline)
    try:
        async with deadline.stage("summarizing the heap"):
            return await asyncio.to_thread(summarize, saved.path, most=most)
    finally:
        saved.path.unlink(missing_ok=True)
