"""The client of the daemon: one connection for all calls of this process, opened on demand and again when it is lost."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from boathook._version import __version__
from boathook.client.blocking_client import HELLO_SECONDS, SILENCE_SECONDS
from boathook.client.start_daemon import reach_daemon
from boathook.wire import messages
from boathook.wire.failures import BadFrame, NotServed, NotStarted, OutcomeUnknown, Refused, WireFailure
from boathook.wire.framing import HEADER_BYTES, body_length, pack, unpack
from boathook.wire.socket_address import daemon_folder, peer_of, socket_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Self

    from boathook.wire.messages import Message

    Progress = Callable[[str], None]

TRIES = 5
"""A daemon that exits while we connect does not accept the call; then a new one does."""


class DaemonClient:
    """Runs commands in the daemon, concurrently."""

    def __init__(self, *, daemon_arguments: Iterable[str] = ()) -> None:
        self._daemon_arguments = tuple(daemon_arguments)
        self._line: _DaemonStream | None = None
        self._connecting = asyncio.Lock()
        self._calls = 0

    async def run(self, run: Message, *, on_progress: Progress) -> dict[str, Any]:
        """Run one command; WireFailure if the daemon did not answer. An accepted call is never sent again."""
        for tries_left in reversed(range(TRIES)):
            try:
                line = await self._connect(on_progress)
                self._calls += 1
                return await line.run(run | {"id": str(self._calls)}, on_progress)
            except NotServed:
                if not tries_left:
                    raise
        raise AssertionError("unreachable: the last try returns or raises")

    async def close(self) -> None:
        """Close the connection; running calls end with it. May be called twice."""
        line, self._line = self._line, None
        if line is not None:
            await line.close()

    async def _connect(self, on_progress: Progress) -> _DaemonStream:
        async with self._connecting:
            if self._line is None or self._line.lost is not None:
                folder = daemon_folder()
                # Starting one means to wait for a lock and a process, with blocking calls that command lines share.
                reached = await asyncio.to_thread(
                    reach_daemon, folder, arguments=self._daemon_arguments, on_progress=on_progress
                )
                reached.close()
                self._line = await _DaemonStream.open(socket_path(folder))
            return self._line


class _Waiting:
    """A call that the daemon is running."""

    def __init__(self, on_progress: Progress) -> None:
        self.outcome: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self.on_progress = on_progress

    def fail(self, failure: WireFailure) -> None:
        if not self.outcome.done():
            self.outcome.set_exception(failure)


class _DaemonStream:
    """One connection; `lost` is the reason once it is closed."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.lost: WireFailure | None = None
        self._reader = reader
        self._writer = writer
        self._waiting: dict[str, _Waiting] = {}
        self._heard = asyncio.get_running_loop().time()
        self._listening: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, path: str) -> Self:
        try:
            reader, writer = await asyncio.open_unix_connection(path)
        except OSError as error:
            raise NotServed(f"the daemon cannot be reached: {error.strerror or error}") from error
        line = cls(reader, writer)
        try:
            await line._greet()
        except BaseException:
            writer.close()
            raise
        line._listening = asyncio.create_task(line._listen(), name="answers of the daemon")
        return line

    async def _greet(self) -> None:
        _, user = peer_of(self._writer.get_extra_info("socket"))
        if user not in {os.geteuid(), None}:
            raise Refused(f"the daemon's socket is served by user {user}", hint="set BOATHOOK_RUNTIME_DIR")
        self._writer.write(pack(messages.hello(version=__version__)))
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                message = await self._next()
        except TimeoutError as error:
            raise NotStarted(f"the daemon does not respond: no message for {HELLO_SECONDS:g} s") from error
        if message is None:
            raise NotServed("the daemon exited before it accepted the call")
        if message["type"] != "hello":
            raise _refusal(message)

    async def run(self, run: Message, on_progress: Progress) -> dict[str, Any]:
        waiting = self._waiting[run["id"]] = _Waiting(on_progress)
        self._heard = asyncio.get_running_loop().time()
        try:
            self._writer.write(pack(run))
            return await self._outcome(waiting)
        except asyncio.CancelledError:
            with suppress(OSError, RuntimeError):
                self._writer.write(pack(messages.cancel(run["id"])))
            raise
        finally:
            del self._waiting[run["id"]]

    async def _outcome(self, waiting: _Waiting) -> dict[str, Any]:
        """The outcome; while it works the daemon sends a message every few seconds, and silence means that it is stuck."""
        if self.lost is not None:
            raise NotServed("the daemon exited before it accepted the call")
        while True:
            done, _ = await asyncio.wait({waiting.outcome}, timeout=SILENCE_SECONDS)
            if done:
                return waiting.outcome.result()
            if asyncio.get_running_loop().time() - self._heard > SILENCE_SECONDS:
                raise OutcomeUnknown(
                    f"outcome unknown: the daemon has not responded for {SILENCE_SECONDS:g} s",
                    hint="`daemon stop --force` stops it",
                )

    async def close(self) -> None:
        self._writer.close()
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening

    async def _listen(self) -> None:
        """Dispatch messages; at the end of the connection no call is left waiting."""
        lost: WireFailure = OutcomeUnknown("outcome unknown: the daemon exited during the call")
        try:
            while (message := await self._next()) is not None:
                self._heard = asyncio.get_running_loop().time()
                self._sort(message)
        except BadFrame as error:
            lost = error
        finally:
            self.lost = lost
            self._writer.close()
            for waiting in self._waiting.values():
                waiting.fail(lost)

    def _sort(self, message: Message) -> None:
        kind, waiting = message["type"], self._waiting.get(str(message.get("id")))
        if kind == "alive":
            for each in self._waiting.values():
                each.on_progress("")
        elif kind == "ending":
            self.lost = NotServed("the daemon is shutting down")
        elif waiting is None:
            return  # of a call that was given up
        elif kind == "outcome" and not waiting.outcome.done():
            waiting.outcome.set_result(message["outcome"])
        elif kind == "refused":
            waiting.fail(_refusal(message))
        elif kind == "progress":
            waiting.on_progress(str(message["text"]))

    async def _next(self) -> Message | None:
        try:
            header = await self._reader.readexactly(HEADER_BYTES)
            return unpack(await self._reader.readexactly(body_length(header)))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None


def _refusal(message: Message) -> NotServed | Refused:
    reason = str(message.get("reason", "no reason given"))
    hint = str(message.get("hint") or "") or None
    return (NotServed if message.get("ending") else Refused)(
        f"the daemon refused the connection: {reason}", hint=hint
    )
