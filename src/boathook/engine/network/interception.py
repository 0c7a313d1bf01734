"""Interception: the requests at which a tab's browser stops, and the one answer that each of them gets.

On only while somebody needs it: routes, headers of an origin, a user name and password. Whatever goes wrong, a request
that was stopped at is answered.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from boathook.engine.network.routes import DONE, Changes, answering, continuing, fulfilling
from boathook.engine.network.traffic import Traffic, is_preflight
from boathook.errors import BrowserGone, ProtocolError, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.cdp.session import Session
    from boathook.engine.network.log import NetworkLog
    from boathook.engine.network.routes import Route

    AnswerQuestion = Callable[[Session, dict[str, Any]], None]

MOST_WAITING = 1_000
UNCHANGED = Changes()


class Interception:
    """The Fetch domain of one tab, in all processes of its frames."""

    def __init__(self, log: NetworkLog) -> None:
        self.log = log
        self.traffic = Traffic()
        self.answer_question: AnswerQuestion | None = None
        """Answers servers that ask for a user name and a password; None when nobody does."""
        self._sessions: list[Session] = []
        self._on = False
        self._awaited: dict[tuple[str, str], Route] = {}
        """Requests whose answers a route will change."""
        self._handed_over = False

    def join(self, traffic: Traffic) -> None:
        """Do as the other tabs of the context do."""
        self.traffic = traffic
        traffic.join(self)
        if self._wanted():
            for session in self._sessions:
                _forgotten(self._turn(session))

    def hand_over(self) -> None:
        """Somebody else stops at the requests of this tab, and answers them all."""
        self._handed_over = True
        self.traffic.leave(self)

    def watch(self, session: Session, *, main: bool) -> None:
        """Listen on a session; frames of other processes are stopped at for themselves."""
        if main:
            self._sessions.clear()
        self._sessions.append(session)
        session.on("Fetch.requestPaused", lambda params: self._on_paused(session, params))
        session.on("Fetch.authRequired", lambda params: self._on_question(session, params))
        if self._wanted():
            _forgotten(self._turn(session))

    async def refresh(self) -> None:
        """Stop at what is needed now; Unsupported when the browser cannot."""
        if not self._wanted() and not self._on:
            return
        replies = [self._turn(session) for session in self._sessions]
        results = await asyncio.gather(*replies, return_exceptions=True)
        refused = results[0] if results else None
        if isinstance(refused, ProtocolError | Unsupported):
            raise Unsupported(f"this browser does not stop at requests: {refused}") from refused

    def _wanted(self) -> bool:
        return not self._handed_over and (self.traffic.intercepts or self.answer_question is not None)

    def _turn(self, session: Session) -> asyncio.Future[dict[str, Any]]:
        self._on = self._wanted()
        if not self._on:
            return session.post("Fetch.disable")
        patterns = [{"urlPattern": "*", "requestStage": "Request"}]
        if self.traffic.changes_answers:
            patterns.append({"urlPattern": "*", "requestStage": "Response"})
        return session.post(
            "Fetch.enable", patterns=patterns, handleAuthRequests=self.answer_question is not None
        )

    def _on_question(self, session: Session, params: dict[str, Any]) -> None:
        if self.answer_question is not None:
            self.answer_question(session, params)
            return
        answer = {"response": "Default"}
        _forgotten(
            session.post(
                "Fetch.continueWithAuth", requestId=params["requestId"], authChallengeResponse=answer
            )
        )

    def _on_paused(self, session: Session, params: dict[str, Any]) -> None:
        if self._handed_over:
            return
        if "responseStatusCode" in params or "responseErrorReason" in params:
            self._at_answer(session, params)
        else:
            self._at_request(session, params)

    def _at_request(self, session: Session, params: dict[str, Any]) -> None:
        asked = params["request"]
        extra = self.traffic.headers_for(str(asked.get("url", "")))
        route = self.traffic.met(params)
        if route is None:
            words = continuing(UNCHANGED, asked, extra=extra)
            self._answer(session, params, "Fetch.continueRequest", words)
            return
        self.log.routed(session, params, DONE[route.action])
        method, words = _decided(route, asked, extra)
        if route.changes.of_answer:
            self._await_answer(session, params, route)
        if not route.delay_seconds:
            self._answer(session, params, method, words, route=route)
            return
        asyncio.get_running_loop().call_later(
            route.delay_seconds, lambda: self._answer(session, params, method, words, route=route)
        )

    def _await_answer(self, session: Session, params: dict[str, Any], route: Route) -> None:
        while len(self._awaited) >= MOST_WAITING:
            self._awaited.pop(next(iter(self._awaited)))
        self._awaited[session.id, params["requestId"]] = route

    def _at_answer(self, session: Session, params: dict[str, Any]) -> None:
        route = self._awaited.pop((session.id, params["requestId"]), None)
        if route is None or "responseErrorReason" in params:
            self._answer(session, params, "Fetch.continueResponse", {})
            return
        words = answering(route.changes, params)
        self._answer(session, params, "Fetch.continueResponse", words, route=route)

    def _answer(
        self,
        session: Session,
        params: dict[str, Any],
        method: str,
        words: dict[str, Any],
        *,
        route: Route | None = None,
    ) -> None:
        """Answer, and when the browser will not have that answer, fail the request rather than leave it waiting."""

        def look(reply: asyncio.Future[dict[str, Any]]) -> None:
            error = None if reply.cancelled() else reply.exception()
            if isinstance(error, ProtocolError) and words:
                if route is not None:
                    route.trouble = error.text[:200]
                with suppress(BrowserGone):
                    _forgotten(
                        session.post("Fetch.failRequest", requestId=params["requestId"], errorReason="Failed")
                    )

        with suppress(BrowserGone):  # then there is nobody left who waits
            session.post(method, requestId=params["requestId"], **words).add_done_callback(look)


def _decided(route: Route, asked: dict[str, Any], extra: Any) -> tuple[str, dict[str, Any]]:
    if route.action == "abort":
        return "Fetch.failRequest", {"errorReason": route.reason}
    if route.action == "fulfill":
        return "Fetch.fulfillRequest", fulfilling(route.answer, asked, preflight=is_preflight(asked))
    return "Fetch.continueRequest", continuing(route.changes, asked, extra=extra)


def _forgotten(reply: asyncio.Future[dict[str, Any]]) -> None:
    reply.add_done_callback(lambda done: done.cancelled() or done.exception())
