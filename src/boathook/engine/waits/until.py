"""The two ways to wait: for entries in the tab's logs, and for a condition that must be evaluated in the page."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from boathook.cdp.errors_map import ContextGone
from boathook.cdp.replies import ignore_reply
from boathook.engine.page_scripts import page_script
from boathook.errors import ProtocolError, TabGone

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.engine.tab import Tab

T = TypeVar("T")

POLL_SECONDS = 0.1
UNSEEN_SECONDS = 0.25
"""Seconds between two checks of a page that does not report its changes."""


async def wait_until_event(tab: Tab, look: Callable[[], T | None], *, needs_page: bool = False) -> T:
    """Check after every event of the tab; the surrounding deadline ends it."""
    while True:
        found = look()
        if found is not None:
            return found
        tab.require_alive(needs_page=needs_page)
        await tab.event_log.next()


async def poll_page(tab: Tab, ask: Callable[[], Awaitable[T | None]]) -> T:
    """Evaluate again whenever the page changes, across navigations.

    A pending dialog ends this at once, since the page cannot be queried.
    """
    while True:
        found = await _unless_dialog(tab, ask())
        if found is not None:
            return found
        await _unless_dialog(tab, _wait_for_change(tab))


async def _unless_dialog(tab: Tab, work: Awaitable[T]) -> T | None:
    """The result; None if the document was replaced."""
    doing = asyncio.ensure_future(work)
    dialog = asyncio.ensure_future(tab.dialogs.wait_for_dialog())
    try:
        await asyncio.wait({doing, dialog}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            tab.dialogs.require_none()
        return await doing
    except (ContextGone, TabGone):
        tab.require_alive()
        return None
    finally:
        for task in (doing, dialog):
            task.cancel()
        await asyncio.gather(doing, dialog, return_exceptions=True)


async def _wait_for_change(tab: Tab) -> None:
    """Until the top document changes, a moment has passed, or the tab has an event."""
    world = tab.frames.main.world
    if world is None or tab.loads.navigating:
        await asyncio.sleep(POLL_SECONDS)
        return
    milliseconds = int(POLL_SECONDS * 1_000)
    telling = tab.session.post(
        "Runtime.evaluate",
        expression=f"{page_script('actions/document_change.js')}({milliseconds})",
        contextId=world.context_id,
        awaitPromise=True,
    )
    ignore_reply(telling)  # the caller may be cancelled before the page responds
    done, _ = await asyncio.wait({telling}, timeout=UNSEEN_SECONDS)
    if not done:
        telling.cancel()
    elif isinstance(telling.exception(), ProtocolError | TabGone):
        await asyncio.sleep(POLL_SECONDS)
