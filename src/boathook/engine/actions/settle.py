"""After an action: wait until the page has settled, and ask it what it saw."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply
from boathook.engine.actions.other_frames import changes_in, merge_changes
from boathook.engine.page.page_call import ask, or_dialog, to_javascript
from boathook.errors import BoathookError, TargetError

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.actions.changes import Observer
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

SETTLE_SECONDS = 1.5
MEETING_MS = 300
"""How long the page waits for input whose arrival the caller does not watch."""
ARRIVE_SECONDS = 5.0
LATE_SECONDS = 2.0
"""How long a page that did not settle may take to report what it saw."""
CLOSING_SECONDS = 1.0
REPORT_SECONDS = 0.3
"""Reserved from the deadline to report what happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """Input that is not awaited by its gesture: the page is asked at the same time, and knows when it has arrived."""

    event: str
    """The event that shows its arrival."""
    replies: asyncio.Future[Any]


async def conclude_behind(
    tab: Tab, element: Element, observer: Observer, sent: Sent
) -> asyncio.Future[dict[str, Any]]:
    """Ask the page right behind the input, in the same pipeline; returns when the input is processed, or a dialog opened."""
    quick = _is_alone(tab, observer)
    concluding = asyncio.ensure_future(_conclude(tab, element, expects=sent.event, limit=0, quick=quick))
    ignore_reply(concluding)
    ignore_reply(sent.replies)
    either = {concluding, sent.replies}
    await or_dialog(tab, asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED))
    if sent.replies.done() and not concluding.done():
        question = {"expression": "__boathook.arrived()", "contextId": element.world.context_id}
        ignore_reply(element.frame.session.post("Runtime.evaluate", **question))
    return concluding


def _is_alone(tab: Tab, observer: Observer) -> bool:
    """Whether nothing but its own document can change the page: neither other documents nor a server."""
    return not observer.others and not tab.requests.streaming


async def settle(
    tab: Tab,
    element: Element | None,
    observer: Observer,
    deadline: Deadline,
    *,
    expects: str = "",
    concluding: asyncio.Future[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Wait until documents, requests and mutations have settled, with a limit; then ask the page what it saw.

    The action is done by now, so a page that takes long to settle must not turn it into a failure. `expects` names the
    event of an action that has not reached the page yet, and `concluding` is a question that was sent behind it. Without an element, nothing in the page has watched.
    """
    reply: dict[str, Any] = {}
    with suppress(TimeoutError):
        async with asyncio.timeout(min(SETTLE_SECONDS, deadline.remaining() - REPORT_SECONDS)):
            reply = await _conclude_in_time(tab, element, observer, expects, concluding)
            if tab.popups:
                await asyncio.wait(set(tab.popups))
            await _wait_for_announcement(tab, observer, reply)
    if not reply:
        reply = {**await _conclude_late(tab, element, observer, deadline), "settled": False}
    if _is_elsewhere(tab, observer):
        with suppress(TimeoutError):
            async with asyncio.timeout(min(ARRIVE_SECONDS, deadline.remaining() - REPORT_SECONDS)):
                await tab.loads.wait_for_arrival()
                await observer.look_at_new_page()
        if reply.get("lost"):
            # A navigation may have become a download: then the old document still exists and can be queried.
            reply = await _conclude_late(tab, element, observer, deadline)
    return await _with_other_frames(tab, observer, reply)


async def _with_other_frames(tab: Tab, observer: Observer, reply: dict[str, Any]) -> dict[str, Any]:
    if (
        not observer.others
        or tab.dialogs.pending is not None
        or tab.state != "ready"
        or _is_elsewhere(tab, observer)
    ):
        return reply
    with suppress(TimeoutError):
        async with asyncio.timeout(REPORT_SECONDS):
            return merge_changes(reply, await changes_in(tab, observer.others))
    return reply


async def _wait_for_announcement(tab: Tab, observer: Observer, reply: dict[str, Any]) -> None:
    """Wait for what the page has already started and the browser will report in a moment."""
    if reply.get("closing"):
        await tab.closed.wait()
    if reply.get("seen", {}).get("download"):
        while not tab.downloads.since(observer.mark):
            await tab.event_log.next()


async def _conclude_late(
    tab: Tab, element: Element | None, observer: Observer, deadline: Deadline
) -> dict[str, Any]:
    """What the page saw, if it could not be queried before; it is not waited for again."""
    if tab.dialogs.pending is None and tab.state == "ready" and not _is_elsewhere(tab, observer):
        with suppress(TimeoutError):
            async with asyncio.timeout(min(LATE_SECONDS, max(REPORT_SECONDS, deadline.remaining()))):
                return await _conclude(tab, element, frames=0, cap=0)
    return {"lost": True}


async def _conclude_in_time(
    tab: Tab,
    element: Element | None,
    observer: Observer,
    expects: str,
    concluding: asyncio.Future[dict[str, Any]] | None,
) -> dict[str, Any]:
    reply: dict[str, Any] = {"lost": True}
    known, begun = observer.requests, observer.begun
    frames, quick = 0, _is_alone(tab, observer)
    while tab.dialogs.pending is None and tab.state == "ready" and not _is_elsewhere(tab, observer):
        asking = concluding or _conclude(tab, element, frames=frames, expects=expects, quick=quick)
        reply = await or_dialog(tab, asking) or {"lost": True}
        expects, concluding = "", None
        await tab.loads.wait_for_requested_start()
        is_early = quick and tab.requests.begun != begun
        if reply.get("lost") or (tab.requests.started == known and not is_early):
            break
        # The result of a request is shown a moment after it has arrived.
        known, frames, quick = tab.requests.started, 0 if tab.requests.started == known else 2, False
        await tab.requests.wait_for_requests_since(observer.requests)
    return reply


def _is_elsewhere(tab: Tab, observer: Observer) -> bool:
    """Whether the action caused, or is causing, a navigation to another document."""
    if tab.state != "ready" or tab.dialogs.pending is not None:
        return False
    return tab.loads.navigating or tab.loads.documents != observer.documents


async def _conclude(
    tab: Tab,
    element: Element | None,
    *,
    frames: int = 0,
    cap: float = SETTLE_SECONDS,
    expects: str = "",
    limit: int = MEETING_MS,
    quick: bool = False,
) -> dict[str, Any]:
    if element is None:
        return {"seen": {}}
    options = to_javascript({"expects": expects, "limit": limit, "quick": quick})
    question = f"__boathook.conclude({cap * 1_000}, {frames}, {tab.refs.next}, {options})"
    try:
        return await ask(tab, element, question)
    except TargetError as error:
        # Our own script failed in a document that still exists: that proves nothing.
        return {"seen": {}, "error": str(error)}
    except BoathookError as error:
        return {"lost": True, "error": error.code}


async def explains_loss(tab: Tab, element: Element, observer: Observer, deadline: Deadline) -> bool:
    """Whether the page could not be queried because of the action: it navigated, closed, or opened a dialog."""
    if not element.world.alive or tab.dialogs.pending is not None or _is_elsewhere(tab, observer):
        return True
    # The session of a closing tab ends before the browser reports that the tab is closed.
    with suppress(TimeoutError):
        async with asyncio.timeout(min(CLOSING_SECONDS, deadline.remaining())):
            await tab.closed.wait()
    return tab.state == "closed"
