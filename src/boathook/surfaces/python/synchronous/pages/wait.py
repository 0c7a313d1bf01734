"""Waiting: for elements, texts, addresses, documents, requests, dialogs, tabs, and for a script's word.

Generated from commands/pages/wait.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.tab import NAVIGATE_SECONDS
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from boathook.engine.network.log.network_log import Request
    from boathook.engine.page.dialogs import Dialog
    from boathook.engine.waits.wait_for_element import Sightings, TargetState
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
    ) -> Sightings:
        """Wait until an element is visible, hidden, attached, detached or enabled, or has a text, value or count."""
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

    def wait_for_text(self, text: str, *, exact: bool = False, timeout: float = WAIT_SECONDS) -> Sightings:
        """Wait until a text is shown on the page; without `exact`, upper and lower case are the same."""
        return self._portal.call(self._inner.wait_for_text(text, exact=exact, timeout=timeout))

    def wait_for_url(self, pattern: str, *, timeout: float = WAIT_SECONDS) -> str:
        """Wait for an address: a part of it, a glob with `*`, or `re:…`."""
        return self._portal.call(self._inner.wait_for_url(pattern, timeout=timeout))

    def wait_for_load(self, state: WaitUntil = "load", *, timeout: float = NAVIGATE_SECONDS) -> str:
        """Wait until the document, or the one that is on its way, has come this far; gives its address."""
        return self._portal.call(self._inner.wait_for_load(state, timeout=timeout))

    def wait_for_network_idle(self, *, idle_seconds: float = 0.5, timeout: float = NAVIGATE_SECONDS) -> None:
        """Wait until no request has been on its way for a while."""
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
        timeout: float = WAIT_SECONDS,
    ) -> Request:
        """Wait for the whole response to a request made since the last action began, or since a mark."""
        return self._portal.call(
            self._inner.wait_for_response(pattern, method=method, status=status, since=since, timeout=timeout)
        )

    def wait_for_dialog(self, *, since: int | None = None, timeout: float = WAIT_SECONDS) -> Dialog:
        """The dialog that waits for an answer, or the first one since the last action began."""
        return self._portal.call(self._inner.wait_for_dialog(since=since, timeout=timeout))

    def wait_for_function(self, script: str, *arguments: Any, timeout: float = WAIT_SECONDS) -> Any:
        """Wait until a script's value is true, and give that value; what it throws until then is not an error."""
        return self._portal.call(self._inner.wait_for_function(script, *arguments, timeout=timeout))

    def wait(self, seconds: float) -> None:
        """Let time pass. Waiting for something by its name is nearly always better."""
        self._portal.call(self._inner.wait(seconds))
