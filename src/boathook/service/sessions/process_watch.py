"""Waiting for the exit of an owner process, so that its session is closed with it."""

from __future__ import annotations

import asyncio
import os

from boathook.engine.launch import posix
from boathook.errors import BadSetting

POLL_SECONDS = 2.0


def check_owner(pid: int) -> None:
    """Refuse a pid that does not exist."""
    if pid < 1 or not posix.is_alive(pid):  # in a container the client itself may be process 1
        raise BadSetting(
            f"no such process: {pid} (the owner of a session must be running)",
            hint="pass the id of a running process",
        )


async def end_of(pid: int) -> None:
    """Return when the process has exited; at once if there is none."""
    watched = posix.open_pidfd(pid)
    if watched is None:
        began = posix.start_time(pid)
        while posix.is_alive(pid) and posix.start_time(pid) == began:  # noqa: ASYNC110 (there is no event for its exit)
            await asyncio.sleep(POLL_SECONDS)
        return
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(watched, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(watched)
        os.close(watched)
