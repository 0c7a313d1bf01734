"""The one way to act on an element: check it, send real input, wait until the page is quiet, report what changed."""

from __future__ import annotations

import asyncio
import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.cdp.errors_map import ContextGone
from boathook.engine.actions.changes import Changes, Interrupted, Observer
from boathook.engine.actions.held_input import release_all
from boathook.engine.actions.prepare import ActionRequirements, prepare_action
from boathook.engine.actions.settle import Sent, conclude_behind, explains_loss, settle
from boathook.engine.page.page_call import or_dialog
from boathook.errors import (
    NotReceived,
    StaleRef,
    TabGone,
)
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.clock import Deadline
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

ACTION_SECONDS = 8.0
CLOSING_SECONDS = 1.0
"""How long a tab may take to close after it has stopped responding."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Performed:
    """The result of an action, with the evidence."""

    action: str
    target: str
    changes: Changes
    value: object = None
    selected: tuple[str, ...] = ()
    """The values of the selected options, if it is a select; `value` has their labels."""
    seen: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    on_secret: bool = False
    """Whether the value of its field must not be printed."""


async def perform(
    tab: Tab,
    target: str,
    gesture: Callable[[ActionPoint], Awaitable[Any]],
    *,
    action: str,
    deadline: Deadline,
    wants: ActionRequirements | None = None,
    proof: tuple[str, ...] = (),
    least: int = 1,
    check: Callable[[ActionPoint, dict[str, Any]], object] | None = None,
    ahead: Callable[[], tuple[str, ...]] | None = None,
    nth: int | None = None,
    keeps_held: bool = False,
) -> Performed:
    """Act on one element; `proof` names trusted events, of which one must have reached it at least `times` times.

    `check` receives what the page saw, with the final value of a field as `held`, and returns the value to report; it
    raises when the value is wrong. `ahead` is what the page does once the element is ready, for gestures without input:
    it is sent with the first question, unless other documents have to be watched too.
    """
    released = await release_all(tab) if tab.held.anything and not keeps_held else ()
    ready = functools.partial(
        prepare_action,
        tab,
        target,
        wants or ActionRequirements(),
        action=action,
        deadline=deadline,
        ahead=ahead,
        nth=nth,
    )
    try:
        observer, spot = await ready(trusting=True)
    except (StaleRef, ContextGone):
        observer, spot = await ready()
    element = spot.element
    async with deadline.stage(f"{action} on {element.ref}"):
        outcome, concluding, wanted = await _send(tab, observer, spot, gesture)
    async with deadline.stage(f"waiting for the page to settle after the {action}"):
        reply = await settle(tab, element, observer, deadline, concluding=concluding, wanted=wanted)
    _note_interruption(tab, element, observer)
    if tab.state == "crashed":
        raise tab.crash_error(during=action)
    is_lost = reply.get("lost") and not await explains_loss(tab, element, observer, deadline)
    if is_lost or (proof and not _is_proven(reply, proof, least)):
        _raise_not_received(action, spot, reply)
    if check is not None and not reply.get("lost"):
        verified = check(spot, reply)
        outcome = outcome if verified is None else verified
    return Performed(
        action=action,
        target=f"{spot.role} {spot.name!r} {element.ref}" if spot.name else f"{spot.role} {element.ref}",
        changes=observer.changes(reply),
        value=outcome if outcome is not None else reply.get("value"),
        selected=tuple(reply.get("chosen") or ()),
        seen=reply.get("seen", {}),
        notes=(*released, *((element.note,) if element.note else ())),
        on_secret=spot.secret,
    )


def _note_interruption(tab: Tab, element: Element, observer: Observer) -> None:
    """An action whose dialog is held is concluded when the dialog is answered."""
    is_held = tab.dialogs.pending is not None
    tab.interrupted = Interrupted(element=element, observer=observer) if is_held else None


async def _send(
    tab: Tab, observer: Observer, spot: ActionPoint, gesture: Callable[[ActionPoint], Awaitable[Any]]
) -> tuple[Any, asyncio.Future[dict[str, Any]] | None, bool | None]:
    """The result of a gesture; if its input is not awaited, the question that was sent behind it, and the wanted state."""
    outcome = await _run_gesture(tab, gesture(spot))
    if not isinstance(outcome, Sent):
        return outcome, None, None
    concluding, replies = await conclude_behind(tab, spot.element, observer, outcome)
    result = await _run_gesture(tab, replies) if outcome.has_result else None
    return result, concluding, outcome.wanted


async def _run_gesture(tab: Tab, gesture: Awaitable[Any]) -> Any:
    """The result of a gesture; one that closed its own tab has no reply, but was performed."""
    try:
        return await or_dialog(tab, gesture)
    except TabGone:
        try:
            async with asyncio.timeout(CLOSING_SECONDS):
                await tab.closed.wait()
        except TimeoutError:
            pass
        if not tab.closed.is_set():
            raise
        return None


def _is_proven(reply: dict[str, Any], proof: tuple[str, ...], least: int) -> bool:
    """Whether the page saw the input; a document that is gone, or one inside a frame element, cannot be queried."""
    if reply.get("lost") or reply.get("frame"):
        return True
    return any(reply["seen"].get(event, 0) >= least for event in proof)


def _raise_not_received(action: str, spot: ActionPoint, reply: dict[str, Any]) -> None:
    if reply.get("lost"):
        raise NotReceived(
            f"the {action} was sent to {spot.role} {spot.name!r} {spot.element.ref}, but the page did not confirm it",
            hint="the page is busy: check it before trying again",
            ref=str(spot.element.ref),
        )
    if reply.get("error"):
        raise NotReceived(
            f"the {action} was sent to {spot.role} {spot.name!r}, but the page could not confirm it: {reply['error']}",
            ref=str(spot.element.ref),
        )
    astray = reply.get("astray") or []
    went = f"; it was received by {astray[0]['role']} {astray[0]['name']!r}" if astray else ""
    raise NotReceived(
        f"the {action} was sent but did not reach {spot.role} {spot.name!r} {spot.element.ref}{went}",
        ref=str(spot.element.ref),
    )
