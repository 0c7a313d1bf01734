"""Recovering a tab after a call timed out: interrupt the script, otherwise replace the renderer."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from boathook.cdp.replies import ignore_reply
from boathook.errors import BoathookError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.cdp.cdp_session import CdpSession

log = logging.getLogger(__name__)

PING_SECONDS = 1.0
REPLACE_SECONDS = 2.0
"""On an idle machine; a busy one is given a share of the call's own time instead."""
PATIENCE_SHARE = 1 / 3
LONGEST_PATIENCE = 5.0


def patience_for(seconds: float) -> float:
    """How long a page may take to respond after a call of that many seconds timed out.

    A renderer with little of a core, as on a busy machine, responds late but is not hung; the caller's limit says what
    late means to it. Guarded by test_slow_machine.py.
    """
    return min(max(PING_SECONDS, seconds * PATIENCE_SHARE), LONGEST_PATIENCE)


async def answers(session: CdpSession, *, seconds: float = PING_SECONDS) -> bool:
    """Whether the page's main thread responds."""
    try:
        async with asyncio.timeout(seconds):
            await session.send("Runtime.evaluate", expression="1", returnByValue=True)
    except (TimeoutError, BoathookError):
        return False
    return True


async def interrupt(session: CdpSession, *, seconds: float = PING_SECONDS) -> bool:
    """Stop the running script of the page; true if the page responds afterwards."""
    try:
        async with asyncio.timeout(seconds):
            await session.send("Runtime.terminateExecution")
    except (TimeoutError, BoathookError):
        return False
    return await answers(session, seconds=seconds)


async def replace_renderer(session: CdpSession, *, seconds: float = REPLACE_SECONDS) -> bool:
    """Terminate the renderer and start a new one on a blank page; true if that works."""
    try:
        async with asyncio.timeout(seconds):
            crash = session.post("Page.crash")
            ignore_reply(crash)
            await asyncio.sleep(0)
            await session.send("Page.navigate", url="about:blank")
    except (TimeoutError, BoathookError):
        return False
    return await answers(session, seconds=seconds)


async def interrupt_page(session: CdpSession, *, dialogs: Callable[[], int]) -> None:
    """Before navigating: an endless script of the page would keep the next page from loading.

    It has to be stopped beforehand: Chromium sends nothing to a page while a navigation is pending. A page that opens
    dialogs does not respond either, but not endlessly, and navigations handle that separately.
    """
    before = dialogs()
    if not await answers(session) and dialogs() == before:
        await interrupt(session)


async def fresh_target(
    replace_target: Callable[[], Awaitable[None]], *, seconds: float = REPLACE_SECONDS
) -> bool:
    """Attach a new target to the tab: the last resort if a renderer neither responds nor exits."""
    try:
        async with asyncio.timeout(seconds):
            await replace_target()
    except (TimeoutError, BoathookError):
        return False
    return True


async def recover(
    session: CdpSession,
    *,
    replace_target: Callable[[], Awaitable[None]] | None,
    patience: float,
    stop_loading: bool = True,
) -> str:
    """Try each step until the page responds; returns which one worked: slow, interrupted, replaced or dead."""
    replacing = max(REPLACE_SECONDS, patience)
    if stop_loading:
        stop = session.post("Page.stopLoading")
        ignore_reply(stop)
    if await answers(session, seconds=patience):
        return "slow"
    if await interrupt(session, seconds=patience):
        return "interrupted"
    if await replace_renderer(session, seconds=replacing):
        return "replaced"
    if replace_target is not None and await fresh_target(replace_target, seconds=replacing):
        return "replaced"
    log.warning("tab.not_recovered")
    return "dead"
