"""The one way to act on an element: check it, send real input, wait until the page is quiet, report what changed."""

from __future__ import annotations

import asyncio
import functools
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from boathook.cdp.errors_map import ContextGone
from boathook.cdp.replies import ignore_reply
from boathook.engine.actions.changes import Changes, Interrupted, Observer
from boathook.engine.actions.held_input import release_all
from boathook.engine.actions.other_frames import is_only_document, remember_others
from boathook.engine.actions.settle import Sent, conclude_behind, explains_loss, settle
from boathook.engine.elements.locate import locate
from boathook.engine.page.page_call import or_dialog, post_question, read_answer, to_javascript
from boathook.errors import (
    Covered,
    Disabled,
    IgnoresPointer,
    Moving,
    NotEditable,
    NotReceived,
    NotVisible,
    StaleRef,
    TabGone,
    TargetError,
)
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.clock import Deadline
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

ACTION_SECONDS = 8.0
CLOSING_SECONDS = 1.0
"""How long a tab may take to close after it has stopped responding."""
SHARE_FOR_CHECKS = 0.5
"""The part of a short timeout in which an element may become ready."""
PATIENCE_SECONDS = 1.0
"""How long an element may be hidden, covered or disabled before the action fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequirements:
    """What an action requires of its element."""

    pointer: bool = True
    enabled: bool = True
    editable: bool = False
    focus: bool = False
    """Focus the element and select its content, in the same call."""
    state: bool = False
    """Read whether it is checked, in the same call."""
    offset: tuple[float, float] | None = None
    patience: float = PATIENCE_SECONDS * 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionPoint:
    """An element that is ready, and the point to press in the viewport of the top frame."""

    element: Element
    x: float
    y: float
    role: str
    name: str
    kind: str
    secret: bool = False
    """Whether its value must not be printed."""
    focused: dict[str, Any] = field(default_factory=dict)
    """The kind of field, if it was focused."""
    checked: bool | None = None
    """Whether it is checked, if that was asked for and it can be."""
    is_radio: bool = False
    ahead: tuple[asyncio.Future[dict[str, Any]], ...] = ()
    """The replies to what was sent behind the question whether the element is ready."""


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
    ahead: Callable[[Element], tuple[str, ...]] | None = None,
    nth: int | None = None,
    keeps_held: bool = False,
) -> Performed:
    """Act on one element; `proof` names trusted events, of which one must have reached it at least `times` times.

    `check` receives what the page saw, with the final value of a field as `held`, and returns the value to report; it
    raises when the value is wrong. `ahead` is for gestures that need no input: what the page does as soon as the element
    is ready. It is sent with the first question, unless other documents have to be watched too.
    """
    released = await release_all(tab) if tab.held.anything and not keeps_held else ()
    ready = functools.partial(
        _ready,
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
    tab.interrupted = (
        Interrupted(element=element, observer=observer) if tab.dialogs.pending is not None else None
    )
    if tab.state == "crashed":
        raise tab.crash_error(during=action)
    if reply.get("lost") and not await explains_loss(tab, element, observer, deadline):
        _raise_not_received(action, spot, reply)
    if proof and not _is_proven(reply, proof, least):
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


async def _ready(
    tab: Tab,
    target: str,
    wants: ActionRequirements,
    *,
    action: str,
    deadline: Deadline,
    ahead: Callable[[Element], tuple[str, ...]] | None,
    nth: int | None,
    trusting: bool = False,
) -> tuple[Observer, ActionPoint]:
    """The element, ready for the action, and the state of the tab before."""
    element = await locate(tab, target, deadline=deadline, nth=nth, trusting=trusting)
    observer = Observer(tab)
    async with deadline.stage(f"checking {element.ref} before the {action}"):
        await tab.frames.bring_into_view(element.frame)
        # Shorter than the call, so that its state is reported and not a timeout.
        patience = min(wants.patience, SHARE_FOR_CHECKS * deadline.remaining() * 1_000)
        behind = ahead(element) if ahead is not None and is_only_document(tab, element) else ()
        observer.others, spot = await asyncio.gather(
            remember_others(tab, element),
            prepare(tab, element, replace(wants, patience=patience), behind=behind),
        )
        return observer, spot


def _is_proven(reply: dict[str, Any], proof: tuple[str, ...], least: int) -> bool:
    """Whether the page saw the input; a document that is gone, or one inside a frame element, cannot be queried."""
    if reply.get("lost") or reply.get("frame"):
        return True
    return any(reply["seen"].get(event, 0) >= least for event in proof)


async def prepare(
    tab: Tab, element: Element, wants: ActionRequirements, *, behind: tuple[str, ...] = ()
) -> ActionPoint:
    """Make sure that the element can be acted on now; a typed error says why not. `behind` is asked too."""
    options = {
        "pointer": wants.pointer,
        "enabled": wants.enabled,
        "editable": wants.editable,
        "focus": wants.focus,
        "state": wants.state,
        "offset": wants.offset,
        "patience": wants.patience,
    }
    preparing = f"__boathook.prepare({element.local_id}, {to_javascript(options)}, {tab.refs.next})"
    question = post_question(element, preparing)
    ahead = tuple(post_question(element, expression) for expression in behind)
    for later in ahead:
        ignore_reply(later)
    reply = await read_answer(tab, element, question)
    if not reply.get("ok"):
        _raise_problem(tab, element, reply)
    x_off, y_off = await tab.frames.offset_of(element.frame)
    state = reply.get("state") or {}
    return ActionPoint(
        element=element,
        x=float(reply.get("x") or 0) + x_off,
        y=float(reply.get("y") or 0) + y_off,
        role=reply["role"],
        name=reply["name"],
        kind=reply.get("kind", ""),
        secret=bool(reply.get("secret")),
        focused=reply.get("focused") or {},
        checked=state.get("checked"),
        is_radio=bool(state.get("radio")),
        ahead=ahead,
    )


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
        "hidden": (NotVisible, "is hidden"),
        "outside": (NotVisible, "cannot be scrolled into view"),
        "untouchable": (IgnoresPointer, "does not receive pointer events (pointer-events: none)"),
        "disabled": (Disabled, "is disabled"),
        "readonly": (NotEditable, "is read-only"),
        "moving": (Moving, "keeps moving"),
    }
    kind, words = kinds.get(str(problem), (TargetError, f"is not ready: {problem}"))
    raise kind(f"{what} {words}", ref=str(ref))


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
