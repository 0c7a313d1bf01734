"""Status routes in the shapes that other programs for the user's own Chrome read; all of them require the token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.local_server.guard import AccessRefusal
from boathook.relay.server.hub import describe_tab

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.relay.server.access import Visitor
    from boathook.relay.server.hub import Hub
    from boathook.relay.sessions.profile import RelayProfile

    Route = Callable[[Visitor], dict[str, Any] | AccessRefusal]

_LIMITS = ("lockUrl", "noNewTabs", "readOnly")


def status_routes(hub: Hub) -> dict[tuple[str, str], Route]:
    """The routes by method and path."""

    def of_profile(answer: Callable[[RelayProfile], dict[str, Any]]) -> Route:
        def route(visitor: Visitor) -> dict[str, Any] | AccessRefusal:
            profile = hub.find_profile(visitor.query.get("profile", ""))
            return profile if isinstance(profile, AccessRefusal) else answer(profile)

        return route

    return {
        ("GET", "/extension/status"): lambda _visitor: _extension_status(hub),
        ("GET", "/attached-tabs"): lambda _visitor: {"tabs": _attached(hub)},
        ("GET", "/restrictions"): of_profile(_restrictions),
        ("GET", "/agent-preferences"): of_profile(_preferences),
        ("GET", "/logs/status"): lambda _visitor: _log_status(hub),
        ("GET", "/logs/cdp"): lambda visitor: _log_entries(hub, visitor),
    }


def _extension_status(hub: Hub) -> dict[str, Any]:
    attached = _attached(hub)
    by_hand = [tab for tab in attached if tab["origin"] == "manual"]
    return {
        "connected": any(profile.is_connected for profile in hub.slots.values()),
        "activeTargets": len(attached),
        "activeManualTargets": len(by_hand),
        "attachedTabs": attached,
        "manualAttachedTabs": by_hand,
        "clients": len(hub.clients),
        "startedAt": hub.started_at,
    }


def _attached(hub: Hub) -> list[dict[str, Any]]:
    tabs = (tab for profile in hub.slots.values() for tab in profile.tabs.values())
    return [{**describe_tab(tab), "debuggerAttached": True} for tab in tabs if tab.is_live]


def _restrictions(profile: RelayProfile) -> dict[str, Any]:
    limits = {name: bool(profile.settings.get(name)) for name in _LIMITS}
    mode = "manual" if profile.settings.get("attach") == "manual" else "auto"
    return {"mode": mode, **limits, "instructions": str(profile.settings.get("instructions", ""))}


def _preferences(profile: RelayProfile) -> dict[str, Any]:
    """Whether programs may work at the same time, and where their tabs open: always behind what the user looks at."""
    return {
        "executionMode": "sequential" if profile.settings.get("oneProgram") else "parallel",
        "parallelVisibilityMode": "background-tab",
        "dedicatedWindow": bool(profile.settings.get("ownWindow")),
    }


def _log_status(hub: Hub) -> dict[str, Any]:
    oldest, latest = hub.log.range
    return {"entries": latest - oldest + 1 if latest else 0, "oldestSeq": oldest, "latestSeq": latest}


def _log_entries(hub: Hub, visitor: Visitor) -> dict[str, Any]:
    wanted = visitor.query.get("after", "0")
    after = int(wanted) if wanted.isdigit() else 0
    oldest, latest = hub.log.range
    skipped = max(0, oldest - after - 1) if after else 0
    return {
        "after": after,
        "latestSeq": latest,
        "oldestSeq": oldest,
        "skipped": skipped,
        "resetRequired": after > latest or skipped > 0,
        "entries": hub.log.after(after),
    }
