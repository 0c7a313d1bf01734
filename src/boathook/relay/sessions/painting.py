"""Keeping a tab behind others painted: Chrome lets one that is not drawn paint once a second, and each click waits for that.

A screencast makes Chrome draw it. Ours is as small as possible, and gives way to that of a client.
tests/extension/test_fidelity.py clicks in such a tab.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boathook.relay.extension.extension_connection import Done
    from boathook.relay.send_queue import CdpRefusal
    from boathook.relay.sessions.client_session import ClientSession
    from boathook.relay.sessions.target_session import TargetSession

START = "Page.startScreencast"
STOP = "Page.stopScreencast"
_OURS = {"format": "jpeg", "quality": 1, "maxWidth": 4, "maxHeight": 4, "everyNthFrame": 10_000}


class Painting:
    """The screencasts of one tab."""

    def __init__(self, target_session: TargetSession) -> None:
        self._target_session = target_session
        self._clients: set[ClientSession] = set()

    def begin(self) -> None:
        """The debugger was attached."""
        self._clients.clear()
        if self._target_session.tab.origin == "agent":
            self._target_session.send(START, _OURS, _ignore_reply)

    def handle(self, client_session: ClientSession, method: str, params: dict[str, Any], done: Done) -> None:
        """A client starts or stops its own."""
        if method == START:
            self._clients.add(client_session)
            self._target_session.send(STOP, {}, _ignore_reply)
            self._target_session.send(START, params, done)
            return
        self._clients.discard(client_session)
        if self._clients:
            done({}, None)
            return
        self._target_session.send(STOP, {}, done)
        self.begin()

    def leave(self, client_session: ClientSession) -> None:
        """A client's session has ended."""
        if client_session in self._clients:
            self.handle(client_session, STOP, {}, _ignore_reply)

    def is_ours(self, method: str) -> bool:
        """Whether an event is about our own, and not for clients. Without an acknowledgement, Chrome sends few of its images."""
        return not self._clients and method.startswith("Page.screencast")


def _ignore_reply(_result: dict[str, Any] | None, _error: CdpRefusal | None) -> None:
    """The reply is ignored."""
