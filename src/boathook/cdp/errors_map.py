"""What CDP's error messages mean, in one table."""

from __future__ import annotations

from boathook.errors import (
    BoathookError,
    EndpointError,
    ProtocolError,
    TabGone,
    TakenOver,
    Unsupported,
    UsersTab,
)


class ContextGone(ProtocolError):
    """The execution context or document no longer exists; the engine uses a new one."""


class NodeGone(ProtocolError):
    """The DOM node no longer exists."""


class NavigationInProgress(ProtocolError):
    """The page is being unloaded, and the next one is not loaded yet."""


_METHOD_NOT_FOUND = -32601
USER_STOPPED = -32040
"""The relay's answer while the user has taken over."""
NOT_CONNECTED = -32041
"""The relay's answer while the user's browser is not connected to it."""

IGNORED = "boathookIgnored"
"""In the relay's reply to a command that has no effect in the user's tabs."""
_USERS_TAB = "this tab is the user's"
"""How the relay begins its refusals (`relay/rules/user_limits.py`)."""

_MEANINGS: tuple[tuple[str, type[ProtocolError | TabGone]], ...] = (
    ("Session with given id not found", TabGone),
    ("No target with given id", TabGone),
    ("Target closed", TabGone),
    ("the tab was closed", TabGone),
    ("Cannot find context with specified id", ContextGone),
    ("uniqueContextId not found", ContextGone),
    ("Execution context was destroyed", ContextGone),
    ("Inspected target navigated or closed", ContextGone),
    ("Cannot find default execution context", ContextGone),
    ("No frame for given id found", ContextGone),
    ("Frame with the given id was not found", ContextGone),
    ("Not attached to an active page", NavigationInProgress),
    ("Could not find node with given id", NodeGone),
    ("No node with given id found", NodeGone),
    ("No node found for given backend id", NodeGone),
    ("Node with given id does not belong to the document", NodeGone),
)


def _refusal_of_relay(method: str, number: int, text: str) -> BoathookError | None:
    """What the user's own Chrome refuses, or why it does not answer."""
    if number == USER_STOPPED:
        return TakenOver(text, method=method)
    if text.startswith(_USERS_TAB):
        return UsersTab(text, method=method)
    if number != NOT_CONNECTED:
        return None
    return EndpointError(
        f"your Chrome is not connected to the relay at the moment ({method}: {text})",
        hint="try again in a few seconds|; `extension doctor` shows what is missing",
        method=method,
    )


def meaning_of(method: str, number: int, text: str, data: str = "") -> BoathookError:
    """The error to raise for a CDP error reply to `method`."""
    for beginning, kind in _MEANINGS:
        if text.startswith(beginning):
            if issubclass(kind, ProtocolError):
                return kind(method, number=number, text=text, data=data)
            return kind(f"the tab is closed ({method}: {text})", method=method)
    if (refused := _refusal_of_relay(method, number, text)) is not None:
        return refused
    if number == _METHOD_NOT_FOUND:
        return Unsupported(f"this browser does not support {method}", method=method)
    return ProtocolError(method, number=number, text=text, data=data)
