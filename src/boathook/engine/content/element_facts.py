"""Properties of one element: its text, markup, value, attributes, box, styles and states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from boathook.engine.content.editor_texts import editor_texts
from boathook.engine.elements.locate import locate
from boathook.engine.elements.selector import parse_target
from boathook.engine.page.page_call import ask, to_javascript
from boathook.engine.waits.wait_for_element import look_up_elements
from boathook.errors import BadRequest, TargetError, TargetNotFound
from boathook.values import Box

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

LONGEST_ANSWER = 1_000_000
Fact = Literal[
    "text",
    "html",
    "innerHtml",
    "value",
    "rawValue",
    "attribute",
    "box",
    "styles",
    "visible",
    "enabled",
    "checked",
]


async def ask_element(
    tab: Tab,
    target: str,
    what: Fact,
    given: object = None,
    *,
    nth: int | None = None,
    waits: bool = True,
    deadline: Deadline,
) -> Any:
    """One property of the element that a target matches; `waits` gives it a moment to appear."""
    element = await locate(tab, target, deadline=deadline if waits else None, nth=nth)
    async with deadline.stage(f"reading the {what} of {element.ref}"):
        question = f"__boathook.factOf({element.local_id}, {to_javascript(what)}, {to_javascript(given)})"
        reply = await ask(tab, element, question)
    answer = reply.get("answer")
    if reply.get("editor", -1) >= 0:
        # A code editor shows only the lines in view.
        (held,) = await editor_texts(element.frame, [reply["editor"]])
        answer = answer if held is None else held
    if isinstance(answer, str) and len(answer) > LONGEST_ANSWER:
        raise TargetError(
            f"the {what} of {element.ref} is too long: {len(answer)} characters",
            hint="choose a smaller element",
        )
    return answer


async def box_of(tab: Tab, target: str, *, nth: int | None = None, deadline: Deadline) -> Box:
    """Where an element is, in CSS pixels of the viewport of the top frame."""
    element = await locate(tab, target, deadline=deadline, nth=nth)
    x, y, width, height = await ask_element(tab, str(element.ref), "box", deadline=deadline)
    left, top = await tab.frames.offset_of(element.frame)
    return Box(x=x + left, y=y + top, width=width, height=height)


async def count_of(tab: Tab, target: str, *, deadline: Deadline) -> int:
    """How many elements a target matches now."""
    wanted = parse_target(target)
    if wanted.point is not None:
        raise BadRequest(f"{target!r} is a point: it matches one element at most")
    async with deadline.stage("counting"):
        return (await look_up_elements(tab, wanted)).count


async def state_of(
    tab: Tab,
    target: str,
    state: Literal["visible", "enabled", "checked"],
    *,
    nth: int | None = None,
    must_exist: bool = False,
    deadline: Deadline,
) -> bool:
    """Whether an element is visible, enabled or checked; an element that does not exist is not visible."""
    try:
        answer = await ask_element(tab, target, state, nth=nth, waits=state != "visible", deadline=deadline)
    except TargetNotFound:
        if state == "visible" and not must_exist:
            return False
        raise
    if answer is None:
        raise BadRequest(
            f"{target} has no {state} state",
            hint="use a checkbox, radio button, switch, option or tab",
        )
    return bool(answer)
