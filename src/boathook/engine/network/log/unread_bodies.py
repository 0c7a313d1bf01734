"""Fetches that the page's script does not read to the end: the browser never reports them as finished.

A script that ignores the response, or reads no more than the status, leaves the body unread; Chromium then sends
neither `loadingFinished` nor `loadingFailed`. Such a fetch is over for us when all of its body has arrived, or when
nothing more arrives.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.cdp.cdp_session import CdpSession

QUIET_SECONDS = 0.3
"""A fetch that has its response and receives nothing for this time does not keep a page busy."""


@dataclass(slots=True, eq=False)
class _Answered:
    """A fetch whose response has started."""

    expected: int | None
    """Bytes that the server announced; None if it did not, or counts other bytes."""
    timer: asyncio.TimerHandle
    got: int = 0


class UnreadFetches:
    """Watches fetches from their response on, and reports which of them are over."""

    def __init__(self, over: Callable[[CdpSession, str, bool], None]) -> None:
        self._over = over
        """Called for each one that is over, and whether all of it has arrived."""
        self._answered: dict[tuple[str, str], _Answered] = {}

    def watch(self, session: CdpSession) -> None:
        """Listen on a session whose Network domain is enabled."""
        session.on("Network.responseReceived", lambda params: self._on_response(session, params))
        session.on("Network.dataReceived", lambda params: self._on_data(session, params))
        session.on("Network.loadingFinished", lambda params: self._forget(session, params["requestId"]))
        session.on("Network.loadingFailed", lambda params: self._forget(session, params["requestId"]))

    def _on_response(self, session: CdpSession, params: dict[str, Any]) -> None:
        if params.get("type") != "Fetch":
            return
        number = params["requestId"]
        self._forget(session, number)
        expected = _content_length(params["response"].get("headers", {}))
        self._answered[session.id, number] = _Answered(expected, self._timer(session, number))

    def _on_data(self, session: CdpSession, params: dict[str, Any]) -> None:
        number = params["requestId"]
        fetch = self._answered.get((session.id, number))
        if fetch is None:
            return
        fetch.timer.cancel()
        fetch.got += int(params.get("dataLength", 0))
        if fetch.expected is not None and fetch.got >= fetch.expected:
            self._end(session, number, whole=True)
        else:
            fetch.timer = self._timer(session, number)

    def _timer(self, session: CdpSession, number: str) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(QUIET_SECONDS, self._end, session, number)

    def _end(self, session: CdpSession, number: str, *, whole: bool = False) -> None:
        self._forget(session, number)
        self._over(session, number, whole)

    def _forget(self, session: CdpSession, number: str) -> None:
        fetch = self._answered.pop((session.id, number), None)
        if fetch is not None:
            fetch.timer.cancel()


def _content_length(headers: dict[str, Any]) -> int | None:
    named = {str(name).lower(): str(value) for name, value in headers.items()}
    if named.get("content-encoding", "identity") != "identity":
        return None  # announced are the encoded bytes, counted are the decoded ones
    with suppress(ValueError):
        return int(named["content-length"]) if "content-length" in named else None
    return None
