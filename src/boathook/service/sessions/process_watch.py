"""Owners: the end of a process, waited for, so that what it alone used ends with it."""

from __future__ import annotations

import asyncio
import os

from boathook.engine.launch import posix
from boathook.errors import BadSetting

POLL_SECONDS = 2.0


def check_owner(pid: int) -> None:
    """Refuse a number that names no process."""
    if pid <= 1 or not posix.is_alive(pid):
        raise BadSetting(
            f"there is no process {pid} with which a session could end",
            hint="give the number of one that runs",
        )


async def end_of(pid: int) -> None:
    """Return when the process has ended; at once when there is none."""
    watched = posix.open_pidfd(pid)
    if watched is None:
        began = posix.start_time(pid)
        while posix.is_alive(pid) and posix.start_time(pid) == began:  # noqa: ASYNC110 (nothing tells of its end here)
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
