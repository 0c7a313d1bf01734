"""Browser-level commands, which a tab's debugger does not support: answered here from our own state."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from boathook.relay.extension.protocol import Event, ExtensionRequest
from boathook.relay.rules.cdp_methods import CONTEXT_ID
from boathook.relay.send_queue import CdpRefusal

if TYPE_CHECKING:
    from boathook.relay.extension.extension_connection import Done
    from boathook.relay.sessions.cdp_client import CdpClient
    from boathook.relay.sessions.client_session import ClientSession
    from boathook.relay.sessions.user_tab import RelayTab

NOT_FOUND = -32601
BAD_PARAMS = -32602
GUARD_SECONDS = 10.0
_numbers = itertools.count(1)
_DONE = frozenset(
    {
        "Browser.close",
        "Browser.setWindowBounds",
        "Browser.grantPermissions",
        "Browser.resetPermissions",
        "Browser.setPermission",
        "Target.activateTarget",
        "Target.setRemoteLocations",
    }
)
"""Answered as done without an effect: they would affect the user's own browser."""
_BROWSER = {
    "targetId": "browser",
    "type": "browser",
    "title": "",
    "url": "",
    "attached": True,
    "canAccessOpener": False,
    "browserContextId": CONTEXT_ID,
}


class BrowserCommands:
    """The browser-level commands of one client; `sessions` are those that it opened on the browser itself."""

    def __init__(self, client: CdpClient) -> None:
        self._client = client
        self.sessions: set[str] = set()
        self._answers = {
            "Browser.getVersion": self._version,
            "Browser.setDownloadBehavior": self._download_behaviour,
            "Browser.getWindowForTarget": self._window,
            "Target.setAutoAttach": self._auto_attach,
            "Target.getTargets": self._targets,
            "Target.getTargetInfo": self._target_info,
            "Target.getBrowserContexts": lambda _params: {
                "browserContextIds": [],
                "defaultBrowserContextId": CONTEXT_ID,
            },
            "Target.detachFromTarget": self._detach,
        }
        self._heard_where_asked = {
            "Target.setDiscoverTargets": self._discover,
            "Target.attachToTarget": self._attach,
            "Target.attachToBrowserTarget": self._attach_browser,
        }

    def handle(
        self,
        method: str,
        params: dict[str, Any],
        done: Done,
        *,
        client_session: ClientSession | None = None,
        session_id: str | None = None,
    ) -> None:
        """Answer one command; an unknown one is an error."""
        answer = self._answers.get(method)
        if method == "Target.getTargetInfo" and not params and client_session is not None:
            done({"targetInfo": self._info_of_session(client_session)}, None)
        elif method == "Target.detachFromTarget" and not params.get("sessionId") and session_id:
            done(self._detach({"sessionId": session_id}), None)
        elif method in self._heard_where_asked:
            done(self._heard_where_asked[method](params, session_id or ""), None)
        elif answer is not None:
            done(answer(params), None)
        elif method == "Target.createTarget":
            self._client.spawn(self._create(params, done))
        elif method == "Target.closeTarget":
            self._client.spawn(self._close(params, done))
        elif method in _DONE:
            done({}, None)
        elif method == "Target.createBrowserContext":
            raise CdpRefusal("only the user's default context is available; open pages in it")
        else:
            raise CdpRefusal(f"'{method}' wasn't found", code=NOT_FOUND)

    def _version(self, _params: dict[str, Any]) -> dict[str, Any]:
        profile = self._client.profile
        return {
            "protocolVersion": "1.3",
            "product": profile.product,
            "revision": "",
            "userAgent": profile.user_agent,
            "jsVersion": "",
        }

    def _download_behaviour(self, params: dict[str, Any]) -> dict[str, Any]:
        self._client.wants_downloads = bool(params.get("eventsEnabled"))
        return {}

    def _window(self, _params: dict[str, Any]) -> dict[str, Any]:
        return {"windowId": 1, "bounds": {"windowState": "normal"}}

    def _discover(self, params: dict[str, Any], asked_on: str) -> dict[str, Any]:
        discovering = self._client.discovering
        if not params.get("discover"):
            discovering.discard(asked_on)
        elif asked_on not in discovering:
            discovering.add(asked_on)
            for tab in self._tabs():
                info = tab.info(attached=tab.tab_id in self._client.primary)
                self._client.announce_target("targetCreated", {"targetInfo": info}, only=asked_on)
        return {}

    def _auto_attach(self, params: dict[str, Any]) -> dict[str, Any]:
        """All targets are announced before this is answered, so that a client's list is complete at once."""
        self._client.is_auto_attaching = bool(params.get("autoAttach"))
        for tab in self._tabs():
            self._client.attach_by_itself(tab)
        return {}

    def _targets(self, _params: dict[str, Any]) -> dict[str, Any]:
        infos = [tab.info(attached=tab.tab_id in self._client.primary) for tab in self._tabs()]
        for tab in self._tabs():
            infos += [_public_info(child.info) for child in tab.children.values()]
        return {"targetInfos": infos}

    def _target_info(self, params: dict[str, Any]) -> dict[str, Any]:
        wanted = params.get("targetId")
        if wanted is None:
            return {"targetInfo": _BROWSER}
        for info in self._targets({})["targetInfos"]:
            if info["targetId"] == wanted:
                return {"targetInfo": info}
        raise CdpRefusal("No target with given id found", code=BAD_PARAMS)

    def _info_of_session(self, client_session: ClientSession) -> dict[str, Any]:
        if client_session.target_session.session_id is None:
            tab = client_session.target_session.tab
            return tab.info(opener_id=self._client.profile.opener_of(tab))
        return _public_info(client_session.target_session.info)

    def _attach_browser(self, _params: dict[str, Any], asked_on: str) -> dict[str, Any]:
        session_id = f"boathook-browser-{next(_numbers)}"
        self.sessions.add(session_id)
        self._announce_session(session_id, _BROWSER, asked_on)
        return {"sessionId": session_id}

    def _attach(self, params: dict[str, Any], asked_on: str) -> dict[str, Any]:
        """A separate session for each call: sharing the first one would mix up what a client awaits on which."""
        wanted = params.get("targetId")
        for tab in self._tabs():
            for target_session in (tab.root, *tab.children.values()):
                if target_session.target_id == wanted:
                    client_session = self._client.add_session(target_session, is_alias=True)
                    client_session.asked_on = asked_on
                    self._announce_session(
                        client_session.session_id, self._info_of_session(client_session), asked_on
                    )
                    return {"sessionId": client_session.session_id}
        raise CdpRefusal("No target with given id found", code=BAD_PARAMS)

    def _announce_session(self, session_id: str, info: dict[str, Any], asked_on: str) -> None:
        """Sent before the reply, on the session of the request, as Chrome does: Puppeteer learns of a session only by this event."""
        info = {**info, "attached": True}
        params = {"sessionId": session_id, "targetInfo": info, "waitingForDebugger": False}
        where = {"sessionId": asked_on} if asked_on else {}
        self._client.send({"method": "Target.attachedToTarget", "params": params, **where})

    def _detach(self, params: dict[str, Any]) -> dict[str, Any]:
        session_id = params.get("sessionId")
        if session_id in self.sessions:
            self.sessions.discard(str(session_id))
            self._client.discovering.discard(str(session_id))
            return {}
        client_session = self._client.sessions.get(str(session_id))
        if client_session is None:
            raise CdpRefusal("No session with given id", code=BAD_PARAMS)
        if self._client.primary.get(client_session.target_session.tab.tab_id) is client_session:
            del self._client.primary[client_session.target_session.tab.tab_id]
        self._client.forget(client_session)
        return {}

    async def _create(self, params: dict[str, Any], done: Done) -> None:
        try:
            done({"targetId": await self._create_tab(params)}, None)
        except CdpRefusal as refusal:
            done(None, refusal)

    async def _create_tab(self, params: dict[str, Any]) -> str:
        link = self._client.profile.link
        if link is None:
            raise CdpRefusal("the extension is not connected")
        if params.get("browserContextId") not in {None, CONTEXT_ID}:
            raise CdpRefusal("only the user's default context is available", code=BAD_PARAMS)
        # Queried each time, and refused without a reply: a new restriction must not be missed.
        settings = await link.call(ExtensionRequest.SETTINGS_GET, seconds=GUARD_SECONDS)
        if settings.get("noNewTabs") or settings.get("readOnly"):
            raise CdpRefusal("the user does not allow new tabs")
        url = params.get("url") or "about:blank"
        if settings.get("lockUrl") and url != "about:blank":
            raise CdpRefusal("the user has locked tabs to their URLs; open about:blank")
        row = await link.call(ExtensionRequest.TAB_CREATE, url=url)
        self._client.profile.on_message(Event.TAB_CHANGED, {"tab": row, "changed": {"created": True}})
        return str(row["targetId"])

    async def _close(self, params: dict[str, Any], done: Done) -> None:
        profile = self._client.profile
        tab = next((tab for tab in self._tabs() if tab.target_id == params.get("targetId")), None)
        if tab is None or profile.link is None:
            done(None, CdpRefusal("No target with given id found", code=BAD_PARAMS))
            return
        if profile.settings.get("readOnly") or profile.stopped:
            done(None, CdpRefusal("the user does not allow closing tabs"))
            return
        try:
            await profile.link.call(ExtensionRequest.TAB_CLOSE, tabId=tab.tab_id)
        except CdpRefusal as refusal:
            done(None, refusal)
            return
        profile.on_message(Event.TAB_GONE, {"tabId": tab.tab_id, "why": "closed by a client"})
        done({"success": True}, None)

    def _tabs(self) -> list[RelayTab]:
        return list(self._client.profile.tabs.values())


def _public_info(info: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in info.items() if name != "waitingForDebugger"}
