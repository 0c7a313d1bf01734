"""HAR files: record all requests of a session."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from boathook.clock import READ_SECONDS, Deadline
from boathook.effects import Effect, SideEffect
from boathook.engine.network.har.har_file import HarFile, start_recording, stop_recording
from boathook.engine.network.har.traffic_recording import ContentMode
from boathook.engine.tab import Tab
from boathook.registry.parameters import FileToWrite
from boathook.registry.registry import Doc, command


@command(
    group="network",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    aliases=("har start", "network har start"),
    own_text=True,
    examples=("har start", "har start --content all --filter '**/api/**'"),
)
async def har_start(
    tab: Tab,
    *,
    content: Annotated[ContentMode, Doc("response bodies to include: none, text only, or all")] = "text",
    filter: Annotated[str | None, Doc("only URLs that match: a substring, a glob with *, or re:…")] = None,
) -> str:
    """Record the requests of all tabs of the session until `har stop`."""
    start_recording(tab, content=content, pattern=filter)
    return "recording requests; run `har stop` to write the file"


@command(
    group="network",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    writes_files=("path",),
    default_file_name="requests.har",
    aliases=("har stop", "network har stop"),
    doing="writing a HAR file",
    timeout=READ_SECONDS,
    side_effects=(SideEffect.REVEALS_SECRETS,),
    examples=("har stop all.har", "har stop"),
)
async def har_stop(
    tab: Tab,
    path: FileToWrite = None,
    *,
    deadline: Deadline,
) -> HarFile:
    """Stop recording and write a HAR 1.2 file. Passwords, cookies and tokens are removed."""
    return await stop_recording(tab, None if path is None else Path(path), deadline=deadline)
