"""HAR files: all requests of a session from start to stop, for viewers of network traffic."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from boathook.engine.network.har.har_file import HarFile, start_recording, stop_recording
from boathook.engine.network.har.traffic_recording import ContentMode
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.registry.parameters import FileToWrite, Timeout
from boathook.registry.registry import Doc, Effect, command


@command(
    group="network",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    words=("har start", "network har start"),
    examples=("har start", "har start --content all --filter '**/api/**'"),
)
async def har_start(
    tab: Tab,
    *,
    content: Annotated[ContentMode, Doc("which bodies are kept: none, texts, or all")] = "text",
    filter: Annotated[str | None, Doc("only addresses with this part, glob with *, or re:…")] = None,
) -> str:
    """Record the requests of all tabs of the session, until `har stop`."""
    start_recording(tab, content=content, pattern=filter)
    return "recording requests; har stop writes them down"


@command(
    group="network",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    writes_files=("path",),
    unnamed_file="requests.har",
    words=("har stop", "network har stop"),
    examples=("har stop all.har", "har stop"),
)
async def har_stop(
    tab: Tab,
    path: FileToWrite = None,
    *,
    timeout: Timeout = READ_SECONDS,
) -> HarFile:
    """End the recording and write it as HAR 1.2; passwords, cookies and tokens are taken out."""
    async with tab.call("writing a HAR file", seconds=timeout, looks=True, needs_page=False) as deadline:
        return await stop_recording(tab, None if path is None else Path(path), deadline=deadline)
