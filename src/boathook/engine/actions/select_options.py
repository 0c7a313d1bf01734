"""Selecting options, checking and unchecking; each is verified by reading the control back."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boathook.engine.actions.input.pointer import send_press
from boathook.engine.actions.option_lists import choose_from_list, no_such_option
from boathook.engine.actions.other_actions import suitable_action
from boathook.engine.actions.perform import Performed, perform
from boathook.engine.actions.prepare import ActionRequirements
from boathook.engine.actions.settle import Sent, read_conclusion, select_ahead
from boathook.engine.elements.locate import find_twins, locate
from boathook.engine.elements.selector import parse_target
from boathook.engine.page.page_call import ask, post_question, read_answer, to_javascript
from boathook.errors import (
    BadRequest,
    Disabled,
    NotEditable,
    NotReceived,
    TargetError,
    ValueNotTaken,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.clock import Deadline
    from boathook.engine.actions.prepare import ActionPoint
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab


async def select(
    tab: Tab, target: str, wanted: Sequence[str], *, nth: int | None = None, deadline: Deadline
) -> Performed:
    """Select options by value, label or index (`#0`); the value is the final selection."""
    if not wanted:
        raise BadRequest("no option given", hint="pass a value, a label or an index such as #0")

    if not all(isinstance(option, str) for option in wanted):
        raise BadRequest("an option must be a string", hint="write an index as #0")

    async def choose(spot: ActionPoint) -> object:
        if spot.kind == "select":
            return _select_native(tab, spot, list(wanted))
        return await choose_from_list(tab, spot, list(wanted), deadline)

    def read_selection(spot: ActionPoint, seen: dict[str, Any]) -> object:
        # A page may reset or change a native select in its change event.
        held = seen.get("held")
        return held.split(", ") if spot.kind == "select" and isinstance(held, str) and held else None

    return await perform(
        tab,
        target,
        choose,
        action="select",
        deadline=deadline,
        wants=ActionRequirements(pointer=False),
        check=read_selection,
        ahead=lambda: select_ahead(tab, list(wanted)),
        nth=nth,
    )


def _select_native(tab: Tab, spot: ActionPoint, wanted: list[str]) -> Sent:
    """Options of a native select, which the page may be selecting already."""
    if not spot.ahead:
        return Sent(send=lambda: _choose_native(tab, spot, wanted), has_result=True)
    chosen, concluded = spot.ahead
    choosing = asyncio.ensure_future(_read_choice(tab, spot, wanted, chosen))
    concluding = asyncio.ensure_future(read_conclusion(tab, spot.element, concluded))
    return Sent(send=lambda: choosing, has_result=True, concluding=concluding)


def _choose_native(tab: Tab, spot: ActionPoint, wanted: list[str]) -> asyncio.Future[list[str]]:
    """Select the options of a native select now; the result is what is selected."""
    choosing = f"__boathook.choose({spot.element.local_id}, {to_javascript(wanted)})"
    question = post_question(spot.element, choosing)
    return asyncio.ensure_future(_read_choice(tab, spot, wanted, question))


async def _read_choice(
    tab: Tab, spot: ActionPoint, wanted: list[str], question: asyncio.Future[dict[str, Any]]
) -> list[str]:
    reply = await read_answer(tab, spot.element, question)
    what = f"{spot.role} {spot.name!r} {spot.element.ref}"
    if "missing" in reply:
        raise no_such_option(what, reply["missing"], reply["options"])
    if "off" in reply:
        raise Disabled(f"option {reply['off']!r} of {what} is disabled")
    if "single" in reply:
        raise BadRequest(f"{what} accepts one option, but {len(wanted)} were given")
    return list(reply["selected"])


async def _state_of_replacement(
    tab: Tab, spot: ActionPoint, target: str, *, nth: int | None, wanted: bool
) -> bool | None:
    """The state of the control that the page put in the place of another one; None if it cannot be identified."""
    element = spot.element
    twins = await find_twins(tab, element.frame, spot.role, spot.name) if spot.name else []
    if len(twins) == 1:
        return await _checked_state(tab, twins[0], wanted=wanted)
    if parse_target(target).ref is not None:
        return None
    with suppress(TargetError):
        present = await _checked_state(tab, await locate(tab, target, nth=nth), wanted=wanted)
        # An item that is removed once it is checked leaves its position to the next one.
        return present if nth is None or present == wanted else None
    return None


def _require_state(spot: ActionPoint, *, state: bool, wanted: bool) -> None:
    if state != wanted:
        what = f"{spot.role} {spot.name!r} {spot.element.ref}"
        raise ValueNotTaken(f"{what} is {'on' if state else 'off'} after the click")


async def _verify_replacement(
    tab: Tab, performed: Performed, spot: ActionPoint, target: str, *, nth: int | None, wanted: bool
) -> Performed:
    """The result, if the page replaced the control; a note says that its state is unknown."""
    state = await _state_of_replacement(tab, spot, target, nth=nth, wanted=wanted)
    if state is not None:
        _require_state(spot, state=state, wanted=wanted)
        return performed
    if not {"click", "taken"} & performed.seen.keys():
        raise NotReceived(f"the {performed.action} was sent but did not reach {performed.target}")
    note = f"the page replaced {spot.role} {spot.name!r} {spot.element.ref} after the click, so its state could not be verified"
    return replace(performed, notes=(*performed.notes, note))


async def _checked_state(tab: Tab, element: Element, *, wanted: bool) -> bool | None:
    question = f"__boathook.checkedState({element.local_id}, {to_javascript(wanted)})"
    state: bool | None = (await ask(tab, element, question))["checked"]
    return state


async def set_checked(
    tab: Tab, target: str, *, checked: bool, nth: int | None = None, deadline: Deadline
) -> Performed:
    """Make sure that a checkbox, radio button or switch is on or off; it is clicked only if its state differs."""
    action = "check" if checked else "uncheck"
    replaced: list[ActionPoint] = []

    async def toggle(spot: ActionPoint) -> object:
        what = f"{spot.role} {spot.name!r} {spot.element.ref}"
        if spot.checked is None:
            raise NotEditable(f"{what} cannot be checked", hint=suitable_action(spot))
        if spot.checked == checked:
            return checked
        if not checked and spot.is_radio:
            raise BadRequest(f"{what} is a radio button: it is unchecked only when another one is checked")
        return Sent(send=lambda: send_press(tab, spot.x, spot.y), event="click", wanted=checked)

    def read_state(spot: ActionPoint, seen: dict[str, Any]) -> object:
        if spot.checked == checked:
            return checked
        if seen.get("checked") is None:
            replaced.append(spot)
        else:
            _require_state(spot, state=seen["checked"], wanted=checked)
        held = seen.get("held")
        if isinstance(held, bool) and held != checked and spot.kind in {"checkbox", "radio"}:
            what = f"{spot.role} {spot.name!r} {spot.element.ref}"
            raise ValueNotTaken(f"the page reset {what}: it is {'on' if held else 'off'}")
        return checked

    performed = await perform(
        tab,
        target,
        toggle,
        action=action,
        deadline=deadline,
        wants=ActionRequirements(state=True),
        check=read_state,
        nth=nth,
    )
    for spot in replaced:
        return await _verify_replacement(tab, performed, spot, target, nth=nth, wanted=checked)
    return performed
