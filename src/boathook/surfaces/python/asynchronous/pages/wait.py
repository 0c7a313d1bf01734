"""Waiting for elements, text, URLs, load states, requests, dialogs, tabs and scripts.

Generated from commands/pages/wait.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.commands.pages import wait
from boathook.engine.tab import NAVIGATE_SECONDS
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.network.log.network_log import Request
    from boathook.engine.page.dialogs import Dialog
    from boathook.engine.waits.wait_for_element import TargetState, WaitResult
    from boathook.values import WaitUntil


class WaitTab(TabBase):
    """Methods of a tab from commands/pages/wait.py."""

    async def wait_for(
        self,
        target: str,
        *,
        state: TargetState = "visible",
        text: str | None = None,
        value: str | None = None,
        count: int | None = None,
        exact: bool = False,
        nth: int | None = None,
        timeout: float = WAIT_SECONDS,
    ) -> WaitResult:
        """Wait until an element is visible, hidden, attached, detached or enabled, or has some text, value or count."""
        return await invoke(
            wait.wait_for,
            self._engine,
            target,
            state=state,
            text=text,
            value=value,
            count=count,
            exact=exact,
            nth=nth,
            timeout=timeout,
        )

    async def wait_for_text(
        self, text: str, *, exact: bool = False, timeout: float = WAIT_SECONDS
    ) -> WaitResult:
        """Wait until the page shows some text. Case-insensitive without `exact`."""
        return await invoke(wait.wait_for_text, self._engine, text, exact=exact, timeout=timeout)

    async def wait_for_url(self, pattern: str, *, timeout: float = WAIT_SECONDS) -> str:
        """Wait until the URL matches a substring, a glob with `*`, or `re:…`."""
        return await invoke(wait.wait_for_url, self._engine, pattern, timeout=timeout)

    async def wait_for_load(self, state: WaitUntil = "load", *, timeout: float = NAVIGATE_SECONDS) -> str:
        """Wait for a load state of the current or pending document and print its URL."""
        return await invoke(wait.wait_for_load, self._engine, state, timeout=timeout)

    async def wait_for_network_idle(
        self, *, idle_seconds: float = 0.5, timeout: float = NAVIGATE_SECONDS
    ) -> None:
        """Wait until the network has been idle for a while."""
        await invoke(wait.wait_for_network_idle, self._engine, idle_seconds=idle_seconds, timeout=timeout)

    async def wait_for_request(
        self,
        pattern: str,
        *,
        method: str | None = None,
        since: int | None = None,
        timeout: float = WAIT_SECONDS,
    ) -> Request:
        """Wait for a request made since the last action began, or since a mark."""
        return await invoke(
            wait.wait_for_request, self._engine, pattern, method=method, since=since, timeout=timeout
        )

    async def wait_for_response(
        self,
        pattern: str,
        *,
        method: str | None = None,
        status: int | None = None,
        since: int | None = None,
        skip: Sequence[str] = (),
        timeout: float = WAIT_SECONDS,
    ) -> Request:
        """Wait for the whole response to a request made since the last action began, or since a mark."""
        return await invoke(
            wait.wait_for_response,
            self._engine,
            pattern,
            method=method,
            status=status,
            since=since,
            skip=skip,
            timeout=timeout,
        )

    async def wait_for_dialog(self, *, since: int | None = None, timeout: float = WAIT_SECONDS) -> Dialog:
        """Wait for a dialog. Returns the open one, or the first since the last action began."""
        return await invoke(wait.wait_for_dialog, self._engine, since=since, timeout=timeout)

    async def wait_for_function(self, script: str, *arguments: Any, timeout: float = WAIT_SECONDS) -> Any:
        """Wait until a script returns a truthy value, and print it. Exceptions are retried."""
        return await invoke(wait.wait_for_function, self._engine, script, *arguments, timeout=timeout)

    async def wait(self, seconds: float) -> None:
        """Sleep for some seconds. Waiting for a condition is almost always better."""
        await invoke(wait.wait, self._engine, seconds)
