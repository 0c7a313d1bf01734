"""Replies that nobody waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio


def forgotten(reply: asyncio.Future[Any]) -> None:
    """Whatever comes of it concerns nobody; unread, an error in it would be written to the log when it is thrown away."""
    reply.add_done_callback(lambda done: done.cancelled() or done.exception())
