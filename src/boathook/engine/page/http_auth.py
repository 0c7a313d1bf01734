"""HTTP authentication: credentials for servers that ask for a user name and password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply
from boathook.errors import BadSetting

if TYPE_CHECKING:
    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.network.routing.interception import Interception


class HttpCredentials:
    """HTTP authentication credentials; requests are intercepted only while some are set."""

    def __init__(self, interception: Interception) -> None:
        self._interception = interception
        self._given: tuple[str, str] | None = None
        self._tried: set[str] = set()

    async def set(self, user: str | None, password: str = "") -> None:
        """Answer with these from now on; None stops that."""
        if user is not None and (not isinstance(user, str) or ":" in user):
            raise BadSetting("a user name must not contain a colon")
        self._given = None if user is None else (user, password)
        self._tried.clear()
        self._interception.answer_question = None if user is None else self._on_question
        await self._interception.refresh()

    def _on_question(self, session: CdpSession, params: dict[str, Any]) -> None:
        """Answer once; a server that asks again has rejected the answer, and the page gets its 401."""
        request = str(params["requestId"])
        answer: dict[str, str] = {"response": "CancelAuth"}
        if self._given is not None and request not in self._tried:
            self._tried.add(request)
            user, password = self._given
            answer = {"response": "ProvideCredentials", "username": user, "password": password}
        ignore_reply(session.post("Fetch.continueWithAuth", requestId=request, authChallengeResponse=answer))
