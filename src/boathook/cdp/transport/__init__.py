"""Ways to carry protocol messages: whole messages in, whole messages out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

MESSAGE_LIMIT = 256 * 1024 * 1024
"""Bytes in one message from a browser; a larger one is treated as an error of the peer."""


class Transport(Protocol):
    """Carries messages; calls `on_message` for each, and `on_close` once with the reason."""

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        """Begin to deliver."""

    def send(self, message: bytes) -> None:
        """Queue one message; never blocks."""

    async def close(self) -> None:
        """End both directions; may be called twice."""
