"""One Chrome profile with our extension: its tabs, the user's settings, and its clients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.relay.extension.protocol import Event, ExtensionRequest
from boathook.relay.rules.site_rules import SiteRules
from boathook.relay.sessions.closed_popups import ClosedPopups
from boathook.relay.sessions.downloads import Downloads
from boathook.relay.sessions.permission_commands import GrantedPermissions
from boathook.relay.sessions.user_tab import RelayTab

if TYPE_CHECKING:
    from boathook.relay.extension.extension_connection import ExtensionConnection
    from boathook.relay.sessions.cdp_client import CdpClient

_BY_BROWSER = frozenset({"target_closed", "canceled_by_user"})


class RelayProfile:
    """Kept over reconnections of the same installation; without a connection it has no tabs."""

    def __init__(self, install_id: str) -> None:
        self.install_id = install_id
        self.link: ExtensionConnection | None = None
        self.version = ""
        self.user_agent = ""
        self.browser = ""
        self.browser_version = ""
        self.settings: dict[str, Any] = {}
        self.stopped = ""
        self.tabs: dict[int, RelayTab] = {}
        self.clients: list[CdpClient] = []
        self.downloads = Downloads(self)
        self.permissions = GrantedPermissions(self)
        self._popups = ClosedPopups(self)

    @property
    def is_connected(self) -> bool:
        """Whether tabs can be reached."""
        return self.link is not None

    @property
    def product(self) -> str:
        """`Chrome/156.0.0.0`, with the whole version if the extension knows it."""
        if self.browser_version:
            return f"Chrome/{self.browser_version}"
        words = [word for word in self.user_agent.split() if word.startswith(("Chrome/", "HeadlessChrome/"))]
        return words[0] if words else "Chrome/0"

    def on_connect(self, link: ExtensionConnection, params: dict[str, Any]) -> None:
        """The extension has connected and reported its state."""
        self.link = link
        self.settings, self.stopped = params["settings"], params["stopped"]
        for row in params["tabs"]:
            self._on_changed(row, {"created": True})
        self.tidy()
        self.permissions.on_connect()

    def on_disconnect(self) -> None:
        """The extension has disconnected: sessions end, clients stay."""
        link, self.link = self.link, None
        if link is not None:
            link.on_disconnect()
        for tab_id in list(self.tabs):
            self._on_gone(tab_id, "the extension disconnected")

    def on_message(self, method: str, params: dict[str, Any]) -> None:
        """A browser event."""
        if method == Event.DEBUGGER_EVENT:
            self._event(params)
        elif method == Event.TAB_CHANGED:
            self._on_changed(params["tab"], params["changed"])
        elif method == Event.TAB_GONE:
            self._on_gone(params["tabId"], params["why"])
        elif method == Event.TAB_DETACHED:
            tab = self.tabs.get(params["tabId"])
            if tab is not None:
                tab.on_detached(params["reason"], by_browser=params["reason"] in _BY_BROWSER)
        elif method == Event.SETTINGS:
            self._on_settings(params)
        elif method == Event.STOPPED:
            self._on_stopped(params["why"])
        elif method == Event.DOWNLOAD:
            self.downloads.on_item(params)

    def _on_settings(self, settings: dict[str, Any]) -> None:
        """The extension reports tabs of denied sites as gone a moment later, and the next client may connect in between."""
        self.settings = settings
        for tab in list(self.tabs.values()):
            tab.apply_settings(settings)
            if why := tab.rules.why_not(tab.url):
                self._on_denied(tab, why)

    def _event(self, params: dict[str, Any]) -> None:
        tab = self.tabs.get(params["tabId"])
        if tab is None:
            return
        session_id = params.get("sessionId")
        target_session = tab.root if session_id is None else tab.children.get(session_id)
        if target_session is None:
            return
        told = params.get("params") or {}
        if target_session is tab.root and (
            url := address_after(params["method"], told, frame_id=tab.target_id)
        ):
            if why := tab.rules.why_not(url) or tab.rules.why_not(
                told.get("frame", {}).get("securityOrigin", "")
            ):
                self._on_denied(tab, why)
                return
            self._on_arrival(tab, url)
        if params["method"] == "Page.windowOpen":
            self._popups.on_window_open(tab, told)
        elif params["method"] == "Page.downloadWillBegin":
            self.downloads.on_begin(tab, told)
        target_session.on_event(params["method"], told)

    def _on_denied(self, tab: RelayTab, why: str) -> None:
        """A document that no request was made for, such as one restored from memory: the tab no longer exists for clients."""
        tab.link.post(ExtensionRequest.TAB_DETACH, {"tabId": tab.tab_id}, lambda _result, _error: None)
        self._on_gone(tab.tab_id, why)

    def _on_arrival(self, tab: RelayTab, url: str) -> None:
        """The debugger reports this a moment before the extension's list does, and the next client may connect in between."""
        if url != tab.url:
            tab.url = url
            for client in self.clients_of(tab):
                client.on_tab_change(tab)

    def _on_changed(self, row: dict[str, Any], changed: dict[str, Any]) -> None:
        if not row["targetId"] or self.link is None or SiteRules.of(self.settings).why_not(row["url"]):
            return
        tab = self.tabs.get(row["tabId"])
        if tab is not None and tab.target_id != row["targetId"]:
            self._on_gone(tab.tab_id, "the tab was discarded")
            tab = None
        if tab is None:
            tab = self.tabs[row["tabId"]] = RelayTab(self.link, row)
            tab.apply_settings(self.settings)
            tab.owner = self._opener_client(tab)
            self._popups.on_tab_open(tab)
            for client in self.clients_of(tab):
                client.on_tab_open(tab)
            return
        before = (tab.url, tab.title)
        tab.update(row)
        if changed.get("status") == "loading" or tab.url != before[0]:
            tab.on_moved()
        if tab.status == "complete":
            tab.on_loaded()
        if (tab.url, tab.title) != before:
            for client in self.clients_of(tab):
                client.on_tab_change(tab)

    def announce_closed(self, row: dict[str, Any]) -> None:
        """A tab that is already closed."""
        self._on_changed(row, {"created": True})
        self._on_gone(row["tabId"], "the tab was closed")

    def _on_gone(self, tab_id: int, why: str) -> None:
        tab = self.tabs.pop(tab_id, None)
        if tab is None:
            return
        tab.on_gone(why)
        for client in self.clients_of(tab):
            client.on_tab_close(tab)

    def _on_stopped(self, why: str) -> None:
        self.stopped = why
        if why:
            for tab in self.tabs.values():
                tab.on_detached("the user has taken over")

    def clients_of(self, tab: RelayTab) -> list[CdpClient]:
        """Those for which the tab exists."""
        return [client for client in self.clients if client.may_use(tab)]

    def _opener_client(self, tab: RelayTab) -> CdpClient | None:
        """With owned tabs: the client that created a tab, or the owner of the tab that opened it."""
        if tab.is_users:
            return None
        opener = self.tabs.get(tab.opener) if tab.opener is not None else None
        creators = (client for client in self.clients if client.creator_key == tab.creator)
        found = next(creators, opener.owner if opener is not None else None)
        return found if found is not None and found.owns_tabs else None

    def set_owner(self, tab: RelayTab, owner: CdpClient) -> None:
        """A client is the first one to use a tab; for the others it does not exist from now on."""
        tab.owner = owner
        for client in self.clients:
            if not client.may_use(tab):
                client.on_tab_taken(tab)

    def opener_of(self, tab: RelayTab) -> str | None:
        """The target id of the tab that opened it."""
        opener = self.tabs.get(tab.opener) if tab.opener is not None else None
        return opener.target_id if opener is not None else None

    def add_client(self, client: CdpClient) -> None:
        """A client has connected to this profile."""
        self.clients.append(client)
        self.announce_drivers()

    def remove_client(self, client: CdpClient) -> None:
        """A client has disconnected; with the last one, every debugger is detached that the user did not attach."""
        if client in self.clients:
            self.clients.remove(client)
        for tab in self.tabs.values():
            if client.has_driven(tab) and not tab.root.client_sessions:
                self._let_go(tab, "its client disconnected")
            if tab.owner is client:
                tab.owner = None
                for other in self.clients:
                    other.on_tab_open(tab)
        self.announce_drivers()
        self.permissions.follow()
        self.tidy()

    def _let_go(self, tab: RelayTab, why: str) -> None:
        """Detach the debugger, and with it end what was emulated, unless the user attached it."""
        if self.link is None:
            return
        if tab.origin != "manual":
            self.link.post(ExtensionRequest.TAB_DETACH, {"tabId": tab.tab_id}, lambda _result, _error: None)
        tab.on_detached(why)

    def tidy(self) -> None:
        """Without clients there is no debugger either, except for tabs that the user shared manually."""
        if self.clients or self.link is None:
            return
        for tab in self.tabs.values():
            self._let_go(tab, "the last client disconnected")

    def announce_drivers(self) -> None:
        """Send the popup which client controls what."""
        if self.link is None:
            return
        names = {
            str(tab.tab_id): sorted({client.label for client in self.clients if client.has_driven(tab)})
            for tab in self.tabs.values()
        }
        shown = {tab_id: labels for tab_id, labels in names.items() if labels}
        self.link.post(ExtensionRequest.TABS_DRIVERS, shown, lambda _result, _error: None)


def address_after(method: str, params: dict[str, Any], *, frame_id: str) -> str:
    """The URL of a page after an event of its main frame; empty for other events."""
    if method == "Page.frameNavigated" and params["frame"]["id"] == frame_id:
        return str(params["frame"]["url"]) + str(params["frame"].get("urlFragment", ""))
    if method == "Page.navigatedWithinDocument" and params["frameId"] == frame_id:
        return str(params["url"])
    return ""
