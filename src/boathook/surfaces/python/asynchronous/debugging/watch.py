"""Console messages, page errors, network requests and response bodies.

Generated from commands/debugging/watch.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.clock import READ_SECONDS
from boathook.commands.debugging import watch
from boathook.engine.network.log.network_log import BODY_LIMIT, Body, Request
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.events.console import ConsoleMessage, Level


class WatchTab(TabBase):
    """Methods of a tab from commands/debugging/watch.py."""

    async def console(
        self,
        *,
        since: int | None = None,
        level: Level = "debug",
        new: bool = False,
        clear: bool = False,
        timeout: float = READ_SECONDS,
    ) -> list[ConsoleMessage]:
        """Show console messages and uncaught errors. On remote pages, logging starts with the first call."""
        return await invoke(
            watch.console, self._engine, since=since, level=level, new=new, clear=clear, timeout=timeout
        )

    async def errors(
        self,
        *,
        since: int | None = None,
        new: bool = False,
        clear: bool = False,
        timeout: float = READ_SECONDS,
    ) -> list[ConsoleMessage]:
        """Show uncaught errors of the page and errors that it reported."""
        return await invoke(watch.errors, self._engine, since=since, new=new, clear=clear, timeout=timeout)

    async def requests(
        self,
        pattern: str | None = None,
        *,
        since: int | None = None,
        type: Sequence[str] = (),
        method: str | None = None,
        status: str | None = None,
        failed: bool | None = None,
        current_page: bool = False,
        clear: bool = False,
    ) -> list[Request]:
        """List recent network requests, oldest first, optionally only failures.

        Includes WebSockets and event streams. A missing favicon does not count as a failure.
        """
        return await invoke(
            watch.requests,
            self._engine,
            pattern,
            since=since,
            type=type,
            method=method,
            status=status,
            failed=failed,
            current_page=current_page,
            clear=clear,
        )

    async def response_body(
        self, request: int, *, limit: int = BODY_LIMIT, timeout: float = READ_SECONDS
    ) -> Body:
        """Print the response body of a request in the log."""
        return await invoke(watch.response_body, self._engine, request, limit=limit, timeout=timeout)
