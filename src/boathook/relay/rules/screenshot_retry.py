"""Screenshots of tabs in the background: Chromium does not paint some of them until it is asked again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boathook.relay.extension.extension_connection import Done
    from boathook.relay.send_queue import CdpRefusal
    from boathook.relay.sessions.target_session import TargetSession

CAPTURE = "Page.captureScreenshot"
FIRST_SECONDS = 0.5
MOST_SECONDS = 20.0
"""Seconds between two requests. They become less frequent, so that a slow page does not have to draw many screenshots."""


def take_picture(target_session: TargetSession, params: dict[str, Any], done: Done) -> None:
    """Ask until Chromium answers one of the requests; it then answers the others too, which are ignored."""
    loop = asyncio.get_running_loop()
    waiting: list[asyncio.TimerHandle] = []

    def ask(seconds: float) -> None:
        waiting[:] = [loop.call_later(seconds, ask, seconds * 2)] if seconds < MOST_SECONDS else []
        target_session.send(CAPTURE, params, on_answer)

    is_over = False

    def on_answer(result: dict[str, Any] | None, error: CdpRefusal | None) -> None:
        nonlocal is_over
        for timer in waiting:
            timer.cancel()
        if not is_over:
            is_over = True
            done(result, error)

    ask(FIRST_SECONDS)
