"""Bringing a tab back after a call ran into its deadline: interrupt the script, else replace the renderer."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from boathook.cdp.replies import forgotten
from boathook.errors import BoathookError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.cdp.session import Session

log = logging.getLogger(__name__)

PING_SECONDS = 1.0
REPLACE_SECONDS = 2.0


async def answers(session: Session, *, seconds: float = PING_SECONDS) -> bool:
    """Whether the page's main thread runs anything at all."""
    try:
        async with asyncio.timeout(seconds):
            await session.send("Runtime.evaluate", expression="1", returnByValue=True)
    except (TimeoutError, BoathookError):
        return False
    return True


async def interrupt(session: Session) -> bool:
    """Stop whatever script runs in the page; true when the page answers afterwards."""
    try:
        async with asyncio.timeout(PING_SECONDS):
            await session.send("Runtime.terminateExecution")
    except (TimeoutError, BoathookError):
        return False
    return await answers(session)


async def replace_renderer(session: Session) -> bool:
    """Throw the renderer away and start a new one on a blank page; true when that works."""
    try:
        async with asyncio.timeout(REPLACE_SECONDS):
            crash = session.post("Page.crash")
            forgotten(crash)
            await asyncio.sleep(0)
            await session.send("Page.navigate", url="about:blank")
    except (TimeoutError, BoathookError):
        return False
    return await answers(session)


async def let_go(session: Session, *, dialogs: Callable[[], int]) -> None:
    """Before a page is left: a script of it that never ends would keep the next page from coming.

    It has to be stopped beforehand: Chromium passes nothing on to a page while another is on its way. One that opens
    dialogs is silent too, but not without an end, and navigations have their own way past it.
    """
    before = dialogs()
    if not await answers(session) and dialogs() == before:
        await interrupt(session)


async def fresh_target(replace_target: Callable[[], Awaitable[None]]) -> bool:
    """Put a new target under the tab: the last resort when a renderer neither answers nor dies."""
    try:
        async with asyncio.timeout(REPLACE_SECONDS):
            await replace_target()
    except (TimeoutError, BoathookError):
        return False
    return True


async def recover(
    session: Session, *, replace_target: Callable[[], Awaitable[None]] | None, stop_loading: bool = True
) -> str:
    """Climb the ladder until the page answers; says which rung worked: slow, interrupted, replaced or dead."""
    if stop_loading:
        stop = session.post("Page.stopLoading")
        forgotten(stop)
    if await answers(session):
        return "slow"
    if await interrupt(session):
        return "interrupted"
    if await replace_renderer(session) or (replace_target is not None and await fresh_target(replace_target)):
        return "replaced"
    log.warning("tab.not_recovered")
    return "dead"
