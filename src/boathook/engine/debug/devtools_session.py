"""The inspector's connection to a tab: developer tools talk to the page through a separate session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.cdp.proxy_session import CdpProxy
from boathook.cdp.requests import REFUSED, refusal

if TYPE_CHECKING:
    from boathook.cdp.requests import ClientCommand
    from boathook.engine.tab import Tab
    from boathook.local_server.token_websocket import Peer

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


class Inspector(CdpProxy):
    """Developer tools of another browser: messages without a session are about the page."""

    def __init__(self, tab: Tab, line: Peer) -> None:
        super().__init__(tab.browser.connection, send=line.send)
        self._target_id = tab.target_id
        self._line = line
        self._page = ""
        self._pretends: set[tuple[str, str]] = set()
        """What the client enabled, and in which session: it may disable that again."""

    async def begin(self) -> None:
        """Attach to the page."""
        await super().begin()
        options = {"targetId": self._target_id, "flatten": True}
        await self._connection.send("Target.attachToTarget", options, session_id=self._root)

    async def end(self) -> None:
        """Undo everything that was enabled."""
        if self._page:
            self._sessions.add(self._page)
        await super().end()

    def _handle(self, asked: ClientCommand) -> None:
        method, params, session, about = asked.method, asked.params, asked.session, asked.about
        if method in NOTHING or self._refuses_domain_disable(method, params, session):
            self._deliver(about | {"result": {}})
        elif not self._keeps_to_the_page(method, params):
            self._deliver(
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

    def _refuses_domain_disable(self, method: str, params: dict[str, Any], session: str) -> bool:
        if method not in PRETENDING or (session, method) in self._pretends:
            return False
        if not _is_off(params):
            self._pretends.add((session, method))
            return False
        return True

    def _on_root_event(self, method: str, params: dict[str, Any]) -> None:
        if method == "Target.attachedToTarget":
            self._page = str(params["sessionId"])
            self._connection.tap(self._page, lambda method, params: self._on_event("", method, params))
        elif method == "Target.detachedFromTarget":
            self._line.hang_up()  # the page is closed, or has another target now


def _is_off(value: Any) -> bool:
    """Whether the parameters turn an emulation off in every part."""
    if isinstance(value, dict):
        return all(_is_off(part) for name, part in value.items() if name != "name")
    if isinstance(value, list):
        return all(_is_off(part) for part in value)
    return value in _OFF
