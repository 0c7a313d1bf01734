"""Starting and stopping recordings: one at a time in each session, over all of its tabs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from boathook.clock import Deadline
from boathook.engine.capture.cdp_streams import require_place
from boathook.engine.capture.video.ffmpeg import ENCODERS, find_ffmpeg, require_encoder
from boathook.engine.capture.video.video_recording import FINISH_SECONDS, Take
from boathook.errors import BadRequest, BadSetting, BoathookError

if TYPE_CHECKING:
    from boathook.engine.browser import Browser
    from boathook.engine.capture.video.video_recording import Filming, Recorded
    from boathook.engine.tab import Tab

FASTEST = 60
_takes: WeakKeyDictionary[Browser, dict[str | None, Take]] = WeakKeyDictionary()
"""Recordings by browser and context; one that ended by itself stays until somebody asks for it."""


async def start_take(tab: Tab, filming: Filming, *, deadline: Deadline) -> Take:
    """Begin to record the tab; nothing is written when it cannot be done."""
    _check(tab, filming)
    running = _of(tab).get(tab.browser.context_of(tab))
    if running is not None and not running.over:
        since = datetime.fromtimestamp(running.began, tz=UTC).strftime("%H:%M:%S UTC")
        raise BadRequest(
            f"a recording to {running.filming.path} runs already, since {since}",
            hint="end it first|: `record stop`|; or `record restart`",
        )
    program = find_ffmpeg()
    async with deadline.stage("asking ffmpeg what it can do"):
        await require_encoder(program, filming.path.suffix.lower())
    take = Take(tab, filming, program=program)
    await take.begin(deadline=deadline)
    _of(tab)[tab.browser.context_of(tab)] = take
    return take


async def stop_take(tab: Tab, *, deadline: Deadline) -> Recorded:
    """End the recording of the session, and wait for its file."""
    take = _of(tab).get(tab.browser.context_of(tab))
    if take is None:
        raise BadRequest("no recording runs", hint="begin one first|: `record start PATH.webm`")
    try:
        return await take.stop(deadline=deadline)
    finally:
        if take.over:  # also when it failed: then it is told once
            _of(tab).pop(tab.browser.context_of(tab), None)


async def finish_takes(browser: Browser, context: str | None) -> list[Recorded]:
    """End the recording of a session that ends, and wait for its file; one that cannot be finished is left out."""
    take = _takes.get(browser, {}).pop(context, None)
    if take is None:
        return []
    try:
        return [await take.stop(deadline=Deadline.after(FINISH_SECONDS))]
    except BoathookError:
        return []


async def restart_take(tab: Tab, filming: Filming, *, deadline: Deadline) -> tuple[Recorded | None, Take]:
    """End the recording that runs, if any, and begin another one; wishes that cannot be leave it running."""
    _check(tab, filming)
    runs = tab.browser.context_of(tab) in _of(tab)
    before = await stop_take(tab, deadline=deadline) if runs else None
    return before, await start_take(tab, filming, deadline=deadline)


def _of(tab: Tab) -> dict[str | None, Take]:
    return _takes.setdefault(tab.browser, {})


def _check(tab: Tab, filming: Filming) -> None:
    path = filming.path
    if path.suffix.lower() not in ENCODERS:
        raise BadSetting(f"{path.name} is no name of a video", hint=f"end it in {' or '.join(ENCODERS)}")
    if not 1 <= filming.fps <= FASTEST:
        raise BadSetting(f"{filming.fps} frames a second are out of range", hint=f"use 1 to {FASTEST}")
    if not 0 <= filming.contact_sheet_threshold <= 1:
        raise BadSetting("the threshold of a contact sheet goes from 0 to 1")
    require_place(path)
    for context, take in _of(tab).items():
        if not take.over and context != tab.browser.context_of(tab) and take.filming.path == path:
            raise BadRequest(f"{path} is being recorded to by another session", hint="choose another file")
