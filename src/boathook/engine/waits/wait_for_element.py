"""Waiting for an element: until it exists, is gone, visible, hidden, enabled, or has some text or value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from boathook.engine.elements.match_scope import frames_to_search, search_options
from boathook.engine.elements.refs import unknown_ref
from boathook.engine.elements.selector import Selector, invalid_selector, parse_target
from boathook.engine.page_scripts import page_script
from boathook.engine.secrets.report_secret import value_from_page
from boathook.engine.waits.until import poll_page
from boathook.errors import BadRequest, BadTarget, BoathookError
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.clock import Deadline
    from boathook.engine.page.frames import Frame
    from boathook.engine.tab import Tab
    from boathook.redaction.secret import Secret
    from boathook.values import Ref

TargetState = Literal["visible", "hidden", "attached", "detached", "enabled", "text", "value", "count"]
SHOWN_IN_ERRORS = 80


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedElement:
    """One element as it was seen."""

    ref: Ref
    role: str
    name: str
    shown: bool
    enabled: bool
    text: str
    value: str | Secret | None


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class WaitResult:
    """Everything that matched at one moment; the first ten in detail."""

    target: str
    count: int
    elements: tuple[MatchedElement, ...] = ()

    @property
    def ref(self) -> str:
        """The ref of the first one, or empty."""
        return str(self.elements[0].ref) if self.elements else ""

    def __str__(self) -> str:
        if not self.count:
            return f"nothing matches {self.target!r}"
        head = f"{self.count} match {self.target!r}" if self.count > 1 else f"{self.target!r} exists"
        if not self.elements:
            return head
        first = self.elements[0]
        words = [
            f"{first.ref} is {'visible' if first.shown else 'hidden'}, {'enabled' if first.enabled else 'disabled'}"
        ]
        if first.value is not None:
            words.append(f"value {str(first.value)[:SHOWN_IN_ERRORS]!r}")
        elif first.text.strip():
            words.append(f"text {first.text.strip()[:SHOWN_IN_ERRORS]!r}")
        return f"{head}: {', '.join(words)}"


Sightings = WaitResult  # the former name


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementCondition:
    """The wanted state of an element."""

    state: TargetState = "visible"
    text: str | None = None
    value: str | None = None
    count: int | None = None
    exact: bool = False
    nth: int | None = None

    def validate(self) -> ElementCondition:
        """Itself; BadRequest if an option is missing or does not apply."""
        if self.state not in get_args(TargetState):
            raise BadRequest(f"unknown state: {self.state!r}", hint=f"use {', '.join(get_args(TargetState))}")
        for name in ("text", "value", "count"):
            if (getattr(self, name) is not None) != (self.state == name):
                raise BadRequest(f"state={name!r} and {name}=… require each other")
        if self.nth is not None and self.nth < 0:
            raise BadRequest("nth must be 0 or more")
        return self


_FITS: dict[str, Callable[[ElementCondition, WaitResult], bool]] = {
    "visible": lambda _wish, seen: any(element.shown for element in seen.elements),
    "hidden": lambda _wish, seen: not any(element.shown for element in seen.elements),
    "attached": lambda _wish, seen: seen.count > 0,
    "detached": lambda _wish, seen: seen.count == 0,
    "enabled": lambda _wish, seen: any(element.shown and element.enabled for element in seen.elements),
    "text": lambda wish, seen: any(
        _has_text(element.text, wish.text or "", exact=wish.exact) for element in seen.elements
    ),
    "value": lambda wish, seen: any(element.value == wish.value for element in seen.elements),
    "count": lambda wish, seen: seen.count == wish.count,
}


async def wait_for_target(tab: Tab, target: str, wish: ElementCondition, *, deadline: Deadline) -> WaitResult:
    """Wait until the element of a target has the wanted state."""
    wanted = parse_target(target)
    if wanted.point is not None:
        raise BadTarget(f"{target!r} is a point; only elements can be waited for")
    return await _wait(tab, wanted, wish.validate(), deadline=deadline)


async def wait_for_text(tab: Tab, text: str, *, exact: bool, deadline: Deadline) -> WaitResult:
    """Wait until text is visible anywhere on the page, including frames and shadow roots."""
    words = " ".join(text.split()) if isinstance(text, str) else ""
    if not words:
        raise BadRequest("the text is empty")
    wanted = Selector(given=f"text={words}", kind="text", value=words, exact=exact)
    return await _wait(tab, wanted, ElementCondition(state="visible"), deadline=deadline)


async def _wait(tab: Tab, wanted: Selector, wish: ElementCondition, *, deadline: Deadline) -> WaitResult:
    last = WaitResult(target=wanted.given, count=0)

    async def look() -> WaitResult | None:
        nonlocal last
        last = await look_up_elements(tab, wanted, nth=wish.nth)
        return last if _FITS[wish.state](wish, last) else None

    named = f"waiting for {wanted.given[:200]!r} to be {_describe_condition(wish)}"
    async with deadline.stage(named, seen=lambda: str(last)):
        return await poll_page(tab, look)


async def look_up_elements(tab: Tab, wanted: Selector, *, nth: int | None = None) -> WaitResult:
    """Current matches, across all frames."""
    if wanted.ref is not None:
        return await _look_up_ref(tab, wanted)
    count = 0
    elements: list[MatchedElement] = []
    for frame in frames_to_search(tab):
        question = {
            "kind": wanted.kind,
            "value": wanted.value,
            "name": wanted.name,
            "exact": wanted.exact,
            "nth": None if nth is None else max(0, nth - count),
            **search_options(tab),
        }
        reply = await _look_in(tab, frame, question, once=True)
        if reply is None:
            continue
        if "error" in reply:
            raise invalid_selector(wanted)
        count += int(reply["count"]) + int(reply.get("hidden", 0))
        elements += _wait_result(tab, frame, reply)
    seen = WaitResult(target=wanted.given, count=count, elements=tuple(elements))
    if nth is None:
        return seen
    chosen = seen.elements[:1]
    return replace(seen, elements=chosen, count=len(chosen))


async def _look_up_ref(tab: Tab, wanted: Selector) -> WaitResult:
    nothing = WaitResult(target=wanted.given, count=0)
    found = tab.refs.find(wanted.ref) if wanted.ref is not None else None
    if wanted.ref is None:
        return nothing
    if found is None:
        raise unknown_ref(wanted.ref)
    world, local_id = found
    if not world.alive:
        return nothing
    reply = await _look_in(tab, world.frame, {"id": local_id})
    if reply is None or not reply["count"]:
        return nothing
    return replace(nothing, count=1, elements=tuple(_wait_result(tab, world.frame, reply)))


async def _look_in(
    tab: Tab, frame: Frame, question: dict[str, Any], *, once: bool = False
) -> dict[str, Any] | None:
    asked = f"{page_script('actions/wait_condition.js')}({msgspec.json.encode(question).decode()}, {tab.refs.next})"
    try:
        reply = await tab.frames.run(frame, tab.frames.once(frame, asked) if once else asked)
    except BoathookError:
        if frame is tab.frames.main:
            raise
        return None  # the frame was removed meanwhile
    value = reply["result"].get("value")
    if not isinstance(value, dict) or frame.world is None:
        return None
    tab.refs.adopt(frame.world, first=value["first"], after_last=value["next"])
    return value


def _wait_result(tab: Tab, frame: Frame, reply: dict[str, Any]) -> list[MatchedElement]:
    world = frame.world
    if world is None:
        return []
    found = []
    for match in reply["found"]:
        ref = tab.refs.ref_of(world, match["id"])
        if ref is None:  # it was numbered in a query whose reply was not awaited
            tab.refs.adopt(world, first=match["id"], after_last=match["id"] + 1)
            ref = tab.refs.ref_of(world, match["id"])
        if ref is not None:
            found.append(
                MatchedElement(
                    ref=ref,
                    role=match["role"],
                    name=match["name"],
                    shown=bool(match.get("shown")),
                    enabled=bool(match.get("enabled")),
                    text=str(match.get("text", "")),
                    value=value_from_page(tab, match.get("value")),
                )
            )
    return found


def _has_text(text: str, wanted: str, *, exact: bool) -> bool:
    found, words = " ".join(text.split()), " ".join(wanted.split())
    return found == words if exact else words.lower() in found.lower()


def _describe_condition(wish: ElementCondition) -> str:
    if wish.state == "count":
        return f"{wish.count} in number"
    if wish.state in {"text", "value"}:
        return f"of {wish.state} {str(wish.text if wish.state == 'text' else wish.value)[:SHOWN_IN_ERRORS]!r}"
    return wish.state
