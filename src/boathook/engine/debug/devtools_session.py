"""The inspector's connection to a tab: developer tools talk to the page through a separate session."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.cdp.connection import LOST
from boathook.cdp.requests import BAD_REQUEST, NO_SESSION, REFUSED, read_request, refusal
from boathook.errors import BoathookError, TabGone

if TYPE_CHECKING:
    from boathook.engine.debug.doorway import Peer
    from boathook.engine.tab import Tab

    Reply = dict[str, Any]

NOTHING = frozenset({"Target.setDiscoverTargets", "Target.setRemoteLocations"})
"""Answered as done without an effect: developer tools request it routinely, and it is about other pages."""
ABOUT_THE_PAGE = frozenset(
    {"Browser.getVersion", "Target.setAutoAttach", "Target.getTargetInfo", "Target.detachFromTarget"}
)
"""Allowed methods about the browser and its targets; all others of these domains reach outside the tab."""
_LEADING_OUT = ("Browser.", "Target.")
PRETENDING = frozenset(
    {
        "Emulation.setEmulatedMedia",
        "Emulation.setEmulatedVisionDeficiency",
        "Emulation.setFocusEmulationEnabled",
        "Network.emulateNetworkConditionsByRule",
        "Network.overrideNetworkState",
        "Network.setBlockedURLs",
    }
)
"""What developer tools disable at startup, before they have enabled it: that would end the emulation of the tab."""
_OFF = ("", None, False, 0, -1, "none")


class Inspector:
    """Forwards messages in both directions; those without a session are about the page.

    What is enabled or attached belongs to a session that the browser created for it, so the tab's own work is not affected.
    """

    def __init__(self, tab: Tab, line: Peer) -> None:
        self._connection = tab.browser.connection
        self._target_id = tab.target_id
        self._line = line
        self._root = ""
        self._page = ""
        self._sessions: set[str] = set()
        """Sessions of frames and workers of the page."""
        self._pretends: set[tuple[str, str]] = set()
        """What the client enabled, and in which session: it may disable that again."""

    async def begin(self) -> None:
        """Attach to the page."""
        reply = await self._connection.send("Target.attachToBrowserTarget")
        self._root = str(reply["sessionId"])
        self._connection.tap(self._root, self._on_root_event)
        options = {"targetId": self._target_id, "flatten": True}
        await self._connection.send("Target.attachToTarget", options, session_id=self._root)

    async def end(self) -> None:
        """Undo everything that was enabled."""
        if not self._root:
            return  # the browser accepts no second client
        for session in (*self._sessions, self._page, self._root):
            # The browser never answers pending commands of a closed session, such as waiting for a style change.
            self._connection.fail_session(session, TabGone("the client disconnected"))
            self._connection.forget_session(session)
        with suppress(BoathookError):
            await self._connection.send("Target.detachFromTarget", {"sessionId": self._root})

    def take(self, raw: bytes) -> None:
        """One message; the browser receives them in order."""
        asked = read_request(raw)
        if asked is None:
            self._tell(refusal(BAD_REQUEST, "not a CDP message"))
            return
        method, params, session, about = asked.method, asked.params, asked.session, asked.about
        if session and session not in self._sessions:
            self._tell(about | refusal(NO_SESSION, "Session with given id not found."))
        elif method in NOTHING or self._turns_off_what_is_not_theirs(method, params, session):
            self._tell(about | {"result": {}})
        elif not self._keeps_to_the_page(method, params):
            self._tell(
                about
                | refusal(REFUSED, f"{method[:80]} is not allowed: it reaches outside the inspected tab")
            )
        else:
            self._forward(method, params, session=session or self._page, about=about)

    def _keeps_to_the_page(self, method: str, params: dict[str, Any]) -> bool:
        if params.get("browserContextId"):
            return False
        if not method.startswith(_LEADING_OUT):
            return True
        known = {"", self._target_id, *self._sessions}
        return method in ABOUT_THE_PAGE and {params.get("targetId", ""), params.get("sessionId", "")} <= known

    def _turns_off_what_is_not_theirs(self, method: str, params: dict[str, Any], session: str) -> bool:
        if method not in PRETENDING or (session, method) in self._pretends:
            return False
        if not _is_off(params):
            self._pretends.add((session, method))
            return False
        return True

    def _forward(self, method: str, params: dict[str, Any], *, session: str, about: Reply) -> None:
        try:
            self._connection.forward(
                method, params, lambda reply: self._tell(about | reply), session_id=session
            )
        except BoathookError as error:
            self._tell(about | refusal(LOST, error.message))

    def _on_root_event(self, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            self._page = str(params["sessionId"])
            self._connection.tap(self._page, lambda method, params: self._on_event("", method, params))
        elif method == "Target.detachedFromTarget":
            self._line.hang_up()  # the page is closed, or has another target now

    def _on_event(self, session: str, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            self._adopt(str(params["sessionId"]))
        self._tell({"method": method, "params": params, **({"sessionId": session} if session else {})})
        if method == "Target.detachedFromTarget":
            self._sessions.discard(str(params["sessionId"]))
            self._connection.forget_session(str(params["sessionId"]))

    def _adopt(self, session: str) -> None:
        self._sessions.add(session)
        self._connection.tap(session, lambda method, params: self._on_event(session, method, params))

    def _tell(self, message: Reply) -> None:
        self._line.send(msgspec.json.encode(message))


def _is_off(value: Any) -> bool:
    """Whether the parameters turn an emulation off in every part."""
    if isinstance(value, dict):
        return all(_is_off(part) for name, part in value.items() if name != "name")
    if isinstance(value, list):
        return all(_is_off(part) for part in value)
    return value in _OFF
