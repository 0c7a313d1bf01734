"""Early requests: those of popups and of frames in other processes, sent before we could attach to their targets.

While a context has routes, the whole browser intercepts requests too, after the tabs. Requests that a tab has decided
about continue; those that no tab has seen are decided here, by their context. Requests of other contexts continue.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from boathook.engine.network.routing.paused_requests import Stop, Stops, patterns_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.cdp.connection import Connection
    from boathook.engine.network.routing.traffic import Traffic

    TrafficOf = Callable[[str], Traffic | None]


class EarlyRequests:
    """The Fetch domain of a browser as a whole."""

    def __init__(self, connection: Connection, *, traffic_of: TrafficOf) -> None:
        self._connection = connection
        self._traffic_of = traffic_of
        """The traffic that a frame belongs to, by the frame's id; None if that is not known."""
        self._stops = Stops()
        self._needing: set[Traffic] = set()
        self._listening = False
        self._on = False

    async def serve(self, traffic: Traffic) -> None:
        """Enabled while any context needs it; a browser without support only misses the earliest requests."""
        if traffic.intercepts:
            self._needing.add(traffic)
        else:
            self._needing.discard(traffic)
        if not self._needing and not self._on:
            return
        if not self._listening:
            self._listening = True
            self._connection.on("Fetch.requestPaused", lambda params, _session: self._on_paused(params))
        self._on = bool(self._needing)
        answers = any(traffic.changes_answers for traffic in self._needing)
        words = {"patterns": patterns_for(answers=answers)} if self._on else {}
        reply = self._connection.post("Fetch.enable" if self._on else "Fetch.disable", words)
        await asyncio.gather(reply, return_exceptions=True)

    def _on_paused(self, params: dict[str, Any]) -> None:
        stop = Stop(self._connection, "", params)
        traffic = self._traffic_of(str(params.get("frameId", "")))
        if traffic is None or not traffic.intercepts or (not stop.at_answer and traffic.is_decided(params)):
            stop.pass_on()
            return
        self._stops.decide(stop, traffic, told=lambda _done: None)
