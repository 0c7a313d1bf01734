"""One run of a script: send it to a worker, serve its calls, collect its output, and stop it at its deadline."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook import progress
from boathook.commands.results import ScriptHelperCall, ScriptResult
from boathook.errors import (
    BoathookError,
    InternalError,
    ScriptFailed,
    ScriptStopped,
    ScriptSyntax,
    Unsupported,
)
from boathook.service.scripts.find_monty import monty_facts, packages_of
from boathook.service.scripts.find_node import node_programs, node_readable, node_words
from boathook.service.scripts.fork_server import readable_folders
from boathook.service.scripts.script_helpers import helper_names, helpers_giving, is_helper
from boathook.wire.failures import BadFrame
from boathook.wire.framing import HEADER_BYTES, body_length, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from boathook.service.scripts.fork_server import Worker

    Serve = Callable[[str, Sequence[Any], Mapping[str, Any]], Awaitable[Any]]

log = logging.getLogger("boathook")

GRACE_SECONDS = 0.5
LARGEST = 16 << 20
MOST_SHOWN = 200
MOST_LOGGED = 500
MOST_STEPS = 500
SHOWN_ABOUT = 60
MOST_BYTES = 32 << 20
"""Limit of all that a script sends; one that exceeds it is stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenScreenshot:
    """The facts about a screenshot that a helper has saved, and the image that is displayed in order with other output."""

    value: dict[str, Any]
    shown: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRequest:
    """What to run, and where."""

    code: str
    tab: str
    seconds: float
    jail: bool = True
    roots: tuple[Path, ...] = ()
    """Additional folders that the script may read and write."""
    state: Mapping[str, Any] = field(default_factory=dict)
    js: bool = False
    safe: bool = False
    """In an interpreter without system access, in addition to the sandbox."""
    folder: str = ""
    """The user's project: packages of other languages are searched from there."""


async def run(order: ScriptRequest, child: Worker, serve: Serve) -> ScriptResult:
    """Run it; its result, or a typed error. The worker is stopped in every case."""
    began = time.monotonic()
    try:
        reader, writer = await asyncio.open_unix_connection(sock=child.channel, limit=LARGEST)
        channel = _ScriptChannel(order, reader, writer, serve)
        try:
            await _converse(order, channel, writer)
        finally:
            child.kill()
            channel.cancel()
            writer.close()
    finally:
        child.close()
    channel.ran.seconds = round(time.monotonic() - began, 3)
    return channel.ran


async def _converse(order: ScriptRequest, channel: _ScriptChannel, writer: asyncio.StreamWriter) -> None:
    """Send the request and process its messages, within the time limit."""
    with tempfile.TemporaryDirectory(prefix="boathook-script-", ignore_cleanup_errors=True) as scratch:
        deadline = asyncio.get_running_loop().time() + order.seconds
        try:
            async with asyncio.timeout_at(deadline):
                writer.write(pack(await _first(order, scratch)))
                await channel.run_to_end()
        except TimeoutError:
            # Counted from the deadline and not from when we noticed: a busy machine notices late.
            await channel.stop(until=deadline + GRACE_SECONDS)
            raise ScriptStopped(
                f"the script was stopped after {order.seconds:g} s{channel.describe_running()}",
                hint="allow more time, or do less in one run",
                log=channel.ran.log[-20:],
            ) from None


async def _first(order: ScriptRequest, scratch: str) -> dict[str, Any]:
    roots = [str(root) for root in order.roots]
    first: dict[str, Any] = {
        "type": "begin",
        "code": order.code,
        "tab": order.tab,
        "tab_helpers": helper_names("tab"),
        "browser_helpers": helper_names("browser"),
        "element_helpers": helpers_giving("element"),
        "response_helpers": helpers_giving("response"),
        "state": dict(order.state),
        "jail": order.jail,
        "scratch": scratch,
        "readable": readable_folders(),
        "writable": [scratch, *roots],
        "cpu_seconds": int(order.seconds) + 2,
    }
    if not order.jail:
        first |= {"packages": packages_of("playwright"), "folder": order.folder}
    if order.js:
        words = await node_words(scratch, jail=order.jail)
        first |= {"node": words, "programs": node_programs(words[0])}
        first["readable"] = [*first["readable"], *node_readable()]
    if order.safe:
        first |= monty_facts(scratch)
    return first


