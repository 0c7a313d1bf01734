"""Pictures of tabs that lie behind others: Chromium forgets to paint some of them, and does so when it is asked again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boathook.relay.extension.extension_connection import Done
    from boathook.relay.send_queue import CdpRefusal
    from boathook.relay.sessions.target_session import Channel

CAPTURE = "Page.captureScreenshot"
FIRST_SECONDS = 0.5
MOST_SECONDS = 20.0
"""Between two questions. They come less and less often: a page that takes long shall not have to draw many pictures."""


def take_picture(channel: Channel, params: dict[str, Any], done: Done) -> None:
    """Ask until Chromium answers one of the questions; it then answers the others too, and nobody listens."""
    loop = asyncio.get_running_loop()
    waiting: list[asyncio.TimerHandle] = []

    def ask(seconds: float) -> None:
        waiting[:] = [loop.call_later(seconds, ask, seconds * 2)] if seconds < MOST_SECONDS else []
        channel.send(CAPTURE, params, answered)

    is_over = False

    def answered(result: dict[str, Any] | None, error: CdpRefusal | None) -> None:
        nonlocal is_over
        for timer in waiting:
            timer.cancel()
        if not is_over:
            is_over = True
            done(result, error)

    ask(FIRST_SECONDS)
