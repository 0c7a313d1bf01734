"""The tabs that a client has opened, those that they opened, and other tabs of programs that it uses: what it may change for a whole site follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.relay.rules.site_rules import host_of
from boathook.relay.sessions.placeholder import origin_of

if TYPE_CHECKING:
    from boathook.relay.sessions.user_tab import RelayTab


class OwnTabs:
    """`hosts` are those of all documents that the tabs have shown."""

    def __init__(self) -> None:
        self._tabs: dict[int, RelayTab] = {}
        self._requested: set[int] = set()
        self.hosts: set[str] = set()

    def add_requested(self, tab_id: int) -> None:
        """The client opened or uses this tab of a program, which may not be announced yet."""
        self._requested.add(tab_id)

    def __contains__(self, tab: RelayTab) -> bool:
        return self._tabs.get(tab.tab_id) is tab

    def __bool__(self) -> bool:
        return bool(self._tabs)

    def see(self, tab: RelayTab) -> None:
        """A tab is at another URL, or new."""
        if tab.tab_id in self._requested or tab.opener in self._tabs:
            self._tabs[tab.tab_id] = tab
        if tab in self and (host := host_of(tab.url)):
            self.hosts.add(host)

    def forget(self, tab: RelayTab) -> None:
        """A tab is closed."""
        if tab in self:
            del self._tabs[tab.tab_id]
            self._requested.discard(tab.tab_id)

    def origins(self) -> set[str]:
        """The origins of the documents that they show now."""
        return {origin_of(tab.url) for tab in self._tabs.values() if host_of(tab.url)}
