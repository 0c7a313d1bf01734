"""The user's restrictions, as decisions about single commands. What scripts attempt is refused by the browser itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.cdp.errors_map import USER_STOPPED
from boathook.clock import now
from boathook.relay.rules.cdp_methods import (
    ACTIVATION,
    CLOSING_METHODS,
    MOVING_METHODS,
    ONLY_READING,
    READING_DOMAINS,
    READING_METHODS,
    SCRIPT_METHODS,
    domain_of,
)
from boathook.relay.rules.overrides import is_override
from boathook.relay.send_queue import CdpRefusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from boathook.relay.sessions.cdp_client import CdpClient
    from boathook.relay.sessions.user_tab import RelayTab

_TAKEN_OVER = {
    "paused": "the user has taken over; control is handed back in the extension's popup",
    "cancelled": "the user cancelled debugging; control is handed back in the extension's popup",
}
TURN_SECONDS = 60.0
"""How long a program that does nothing keeps its turn, if the user wants one program at a time."""
USERS_TAB = "this tab is the user's: "
"""How refusals about tabs of the user begin; `cdp/errors_map.py` knows it."""
NOT_CLOSED = f"{USERS_TAB}programs close only tabs that they opened"
_NOT_LEFT = (
    f"{USERS_TAB}programs load other pages only in tabs that they opened, and in those that the user attached"
    " in the extension's popup"
)
_ON_NEW_DOCUMENT = "Page.addScriptToEvaluateOnNewDocument"
_SCRIPT_POWERS = frozenset({"includeCommandLineAPI", "replMode", "allowUnsafeEvalBlockedByCSP"})
_NARROWED: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "Page.handleJavaScriptDialog": lambda _params: {"accept": False},
    "Page.reload": lambda params: {
        "ignoreCache": bool(params.get("ignoreCache"))
    },  # it can bring a script along
}


def check_stopped(stopped: str) -> None:
    """CdpRefusal if the user has taken over."""
    if stopped:
        raise CdpRefusal(_TAKEN_OVER.get(stopped, stopped), code=USER_STOPPED)


def check_browser_limits(method: str, *, settings: dict[str, Any], stopped: str) -> None:
    """CdpRefusal if the user does not allow a command that is not about one tab."""
    check_stopped(stopped)
    if settings.get("readOnly"):
        raise CdpRefusal(f"the user allows read-only access; {method} is refused")


def apply_limits(
    method: str, params: dict[str, Any], *, settings: dict[str, Any], stopped: str, tab: RelayTab
) -> dict[str, Any]:
    """The parameters to continue with; CdpRefusal if the user does not allow it."""
    check_stopped(stopped)
    if settings.get("lockUrl") and method in MOVING_METHODS:
        raise CdpRefusal(f"the user has locked this tab to its URL; {method} is refused")
    if settings.get("lockUrl") and method == "Fetch.continueRequest" and "url" in params:
        raise CdpRefusal("the user has locked this tab to its URL; requests cannot be redirected")
    return _read_only(method, params, tab) if settings.get("readOnly") else params


def check_ownership(method: str, tab: RelayTab) -> None:
    """Raise CdpRefusal for what programs do only to tabs that they opened, or that the user attached to be used."""
    if method in CLOSING_METHODS and tab.is_users:
        raise CdpRefusal(NOT_CLOSED)
    if method == "WebAuthn.enable" and tab.is_users:
        raise CdpRefusal(f"{USERS_TAB}its passkeys are not replaced by virtual ones")
    if method in MOVING_METHODS and tab.origin == "user":
        raise CdpRefusal(_NOT_LEFT)


def check_turn(client: CdpClient, clients: Iterable[CdpClient]) -> None:
    """Raise CdpRefusal while another program works; connections with the same name are one program."""
    for other in clients:
        is_at_work = other.worked_at is not None and now() - other.worked_at < TURN_SECONDS
        if is_at_work and other.label != client.label:
            raise CdpRefusal(
                f"{other.label} is at work, and the user allows one program at a time; try again later"
            )


def owned_by(tab: RelayTab) -> str:
    """Why a tab does not exist for other clients."""
    return f"this tab is controlled by {tab.owner.label if tab.owner else 'another client'}"


def _read_only(method: str, params: dict[str, Any], tab: RelayTab) -> dict[str, Any]:
    if method in SCRIPT_METHODS:
        kept = {name: value for name, value in params.items() if name not in _SCRIPT_POWERS}
        return {**kept, "throwOnSideEffect": ONLY_READING}
    if method in _NARROWED:
        return _NARROWED[method](params)
    if tab.is_users and (is_override(method) or method == ACTIVATION):
        return params  # ignored there
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
