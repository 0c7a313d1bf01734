"""Starting and stopping recordings: one at a time in each session, across all of its tabs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from boathook.clock import Deadline
from boathook.engine.capture.cdp_streams import require_place
from boathook.engine.capture.video.ffmpeg import ENCODERS, find_ffmpeg, require_encoder
from boathook.engine.capture.video.video_recording import FINISH_SECONDS, Recording
from boathook.errors import BadRequest, BadSetting, BoathookError

if TYPE_CHECKING:
    from boathook.engine.browser import Browser
    from boathook.engine.capture.video.video_recording import Recorded, RecordingOptions
    from boathook.engine.tab import Tab

FASTEST = 60
_recordings: WeakKeyDictionary[Browser, dict[str | None, Recording]] = WeakKeyDictionary()
"""Recordings by browser and context; one that ended early stays until it is requested."""


async def start_recording(tab: Tab, recording_options: RecordingOptions, *, deadline: Deadline) -> Recording:
    """Start recording the tab; nothing is written if that fails."""
    _check(tab, recording_options)
    running = _of(tab).get(tab.browser.context_of(tab))
    if running is not None and not running.is_over:
        since = datetime.fromtimestamp(running.began, tz=UTC).strftime("%H:%M:%S UTC")
        raise BadRequest(
            f"already recording to {running.recording_options.path} since {since}",
            hint="stop it first|: `record stop`|; or `record restart`",
        )
    program = find_ffmpeg()
    async with deadline.stage("checking the encoders of ffmpeg"):
        await require_encoder(program, recording_options.path.suffix.lower())
    take = Recording(tab, recording_options, program=program)
    await take.begin(deadline=deadline)
    _of(tab)[tab.browser.context_of(tab)] = take
    return take


async def stop_recording(tab: Tab, *, deadline: Deadline) -> Recorded:
    """Stop the recording of the session, and wait for its file."""
    take = _of(tab).get(tab.browser.context_of(tab))
    if take is None:
        raise BadRequest("no recording is running", hint="start one first|: `record start PATH.webm`")
    try:
        return await take.stop(deadline=deadline)
    finally:
        if take.is_over:  # also when it failed: then it is reported once
            _of(tab).pop(tab.browser.context_of(tab), None)


async def finish_recordings(browser: Browser, context: str | None) -> list[Recorded]:
    """Stop the recording of a session that closes, and wait for its file; errors are ignored."""
    take = _recordings.get(browser, {}).pop(context, None)
    if take is None:
        return []
    try:
        return [await take.stop(deadline=Deadline.after(FINISH_SECONDS))]
    except BoathookError:
        return []


async def restart_recording(
    tab: Tab, recording_options: RecordingOptions, *, deadline: Deadline
) -> tuple[Recorded | None, Recording]:
    """Stop the current recording, if any, and start another one; invalid options leave it running."""
    _check(tab, recording_options)
    runs = tab.browser.context_of(tab) in _of(tab)
    before = await stop_recording(tab, deadline=deadline) if runs else None
    return before, await start_recording(tab, recording_options, deadline=deadline)


def _of(tab: Tab) -> dict[str | None, Recording]:
    return _recordings.setdefault(tab.browser, {})


def _check(tab: Tab, recording_options: RecordingOptions) -> None:
    path = recording_options.path
    if path.suffix.lower() not in ENCODERS:
        raise BadSetting(
            f"unsupported video format: {path.name}", hint=f"use the extension {' or '.join(ENCODERS)}"
        )
    if not 1 <= recording_options.fps <= FASTEST:
        raise BadSetting(f"frame rate is out of range: {recording_options.fps}", hint=f"use 1 to {FASTEST}")
    if not 0 <= recording_options.contact_sheet_threshold <= 1:
        raise BadSetting("the threshold of a contact sheet must be between 0 and 1")
    require_place(path)
    for context, take in _of(tab).items():
        if (
            not take.is_over
            and context != tab.browser.context_of(tab)
            and take.recording_options.path == path
        ):
            raise BadRequest(f"another session is recording to {path}", hint="use another file")
