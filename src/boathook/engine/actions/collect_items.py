"""Scroll and collect: every item of a list that renders only some items at a time, or loads more while scrolling."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from boathook.cdp.errors_map import ContextGone
from boathook.cdp.replies import ignore_reply
from boathook.engine.elements.locate import locate
from boathook.engine.elements.selector import parse_target
from boathook.engine.page.page_call import to_javascript
from boathook.engine.page.page_eval import value_of
from boathook.engine.page_scripts import page_script
from boathook.errors import BadSetting, BadTarget, StaleRef, TargetError, TargetNotFound
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

Reason = Literal["end", "count", "text", "bytes", "time", "stuck", "page"]

COLLECT_SECONDS = 30.0
MOST_ITEMS = 20_000
MOST_BYTES = 1_024 * 1_024
QUIET_SECONDS = 1.0
"""How long a list may take to settle after a step."""
END_SECONDS = 0.4
"""How long to watch the end of a list for more items, each time."""
BUSY_STEPS = 12
"""How often to wait for a list that reports itself as busy at its end."""
REQUEST_SECONDS = 10.0
ENDS = 2
"""How many times no further item must appear before the list counts as complete."""
SPARE_SECONDS = 0.5
"""Reserved from the deadline to return what was collected."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedItem:
    """One item of a list; it has a ref while it is on the page."""

    text: str
    ref: str = ""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """Items in order, and why scrolling stopped; only reaching the end of the list makes them complete."""

    items: tuple[CollectedItem, ...]
    complete: bool
    reason: Reason
    steps: int
    notes: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class _CollectedItems:
    """The items collected so far, and when they are enough."""

    most: int
    text: str
    texts: dict[int, str] = field(default_factory=dict)
    size: int = 0
    steps: int = 0
    idle: int = 0
    busy: int = 0

    def take(self, found: list[tuple[int, str]]) -> Reason | None:
        for number, text in found:
            self.size += len(text.encode()) - len(self.texts.get(number, "").encode())
            self.texts[number] = text
            if self.text and self.text in text.casefold():
                return "text"
        if len(self.texts) >= self.most:
            return "count"
        return "bytes" if self.size >= MOST_BYTES else None


async def collect(
    tab: Tab,
    target: str,
    *,
    within: str | None = None,
    until: str | int | None = None,
    most: int = 500,
    deadline: Deadline,
) -> Collected:
    """Scroll from the top of a list to its end, or until some text or a number of items was seen."""
    collected = _collect_items(target, until, most)
    first = await locate(tab, target, deadline=deadline, nth=0)
    if within is not None:
        first = await locate(tab, within, deadline=deadline)
    async with deadline.stage("scrolling through the list", seen=lambda: f"{len(collected.texts)} items"):
        try:
            await _begin(tab, first, target, within)
            reason = await _scroll_through(tab, first, collected, deadline)
            refs, notes = await _finish(tab, first)
        except ContextGone:
            reason, refs, notes = "page", {}, ("the page was closed or left before the end of the list",)
    texts = sorted(collected.texts.items())[: collected.most]
    return Collected(
        items=tuple(CollectedItem(text=text, ref=refs.get(number, "")) for number, text in texts),
        complete=reason == "end",
        reason=reason,
        steps=collected.steps,
        notes=notes,
    )


def _collect_items(target: str, until: str | int | None, most: int) -> _CollectedItems:
    if parse_target(target).kind in {"ref", "point"}:
        raise BadTarget(
            f"{target!r} matches one element, not the items of a list",
            hint="use a selector for the items, such as css=li or role=listitem|; `--within TARGET` takes the ref of the list",
        )
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST_ITEMS:
        raise BadSetting(f"most is out of range: {most!r}"[:200], hint=f"use 1 to {MOST_ITEMS}")
    if isinstance(until, str) and until:
        wanted, count = until.casefold(), most
    elif until is None or (isinstance(until, int) and not isinstance(until, bool) and until > 0):
        wanted, count = "", most if until is None else min(until, most)
    else:
        raise BadSetting(f"until must be text or a number of items, not {until!r}"[:200])
    return _CollectedItems(most=count, text=wanted)


async def _begin(tab: Tab, first: Element, target: str, within: str | None) -> None:
    """Find the list's scroll container, from its first item or from the element that contains it."""
    wanted = parse_target(target)
    question = {"kind": wanted.kind, "value": wanted.value, "name": wanted.name, "exact": wanted.exact}
    ids = f"0, {first.local_id}" if within is not None else f"{first.local_id}, 0"
    if await _ask(tab, first, f"{page_script('actions/collect.js')}({to_javascript(question)}, {ids})"):
        return
    if within is None:
        raise StaleRef(f"{first.ref} was removed before the list was read", ref=str(first.ref))
    raise TargetNotFound(
        f"nothing inside {within!r} matches {target!r}", hint="pass the element that contains the items"
    )


async def _scroll_through(tab: Tab, first: Element, collected: _CollectedItems, deadline: Deadline) -> Reason:
    begun = tab.requests.started
    while True:
        options = {
            "start": collected.steps == 0,
            "cap": min(QUIET_SECONDS, deadline.remaining()) * 1_000,
            "patience": END_SECONDS * 1_000,
        }
        report = await _ask(tab, first, f"__boathookCollect.step({to_javascript(options)})")
        collected.steps += 1
        reason = collected.take([(int(number), str(text)) for number, text in report["items"]])
        if reason is not None:
            return reason
        if deadline.remaining() < SPARE_SECONDS + QUIET_SECONDS:
            return "time"
        if report["grew"] or report["moved"]:
            collected.idle = collected.busy = 0
            continue
        if collected.steps > 1 and await _is_over(tab, collected, report, begun, deadline):
            return "end" if report["end"] else "stuck"


async def _is_over(
    tab: Tab, collected: _CollectedItems, report: dict[str, Any], begun: int, deadline: Deadline
) -> bool:
    """Whether no further items are expected; pending requests are waited for."""
    if tab.requests.open_since(begun):
        with suppress(TimeoutError):
            async with asyncio.timeout(min(REQUEST_SECONDS, max(0.0, deadline.remaining() - SPARE_SECONDS))):
                await tab.requests.wait_for_requests_since(begun)
                return False
    if report["busy"] and collected.busy < BUSY_STEPS:
        collected.busy += 1
        return False
    collected.idle += 1
    return collected.idle >= ENDS


async def _finish(tab: Tab, first: Element) -> tuple[dict[int, str], tuple[str, ...]]:
    """Refs of items that are still on the page, and notes for the caller."""
    reply = await _ask(tab, first, f"__boathookCollect.finish({tab.refs.next})")
    tab.refs.adopt(first.world, first=reply["first"], after_last=reply["next"])
    refs = {number: str(tab.refs.ref_of(first.world, local) or "") for number, local in reply["refs"]}
    left = reply["wordless"]
    return refs, (f"{left} items without text were omitted",) if left else ()


async def _ask(tab: Tab, element: Element, expression: str) -> Any:
    """Run a step in the list's document; a dialog that opens meanwhile raises its own error."""
    asking = element.frame.session.post(
        "Runtime.evaluate",
        expression=expression,
        contextId=element.world.context_id,
        returnByValue=True,
        awaitPromise=True,
    )
    dialog = asyncio.ensure_future(tab.dialogs.wait_for_dialog())
    either: set[asyncio.Future[Any]] = {asking, dialog}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not asking.done():
            ignore_reply(asking)
            tab.dialogs.require_none()
        reply = await asking
    finally:
        dialog.cancel()
    return value_of(reply, failed="the list could not be read", error=TargetError)
