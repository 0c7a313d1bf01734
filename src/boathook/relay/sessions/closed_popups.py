"""Popups that a page closes while it opens them: they may never become a tab, and clients wait for them anyway."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any

from boathook.relay.extension.protocol import ExtensionRequest

if TYPE_CHECKING:
    from boathook.relay.send_queue import CdpRefusal
    from boathook.relay.sessions.profile import RelayProfile
    from boathook.relay.sessions.user_tab import RelayTab

GRACE_SECONDS = 3.0
"""A window that stays may become a tab only after its page and the extension have answered."""
_numbers = itertools.count(1)


class ClosedPopups:
    """`_expected` are the windows that pages have opened, by the tab of the page, and that are not known as tabs yet."""

    def __init__(self, profile: RelayProfile) -> None:
        self._profile = profile
        self._expected: dict[int, list[str]] = {}

    def on_window_open(self, tab: RelayTab, params: dict[str, Any]) -> None:
        """A page opened a window. One that stays is a tab soon after the page and the extension have answered.

        Without a gesture, Chrome may have blocked it.
        """
        url = params.get("url") or "about:blank"
        settings = self._profile.settings
        if not params.get("userGesture") or settings.get("noNewTabs") or tab.rules.why_not(url):
            return
        self._expected.setdefault(tab.tab_id, []).append(url)

        def on_page(_result: dict[str, Any] | None, _error: CdpRefusal | None) -> None:
            tab.link.post(ExtensionRequest.TABS_SETTLED, {}, on_settled)

        def on_settled(result: dict[str, Any] | None, _error: CdpRefusal | None) -> None:
            is_known = result is not None  # an older extension does not answer
            asyncio.get_running_loop().call_later(GRACE_SECONDS, on_late, is_known)

        def on_late(is_known: bool) -> None:  # noqa: FBT001 - an argument of a timer
            expected = self._expected.get(tab.tab_id, [])
            if url in expected:
                expected.remove(url)
                if is_known and self._profile.tabs.get(tab.tab_id) is tab:
                    self._announce(tab, url)

        tab.root.send("Runtime.evaluate", {"expression": "0"}, on_page)

    def on_tab_open(self, tab: RelayTab) -> None:
        """A window is known as a tab."""
        expected = self._expected.get(-1 if tab.opener is None else tab.opener, [])
        if expected:
            expected.remove(tab.url if tab.url in expected else expected[0])

    def _announce(self, opener: RelayTab, url: str) -> None:
        number = next(_numbers)
        row = {
            "tabId": -number,
            "targetId": f"closed-{number}",
            "url": url,
            "title": "",
            "status": "complete",
            "origin": "agent",
            "openerTabId": opener.tab_id,
        }
        self._profile.announce_closed(row)
