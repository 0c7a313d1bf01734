"""The watchdog of a browser that we started: one that is stopped, or that neither responds nor works, is killed."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from boathook.cdp.replies import ignore_reply
from boathook.clock import now
from boathook.engine.launch import posix
from boathook.errors import BrowserGone

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from boathook.cdp.connection import Connection
    from boathook.engine.launch.process import BrowserProcess

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
STOPPED_SECONDS = 4.0
"""How long the process may be stopped."""
SILENT_SECONDS = 8.0
"""How long a call to the browser itself may stay unanswered while the process uses no CPU."""
WORKING_SHARE = 0.01
"""CPU seconds per second above which a browser that does not respond is busy."""
PAUSED_SECONDS = 3.0
"""If a poll is this late, it was our own process that did not run, such as on a machine that was suspended."""


class Watchdog:
    """Watches one browser process until it exits."""

    def __init__(
        self,
        connection: Connection,
        process: BrowserProcess,
        *,
        disconnect: Callable[[str], None],
        release: Callable[[], Awaitable[None]],
    ) -> None:
        self._connection = connection
        self._process = process
        self._disconnect = disconnect
        self._release = release
        self._ping: asyncio.Future[dict[str, Any]] | None = None
        self._silent_since = 0.0
        self._cpu_before = 0.0
        self._stopped_since: float | None = None

    async def watch(self) -> None:
        """Return when the browser has exited; a browser that is stuck is killed, and its profile removed."""
        while self._process.running and self._connection.closed_because is None:
            polled = now()
            await asyncio.sleep(POLL_SECONDS)
            if now() - polled > POLL_SECONDS + PAUSED_SECONDS:
                self._stopped_since = None
                self._start_ping()
            elif reason := self._why_stuck():
                log.warning("browser.killed pid=%d reason=%s", self._process.pid, reason)
                self._disconnect(reason)
                self._process.kill()
                await self._release()
                return

    def _why_stuck(self) -> str:
        if posix.is_stopped(self._process.pid):
            self._stopped_since = self._stopped_since or now()
            stopped = now() - self._stopped_since >= STOPPED_SECONDS
            return "its process was stopped, so it was killed" if stopped else ""
        self._stopped_since = None
        if self._ping is not None and not self._ping.done():
            return self._why_silent()
        self._ping = None
        if self._connection.pending:
            self._start_ping()
        return ""

    def _why_silent(self) -> str:
        seconds = now() - self._silent_since
        if seconds < SILENT_SECONDS:
            return ""
        if posix.cpu_seconds(self._process.pid) - self._cpu_before > seconds * WORKING_SHARE:
            self._start_ping()
            return ""
        return "it did not respond, so it was killed"

    def _start_ping(self) -> None:
        """Ask the browser itself; pages that hang do not keep it from answering."""
        if self._ping is not None:
            self._ping.cancel()
        try:
            self._ping = self._connection.post("Browser.getVersion")
        except BrowserGone:
            return
        ignore_reply(self._ping)
        self._silent_since = now()
        self._cpu_before = posix.cpu_seconds(self._process.pid)
