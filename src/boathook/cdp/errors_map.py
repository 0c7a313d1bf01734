"""What CDP's error messages mean, in one table."""

from __future__ import annotations

from boathook.errors import BoathookError, ProtocolError, TabGone, Unsupported


class ContextGone(ProtocolError):
    """The execution context or document no longer exists; the engine uses a new one."""


class NodeGone(ProtocolError):
    """The DOM node no longer exists."""


class NavigationInProgress(ProtocolError):
    """The page is being unloaded, and the next one is not loaded yet."""


_METHOD_NOT_FOUND = -32601

_MEANINGS: tuple[tuple[str, type[ProtocolError | TabGone]], ...] = (
    ("Session with given id not found", TabGone),
    ("No target with given id", TabGone),
    ("Target closed", TabGone),
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


def meaning_of(method: str, number: int, text: str, data: str = "") -> BoathookError:
    """The error to raise for a CDP error reply to `method`."""
    for beginning, kind in _MEANINGS:
        if text.startswith(beginning):
            if issubclass(kind, ProtocolError):
                return kind(method, number=number, text=text, data=data)
            return kind(f"the tab is closed ({method}: {text})", method=method)
    if number == _METHOD_NOT_FOUND:
        return Unsupported(f"this browser does not support {method}", method=method)
    return ProtocolError(method, number=number, text=text, data=data)
