"""The daemon's end of a script's channel: messages in order, helper calls bounded, everything from the worker untrusted."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from boathook import progress
from boathook.commands.results import ScriptHelperCall, ScriptResult
from boathook.errors import BoathookError, InternalError, ScriptFailed, ScriptSyntax, Unsupported
from boathook.service.scripts.script_helpers import is_helper, waits
from boathook.wire.failures import BadFrame
from boathook.wire.framing import HEADER_BYTES, body_length, pack, unpack
from boathook.wire.plain_values import DEEPEST, MOST_CHARACTERS, Plain
from boathook.wire.script_messages import LARGEST, STARTED

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    Serve = Callable[[str, str, Sequence[Any], Mapping[str, Any]], Awaitable[Any]]
    """From the scratch folder, the helper, and what it was given without and with names."""

log = logging.getLogger("boathook")

MOST_SHOWN = 200
MOST_LOGGED = 500
MOST_STEPS = 500
LONGEST_LINE = 10_000
LONGEST_ERROR = 4_000
SHOWN_ABOUT = 60
MOST_BYTES = 32 << 20
"""Limit of all that a script sends; one that exceeds it is stopped."""
OUTPUT_COST = 256
"""What a displayed value or a line of the log counts besides its size: each one is work, however small it is."""
MOST_READ = 32
"""Messages that are read before others have their turn."""
MOST_WORKING = 16
"""Helper calls that run at a time; further ones are not read from the socket, so that other sessions have their turn."""
MOST_CALLS = 64
"""The same with those that only wait for the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenScreenshot:
    """The facts about a screenshot that a helper has saved, and the image that is displayed in order with other output."""

    value: dict[str, Any]
    shown: dict[str, Any] | None = None


