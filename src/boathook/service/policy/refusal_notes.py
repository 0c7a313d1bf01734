"""Refusals in words: what pages asked for and did not get, for the notes of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.errors import BadUrl, PolicyBlocked

if TYPE_CHECKING:
    from boathook.engine.browser import Browser

MOST_HOSTS = 5
BROWSERS_OWN = frozenset(
    {
        "accounts.google.com",
        "android.clients.google.com",
        "clients2.google.com",
        "content-autofill.googleapis.com",
        "optimizationguide-pa.googleapis.com",
        "redirector.gvt1.com",
        "safebrowsing.googleapis.com",
        "update.googleapis.com",
    }
)
"""Hosts that Chromium asks by itself, whatever it is told; nobody needs to hear of it, unless a page asks them too."""


def refusals_so_far(browser: Browser) -> int:
    """A mark to ask from later on."""
    return browser.egress.refused if browser.egress is not None else 0


def refusal_note(browser: Browser, *, since: int) -> str:
    """One line about what was refused after a mark; nothing when nothing was."""
    if browser.egress is None:
        return _strayed(browser)
    refused = browser.egress.refused_since(since)
    refused = tuple(
        one for one in refused if one.host not in BROWSERS_OWN or _asked_by_a_page(browser, one.host)
    )
    if not refused:
        return ""
    hosts = list(dict.fromkeys(one.host for one in refused))
    shown = ", ".join(hosts[:MOST_HOSTS]) + (
        f" and {len(hosts) - MOST_HOSTS} more" if len(hosts) > MOST_HOSTS else ""
    )
    many = "1 request was" if len(refused) == 1 else f"{len(refused)} requests were"
    return f"{many} refused by the limits on hosts: {shown}"


def _strayed(browser: Browser) -> str:
    """Tabs that stand where they may not: in a browser that is not ours they cannot be kept from going there."""
    for tab in browser.tabs if browser.reach.limited else ():
        try:
            browser.reach.check(tab.url)
        except PolicyBlocked as error:
            return f"tab {tab.id} has gone where it may not: {error.message}"
        except BadUrl:
            continue
    return ""


def _asked_by_a_page(browser: Browser, host: str) -> bool:
    return any(f"//{host}" in request.url for tab in browser.tabs for request in tab.network.since(0))
