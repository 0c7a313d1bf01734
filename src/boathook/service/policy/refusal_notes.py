"""Blocked requests as text: what pages requested and did not get, for the notes of a result."""

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
"""Hosts that Chromium contacts by itself, whatever its switches; not reported, unless a page requests them too."""


def refusals_so_far(browser: Browser) -> int:
    """A mark for later."""
    return browser.egress.refused if browser.egress is not None else 0


def refusal_note(browser: Browser, *, since: int) -> str:
    """One line about what was blocked after a mark; empty if nothing was."""
    if browser.egress is None:
        return _describe_stray_tabs(browser)
    refused = browser.egress.blocked_since(since)
    refused = tuple(
        refusal
        for refusal in refused
        if refusal.host not in BROWSERS_OWN or _is_asked_by_page(browser, refusal.host)
    )
    if not refused:
        return ""
    hosts = list(dict.fromkeys(refusal.host for refusal in refused))
    shown = ", ".join(hosts[:MOST_HOSTS]) + (
        f" and {len(hosts) - MOST_HOSTS} more" if len(hosts) > MOST_HOSTS else ""
    )
    many = "1 request was" if len(refused) == 1 else f"{len(refused)} requests were"
    return f"{many} blocked by the limits on hosts: {shown}"


def _describe_stray_tabs(browser: Browser) -> str:
    """Tabs on pages that are not allowed: in a browser that is not ours such navigations cannot be prevented."""
    for tab in browser.tabs if browser.host_policy.limited else ():
        try:
            browser.host_policy.check(tab.url)
        except PolicyBlocked as error:
            return f"tab {tab.id} is on a page that is not allowed: {error.message}"
        except BadUrl:
            continue
    return ""


def _is_asked_by_page(browser: Browser, host: str) -> bool:
    return any(f"//{host}" in request.url for tab in browser.tabs for request in tab.network.since(0))
