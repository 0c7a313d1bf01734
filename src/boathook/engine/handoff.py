"""Handoff: a tab is handed to a person until a call or a condition on the page ends it, with what changed meanwhile."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from boathook.clock import Deadline, now
from boathook.engine.capture.images.image_files import save_picture
from boathook.engine.capture.images.screenshot import capture
from boathook.engine.snapshot.snapshot_options import Question
from boathook.engine.snapshot.take import take_snapshot
from boathook.engine.waits import wait_for_element, wait_for_event
from boathook.engine.waits.until import wait_until_event
from boathook.engine.waits.wait_for_element import ElementCondition
from boathook.errors import BadRequest, Busy, TimedOut
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path
    from typing import Any

    from boathook.engine.snapshot.take import Snapshot
    from boathook.engine.tab import Tab

HANDOFF_SECONDS = 600.0
LONGEST_HANDOFF = 3_600.0
LOOK_SECONDS = 10.0
MOST_LINES = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Until:
    """Conditions that end the handoff; without any, only `resume` ends it."""

    url: str | None = None
    text: str | None = None
    target: str | None = None

    def __str__(self) -> str:
        given = (
            ("the URL matches", self.url),
            ("the page shows", self.text),
            ("an element matches", self.target),
        )
        return " or ".join(f"{words} {what!r}" for words, what in given if what is not None)


@dataclass(slots=True, kw_only=True, eq=False)
class Handoff:
    """An active handoff."""

    tab: str
    reason: str
    until: str
    picture: str = ""
    began: float = field(default_factory=now)
    note: str | None = None
    """The person's message on handing back; None until then."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """An active handoff, as it is listed."""

    tab: str
    reason: str
    url: str
    until: str
    picture: str
    seconds: float


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class HandedBack:
    """How a handoff ended, and what changed."""

    reason: str
    ended: str
    """`resumed`, or the condition that was met."""
    note: str
    seconds: float
    url_before: str
    url: str
    title: str
    tabs: tuple[str, ...]
    """Tabs that the page opened meanwhile."""
    came: tuple[str, ...]
    went: tuple[str, ...]
    """Lines of the page, if it is the same document as before or has the same URL."""


_open: WeakKeyDictionary[Tab, Handoff] = WeakKeyDictionary()


async def hand_over(
    tab: Tab,
    reason: str,
    *,
    until: Until,
    picture: Path | None,
    announce: Callable[[Waiting], None],
    deadline: Deadline,
) -> HandedBack:
    """Hand the tab to a person until it is handed back or a condition is met."""
    if tab in _open:
        raise Busy(f"tab {tab.id} is already handed off: {_open[tab].reason}", tab=tab.id)
    before = await _look_at_page(tab, deadline)
    handoff = Handoff(tab=tab.id, reason=reason, until=str(until))
    _open[tab] = handoff
    mark = tab.event_log.now
    try:
        handoff.picture = await _show_to_person(tab, picture, deadline)
        announce(_describe_handoff(tab, handoff))
        ended = await _wait_for_end(tab, handoff, until, deadline)
        with suppress(TimedOut):  # a page that never finishes loading is reported as it is
            await wait_for_event.wait_for_load(tab, "load", deadline=deadline.shorten(LOOK_SECONDS))
    finally:
        _open.pop(tab, None)
    after = await _look_at_page(tab, deadline)
    came, went = _differences(before, after)
    return HandedBack(
        reason=reason,
        ended=ended,
        note=handoff.note or "",
        seconds=round(now() - handoff.began, 1),
        url_before=before.url,
        url=after.url,
        title=after.title,
        tabs=tuple(
            f"{opened.id} {opened.url}" for opened in tab.opened.since(mark) if opened.state != "closed"
        ),
        came=came,
        went=went,
    )


def give_back(tab: Tab, note: str) -> Waiting:
    """End a handoff: the one of this tab, or the only one in its browser."""
    found = _of(tab)
    told = _describe_handoff(found, _open[found])
    _open[found].note = note
    found.event_log.next_number()
    return told


def waiting(tab: Tab) -> list[Waiting]:
    """All active handoffs in the browser of a tab."""
    return [
        _describe_handoff(waiting_tab, handoff)
        for waiting_tab, handoff in _open.items()
        if waiting_tab.browser is tab.browser
    ]


def _of(tab: Tab) -> Tab:
    others = [waiting_tab for waiting_tab in _open if waiting_tab.browser is tab.browser]
    if tab in others:
        return tab
    if len(others) == 1:
        return others[0]
    if others:
        raise BadRequest(
            f"several tabs are handed off: {', '.join(other.id for other in others)}",
            hint="choose one with `--tab ID`",
        )
    raise BadRequest("no tab is handed off", hint="`handoff` hands one off")


def _describe_handoff(tab: Tab, handoff: Handoff) -> Waiting:
    return Waiting(
        tab=handoff.tab,
        reason=handoff.reason,
        url=tab.url,
        until=handoff.until,
        picture=handoff.picture,
        seconds=round(now() - handoff.began, 1),
    )


async def _look_at_page(tab: Tab, deadline: Deadline) -> Snapshot:
    """A snapshot that starts no new revision: the agent's next one is compared with what it saw itself."""
    return await take_snapshot(tab, Question(), deadline=deadline.shorten(LOOK_SECONDS), remember=False)


async def _show_to_person(tab: Tab, picture: Path | None, deadline: Deadline) -> str:
    """Bring the window to the front; without windows, save a screenshot."""
    browser = tab.browser
    in_a_window = not browser.own_clipboard if browser.managed else "Headless" not in browser.product
    if in_a_window:
        await tab.session.send("Page.bringToFront")
        return ""
    if picture is None:
        return ""
    taken = await capture(
        tab,
        target=None,
        full_page=False,
        format="png",
        quality=None,
        deadline=deadline.shorten(LOOK_SECONDS),
    )
    return str(save_picture(taken, picture))


async def _wait_for_end(tab: Tab, handoff: Handoff, until: Until, deadline: Deadline) -> str:
    """The first condition that ended it."""

    def resume_reason() -> str | None:
        return "resumed" if handoff.note is not None else None

    ways: dict[str, Coroutine[Any, Any, Any]] = {"resumed": wait_until_event(tab, resume_reason)}
    if until.url is not None:
        ways[f"the URL matches {until.url!r}"] = wait_for_event.wait_for_url(
            tab, until.url, deadline=_later(deadline)
        )
    if until.text is not None:
        ways[f"the page shows {until.text!r}"] = wait_for_element.wait_for_text(
            tab, until.text, exact=False, deadline=_later(deadline)
        )
    if until.target is not None:
        ways[f"an element matches {until.target!r}"] = wait_for_element.wait_for_target(
            tab, until.target, ElementCondition(), deadline=_later(deadline)
        )
    tasks = {asyncio.ensure_future(work): way for way, work in ways.items()}
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        return tasks[next(task for task in tasks if task in done)]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _later(deadline: Deadline) -> Deadline:
    """A separate deadline for the wait, after the call's: the error is then about the handoff."""
    return Deadline.after(deadline.remaining() + LOOK_SECONDS)


def _differences(before: Snapshot, after: Snapshot) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lines that were added and removed; another page is reported by its URL alone."""
    if before.url != after.url:
        return (), ()
    old = [line.strip() for line in before.lines]
    new = [line.strip() for line in after.lines]
    known, left = set(old), set(new)
    came = [line for line in new if line not in known]
    went = [line for line in old if line not in left]
    return tuple(came[:MOST_LINES]), tuple(went[:MOST_LINES])
