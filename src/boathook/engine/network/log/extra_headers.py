"""Headers as sent over the wire: the browser reports them separately from the request, earlier or later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.network.log.request_record import RequestRecord

    Key = tuple[str, str]
    Take = Callable[[RequestRecord, dict[str, str]], None]

MOST_WAITING = 500
"""Requests whose headers are pending; those of cached responses never arrive."""


class ExtraHeaders:
    """Assigns raw headers to their requests; each hop of a redirect has its own."""

    def __init__(self) -> None:
        self._asked = _Pairing(_store_request_headers)
        self._answered = _Pairing(_store_response_headers)

    def watch(self, session: CdpSession) -> None:
        """Listen on a session whose Network domain is enabled."""
        session.on(
            "Network.requestWillBeSentExtraInfo",
            lambda params: self._asked.on_headers((session.id, params["requestId"]), _texts(params)),
        )
        session.on(
            "Network.responseReceivedExtraInfo",
            lambda params: self._answered.on_headers((session.id, params["requestId"]), _texts(params)),
        )

    def began(self, key: Key, record: RequestRecord) -> None:
        """A request, or the next hop of one, has started."""
        self._asked.on_record(key, record)
        self._answered.on_record(key, record)

    def has_none(self, key: Key, record: RequestRecord) -> None:
        """The browser reports that there are no raw headers for this hop."""
        self._asked.forget(key, record)
        self._answered.forget(key, record)


class _Pairing:
    """Records and headers of one request id, each in order, whichever arrives first."""

    def __init__(self, take: Take) -> None:
        self._take = take
        self._records: dict[Key, list[RequestRecord]] = {}
        self._headers: dict[Key, list[dict[str, str]]] = {}

    def on_record(self, key: Key, record: RequestRecord) -> None:
        early = self._headers.get(key)
        if early:
            self._take(record, early.pop(0))
            return
        _drop_oldest(self._records).setdefault(key, []).append(record)

    def on_headers(self, key: Key, headers: dict[str, str]) -> None:
        waiting = self._records.get(key)
        if waiting:
            self._take(waiting.pop(0), headers)
            return
        _drop_oldest(self._headers).setdefault(key, []).append(headers)

    def forget(self, key: Key, record: RequestRecord) -> None:
        waiting = self._records.get(key, [])
        if record in waiting:
            waiting.remove(record)


def _drop_oldest(waiting: dict[Key, Any]) -> dict[Key, Any]:
    while len(waiting) >= MOST_WAITING:
        waiting.pop(next(iter(waiting)))
    return waiting


def _store_request_headers(record: RequestRecord, headers: dict[str, str]) -> None:
    record.request_headers = headers


def _store_response_headers(record: RequestRecord, headers: dict[str, str]) -> None:
    record.response_headers = headers


def _texts(params: dict[str, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in params.get("headers", {}).items()}
