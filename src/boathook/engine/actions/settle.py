"""After an action: wait until the page has settled, and ask it what it saw."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply
from boathook.engine.actions.other_frames import changes_in, merge_changes
from boathook.engine.page.page_call import or_dialog, post_question, read_answer, to_javascript
from boathook.errors import BoathookError, TargetError

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.clock import Deadline
    from boathook.engine.actions.changes import Observer
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

SETTLE_SECONDS = 1.5
ARRIVE_SECONDS = 5.0
LATE_SECONDS = 2.0
"""How long a page that did not settle may take to report what it saw."""
CLOSING_SECONDS = 1.0
REPORT_SECONDS = 0.3
"""Reserved from the deadline to report what happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """Input that is not awaited: the page is asked in the same write what it saw, and knows when the input has arrived."""

    send: Callable[[], asyncio.Future[Any]]
    """Sends it now, without a wait before."""
    event: str = ""
    """The event that shows its arrival; none for what the page itself does, in order."""
    has_result: bool = False
    """Whether the replies are the result of the gesture, or its error."""
    wanted: bool | None = None
    """The state that the element should have afterwards, if it can be checked: the page may need a moment."""
    concluding: asyncio.Future[dict[str, Any]] | None = None
    """What the page saw, if it was asked already."""


async def conclude_behind(
    tab: Tab, element: Element, observer: Observer, sent: Sent
) -> tuple[asyncio.Future[dict[str, Any]], asyncio.Future[Any]]:
    """Send the input, and the question what it did right behind it; returns when it is processed, or a dialog opened."""
    replies = asyncio.ensure_future(sent.send())
    concluding = sent.concluding or _ask_behind(tab, element, observer, sent)
    ignore_reply(concluding)
    ignore_reply(replies)
    either = {concluding, replies}
    await or_dialog(tab, asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED))
    if replies.done() and not concluding.done() and sent.event:
        ignore_reply(post_question(element, "__boathook.arrived()"))
    return concluding, replies


def _ask_behind(tab: Tab, element: Element, observer: Observer, sent: Sent) -> asyncio.Future[dict[str, Any]]:
    quick = _is_alone(tab, observer)
    question = post_question(element, _question(tab, expects=sent.event, quick=quick, wanted=sent.wanted))
    return asyncio.ensure_future(read_conclusion(tab, element, question))


def _is_alone(tab: Tab, observer: Observer) -> bool:
    """Whether nothing but its own document can change the page: neither other documents nor a server."""
    return not observer.others and not tab.requests.streaming


async def settle(
    tab: Tab,
    element: Element | None,
    observer: Observer,
    deadline: Deadline,
    *,
    concluding: asyncio.Future[dict[str, Any]] | None = None,
    wanted: bool | None = None,
) -> dict[str, Any]:
    """Wait until documents, requests and mutations have settled, with a limit; then ask the page what it saw.

    The action is done by now, so a page that takes long to settle must not turn it into a failure. `concluding` is a
    question that was sent behind it, and `wanted` the state that the element should have. Without an element, nothing in
    the page has watched.
    """
    reply: dict[str, Any] = {}
    with suppress(TimeoutError):
        async with asyncio.timeout(min(SETTLE_SECONDS, deadline.remaining() - REPORT_SECONDS)):
            reply = await _conclude_in_time(tab, element, observer, concluding=concluding, wanted=wanted)
            if tab.popups:
                await asyncio.wait(set(tab.popups))
            await _wait_for_announcement(tab, observer, reply)
    if not reply:
        reply = {**await _conclude_late(tab, element, observer, deadline, wanted=wanted), "settled": False}
    if _is_elsewhere(tab, observer):
        with suppress(TimeoutError):
            async with asyncio.timeout(min(ARRIVE_SECONDS, deadline.remaining() - REPORT_SECONDS)):
                await tab.loads.wait_for_arrival()
                await observer.look_at_new_page()
        if reply.get("lost"):
            # A navigation may have become a download: then the old document still exists and can be queried.
            reply = await _conclude_late(tab, element, observer, deadline, wanted=wanted)
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
    tab: Tab, element: Element | None, observer: Observer, deadline: Deadline, *, wanted: bool | None
) -> dict[str, Any]:
    """What the page saw, if it could not be queried before; it is not waited for again."""
    if tab.dialogs.pending is None and tab.state == "ready" and not _is_elsewhere(tab, observer):
        with suppress(TimeoutError):
            async with asyncio.timeout(min(LATE_SECONDS, max(REPORT_SECONDS, deadline.remaining()))):
                return await _conclude(tab, element, frames=0, cap=0, wanted=wanted)
    return {"lost": True}


async def _conclude_in_time(
    tab: Tab,
    element: Element | None,
    observer: Observer,
    *,
    concluding: asyncio.Future[dict[str, Any]] | None,
    wanted: bool | None,
) -> dict[str, Any]:
    reply: dict[str, Any] = {"lost": True}
    known, begun = observer.requests, observer.begun
    frames, quick = 0, _is_alone(tab, observer)
    while tab.dialogs.pending is None and tab.state == "ready" and not _is_elsewhere(tab, observer):
        asking = concluding or _conclude(tab, element, frames=frames, quick=quick, wanted=wanted)
        reply = await or_dialog(tab, asking) or {"lost": True}
        concluding = None
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
    quick: bool = False,
    wanted: bool | None = None,
) -> dict[str, Any]:
    if element is None:
        return {"seen": {}}
    question = _question(tab, frames=frames, cap=cap, quick=quick, wanted=wanted)
    try:
        return await read_conclusion(tab, element, post_question(element, question))
    except BoathookError as error:
        return {"lost": True, "error": error.code}


def _question(tab: Tab, **how: Any) -> str:
    return f"__boathook.conclude({_given(tab, **how)})"


def _given(
    tab: Tab,
    *,
    expects: str = "",
    frames: int = 0,
    cap: float = SETTLE_SECONDS,
    quick: bool,
    wanted: bool | None = None,
) -> str:
    options = to_javascript({"expects": expects, "quick": quick, "wanted": wanted})
    return f"{cap * 1_000}, {frames}, {tab.refs.next}, {options}"


def select_ahead(tab: Tab, wanted: list[str]) -> tuple[str, str]:
    """Questions that select options as soon as the element is ready, and conclude."""
    return (
        f"__boathook.selectAhead({to_javascript(wanted)})",
        f"__boathook.concludeAhead({_given(tab, quick=not tab.requests.streaming)})",
    )


async def read_conclusion(
    tab: Tab, element: Element, question: asyncio.Future[dict[str, Any]]
) -> dict[str, Any]:
    """What the page saw; if it could not be asked, the error."""
    try:
        return await read_answer(tab, element, question)
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