class ScriptChannel:
    """The conversation with one worker."""

    def __init__(
        self,
        ran: ScriptResult,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        serve: Callable[[str, Sequence[Any], Mapping[str, Any]], Awaitable[Any]],
    ) -> None:
        self.ran = ran
        self.exceeded = ""
        """The limit for which its process was killed."""
        self._reader, self._writer = reader, writer
        self._serve = serve
        self._calls: dict[asyncio.Task[None], tuple[str, float]] = {}
        self._ended_call = asyncio.Event()
        self._sending = asyncio.Lock()
        self._codes: set[str] = set()
        """Codes of the errors that its helpers had."""
        self._bytes = 0

    async def start(self, first: dict[str, Any]) -> None:
        """Send the request and wait until the jail is closed: only before that its process speaks for itself."""
        self._writer.write(pack(first))
        message = await self._next()
        if message.get("type") == "failed" and message.get("kind") == "jail":
            raise Unsupported(
                str(message.get("message", "")),
                hint="engine unsafe runs scripts without a sandbox, with the same rights as your own programs",
            )
        if message != STARTED:
            raise self._invalid_message()

    async def run_to_end(self) -> None:
        """Process its messages; ScriptFailed or a subclass if it fails."""
        for number in count(1):
            message = await self._next()
            kind = message["type"]
            if kind == "call":
                await self._begin(message)
            elif kind == "display":
                self._show(message)
            elif kind == "log":
                self._note(str(message.get("text", "")))
            elif kind == "done":
                self._on_done(message)
                return
            elif kind == "failed":
                raise self._failure(message)
            if kind != "call":
                self._bytes += OUTPUT_COST
            if number % MOST_READ == 0:
                await asyncio.sleep(
                    0
                )  # what has already arrived is read without waiting: others have their turn

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

    async def _begin(self, message: dict[str, Any]) -> None:
        """Start a call, as soon as there are few enough."""
        name = str(message.get("method"))[:SHOWN_ABOUT]
        while not self._has_room_for(name):
            self._ended_call.clear()
            await self._ended_call.wait()
        task = asyncio.create_task(self._answer(message), name=f"helper {name[:40]}")
        self._calls[task] = (name, time.monotonic())
        # Its name only: progress lines are not redacted.
        progress.report_progress(name if is_helper(name) else "a helper")
        task.add_done_callback(self._on_answered)

    def _has_room_for(self, name: str) -> bool:
        working = sum(1 for running, _since in self._calls.values() if not waits(running))
        return len(self._calls) < MOST_CALLS and (waits(name) or working < MOST_WORKING)

    def _on_answered(self, ended: asyncio.Task[None]) -> None:
        self._calls.pop(ended, None)
        self._ended_call.set()

    async def _answer(self, message: dict[str, Any]) -> None:
        began = time.monotonic()
        answer: dict[str, Any] = {"type": "answer", "id": message.get("id")}
        try:
            frame, failed = self._fitting(answer | {"value": await self._value(message)}), ""
        except BoathookError as error:
            failed = error.code
            frame = pack(answer | {"error": _told(error.message, failed, error.hint)})
        except BadFrame as error:
            failed = "result_too_large"
            frame = pack(answer | {"error": _told(f"the value is too large: {error.message}", failed)})
        except Exception as error:  # noqa: BLE001 - the script must always get an answer
            failed, kind = InternalError.code, type(error).__name__
            # Not the message: it may contain secrets.
            log.error("scripts.internal_error helper=%s kind=%s", str(message.get("method"))[:40], kind)  # noqa: TRY400
            frame = pack(answer | {"error": _told(f"internal error in the helper ({kind})", failed)})
        self._codes.add(failed)
        self._count(message, seconds=time.monotonic() - began, failed=failed)
        with suppress(OSError):
            async with self._sending:
                if not self._writer.is_closing():
                    self._writer.write(frame)
                    await (
                        self._writer.drain()
                    )  # the call is not over while the script does not read its answer

    async def _value(self, message: dict[str, Any]) -> Any:
        given, named = message.get("args"), message.get("named")
        value = await self._serve(
            str(message.get("method")),
            given if isinstance(given, list) else [],
            named if isinstance(named, dict) else {},
        )
        return self._on_screenshot(value) if isinstance(value, TakenScreenshot) else value

    def _fitting(self, answer: dict[str, Any]) -> bytes:
        frame = pack(answer)
        if len(frame) > LARGEST:
            raise BadFrame(f"{len(frame):,} bytes (at most {LARGEST:,})")
        return frame

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
            self.ran.log.append(text[:LONGEST_LINE])

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
        """The script's own error: no kind and no code that it sends makes it another one."""
        said, where = (str(message.get(name, ""))[:LONGEST_ERROR] for name in ("message", "where"))
        if message.get("kind") == "syntax":
            return ScriptSyntax(said, where=where)
        code = str(message.get("code", ""))
        return ScriptFailed(
            said, where=where, cause=code if code in self._codes else "", log=self.ran.log[-20:]
        )

    async def _next(self) -> dict[str, Any]:
        """The next message, as plain data."""
        try:
            header = await self._reader.readexactly(HEADER_BYTES)
            length = body_length(header, limit=LARGEST)
            self._bytes += length
            if self._bytes > MOST_BYTES:
                raise ScriptFailed(f"the script sent more than {MOST_BYTES:,} bytes", hint="display less")
            message = unpack(await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise self._ended() from error
        except BadFrame as error:
            raise self._invalid_message() from error
        # As its worker has done already, unless the script sent it by itself.
        plain: dict[str, Any] = Plain(2 * MOST_CHARACTERS, deepest=DEEPEST + 2).of(message)
        return plain

    def _ended(self) -> ScriptFailed:
        if self.exceeded:
            return ScriptFailed(
                f"the script exceeded its limit of {self.exceeded} in its scratch folder",
                hint="write less, or remove files that are no longer needed",
                limit=self.exceeded,
                log=self.ran.log[-20:],
            )
        return ScriptFailed(
            "the script's process exited, or was stopped by its memory or time limit",
            hint="the limits are 1 GiB of memory, including files, and CPU time up to the deadline",
            log=self.ran.log[-20:],
        )

    def _invalid_message(self) -> ScriptFailed:
        return ScriptFailed(
            "the script's process sent an invalid message",
            hint="leave the script's channel to its helpers",
            log=self.ran.log[-20:],
        )


def _told(message: str, code: str, hint: str = "") -> dict[str, str]:
    return {"message": message, "code": code, "hint": hint}


def _about(message: dict[str, Any]) -> str:
    """What a helper was called with: its first argument, on one line. Never the later ones, which may be secrets."""
    given, named = message.get("args"), message.get("named")
    first = given[0] if isinstance(given, list) and given else ""
    if isinstance(named, dict) and "element" in named:
        first = named["element"]
    return " ".join(first.split()) if isinstance(first, str) else ""
