"""One client's connection: greeting, concurrent calls, and their cancellation when the client disconnects."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import traceback
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from boathook._version import __version__
from boathook.service.daemon.decoding import command_line, request
from boathook.service.daemon.host_protocol import Answer
from boathook.wire import messages
from boathook.wire.failures import BadFrame
from boathook.wire.framing import HEADER_BYTES, LIMIT_BYTES, body_length, pack, unpack
from boathook.wire.socket_address import peer_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.service.daemon.daemon_server import Server
    from boathook.service.daemon.host_protocol import CallRequest, CommandLine
    from boathook.wire.messages import Message

GREETING_SECONDS = 5.0
"""Clients greet at once; connections that stay silent take the place of others."""
MOST_CALLS = 64
CANCELLED_EXIT = 130
_GREETING_BYTES = 1 << 16
_SHOWN_FRAMES = 8
_UNSENT_BYTES = 1 << 20
_RESTART = "boathook daemon restart closes its pages and starts this version"
"""For clients of other versions, which may not know hint marks."""

log = logging.getLogger("boathook.daemon")


class Conversation:
    """A connection; `calls` are the running ones by id."""

    def __init__(self, server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls: dict[str, asyncio.Task[None]] = {}
        self._stays = False
        self._peer: int | None = None
        self._server = server
        self._reader = reader
        self._writer = writer

    async def hold(self, *, crowded: bool) -> None:
        """Serve this client until it disconnects; then cancel its running calls."""
        try:
            if await self._let_in(crowded=crowded):
                async with asyncio.TaskGroup() as group:
                    await self._listen(group)
                    for call in self.calls.values():
                        call.cancel()
        except* (ConnectionError, TimeoutError):
            pass  # it disconnected, or never sent a hello: there is no one to notify
        finally:
            self._writer.close()

    def send_alive(self) -> None:
        """Notify a waiting client that its call is still running."""
        if self.calls:
            self._send_message(messages.alive())

    def send_ending(self) -> None:
        """Notify a persistent client to send nothing more; one that waits for a single answer gets that."""
        if self._stays:
            self._send_message(messages.ending())

    async def _let_in(self, *, crowded: bool) -> bool:
        """Check the peer's user and protocol. `status` and `stop` are answered without a hello, in every version."""
        self._peer, user = peer_of(self._writer.get_extra_info("socket"))
        if user not in {os.geteuid(), None}:
            log.warning("client.refused user=%s", user)
            await self._refuse("this daemon serves another user")
            return False
        if crowded:
            await self._refuse("too many clients", hint="close some, then try again")
            return False
        async with asyncio.timeout(GREETING_SECONDS):
            greeting = await self._next(limit=_GREETING_BYTES)
        if greeting is None or await self._handle_control(greeting):
            return greeting is not None
        return await self._greet(greeting)

    async def _greet(self, greeting: Message) -> bool:
        if greeting["type"] != "hello":
            await self._refuse("the first message must be a hello")
        elif is_newer(greeting.get("version"), __version__) and self._server.hand_over():
            await self._refuse("this daemon hands over to a newer version", ending=True)
        elif greeting.get("protocol") != messages.PROTOCOL:
            await self._refuse(
                f"this daemon is boathook {__version__} and speaks protocol {messages.PROTOCOL}, "
                f"not {greeting.get('protocol')!r:.40}; its pages are untouched",
                hint=_RESTART,
            )
        elif self._server.ending:
            await self._refuse("the daemon is shutting down", ending=True)
        else:
            await self._send(messages.hello(version=__version__, pid=os.getpid()))
            return True
        return False

    async def _listen(self, group: asyncio.TaskGroup) -> None:
        while (message := await self._next()) is not None:
            if message["type"] in {"call", "run"}:
                await self._begin(message, group)
            elif message["type"] == "cancel":
                if (call := self.calls.get(str(message.get("id")))) is not None:
                    call.cancel()
            elif not await self._handle_control(message):
                await self._refuse(f"no such message: {message['type']!r:.40}")
                return

    async def _handle_control(self, message: Message) -> bool:
        if message["type"] == "status":
            await self._send(
                messages.status(
                    pid=os.getpid(),
                    version=__version__,
                    uptime_seconds=round(self._server.uptime_seconds(), 1),
                    calls=self._server.host.busy(),
                )
            )
        elif message["type"] == "stop":
            await self._send(messages.stopping(self._server.host.busy()))
            self._server.end("requested by a client")
        else:
            return False
        return True

    async def _begin(self, message: Message, group: asyncio.TaskGroup) -> None:
        """Start a call, or refuse it; either way nothing is done twice."""
        id = str(message.get("id"))
        try:
            work = self._work(id, message)
        except BadFrame as error:
            await self._refuse(error.message, id=id)
            return
        if self._server.ending:
            await self._refuse("the daemon is shutting down", ending=True, id=id)
        elif id in self.calls or len(self.calls) >= MOST_CALLS:
            await self._refuse("duplicate call id, or too many calls on this connection", id=id)
        else:
            self.calls[id] = group.create_task(self._run(id, work))
            await asyncio.sleep(0)  # let it begin: a task cancelled before that runs none of its own code

    def _work(self, id: str, message: Message) -> Callable[[], Awaitable[Message]]:
        """The call of a message, not started yet."""
        if message["type"] == "call":
            return partial(self._answer_line, id, command_line(message, peer=self._peer))
        self._stays = True
        return partial(self._run_request, id, request(message, peer=self._peer))

    async def _run(self, id: str, work: Callable[[], Awaitable[Message]]) -> None:
        try:
            message = await work()
            with suppress(ConnectionError):
                await self._send(message)
        finally:
            del self.calls[id]
            self._server.on_call_end()

    async def _answer_line(self, id: str, line: CommandLine) -> Message:
        try:
            answer = await self._server.host.answer(line, partial(self._send_progress, id))
        except asyncio.CancelledError:
            # Ended on request, and that is an answer; the task itself ends in the ordinary way.
            answer = Answer(out="", err="cancelled\n", exit=CANCELLED_EXIT)
        except Exception as error:  # noqa: BLE001 (a bug in one call must not close all pages)
            answer = Answer(out="", err=f"{_log_failure(error)}\n", exit=1)
        return messages.answer(id, out=answer.out, err=answer.err, exit=answer.exit)

    async def _run_request(self, id: str, asked: CallRequest) -> Message:
        try:
            outcome = await self._server.host.run(asked, partial(self._send_progress, id))
        except asyncio.CancelledError:
            outcome = _failure("cancelled", "aborted", "cancelled")
        except Exception as error:  # noqa: BLE001 (as above)
            outcome = _failure("unforeseen", "upstream-error", _log_failure(error))
        return messages.outcome(id, outcome=outcome)

    def _send_progress(self, id: str, text: str) -> None:
        self._send_message(messages.progress(id, text=text))

    async def _next(self, *, limit: int = LIMIT_BYTES) -> Message | None:
        """The next message; None if the client has disconnected, or sent an invalid message and was refused."""
        try:
            header = await self._reader.readexactly(HEADER_BYTES)
            return unpack(await self._reader.readexactly(body_length(header, limit=limit)))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        except BadFrame as error:
            await self._refuse(error.message)
            return None

    async def _refuse(
        self, reason: str, *, hint: str = "", ending: bool = False, id: str | None = None
    ) -> None:
        with suppress(ConnectionError):
            await self._send(messages.refused(reason, hint=hint, ending=ending, id=id))

    async def _send(self, message: Message) -> None:
        try:
            self._writer.write(pack(message))
        except BadFrame as error:
            self._writer.write(pack(_too_large(message, error.message)))
        await self._writer.drain()

    def _send_message(self, message: Message) -> None:
        """Send what may be lost: a client that does not read must not fill our memory."""
        if not self._writer.is_closing() and self._writer.transport.get_write_buffer_size() < _UNSENT_BYTES:
            self._writer.write(pack(message))


