"""The daemon's server: which clients it accepts, what it maintains, and when it exits."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from boathook.service.daemon.client_connection import Conversation
from boathook.wire.failures import NotStarted

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.service.daemon.host_protocol import HostProtocol
    from boathook.service.daemon.lifecycle import DaemonDirectory

IDLE_SECONDS = 30 * 60.0
DRAIN_SECONDS = 10.0
"""How long calls may continue once the daemon was asked to stop."""
LETTING_GO_SECONDS = 15.0
"""How long the host may take to close; what is left then ends with the process."""
HAND_OVER_SECONDS = 1.0
"""Without use for so long, a daemon ends for a client of a newer version; one that it has just started never does."""
MOST_CLIENTS = 512
_TICK_SECONDS = 5.0

log = logging.getLogger("boathook.daemon")


class Server:
    """Serves one host at one folder until it is asked to stop, or is idle for too long."""

    def __init__(
        self,
        host: HostProtocol,
        place: DaemonDirectory,
        *,
        idle_seconds: float = IDLE_SECONDS,
        descriptors: int,
    ) -> None:
        self.host = host
        self.ending = ""
        self._place = place
        self._idle_seconds = idle_seconds
        self._most_clients = min(MOST_CLIENTS, descriptors // 2)  # the other half is for their work
        self._began = self._last_call = time.monotonic()
        self._conversations: set[Conversation] = set()
        self._told_to_end = asyncio.Event()
        self._listener: asyncio.Server | None = None

    async def run(self, *, ready: Callable[[], None]) -> None:
        """Listen, report that, serve; returns when everything is closed."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self.end, f"signal {number.name}")
        await self._listen()
        ready()
        while not self.ending:
            await self._tick()
        log.info("daemon.ending why=%r calls=%d", self.ending, self.calls())
        for conversation in self._conversations:
            conversation.send_ending()
        await self._drain()
        await self._let_go()

    def end(self, why: str) -> None:
        """Finish running calls, then exit."""
        self.ending = self.ending or why
        self._told_to_end.set()

    def hand_over(self) -> bool:
        """End for a newer version, if no session is open and none has just been used."""
        if self.ending or self.calls() or self._unused_seconds() < HAND_OVER_SECONDS:
            return False
        self.end("a newer version takes over")
        return True

    def calls(self) -> int:
        """How many calls run."""
        return sum(len(conversation.calls) for conversation in self._conversations)

    def uptime_seconds(self) -> float:
        """The uptime."""
        return time.monotonic() - self._began

    def on_call_end(self) -> None:
        """Record a use of the daemon now."""
        self._last_call = time.monotonic()

    async def _listen(self) -> None:
        self._stop_accepting()
        self._listener = await asyncio.start_unix_server(self._meet, sock=self._place.listen())

    def _stop_accepting(self) -> None:
        self._place.stop_listening()
        if self._listener is not None:
            self._listener.close()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversation = Conversation(self, reader, writer)
        self._conversations.add(conversation)
        try:
            await conversation.hold(crowded=len(self._conversations) > self._most_clients)
        finally:
            self._conversations.discard(conversation)

    async def _tick(self) -> None:
        """Sleep a while, then check what sends no events."""
        with suppress(TimeoutError):
            async with asyncio.timeout(min(_TICK_SECONDS, self._idle_seconds / 4)):
                await self._told_to_end.wait()
                return
        for conversation in self._conversations:
            conversation.send_alive()
        await self._look_after_place()
        if not self.calls() and self._unused_seconds() >= self._idle_seconds:
            self.end(f"idle for {self._idle_seconds:g} s")

    def _unused_seconds(self) -> float:
        return min(time.monotonic() - self._last_call, self.host.idle_seconds())

    async def _look_after_place(self) -> None:
        if self._place.is_ours() and self._place.is_listening():
            self._place.keep_fresh()
            return
        if not self._place.is_ours():
            self.end("its lock file was removed")
            return
        log.warning("daemon.socket_lost path=%s", self._place.socket_path)
        try:
            await self._listen()
        except NotStarted as failure:  # the next tick tries again; existing pages and calls continue
            log.warning("daemon.socket_not_restored why=%s", failure)

    async def _drain(self) -> None:
        self._stop_accepting()
        running = [task for conversation in self._conversations for task in conversation.calls.values()]
        if running:
            _, late = await asyncio.wait(running, timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=LETTING_GO_SECONDS)

    async def _let_go(self) -> None:
        try:
            async with asyncio.timeout(LETTING_GO_SECONDS):
                await self.host.close()
        except TimeoutError:
            log.warning("host.close_took_too_long seconds=%g", LETTING_GO_SECONDS)
        except Exception as error:  # noqa: BLE001 (the process ends either way, and the log says how)
            log.warning("host.close_failed error=%s", type(error).__name__)
