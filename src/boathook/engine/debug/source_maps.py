"""Source maps: from a position in the running code to the original position."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from bisect import bisect_right
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes, urljoin

from boathook.errors import BoathookError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from boathook.engine.events.console import ConsoleMessage, StackFrame
    from boathook.engine.tab import Tab

MOST_SCRIPTS = 10
"""How many files one lookup may load."""
MOST_BYTES = 8 * 1024 * 1024
CHUNK = 1024 * 1024
LOAD_SECONDS = 5.0
_MARK = re.compile(rb"//[#@]\s*sourceMappingURL=(\S+)\s*\Z")
_TAIL = 4 * 1024 * 1024
"""Where the comment is: at the end of the file, possibly followed by a long inline map."""
_DIGITS = {
    char: value
    for value, char in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
}
_CONTINUES = 32


@dataclass(frozen=True, slots=True)
class Mapping:
    """One map, decoded: for each line, the columns where a segment starts, and its original position."""

    sources: list[str]
    columns: list[list[int]]
    places: list[list[tuple[int, int, int]]]

    def original(self, line: int, column: int) -> tuple[str, int, int] | None:
        """Source, line and column, counted from zero, of a position in the running code; None if there is none."""
        if not 0 <= line < len(self.columns):
            return None
        index = bisect_right(self.columns[line], column) - 1
        if index < 0:
            return None
        source, original_line, original_column = self.places[line][index]
        return self.sources[source], original_line, original_column


def decode_map(text: str, url: str) -> Mapping:
    """Read a map (version 3, without sections); ValueError if it is invalid."""
    told = json.loads(text.removeprefix(")]}'"))
    if not isinstance(told, dict) or "mappings" not in told:
        raise ValueError("not a source map")
    root = str(told.get("sourceRoot") or "")
    sources = [_source(str(source), root, url) for source in told.get("sources", ())]
    columns: list[list[int]] = []
    places: list[list[tuple[int, int, int]]] = []
    source = line = column = 0
    for generated in str(told["mappings"]).split(";"):
        starts: list[int] = []
        found: list[tuple[int, int, int]] = []
        at = 0
        for segment in generated.split(",") if generated else ():
            values = _numbers(segment)
            at += values[0]
            if len(values) >= 4:  # noqa: PLR2004 - shorter ones are about no source
                source, line, column = source + values[1], line + values[2], column + values[3]
                if 0 <= source < len(sources):
                    starts.append(at)
                    found.append((source, line, column))
        columns.append(starts)
        places.append(found)
    return Mapping(sources, columns, places)


def _source(name: str, root: str, url: str) -> str:
    whole = f"{root.rstrip('/')}/{name}" if root else name
    return whole if "://" in whole or url.startswith("data:") else urljoin(url, whole)


def _numbers(segment: str) -> list[int]:
    """Base 64 digits of five bits each, lowest first; the lowest bit of a number is its sign."""
    values, shift, value = [], 0, 0
    for char in segment:
        digit = _DIGITS[char]
        value += (digit & (_CONTINUES - 1)) << shift
        if digit & _CONTINUES:
            shift += 5
            continue
        values.append(-(value >> 1) if value & 1 else value >> 1)
        shift = value = 0
    return values


@dataclass(slots=True)
class SourceMaps:
    """The maps of one tab's scripts, each loaded once."""

    tab: Tab
    _known: dict[str, Mapping | None] = field(default_factory=dict)

    async def map_messages(self, messages: Sequence[ConsoleMessage]) -> list[ConsoleMessage]:
        """Errors with original positions, where there are maps; never fails."""
        wanted = {frame.url for message in messages if message.level == "error" for frame in message.stack}
        # Not documents: requesting one again may have side effects.
        wanted -= {frame.url.partition("#")[0] for frame in self.tab.frames}
        await self._learn_all(wanted)
        return [self._map_message(message) for message in messages]

    async def map_frames(self, frames: Sequence[StackFrame]) -> list[StackFrame]:
        """Stack frames with original positions, where there are maps; never fails."""
        documents = {frame.url.partition("#")[0] for frame in self.tab.frames}
        await self._learn_all({frame.url for frame in frames} - documents)
        return [self._map_frame(frame) for frame in frames]

    async def _learn_all(self, urls: Collection[str]) -> None:
        missing = [url for url in urls if url.startswith("http") and url not in self._known][:MOST_SCRIPTS]
        with suppress(TimeoutError):
            async with asyncio.timeout(LOAD_SECONDS):
                await asyncio.gather(*(self._learn(url) for url in missing))

    def _map_message(self, message: ConsoleMessage) -> ConsoleMessage:
        stack = tuple(self._map_frame(frame) for frame in message.stack)
        if stack == message.stack:
            return message
        first = stack[0]
        return replace(message, stack=stack, url=first.url, line=first.line)

    def _map_frame(self, frame: StackFrame) -> StackFrame:
        known = self._known.get(frame.url)
        found = known.original(frame.line - 1, frame.column - 1) if known is not None else None
        if found is None:
            return frame
        source, line, column = found
        return replace(frame, url=source[:2_000], line=line + 1, column=column + 1)

    async def _learn(self, url: str) -> None:
        self._known[url] = None
        with suppress(BoathookError, ValueError, KeyError, LookupError):
            mark = _MARK.search((await self._load(url))[-_TAIL:])
            if mark is None:
                return
            address = urljoin(url, mark[1].decode())
            raw = _inline(address) if address.startswith("data:") else await self._load(address)
            text = raw.decode("utf-8", "replace")
            self._known[url] = await asyncio.to_thread(
                decode_map, text, url if address.startswith("data:") else address
            )

    async def _load(self, url: str) -> bytes:
        """Loaded by the browser itself, so that limits, cookies and caches are the page's own."""
        session = self.tab.session
        options = {"disableCache": False, "includeCredentials": True}
        reply = await session.send(
            "Network.loadNetworkResource", frameId=self.tab.frames.main_id, url=url, options=options
        )
        stream = reply["resource"].get("stream")
        if stream is None:
            raise LookupError(url)
        parts: list[bytes] = []
        try:
            while sum(map(len, parts)) < MOST_BYTES:
                read: dict[str, Any] = await session.send("IO.read", handle=stream, size=CHUNK)
                data = str(read.get("data", ""))
                parts.append(base64.b64decode(data) if read.get("base64Encoded") else data.encode())
                if read.get("eof"):
                    return b"".join(parts)
            raise LookupError(url)
        finally:
            await session.send("IO.close", handle=stream)


def _inline(address: str) -> bytes:
    head, _, data = address.partition(",")
    return base64.b64decode(data) if head.endswith(";base64") else unquote_to_bytes(data)
