"""Interception: a tab's browser pauses requests, but only while that is needed.

Routes, headers of an origin, and HTTP authentication share the one protocol domain for it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply
from boathook.engine.network.routing.paused_requests import Stop, Stops, patterns_for
from boathook.engine.network.routing.traffic import Traffic
from boathook.errors import ProtocolError, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.network.log.network_log import NetworkLog

    AnswerQuestion = Callable[[CdpSession, dict[str, Any]], None]


class Interception:
    """The Fetch domain of one tab, in all processes of its frames."""

    def __init__(self, log: NetworkLog) -> None:
        self.log = log
        self.traffic = Traffic()
        self.answer_question: AnswerQuestion | None = None
        """Answers HTTP authentication requests; None if there are no credentials."""
        self._sessions: list[CdpSession] = []
        self._stops = Stops()
        self._on = False
        self._handed_over = False

    def join(self, traffic: Traffic) -> None:
        """Do as the other tabs of the context do."""
        self.traffic = traffic
        traffic.join(self)
        if self._is_needed():
            for session in self._sessions:
                ignore_reply(self._turn(session))

    def hand_over(self) -> None:
        """Another client intercepts the requests of this tab, and answers them all."""
        self._handed_over = True
        self.traffic.leave(self)

    def watch(self, session: CdpSession, *, main: bool) -> None:
        """Listen on a session; frames of other processes are intercepted separately."""
        if main:
            self._sessions.clear()
        self._sessions.append(session)
        session.on("Fetch.requestPaused", lambda params: self._on_paused(session, params))
        session.on("Fetch.authRequired", lambda params: self._on_question(session, params))
        if self._is_needed():
            ignore_reply(self._turn(session))

    async def refresh(self) -> None:
        """Intercept what is needed now; Unsupported if the browser cannot."""
        if not self._is_needed() and not self._on:
            return
        replies = [self._turn(session) for session in self._sessions]
        results = await asyncio.gather(*replies, return_exceptions=True)
        refused = results[0] if results else None
        if isinstance(refused, ProtocolError | Unsupported):
            raise Unsupported(f"this browser does not support request interception: {refused}") from refused

    def _is_needed(self) -> bool:
        return not self._handed_over and (self.traffic.intercepts or self.answer_question is not None)

    def _turn(self, session: CdpSession) -> asyncio.Future[dict[str, Any]]:
        self._on = self._is_needed()
        if not self._on:
            return session.post("Fetch.disable")
        return session.post(
            "Fetch.enable",
            patterns=patterns_for(answers=self.traffic.changes_answers),
            handleAuthRequests=self.answer_question is not None,
        )

    def _on_question(self, session: CdpSession, params: dict[str, Any]) -> None:
        if self.answer_question is not None:
            self.answer_question(session, params)
            return
        answer = {"response": "Default"}
        ignore_reply(
            session.post(
                "Fetch.continueWithAuth", requestId=params["requestId"], authChallengeResponse=answer
            )
        )

    def _on_paused(self, session: CdpSession, params: dict[str, Any]) -> None:
        if self._handed_over:
            return
        stop = Stop(session.connection, session.id, params)
        route = self._stops.decide(
            stop, self.traffic, told=lambda done: self.log.note_route(session, params, done)
        )
        if not stop.at_answer:
            self.traffic.note_continued(params, route)
