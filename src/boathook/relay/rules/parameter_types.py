"""The types of parameters that the relay itself reads: a command with another type is answered with an error, as by Chrome.

Preparations are recorded and repeated later, where a value of another type would fail for everyone.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from boathook.relay.send_queue import CdpRefusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.relay.extension.extension_connection import Done

BAD_PARAMS = -32602
_MALFORMED = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What a value of an unexpected type leads to: an error for its sender, and nothing for others."""

_TYPES: dict[type, str] = {
    str: "url origin frameId targetId sessionId browserContextId worldName source identifier requestId expression"
    " functionDeclaration objectId promiseObjectId uniqueContextId behavior downloadPath guid setting errorReason",
    bool: "autoAttach flatten waitForDebuggerOnStart discover enabled returnByValue awaitPromise pierce"
    " eventsEnabled handleAuthRequests ignoreCache bypass",
    int: "executionContextId depth nodeId backendNodeId entryId",
    list: "patterns cookies permissions filter",
    dict: "permission partitionKey authChallengeResponse",
}
_EXPECTED = {name: kind for kind, names in _TYPES.items() for name in names.split()}
_NAMES = {str: "string", bool: "boolean", int: "integer", list: "array", dict: "object"}
_OTHERWISE = frozenset({"Network.deleteCookies", "Network.setCookie"})
"""Older clients send the partition key of a cookie as a string."""


def check_types(method: str, params: dict[str, Any]) -> None:
    """CdpRefusal for the first parameter of a wrong type; whole numbers may have a fraction of zero."""
    for name, value in params.items():
        expected = _EXPECTED.get(name)
        if expected is None or (name == "partitionKey" and method in _OTHERWISE):
            continue
        is_whole = expected is int and isinstance(value, float) and value.is_integer()
        is_number = expected is int and isinstance(value, bool)
        if is_number or not (isinstance(value, expected) or is_whole):
            raise CdpRefusal(
                f"Invalid parameters: {name}: {_NAMES[expected]} value expected", code=BAD_PARAMS
            )
    for entry in params.get("patterns", ()):
        if not isinstance(entry, dict):
            raise CdpRefusal("Invalid parameters: patterns: object expected", code=BAD_PARAMS)


@contextmanager
def answering_errors(done: Done) -> Iterator[None]:
    """Answer a command whose handling fails: every command gets a reply, and the connection stays."""
    try:
        yield
    except CdpRefusal as refusal:
        done(None, refusal)
    except _MALFORMED:
        done(None, CdpRefusal("Invalid parameters", code=BAD_PARAMS))
