"""Browser-level commands, which a tab's debugger does not support: answered here from our own state."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any

from boathook.cdp.errors_map import NOT_CONNECTED
from boathook.relay.extension.protocol import Event, ExtensionRequest
from boathook.relay.rules.cdp_methods import CONTEXT_ID
from boathook.relay.rules.parameter_types import BAD_PARAMS
from boathook.relay.rules.user_limits import NOT_CLOSED, check_stopped, owned_by
from boathook.relay.send_queue import CdpRefusal
from boathook.relay.sessions.downloads import DownloadBehavior

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from boathook.relay.extension.extension_connection import Done
    from boathook.relay.sessions.cdp_client import CdpClient
    from boathook.relay.sessions.client_session import ClientSession
    from boathook.relay.sessions.user_tab import RelayTab

NOT_FOUND = -32601
GUARD_SECONDS = 10.0
_numbers = itertools.count(1)
_DONE = frozenset(
    {
        "Browser.close",
        "Browser.setWindowBounds",
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
            "Target.activateTarget": self._activate,
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
        elif (found := self._find_later(method)) is not None:
            self._client.answer_later(found(params), done)
        elif method == "Target.createTarget":
            self._client.answer_later(self._create(params), done)
        elif method == "Target.closeTarget":
            self._client.answer_later(self._close(params), done)
        elif method in _DONE:
            done({}, None)
        elif method == "Target.createBrowserContext":
            raise CdpRefusal("only the user's default context is available; open pages in it")
        else:
            raise CdpRefusal(f"'{method}' wasn't found", code=NOT_FOUND)

    def _find_later(
        self, method: str
    ) -> Callable[[dict[str, Any]], Coroutine[Any, Any, dict[str, Any]]] | None:
        """Commands that the extension carries out."""
        client = self._client
        if method == "Browser.cancelDownload":
            return lambda params: client.profile.downloads.cancel(client, params)
        return client.cookies.answers.get(method) or client.permissions.answers.get(method)

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
        self._client.downloads = DownloadBehavior.of(params)
        return {}

    def _window(self, _params: dict[str, Any]) -> dict[str, Any]:
        return {"windowId": 1, "bounds": {"windowState": "normal"}}

    def _discover(self, params: dict[str, Any], asked_on: str) -> dict[str, Any]:
        discovering = self._client.discovering
        if not params.get("discover"):
            discovering.discard(asked_on)
        elif asked_on not in discovering:
            discovering.add(asked_on)
            if {} in (params.get("filter") or []):
                self._client.announce_target("targetCreated", {"targetInfo": _BROWSER}, only=asked_on)
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
        self._find_tab(wanted)
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

    def _activate(self, params: dict[str, Any]) -> dict[str, Any]:
        self._find_tab(params.get("targetId")).activate_soon()
        return {}

    async def _create(self, params: dict[str, Any]) -> dict[str, Any]:
        link = self._client.profile.link
        if link is None:
            raise CdpRefusal("the extension is not connected", code=NOT_CONNECTED)
        check_stopped(self._client.profile.stopped)
        if params.get("browserContextId") not in {None, CONTEXT_ID}:
            raise CdpRefusal("only the user's default context is available", code=BAD_PARAMS)
        # Queried each time, and refused without a reply: a new restriction must not be missed.
        settings = await link.call(ExtensionRequest.SETTINGS_GET, seconds=GUARD_SECONDS)
        if settings.get("noNewTabs") or settings.get("readOnly"):
            raise CdpRefusal("the user does not allow new tabs")
        self._client.take_turn()
        url = params.get("url") or "about:blank"
        if settings.get("lockUrl") and url != "about:blank":
            raise CdpRefusal("the user has locked tabs to their URLs; open about:blank")
        row = await link.call(ExtensionRequest.TAB_CREATE, url=url, creator=self._client.creator_key)
        self._client.own_tabs.add_requested(row["tabId"])
        self._client.profile.on_message(Event.TAB_CHANGED, {"tab": row, "changed": {"created": True}})
        if (tab := self._client.profile.tabs.get(row["tabId"])) is not None:
            self._client.own_tabs.see(tab)
        return {"targetId": str(row["targetId"])}

    async def _close(self, params: dict[str, Any]) -> dict[str, Any]:
        profile = self._client.profile
        tab = self._find_tab(params.get("targetId"))
        if profile.settings.get("readOnly") or profile.stopped:
            raise CdpRefusal("the user does not allow closing tabs")
        if tab.is_users:
            if self._client.is_auto_attaching:  # after the answer
                asyncio.get_running_loop().call_soon(self._client.leave_tab, tab)
            raise CdpRefusal(NOT_CLOSED)
        tab.is_closing = True  # its frames end with it, and not before, for clients
        try:
            await tab.link.call(ExtensionRequest.TAB_CLOSE, tabId=tab.tab_id)
        finally:
            tab.is_closing = False
        profile.on_message(Event.TAB_GONE, {"tabId": tab.tab_id, "why": "closed by a client"})
        return {"success": True}

    def _tabs(self) -> list[RelayTab]:
        return [tab for tab in self._client.profile.tabs.values() if self._client.may_use(tab)]

    def _find_tab(self, target_id: Any) -> RelayTab:
        for tab in self._client.profile.tabs.values():
            if tab.target_id == target_id:
                if not self._client.may_use(tab):
                    raise CdpRefusal(owned_by(tab))
                return tab
        raise CdpRefusal("No target with given id found", code=BAD_PARAMS)


def _public_info(info: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in info.items() if name != "waitingForDebugger"}
