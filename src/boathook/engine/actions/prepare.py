"""Making sure that an element can be acted on: where it is, whether it is ready, and what the page showed before."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply
from boathook.engine.actions.changes import Observer
from boathook.engine.actions.other_frames import remember_others
from boathook.engine.elements.locate import is_only_document, locate, locate_at_once
from boathook.engine.page.page_call import post_question, read_answer, to_javascript
from boathook.errors import (
    Covered,
    Disabled,
    IgnoresPointer,
    Moving,
    NotEditable,
    NotVisible,
    StaleRef,
    TargetError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.clock import Deadline
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

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


async def prepare_action(
    tab: Tab,
    target: str,
    wants: ActionRequirements,
    *,
    action: str,
    deadline: Deadline,
    ahead: Callable[[], tuple[str, ...]] | None,
    nth: int | None,
    trusting: bool = False,
) -> tuple[Observer, ActionPoint]:
    """The element, ready for the action, and the state of the tab before."""
    behind = ahead or tuple
    if trusting:
        done = await _prepare_at_once(
            tab, target, wants, action=action, deadline=deadline, nth=nth, behind=behind
        )
        if done is not None:
            return done
    element = await locate(tab, target, deadline=deadline, nth=nth, trusting=trusting)
    observer = Observer(tab)
    async with deadline.stage(f"checking {element.ref} before the {action}"):
        await tab.frames.bring_into_view(element.frame)
        preparing = f"__boathook.prepare({element.local_id}, {_options(wants, deadline)}, {tab.refs.next})"
        later = behind() if is_only_document(tab, element.frame) else ()
        replies = tuple(post_question(element, question) for question in (preparing, *later))
        observer.others, spot = await asyncio.gather(
            remember_others(tab, element), _read_point(tab, element, replies)
        )
        return observer, spot


async def _prepare_at_once(
    tab: Tab,
    target: str,
    wants: ActionRequirements,
    *,
    action: str,
    deadline: Deadline,
    nth: int | None,
    behind: Callable[[], tuple[str, ...]],
) -> tuple[Observer, ActionPoint] | None:
    """Look up the element and prepare it in one write; None if that is not possible, or not one element matches now."""
    observer = Observer(tab)
    options = _options(wants, deadline)

    def questions(search: int) -> tuple[str, ...]:
        return f"__boathook.prepareFound({search}, {options}, {tab.refs.next})", *behind()

    async with deadline.stage(f"looking for {target[:200]!r}"):
        found = await locate_at_once(tab, target, nth=nth, behind=questions)
    if found is None:
        return None
    element, replies = found
    async with deadline.stage(f"checking {element.ref} before the {action}"):
        return observer, await _read_point(tab, element, replies)


def _options(wants: ActionRequirements, deadline: Deadline) -> str:
    # Shorter than the call, so that its state is reported and not a timeout.
    patience = min(wants.patience, SHARE_FOR_CHECKS * deadline.remaining() * 1_000)
    return to_javascript(
        {
            "pointer": wants.pointer,
            "enabled": wants.enabled,
            "editable": wants.editable,
            "focus": wants.focus,
            "state": wants.state,
            "offset": wants.offset,
            "patience": patience,
        }
    )


async def _read_point(
    tab: Tab, element: Element, replies: tuple[asyncio.Future[dict[str, Any]], ...]
) -> ActionPoint:
    """The answer of the page, or a typed error that says why the element cannot be acted on."""
    preparing, *later = replies
    for one in later:
        ignore_reply(one)
    reply = await read_answer(tab, element, preparing)
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
        ahead=tuple(later),
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
