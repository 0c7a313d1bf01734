"""The server side of the protocol: commands from clients for which we act as the browser, and how they are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

BAD_REQUEST, NO_SESSION, REFUSED = -32600, -32001, -32000


@dataclass(frozen=True, slots=True)
class ClientCommand:
    """One command of a client."""

    number: int
    method: str
    params: dict[str, Any]
    session: str

    @property
    def about(self) -> dict[str, Any]:
        """The beginning of a reply."""
        return {"id": self.number, **({"sessionId": self.session} if self.session else {})}


def read_request(raw: bytes) -> ClientCommand | None:
    """The command in a message; None if it is not a command."""
    try:
        message = msgspec.json.decode(raw)
        return ClientCommand(
            number=int(message["id"]),
            method=str(message["method"]),
            params=dict(message.get("params") or {}),
            session=str(message.get("sessionId") or ""),
        )
    except (ValueError, KeyError, TypeError):
        return None


def refusal(code: int, text: str) -> dict[str, Any]:
    """The end of an error reply."""
    return {"error": {"code": code, "message": text}}
