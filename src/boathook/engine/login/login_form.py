"""What a sign-in page asks for, across all of its frames."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from boathook.cdp.errors_map import ContextGone
from boathook.engine.elements.locate import Element, find_all
from boathook.engine.elements.selector import parse_target
from boathook.engine.page_scripts import page_script
from boathook.engine.snapshot.snapshot_options import Question
from boathook.engine.snapshot.take import take_snapshot
from boathook.errors import BoathookError
from boathook.values import Ref

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.page.frames import Frame
    from boathook.engine.tab import Tab
    from boathook.engine.vault.logins import Login

Asks = Literal["user", "password", "code"]
"""The last thing that is asked for: a form with a user name and a password asks for the password."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Fields to fill, and the element that submits them."""

    asks: Asks
    fields: dict[str, Element]
    """By content: user, password or code."""
    submit: Element | None = None
    boxes: int = 0
    """How many single-digit fields the code has; 0 if it has one field."""

    @property
    def origin(self) -> str:
        """The origin of the frame."""
        return self.fields[self.asks].frame.origin


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInPage:
    """What one check of the page found."""

    forms: tuple[Form, ...] = ()
    said: str = ""
    """What the page announces, such as that a password was wrong."""

    def form_for(self, origin: str) -> Form | None:
        """The form to fill: one of the right origin if there is one; otherwise the error can name another one."""
        return next((form for form in self.forms if form.origin == origin), next(iter(self.forms), None))


@dataclass(slots=True)
class _FoundFields:
    forms: list[Form] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


async def look(tab: Tab, login: Login, *, deadline: Deadline) -> SignInPage:
    """Search all frames for sign-in fields."""
    seen = _FoundFields()
    for frame in tab.frames.walk_roots():
        await _look_in(tab, frame, seen)
    if not seen.forms:
        # A snapshot opens closed shadow roots for the walker; they may hold the fields.
        await take_snapshot(tab, Question(), deadline=deadline, remember=False)
        for frame in tab.frames.walk_roots():
            await _look_in(tab, frame, seen)
    named = await _by_selectors(tab, login)
    forms = tuple(_override_fields(form, named) for form in seen.forms) or (
        (_override_fields(Form(asks="user", fields={}), named),) if named.keys() - {"submit"} else ()
    )
    return SignInPage(forms=forms, said=" ".join(dict.fromkeys(seen.said))[:200])


async def _look_in(tab: Tab, frame: Frame, seen: _FoundFields) -> None:
    try:
        looking = f"({page_script('actions/login_form.js')})({tab.refs.next})"
        reply = await tab.frames.run(frame, tab.frames.once(frame, looking))
    except (BoathookError, ContextGone):
        if frame is tab.frames.main:
            raise
        return
    found, world = reply["result"].get("value"), frame.world
    if not isinstance(found, dict) or world is None:
        return
    tab.refs.adopt(world, first=found["first"], after_last=found["next"])
    elements = {role: _element(tab, frame, number) for role, number in found["ids"].items()}
    submit = elements.pop("submit", None)
    if found["said"]:
        seen.said.append(str(found["said"]))
    if found["kind"]:
        seen.forms.append(Form(asks=found["kind"], fields=elements, submit=submit, boxes=_boxes(found)))


def _boxes(found: dict[str, Any]) -> int:
    boxes = int(found["boxes"])
    return boxes if boxes > 1 else 0


def _element(tab: Tab, frame: Frame, local_id: int) -> Element:
    world = frame.world
    if world is None:
        raise ContextGone("Runtime.evaluate", number=0, text="the frame navigated to another document")
    ref = tab.refs.ref_of(world, local_id)
    if ref is None:
        tab.refs.adopt(world, first=local_id, after_last=local_id + 1)
        ref = Ref(tab.refs.next - 1)
    return Element(frame=frame, world=world, local_id=local_id, ref=ref)


def _override_fields(form: Form, named: dict[str, Element]) -> Form:
    """Fields that the login specifies replace those that were found."""
    fields = {**form.fields, **{role: name for role, name in named.items() if role != "submit"}}
    asks: Asks = "password" if "password" in fields else form.asks
    return replace(form, asks=asks, fields=fields, submit=named.get("submit", form.submit))


async def _by_selectors(tab: Tab, login: Login) -> dict[str, Element]:
    """The fields that the login specifies, if they are visible."""
    given = {
        "user": login.username_selector,
        "password": login.password_selector,
        "submit": login.submit_selector,
    }
    found: dict[str, Element] = {}
    for role, selector in given.items():
        matches = (await find_all(tab, parse_target(selector))).matches if selector else []
        if matches and await _is_shown(matches[0].element):
            found[role] = matches[0].element
    return found


async def _is_shown(element: Element) -> bool:
    script = f"Element.prototype.checkVisibility.call(__boathook.get({element.local_id}), {{ visibilityProperty: true }})"
    reply = await element.frame.session.send(
        "Runtime.evaluate", expression=script, contextId=element.world.context_id, returnByValue=True
    )
    return reply["result"].get("value") is True
