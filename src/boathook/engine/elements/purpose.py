"""What acting on an element would do, for the person who is asked: its role and name, and what its form or link sends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.engine.elements.locate import locate
from boathook.engine.page.page_call import ask

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

LONGEST = 10_000
"""Of the name and of what is sent: an approval is for all of it."""


@dataclass(frozen=True, slots=True)
class Purpose:
    """One element as a question shows it."""

    ref: str
    role: str
    name: str
    sends: str = ""
    """The request that a form or a link makes, with the values of its fields except secret ones."""
    secret: bool = False
    """Whether it is a field for a password or the like."""


async def purpose_of(tab: Tab, target: str, *, nth: int | None = None, deadline: Deadline) -> Purpose:
    """The element that a target matches, and what it would send."""
    element = await locate(tab, target, nth=nth)
    async with deadline.stage(f"describing {element.ref}"):
        reply = await ask(tab, element, f"__boathook.purposeOf({element.local_id}, {LONGEST})")
    return Purpose(
        ref=str(element.ref),
        role=str(reply.get("role") or "element"),
        name=str(reply.get("name") or ""),
        sends=str(reply.get("sends") or ""),
        secret=bool(reply.get("secret")),
    )
