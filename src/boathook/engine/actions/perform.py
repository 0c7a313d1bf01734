"""The one way to act on an element: check it, act by real input, wait until the page is quiet, tell what changed."""

from __future__ import annotations

import asyncio
import functools
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.cdp.errors_map import ContextGone
from boathook.engine.actions.changes import Changes, Observer
from boathook.engine.locate import locate
from boathook.errors import (
    BoathookError,
    Covered,
    Disabled,
    Moving,
    NotEditable,
    NotReceived,
    NotVisible,
    StaleRef,
    TabCrashed,
    TargetError,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.clock import Deadline
    from boathook.engine.locate import Element
    from boathook.engine.tab import Tab

ACTION_SECONDS = 8.0
PATIENCE_SECONDS = 1.0
"""How long an element may be hidden, covered or switched off before that is called a failure."""
SETTLE_SECONDS = 1.5
ARRIVE_SECONDS = 5.0
LATE_SECONDS = 2.0
"""How long a page that did not come to rest may take to say what it saw."""
REPORT_SECONDS = 0.3
"""Kept back from the deadline to tell what happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wants:
    """What an action needs of its element."""

    pointer: bool = True
    enabled: bool = True
    editable: bool = False
    focus: bool = False
    """Give it the focus and select what it holds, in the same breath."""
    offset: tuple[float, float] | None = None
    patience: float = PATIENCE_SECONDS * 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """An element that is ready, and where to press it in the viewport of the top frame."""

    element: Element
    x: float
    y: float
    role: str
    name: str
    kind: str
    focused: dict[str, Any] = field(default_factory=dict)
    """What sort of field it is, when it was given the focus."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Performed:
    """What an action did, with the evidence."""

    action: str
    target: str
    changes: Changes
    value: object = None
    seen: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


async def perform(
    tab: Tab,
    target: str,
    gesture: Callable[[Spot], Awaitable[Any]],
    *,
    action: str,
    deadline: Deadline,
    wants: Wants | None = None,
    proof: tuple[str, ...] = (),
    least: int = 1,
    nth: int | None = None,
) -> Performed:
    """Act on one element; `proof` names trusted events of which one must have reached it, so many times at least."""
    ready = functools.partial(
        _ready, tab, target, wants or Wants(), action=action, deadline=deadline, nth=nth
    )
    try:
        observer, spot = await ready(trusting=True)
    except (StaleRef, ContextGone):
        observer, spot = await ready()
    element = spot.element
    async with deadline.stage(f"{action} on {element.ref}"):
        outcome = await _or_dialog(tab, gesture(spot))
    async with deadline.stage(f"waiting for the page to settle after the {action}"):
        reply = await settle(tab, element, observer, deadline)
    if tab.state == "crashed":
        raise TabCrashed(f"the page in tab {tab.id} crashed during the {action}", tab=tab.id)
    if reply.get("lost") and not _explains_loss(tab, element, observer):
        _raise_not_received(action, spot, reply)
    if proof and not _is_proven(reply, proof, least):
        _raise_not_received(action, spot, reply)
    return Performed(
        action=action,
        target=f"{spot.role} {spot.name!r} {element.ref}" if spot.name else f"{spot.role} {element.ref}",
        changes=observer.changes(reply),
        value=outcome if outcome is not None else reply.get("value"),
        seen=reply.get("seen", {}),
        notes=(element.note,) if element.note else (),
    )


async def _ready(
    tab: Tab,
    target: str,
    wants: Wants,
    *,
    action: str,
    deadline: Deadline,
    nth: int | None,
    trusting: bool = False,
) -> tuple[Observer, Spot]:
    """The element, ready to be acted on, and how the tab was before."""
    element = await locate(tab, target, deadline=deadline, nth=nth, trusting=trusting)
    observer = Observer(tab)
    async with deadline.stage(f"checking {element.ref} before the {action}"):
        await tab.frames.bring_into_view(element.frame)
        return observer, await prepare(tab, element, wants)


def _explains_loss(tab: Tab, element: Element, observer: Observer) -> bool:
    """Whether the page could not be asked because of what the action did: moved on, closed, or opened a dialog."""
    gone = tab.state == "closed" or not element.world.alive
    return gone or tab.dialogs.pending is not None or _is_elsewhere(tab, observer)


def _is_proven(reply: dict[str, Any], proof: tuple[str, ...], least: int) -> bool:
    """Whether the page saw it; a document that is gone, and one inside a frame element, cannot be asked."""
    if reply.get("lost") or reply.get("frame"):
        return True
    return any(reply["seen"].get(event, 0) >= least for event in proof)


async def prepare(tab: Tab, element: Element, wants: Wants) -> Spot:
    """Make sure that the element can be acted on now; a typed error says why not."""
    options = {
        "pointer": wants.pointer,
        "enabled": wants.enabled,
        "editable": wants.editable,
        "focus": wants.focus,
        "offset": wants.offset,
        "patience": wants.patience,
    }
    reply = await ask(
        tab, element, f"__boathook.prepare({element.local_id}, {encoded(options)}, {tab.refs.next})"
    )
    if not reply.get("ok"):
        _raise_problem(tab, element, reply)
    x_off, y_off = await tab.frames.offset_of(element.frame)
    return Spot(
        element=element,
        x=float(reply.get("x") or 0) + x_off,
        y=float(reply.get("y") or 0) + y_off,
        role=reply["role"],
        name=reply["name"],
        kind=reply.get("kind", ""),
        focused=reply.get("focused") or {},
    )


async def settle(tab: Tab, element: Element, observer: Observer, deadline: Deadline) -> dict[str, Any]:
    """Wait until documents, requests and mutations have come to rest, capped; then ask the page what it saw.

    The action is done by now, so a page that takes long to settle must not turn it into a failure.
    """
    reply: dict[str, Any] = {}
    with suppress(TimeoutError):
        async with asyncio.timeout(min(SETTLE_SECONDS, deadline.remaining() - REPORT_SECONDS)):
            reply = await _concluded(tab, element, observer)
            if tab.popups:
                await asyncio.wait(set(tab.popups))
    if not reply:
        reply = {**await _asked_late(tab, element, observer, deadline), "settled": False}
    if _is_elsewhere(tab, observer):
        with suppress(TimeoutError):
            async with asyncio.timeout(min(ARRIVE_SECONDS, deadline.remaining() - REPORT_SECONDS)):
                await tab.loads.arrived()
                await observer.look_at_new_page()
        if reply.get("lost"):
            # What began as a navigation may have become a download: then the old document is still there to be asked.
            reply = await _asked_late(tab, element, observer, deadline)
    return reply


async def _asked_late(tab: Tab, element: Element, observer: Observer, deadline: Deadline) -> dict[str, Any]:
    """What the page saw, when it could not be asked before; its rest is not waited for any more."""
    if tab.dialogs.pending is None and tab.state == "ready" and not _is_elsewhere(tab, observer):
        with suppress(TimeoutError):
            async with asyncio.timeout(min(LATE_SECONDS, max(REPORT_SECONDS, deadline.remaining()))):
                return await _conclude(tab, element, frames=0, cap=0)
    return {"lost": True}


async def _concluded(tab: Tab, element: Element, observer: Observer) -> dict[str, Any]:
    reply: dict[str, Any] = {"lost": True}
    known = observer.requests
    frames = 0
    while tab.dialogs.pending is None and tab.state == "ready" and not _is_elsewhere(tab, observer):
        reply = await _conclude(tab, element, frames=frames)
        if reply.get("lost") or tab.requests.started == known:
            break
        # What a request brings is shown a moment after it has come.
        known, frames = tab.requests.started, 2
        await tab.requests.finished_since(observer.requests)
    return reply


def _is_elsewhere(tab: Tab, observer: Observer) -> bool:
    """Whether the action led, or is leading, to another document."""
    if tab.state != "ready" or tab.dialogs.pending is not None:
        return False
    return tab.loads.navigating or tab.loads.documents != observer.documents


async def _conclude(
    tab: Tab, element: Element, *, frames: int, cap: float = SETTLE_SECONDS
) -> dict[str, Any]:
    try:
        return await ask(tab, element, f"__boathook.conclude({cap * 1_000}, {frames}, {tab.refs.next})")
    except TargetError as error:
        # Our own script failed in a document that is still there: that is no evidence of anything.
        return {"seen": {}, "error": str(error)}
    except BoathookError as error:
        return {"lost": True, "error": error.code}


_NOT_NOW: dict[str, type[TargetError]] = {
    "it is no longer on the page": StaleRef,
    "it is disabled": Disabled,
}
"""What fields.js says when an element changed after it was checked."""


async def ask(tab: Tab, element: Element, expression: str) -> dict[str, Any]:
    """Run one of our own functions in the element's world; refs that it gave are taken over."""
    reply = await element.frame.session.send(
        "Runtime.evaluate",
        expression=expression,
        contextId=element.world.context_id,
        returnByValue=True,
        awaitPromise=True,
    )
    if "exceptionDetails" in reply:
        details = reply["exceptionDetails"]
        text = str(details.get("exception", details).get("description", details.get("text", "")))
        said = text.partition("\n")[0].removeprefix("Error: ")
        if said in _NOT_NOW:
            raise _NOT_NOW[said](f"{element.ref}: {said}", ref=str(element.ref))
        raise TargetError(f"{element.ref} could not be asked: {said[:300]}", ref=str(element.ref))
    value: dict[str, Any] = reply["result"].get("value") or {}
    if "first" in value:
        tab.refs.adopt(element.world, first=value["first"], after_last=value["next"])
    return value


def encoded(value: object) -> str:
    """A Python value as JavaScript."""
    return msgspec.json.encode(value).decode()


async def _or_dialog(tab: Tab, work: Awaitable[Any]) -> Any:
    """Wait for the input to be taken, or for the dialog that keeps it from being taken."""
    doing = asyncio.ensure_future(work)
    dialog = asyncio.ensure_future(tab.dialogs.opened())
    try:
        await asyncio.wait({doing, dialog}, return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return doing.result()
        return None
    finally:
        dialog.cancel()
        if not doing.done():
            doing.add_done_callback(lambda done: done.cancelled() or done.exception())


def _raise_problem(tab: Tab, element: Element, reply: dict[str, Any]) -> None:
    ref = element.ref
    what = f"{reply.get('role', 'element')} {reply.get('name', '')!r} {ref}"
    problem = reply.get("problem")
    if problem == "covered":
        cover = reply["cover"]
        over = tab.refs.ref_of(element.world, cover["id"])
        named = f"{cover['role']} {cover['name']!r}" if cover["name"] else f"<{cover['element']}>"
        raise Covered(
            f"{what} is covered by {named} {over}", ref=str(ref), by=str(over), element=cover["element"]
        )
    kinds: dict[str, tuple[type[TargetError], str]] = {
        "gone": (StaleRef, "is no longer on the page"),
        "hidden": (NotVisible, "is not visible"),
        "outside": (NotVisible, "cannot be scrolled into view"),
        "untouchable": (NotVisible, "lets the pointer through (pointer-events: none)"),
        "disabled": (Disabled, "is disabled"),
        "readonly": (NotEditable, "is read-only"),
        "moving": (Moving, "keeps moving"),
    }
    kind, words = kinds.get(str(problem), (TargetError, f"is not ready: {problem}"))
    raise kind(f"{what} {words}", ref=str(ref))


def _raise_not_received(action: str, spot: Spot, reply: dict[str, Any]) -> None:
    if reply.get("lost"):
        raise NotReceived(
            f"the {action} was sent to {spot.role} {spot.name!r} {spot.element.ref}, but the page does not say whether it came",
            hint="the page is busy: look at it before you try again",
        )
    astray = reply.get("astray") or []
    went = f"; it went to {astray[0]['role']} {astray[0]['name']!r}" if astray else ""
    raise NotReceived(
        f"the {action} was sent but did not reach {spot.role} {spot.name!r} {spot.element.ref}{went}"
    )
