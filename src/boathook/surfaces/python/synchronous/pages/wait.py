"""Waiting for elements, text, URLs, load states, requests, dialogs, tabs and scripts.

Generated from commands/pages/wait.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.tab import NAVIGATE_SECONDS
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.network.log.network_log import Request
    from boathook.engine.page.dialogs import Dialog
    from boathook.engine.waits.wait_for_element import TargetState, WaitResult
    from boathook.values import WaitUntil


class WaitTab(TabBase):
    """Methods of a tab from commands/pages/wait.py."""

    def wait_for(
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
        return self._portal.call(
            self._inner.wait_for(
                target,
                state=state,
                text=text,
                value=value,
                count=count,
                exact=exact,
                nth=nth,
                timeout=timeout,
            )
        )

    def wait_for_text(self, text: str, *, exact: bool = False, timeout: float = WAIT_SECONDS) -> WaitResult:
        """Wait until the page shows some text. Case-insensitive without `exact`."""
        return self._portal.call(self._inner.wait_for_text(text, exact=exact, timeout=timeout))

    def wait_for_url(self, pattern: str, *, timeout: float = WAIT_SECONDS) -> str:
        """Wait until the URL matches a substring, a glob with `*`, or `re:…`."""
        return self._portal.call(self._inner.wait_for_url(pattern, timeout=timeout))

    def wait_for_load(self, state: WaitUntil = "load", *, timeout: float = NAVIGATE_SECONDS) -> str:
        """Wait for a load state of the current or pending document and print its URL."""
        return self._portal.call(self._inner.wait_for_load(state, timeout=timeout))

    def wait_for_network_idle(self, *, idle_seconds: float = 0.5, timeout: float = NAVIGATE_SECONDS) -> None:
        """Wait until the network has been idle for a while."""
        self._portal.call(self._inner.wait_for_network_idle(idle_seconds=idle_seconds, timeout=timeout))

    def wait_for_request(
        self,
        pattern: str,
        *,
        method: str | None = None,
        since: int | None = None,
        timeout: float = WAIT_SECONDS,
    ) -> Request:
        """Wait for a request made since the last action began, or since a mark."""
        return self._portal.call(
            self._inner.wait_for_request(pattern, method=method, since=since, timeout=timeout)
        )

    def wait_for_response(
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
        return self._portal.call(
            self._inner.wait_for_response(
                pattern, method=method, status=status, since=since, skip=skip, timeout=timeout
            )
        )

    def wait_for_dialog(self, *, since: int | None = None, timeout: float = WAIT_SECONDS) -> Dialog:
        """Wait for a dialog. Returns the open one, or the first since the last action began."""
        return self._portal.call(self._inner.wait_for_dialog(since=since, timeout=timeout))

    def wait_for_function(self, script: str, *arguments: Any, timeout: float = WAIT_SECONDS) -> Any:
        """Wait until a script returns a truthy value, and print it. Exceptions are retried."""
        return self._portal.call(self._inner.wait_for_function(script, *arguments, timeout=timeout))

    def wait(self, seconds: float) -> None:
        """Sleep for some seconds. Waiting for a condition is almost always better."""
        self._portal.call(self._inner.wait(seconds))
