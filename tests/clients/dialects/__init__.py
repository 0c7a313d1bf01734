"""The four APIs of models that agents speak, each as a way to read a request and to write a reply."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.clients.conversation import ModelReply, ModelRequest


class Dialect(Protocol):
    """One API."""

    name: str

    def matches(self, path: str) -> bool:
        """Whether a request to this path is a turn of a conversation."""

    def read(self, path: str, body: dict[str, Any]) -> ModelRequest:
        """The request in common terms."""

    def whole(self, reply: ModelReply, model: str) -> dict[str, Any]:
        """The reply as one JSON document."""

    def events(self, reply: ModelReply, model: str) -> Iterator[bytes]:
        """The reply as server-sent events."""


def event(data: dict[str, Any], *, named: bool) -> bytes:
    """One server-sent event; two of the APIs repeat the type of the data as the name of the event."""
    name = f"event: {data['type']}\n" if named else ""
    return f"{name}data: {json.dumps(data)}\n\n".encode()
