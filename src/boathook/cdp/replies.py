"""Replies that are not awaited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio


def ignore_reply(reply: asyncio.Future[Any]) -> None:
    """The result is ignored; an unread error would be logged when the future is dropped."""
    reply.add_done_callback(lambda done: done.cancelled() or done.exception())