def _log_failure(error: Exception) -> str:
    """A line for the caller; the location goes to the log, but not the message, which may contain secrets."""
    frames = traceback.extract_tb(error.__traceback__, limit=-_SHOWN_FRAMES)
    where = " < ".join(f"{frame.name}:{frame.lineno} {frame.filename}" for frame in reversed(frames))
    log.error("call.failed error=%s at %s", type(error).__name__, where)
    return f"internal error: {type(error).__name__}; see the daemon's log"


def _too_large(message: Message, why: str) -> Message:
    """The same answer without what does not fit."""
    said = f"the response is too large: {why}"
    if message["type"] == "outcome":
        failure = _failure("result_too_large", "upstream-error", said)
        return messages.outcome(message["id"], outcome=failure)
    return message | {"out": "", "err": f"{said}\n", "exit": 1}


def _failure(code: str, category: str, message: str) -> dict[str, Any]:
    error = {"code": code, "category": category, "message": message, "hint": "", "retry_safe": False}
    return {"ok": False, "category": category, "error": error, "text": f"error: {message} [{code}]"}


def is_newer(version: object, than: str) -> bool:
    """Whether a version, as a client sends it, is later than ours."""
    return _numbers(str(version)) > _numbers(than)


def _numbers(version: str) -> list[int]:
    """The numbers at the start of a version; what follows them, as in 1.2.0rc1, does not count."""
    return [int(part) for part in re.match(r"[0-9.]{0,40}", version)[0].split(".") if part]  # type: ignore[index]
