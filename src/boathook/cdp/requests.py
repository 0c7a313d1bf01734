"""The other side of the protocol: what is asked of us by clients that take us for a browser, and how they are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

BAD_REQUEST, NO_SESSION, REFUSED = -32600, -32001, -32000


@dataclass(frozen=True, slots=True)
class Request:
    """One command of a client."""

    number: int
    method: str
    params: dict[str, Any]
    session: str

    @property
    def about(self) -> dict[str, Any]:
        """How a reply begins."""
        return {"id": self.number, **({"sessionId": self.session} if self.session else {})}


def read_request(raw: bytes) -> Request | None:
    """What a message asks for; None when it is no command."""
    try:
        message = msgspec.json.decode(raw)
        return Request(
            number=int(message["id"]),
            method=str(message["method"]),
            params=dict(message.get("params") or {}),
            session=str(message.get("sessionId") or ""),
        )
    except (ValueError, KeyError, TypeError):
        return None


def refusal(code: int, text: str) -> dict[str, Any]:
    """How a reply ends that is an error."""
    return {"error": {"code": code, "message": text}}