class _ScriptChannel:
    """The conversation with one worker."""

    def __init__(
        self, order: ScriptRequest, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, serve: Serve
    ) -> None:
        self.ran = ScriptResult(tab=order.tab, code=order.code)
        self._reader, self._writer = reader, writer
        self._serve = serve
        self._calls: dict[asyncio.Task[None], tuple[str, float]] = {}
        self._bytes = 0

    async def run_to_end(self) -> None:
        """Process its messages; ScriptFailed or a subclass if it fails."""
        while True:
            message = await self._next()
            kind = message["type"]
            if kind == "call":
                self._begin(message)
            elif kind == "display":
                self._show(message)
            elif kind == "log":
                self._note(str(message.get("text", "")))
            elif kind == "done":
                self._on_done(message)
                return
            elif kind == "failed":
                raise self._failure(message)

    async def stop(self, *, until: float) -> None:
        """Ask it to stop, and give it a moment for that."""
        with suppress(OSError, TimeoutError, BoathookError):
            self._writer.write(pack({"type": "stop"}))
            async with asyncio.timeout_at(until):
                await self.run_to_end()

    def describe_running(self) -> str:
        """Pending helpers, as text."""
        now = time.monotonic()
        waiting = [f"{name} for {now - since:.1f} s" for name, since in self._calls.values()]
        return (
            f"; it was waiting for {', '.join(waiting[:3])}"
            if waiting
            else "; it was not waiting for a helper"
        )

    def cancel(self) -> None:
        """Cancel its pending calls."""
        for task in self._calls:
            task.cancel()

    def _begin(self, message: dict[str, Any]) -> None:
        name = str(message.get("method"))
        task = asyncio.create_task(self._answer(message), name=f"helper {name[:40]}")
        self._calls[task] = (name[:40], time.monotonic())
        # Its name only: progress lines are not redacted.
        progress.report_progress(name if is_helper(name) else "a helper")
        task.add_done_callback(lambda ended: self._calls.pop(ended, None))

    async def _answer(self, message: dict[str, Any]) -> None:
        began, failed = time.monotonic(), ""
        answer: dict[str, Any] = {"type": "answer", "id": message.get("id")}
        try:
            given, named = message.get("args"), message.get("named")
            value = await self._serve(
                str(message.get("method")),
                given if isinstance(given, list) else [],
                named if isinstance(named, dict) else {},
            )
            if isinstance(value, TakenScreenshot):
                value = self._on_screenshot(value)
            frame = pack(answer | {"value": value})
        except BoathookError as error:
            failed = error.code
            told = {"message": error.message, "code": error.code, "hint": error.hint}
            frame = pack(answer | {"error": told})
        except BadFrame as error:
            failed = "result_too_large"
            told = {"message": f"the value is too large: {error.message}", "code": failed, "hint": ""}
            frame = pack(answer | {"error": told})
        except Exception as error:  # noqa: BLE001 - the script must always get an answer
            failed = InternalError.code
            kind = type(error).__name__
            # Not the message: it may contain secrets.
            log.error("scripts.internal_error helper=%s kind=%s", str(message.get("method"))[:40], kind)  # noqa: TRY400
            told = {
                "message": f"internal error in the helper ({kind})",
                "code": failed,
                "hint": "",
            }
            frame = pack(answer | {"error": told})
        self._count(message, seconds=time.monotonic() - began, failed=failed)
        with suppress(OSError):
            self._writer.write(frame)

    def _on_screenshot(self, taken: TakenScreenshot) -> dict[str, Any]:
        if taken.shown is not None:
            self._show({"value": taken.shown})
        if taken.value["path"] is not None and len(self.ran.screenshots) < MOST_SHOWN:
            self.ran.screenshots.append(taken.value)
        return taken.value

    def _count(self, message: dict[str, Any], *, seconds: float, failed: str) -> None:
        if len(self.ran.steps) < MOST_STEPS:
            name, about = str(message.get("method"))[:40], _about(message)[:SHOWN_ABOUT]
            self.ran.steps.append(
                ScriptHelperCall(name=name, about=about, seconds=round(seconds, 3), failed=failed)
            )

    def _show(self, message: dict[str, Any]) -> None:
        if len(self.ran.shown) < MOST_SHOWN:
            self.ran.shown.append(message.get("value"))
        elif len(self.ran.shown) == MOST_SHOWN:
            self.ran.shown.append(f"… more than {MOST_SHOWN} values were displayed; the rest is omitted")
        if message.get("cut"):
            self._note_once("a displayed value is too large or refers to itself; parts are omitted")

    def _note(self, text: str) -> None:
        if len(self.ran.log) < MOST_LOGGED:
            self.ran.log.append(text)

    def _note_once(self, note: str) -> None:
        if note not in self.ran.notes:
            self.ran.notes.append(note)

    def _on_done(self, message: dict[str, Any]) -> None:
        self.ran.value, self.ran.gives = message.get("value"), bool(message.get("gives"))
        state = message.get("state")
        self.ran.state = state if isinstance(state, dict) else {}
        if message.get("cut"):
            self._note_once("the returned value is too large or refers to itself; parts are omitted")

    def _failure(self, message: dict[str, Any]) -> BoathookError:
        said, where = str(message.get("message", "")), str(message.get("where", ""))
        kind = message.get("kind")
        if kind == "syntax":
            return ScriptSyntax(said, where=where)
        if kind == "jail":
            return Unsupported(
                said,
                hint="engine unsafe runs scripts without a sandbox, with the same rights as your own programs",
            )
        return ScriptFailed(said, where=where, cause=str(message.get("code", "")), log=self.ran.log[-20:])

    async def _next(self) -> dict[str, Any]:
        try:
            header = await self._reader.readexactly(HEADER_BYTES)
            length = body_length(header, limit=LARGEST)
            self._bytes += length
            if self._bytes > MOST_BYTES:
                raise ScriptFailed(f"the script sent more than {MOST_BYTES:,} bytes", hint="display less")
            return unpack(await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError, BadFrame) as error:
            raise ScriptFailed(
                "the script's process exited, or was stopped by its memory or time limit",
                hint="the limits are 1 GiB of memory, and CPU time up to the deadline",
                log=self.ran.log[-20:],
            ) from error


def _about(message: dict[str, Any]) -> str:
    """What a helper was called with: its first argument, on one line. Never the later ones, which may be secrets."""
    given, named = message.get("args"), message.get("named")
    first = given[0] if isinstance(given, list) and given else ""
    if isinstance(named, dict) and "element" in named:
        first = named["element"]
    return " ".join(first.split()) if isinstance(first, str) else ""
