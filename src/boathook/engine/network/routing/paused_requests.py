"""Paused requests: the browser waits for our decision, and each gets exactly one.

Whatever goes wrong, a paused request is answered.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply
from boathook.engine.network.routing.routes import DONE, RequestChanges, answering, continuing, fulfilling
from boathook.engine.network.routing.traffic import is_preflight
from boathook.errors import BrowserGone, ProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boathook.cdp.connection import Connection
    from boathook.engine.network.routing.routes import Route
    from boathook.engine.network.routing.traffic import Traffic

MOST_WAITING = 1_000
_UNCHANGED = RequestChanges()


@dataclass(frozen=True, slots=True)
class Stop:
    """One paused request."""

    connection: Connection
    session_id: str
    params: dict[str, Any] = field(repr=False)

    @property
    def asked(self) -> dict[str, Any]:
        """The request, as the browser reports it."""
        asked: dict[str, Any] = self.params["request"]
        return asked

    @property
    def at_answer(self) -> bool:
        """Whether the server has already responded."""
        return "responseStatusCode" in self.params or "responseErrorReason" in self.params

    def answer(self, method: str, words: Mapping[str, Any], *, route: Route | None = None) -> None:
        """Answer; if the browser rejects the answer, the request fails instead of hanging."""

        def look(reply: asyncio.Future[dict[str, Any]]) -> None:
            error = None if reply.cancelled() else reply.exception()
            if isinstance(error, ProtocolError) and words:
                if route is not None:
                    route.trouble = error.text[:200]
                self.fail()

        with suppress(BrowserGone):  # then nothing waits for it
            self._post(method, words).add_done_callback(look)

    def fail(self) -> None:
        """Let the request fail."""
        with suppress(BrowserGone):
            reply = self._post("Fetch.failRequest", {"errorReason": "Failed"})
            ignore_reply(reply)

    def pass_on(self) -> None:
        """Continue it unchanged."""
        self.answer("Fetch.continueResponse" if self.at_answer else "Fetch.continueRequest", {})

    def _post(self, method: str, words: Mapping[str, Any]) -> asyncio.Future[dict[str, Any]]:
        told = {"requestId": self.params["requestId"], **words}
        return self.connection.post(method, told, session_id=self.session_id)


class Stops:
    """Decides about paused requests by their traffic."""

    def __init__(self) -> None:
        self._awaited: dict[tuple[str, str], Route] = {}
        """Requests whose responses a route will change."""

    def decide(self, stop: Stop, traffic: Traffic, *, told: Callable[[str], None]) -> Route | None:
        """Answer a paused request; `told` receives what a route does to it. Returns the route."""
        decided = False
        try:
            route = self._at_answer(stop) if stop.at_answer else self._at_request(stop, traffic, told)
            decided = True
            return route
        finally:
            if not decided:
                stop.fail()

    def _at_request(self, stop: Stop, traffic: Traffic, told: Callable[[str], None]) -> Route | None:
        extra = traffic.headers_for(str(stop.asked.get("url", "")))
        route = traffic.match_route(stop.params)
        if route is None:
            stop.answer("Fetch.continueRequest", continuing(_UNCHANGED, stop.asked, extra=extra))
            return None
        told(DONE[route.action])
        method, words = _decide_action(route, stop.asked, extra)
        if route.changes.of_answer:
            self._await_answer(stop, route)
        if not route.delay_seconds:
            stop.answer(method, words, route=route)
        else:
            loop = asyncio.get_running_loop()
            loop.call_later(route.delay_seconds, lambda: stop.answer(method, words, route=route))
        return route

    def _await_answer(self, stop: Stop, route: Route) -> None:
        while len(self._awaited) >= MOST_WAITING:
            self._awaited.pop(next(iter(self._awaited)))
        self._awaited[stop.session_id, stop.params["requestId"]] = route

    def _at_answer(self, stop: Stop) -> Route | None:
        route = self._awaited.pop((stop.session_id, stop.params["requestId"]), None)
        if route is None or "responseErrorReason" in stop.params:
            stop.pass_on()
        else:
            stop.answer("Fetch.continueResponse", answering(route.changes, stop.params), route=route)
        return route


def patterns_for(*, answers: bool) -> list[dict[str, str]]:
    """Where the browser pauses: at all requests, and at their responses if those may be changed."""
    stages = ("Request", "Response") if answers else ("Request",)
    return [{"urlPattern": "*", "requestStage": stage} for stage in stages]


def _decide_action(
    route: Route, asked: Mapping[str, Any], extra: Mapping[str, str]
) -> tuple[str, Mapping[str, Any]]:
    if route.action == "abort":
        return "Fetch.failRequest", {"errorReason": route.reason}
    if route.action == "fulfill":
        return "Fetch.fulfillRequest", fulfilling(route.answer, asked, preflight=is_preflight(asked))
    return "Fetch.continueRequest", continuing(route.changes, asked, extra=extra)
