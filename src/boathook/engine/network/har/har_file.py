"""HAR files: a recording is started, stopped, and written to a file that only its owner can read."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, get_args

from boathook.engine.network.har.har_format import REDACTED, har_document
from boathook.engine.network.har.traffic_recording import ContentMode, NetworkRecording
from boathook.engine.network.routing.url_patterns import url_matcher
from boathook.errors import BadRequest, BadSetting, TimedOut

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

PRIVATE = 0o600


@dataclass(frozen=True, slots=True, kw_only=True)
class HarFile:
    """A HAR file that was written."""

    path: Path
    entries: int
    pages: int
    size: int
    dropped: int = 0
    """Requests beyond the limit."""


def start_recording(tab: Tab, *, content: ContentMode, pattern: str | None) -> None:
    """Record all requests of the tab's context from now on."""
    if content not in get_args(ContentMode):
        raise BadSetting(f"unknown content mode: {content!r}", hint=f"use {', '.join(get_args(ContentMode))}")
    traffic = tab.interception.traffic
    if traffic.recording is not None:
        since = datetime.fromtimestamp(traffic.recording.began_at, tz=UTC).strftime("%H:%M:%S UTC")
        raise BadRequest(f"a recording is already running since {since}", hint="stop it first|: `har stop`")
    matcher = url_matcher(pattern) if pattern is not None else None
    traffic.record(NetworkRecording(content=content, matcher=matcher))


async def stop_recording(tab: Tab, path: Path | None, *, deadline: Deadline) -> HarFile:
    """Stop the recording and write it; if the file cannot be written, it keeps running."""
    traffic = tab.interception.traffic
    recording = traffic.recording
    if recording is None:
        raise BadRequest("no recording is running", hint="start one first|: `har start`")
    target = path if path is not None else tab.browser.folder.fresh("har").with_suffix(".har")
    _check_writable(target)
    try:
        async with deadline.stage("reading the last bodies"):
            await recording.finish()
    except TimedOut:
        recording.cancel()
    traffic.record(None)
    document = har_document(recording, browser=tab.browser.product)
    clean = await asyncio.to_thread(
        tab.redactor().value, document
    )  # it may be large, and others want to work
    size = await asyncio.to_thread(_write, target, clean)
    return HarFile(
        path=target,
        entries=len(clean["log"]["entries"]),
        pages=len(clean["log"]["pages"]),
        size=size,
        dropped=recording.dropped,
    )


def _check_writable(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}") from error
    if path.is_dir():
        raise BadRequest(f"{path} is a folder", hint="pass the path of a file")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadRequest(f"{path} cannot be written: permission denied")


def _write(path: Path, document: dict[str, Any]) -> int:
    for entry in document["log"]["entries"]:
        # Brackets are not allowed in URLs.
        asked = entry["request"]
        asked["url"] = asked["url"].replace(REDACTED, REDACTED.strip("[]"))
    text = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE), "wb") as file:
            file.write(text)
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}") from error
    return len(text)
