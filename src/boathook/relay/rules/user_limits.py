"""The user's restrictions, as decisions about single commands. What scripts attempt is refused by the browser itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.relay.rules.cdp_methods import (
    MOVING_METHODS,
    ONLY_READING,
    READING_DOMAINS,
    READING_METHODS,
    SCRIPT_METHODS,
    SWALLOWED,
    domain_of,
)
from boathook.relay.send_queue import CdpRefusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.relay.sessions.user_tab import RelayTab

_TAKEN_OVER = {
    "paused": "the user has taken over; control is handed back in the extension's popup",
    "cancelled": "the user cancelled debugging; control is handed back in the extension's popup",
}
_ON_NEW_DOCUMENT = "Page.addScriptToEvaluateOnNewDocument"
_SCRIPT_POWERS = frozenset({"includeCommandLineAPI", "replMode", "allowUnsafeEvalBlockedByCSP"})
_NARROWED: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "Page.handleJavaScriptDialog": lambda _params: {"accept": False},
    "Page.reload": lambda params: {
        "ignoreCache": bool(params.get("ignoreCache"))
    },  # it can bring a script along
}


def apply_limits(
    method: str, params: dict[str, Any], *, settings: dict[str, Any], stopped: str, tab: RelayTab
) -> dict[str, Any]:
    """The parameters to continue with; CdpRefusal if the user does not allow it."""
    if stopped:
        raise CdpRefusal(_TAKEN_OVER.get(stopped, stopped))
    if settings.get("lockUrl") and method in MOVING_METHODS:
        raise CdpRefusal(f"the user has locked this tab to its URL; {method} is refused")
    if settings.get("lockUrl") and method == "Fetch.continueRequest" and "url" in params:
        raise CdpRefusal("the user has locked this tab to its URL; requests cannot be redirected")
    return _read_only(method, params, tab) if settings.get("readOnly") else params


def _read_only(method: str, params: dict[str, Any], tab: RelayTab) -> dict[str, Any]:
    if method in SCRIPT_METHODS:
        kept = {name: value for name, value in params.items() if name not in _SCRIPT_POWERS}
        return {**kept, "throwOnSideEffect": ONLY_READING}
    if method in _NARROWED:
        return _NARROWED[method](params)
    if method in SWALLOWED and tab.origin != "agent":
        return params
    if method == _ON_NEW_DOCUMENT and not _without_comment(params.get("source", "")):
        return params  # clients add an empty script only to create their world
    if method in READING_METHODS or method.endswith(".disable"):
        return params
    if method.endswith(".enable") and domain_of(method) in READING_DOMAINS:
        return params
    raise CdpRefusal(f"the user allows read-only access; {method} is refused")


def _without_comment(source: str) -> str:
    lines = (line.strip() for line in source.splitlines())
    return "".join(line for line in lines if not line.startswith("//#"))
