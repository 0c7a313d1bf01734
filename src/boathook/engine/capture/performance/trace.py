"""Traces of the browser and the page, as a file for the performance panel of developer tools."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from boathook.engine.capture.cdp_streams import open_private, pieces, place_for
from boathook.errors import BadRequest, BadSetting, ProtocolError, TabGone, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from boathook.cdp.cdp_session import CdpSession
    from boathook.clock import Deadline
    from boathook.engine.browser import Browser
    from boathook.engine.tab import Tab

CATEGORIES = (
    "blink.console",
    "blink.user_timing",
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "disabled-by-default-devtools.timeline.stack",
    "disabled-by-default-v8.cpu_profiler",
    "loading",
    "navigation",
    "v8.execute",
)
"""What the performance panel needs for its tracks."""
_CATEGORY = re.compile(r"[\w.*-]+(?:,[\w.*-]+)*\Z")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_NO_SECRET = re.compile(r'"(?:0x[0-9a-f]+|[0-9A-F]{32}|[\w.:-]{0,3})"\Z')
"""Memory addresses and frame ids: many, different, and never text from a user."""
MOST_REMEMBERED = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFile:
    """A trace that was written."""

    path: Path
    events: int
    size: int
    complete: bool = True
    """False if the browser's buffer was full before the end."""


_running: WeakKeyDictionary[Browser, tuple[Tab, CdpSession]] = WeakKeyDictionary()
"""A browser can have one trace at a time, across all sessions; the tab that it was started from."""


async def start_trace(tab: Tab, categories: Sequence[str], *, deadline: Deadline) -> tuple[str, ...]:
    """Trace the tab's browser from now on; returns the trace categories."""
    wanted = tuple(part for category in categories for part in category.split(",") if part) or CATEGORIES
    if wrong := next((category for category in wanted if not _CATEGORY.match(category)), None):
        raise BadSetting(
            f"invalid trace category: {wrong!r}", hint="use names such as devtools.timeline or v8.execute"
        )
    running = _running.get(tab.browser)
    if running is not None and not _is_lost(*running):
        raise _runs_already()
    # Through the tab: only then the trace says which of its frames are the page, and the performance panel needs that.
    session = tab.session
    _running[tab.browser] = (tab, session)
    try:
        async with deadline.stage("starting the trace"):
            await session.send(
                "Tracing.start",
                transferMode="ReturnAsStream",
                streamFormat="json",
                traceConfig={
                    "recordMode": "recordAsMuchAsPossible",
                    "includedCategories": [category for category in wanted if not category.startswith("-")],
                    "excludedCategories": [
                        "*",
                        *(category[1:] for category in wanted if category.startswith("-")),
                    ],
                },
            )
    except BaseException as error:
        _running.pop(tab.browser, None)
        if isinstance(error, ProtocolError):
            raise (
                _runs_already()
                if "already" in error.text
                else Unsupported(f"this browser cannot be traced: {error.text}")
            ) from error
        raise
    return wanted


def _is_lost(tab: Tab, session: CdpSession) -> bool:
    """Whether the tab was closed, or its page had to be replaced; the trace is lost then."""
    return tab.closed.is_set() or tab.session is not session


def _runs_already() -> BadRequest:
    return BadRequest("a trace of this browser is already running", hint="stop it first|: `trace stop`")


async def stop_trace(tab: Tab, path: Path | None, *, deadline: Deadline) -> TraceFile:
    """Stop the trace and write it; if the file cannot be written, the trace keeps running."""
    running = _running.get(tab.browser)
    if running is None:
        raise BadRequest("no trace is running", hint="start one first|: `trace start`")
    if _is_lost(*running):
        del _running[tab.browser]
        raise TabGone(
            "the traced tab was closed, and its trace was lost", hint="start one first|: `trace start`"
        )
    session = running[1]
    target = place_for(tab, path, "traces", ".json")
    try:
        with session.events("Tracing.tracingComplete") as ending:
            async with deadline.stage("waiting for the trace to finish"):
                await session.send("Tracing.end")
                _, about = await anext(ending)
        async with deadline.stage("writing the trace"):
            events, size = await _write_stream(session, str(about["stream"]), target, tab.redactor().value)
    finally:
        _running.pop(tab.browser, None)
    return TraceFile(path=target, events=events, size=size, complete=not about.get("dataLossOccurred"))


async def _write_stream(
    session: CdpSession, handle: str, path: Path, clean: Callable[[Any], Any]
) -> tuple[int, int]:
    cleaner = _Cleaner(clean)
    size = 0
    with open_private(path) as file:
        async for piece in pieces(session, handle):
            size += file.write(await asyncio.to_thread(cleaner.lines, piece))
        size += file.write(cleaner.rest())
    return cleaner.events, size


class _Cleaner:
    """Removes secrets from a trace stream: it has one event per line, and few distinct strings."""

    def __init__(self, clean: Callable[[Any], Any]) -> None:
        self._clean = clean
        self._known: dict[str, str] = {}
        self._begun = b""
        self.events = 0

    def lines(self, piece: bytes) -> bytes:
        """The complete lines received so far, redacted."""
        whole, newline, self._begun = (self._begun + piece).rpartition(b"\n")
        return self._clean_data(whole + newline)

    def rest(self) -> bytes:
        """The last line."""
        return self._clean_data(self._begun)

    def _clean_data(self, data: bytes) -> bytes:
        # Every event has a phase, and names it once; text in quotes has its own quotes escaped.
        self.events += data.count(b'"ph":"')
        return _TEXT.sub(self._text, data.decode("utf-8", "replace")).encode()

    def _text(self, match: re.Match[str]) -> str:
        text = match.group()
        if _NO_SECRET.match(text):
            return text
        known = self._known.get(text)
        if known is None:
            known = self._without_secrets(text)
            if len(self._known) < MOST_REMEMBERED:
                self._known[text] = known
        return known

    def _without_secrets(self, text: str) -> str:
        with suppress(ValueError):
            said = json.loads(text)
            clean = self._clean(said)
            return text if clean == said else json.dumps(clean)
        return text
