"""What the user has limited, as decisions about single commands. What scripts try is refused by the browser itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.relay.mailbox import CdpRefusal
from boathook.relay.vocabulary import (
    MOVING_METHODS,
    ONLY_READING,
    READING_METHODS,
    SCRIPT_METHODS,
    SWALLOWED,
    is_switch,
)

if TYPE_CHECKING:
    from boathook.relay.tab import Tab

_TAKEN_OVER = {
    "paused": "the user has taken over; they go on in the extension's popup",
    "cancelled": "the user cancelled debugging; they go on in the extension's popup",
}
_ON_NEW_DOCUMENT = "Page.addScriptToEvaluateOnNewDocument"
_SWITCHES_THAT_CHANGE = frozenset({"Fetch.enable"})


def limited(
    method: str, params: dict[str, Any], *, settings: dict[str, Any], stopped: str, tab: Tab
) -> dict[str, Any]:
    """The parameters to go on with; CdpRefusal when the user does not allow it."""
    if stopped:
        raise CdpRefusal(_TAKEN_OVER.get(stopped, stopped))
    if settings.get("lockUrl") and method in MOVING_METHODS:
        raise CdpRefusal(f"the user has locked this tab to its address; {method} is refused")
    if not settings.get("readOnly"):
        return params
    if method == "Page.handleJavaScriptDialog":
        return {"accept": False}
    if method in SCRIPT_METHODS:
        return {**params, "throwOnSideEffect": ONLY_READING}
    if method in SWALLOWED and tab.origin != "agent":
        return params
    if method == _ON_NEW_DOCUMENT and not _without_comment(params.get("source", "")):
        return params  # clients ask for an empty script only to have their world
    if method in READING_METHODS or (is_switch(method) and method not in _SWITCHES_THAT_CHANGE):
        return params
    raise CdpRefusal(f"the user allows reading only; {method} is refused")


def _without_comment(source: str) -> str:
    lines = (line.strip() for line in source.splitlines())
    return "".join(line for line in lines if not line.startswith("//#"))
