"""From a target (a ref or a CSS selector) to one element, or a precise error with candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.engine.snapshot.refs import REF_IN_LINE
from boathook.errors import AmbiguousTarget, BadTarget, StaleRef, TargetNotFound
from boathook.values import Ref

if TYPE_CHECKING:
    from boathook.engine.frames import Frame, World
    from boathook.engine.tab import Tab

CANDIDATES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One element, found; `note` says when it is not the one that was named."""

    frame: Frame
    world: World
    local_id: int
    ref: Ref
    note: str = ""

    @property
    def key(self) -> str:
        """Equal for the same node."""
        return str(self.ref)

    async def handle(self) -> str:
        """A remote object id for the node, in our isolated world."""
        reply = await self.frame.session.send(
            "Runtime.evaluate", expression=f"__boathook.get({self.local_id})", contextId=self.world.context_id
        )
        object_id = reply["result"].get("objectId")
        if object_id is None:
            raise StaleRef(f"{self.ref} is no longer on the page", ref=str(self.ref))
        return str(object_id)


async def locate(tab: Tab, target: str) -> Element:
    """The element that a ref or a CSS selector names."""
    text = target.strip()
    if not text:
        raise BadTarget("the target is empty")
    ref = Ref.parse(text)
    return await (_by_ref(tab, ref) if ref is not None else _by_css(tab, text))


async def _by_ref(tab: Tab, ref: Ref) -> Element:
    found = tab.refs.find(ref)
    if found is None:
        raise TargetNotFound(f"there is no {ref}: no snapshot has named it", ref=str(ref))
    world, local_id = found
    if not world.alive:
        await _fail_stale(tab, ref, why="its page is gone")
    if tab.frames.get(world.frame.id) is not world.frame:
        raise TargetNotFound(f"{ref} belongs to another tab", ref=str(ref), hint="name that tab")
    about = await _ask(tab, world.frame, f"__boathook.about({local_id})")
    if about and about["connected"]:
        return Element(frame=world.frame, world=world, local_id=local_id, ref=ref)
    if about:
        twins = await _twins(tab, world.frame, about["role"], about["name"])
        if len(twins) == 1:
            note = f"{ref} was replaced on the page by {twins[0].ref}, the only {about['role']} of that name"
            return Element(
                frame=world.frame, world=world, local_id=twins[0].local_id, ref=twins[0].ref, note=note
            )
    return await _fail_stale(tab, ref, why="its element was removed")


async def _by_css(tab: Tab, selector: str) -> Element:
    frame = tab.frames.main
    found = await _ask(
        tab, frame, f"__boathook.select({msgspec.json.encode(selector).decode()}, {tab.refs.next})"
    )
    world = frame.world
    if world is None or found is None:
        raise TargetNotFound(f"the page went away while looking for {selector!r}")
    if "error" in found:
        raise BadTarget(f"{selector!r} is neither a ref nor a CSS selector", selector=selector)
    tab.refs.adopt(world, first=found["first"], after_last=found["next"])
    ids = found["ids"]
    if not ids:
        raise TargetNotFound(f"nothing on the page matches {selector!r}", selector=selector)
    refs = [_ref(tab, world, local_id) for local_id in ids]
    if len(ids) > 1:
        raise AmbiguousTarget(
            f"{found['count']} elements match {selector!r}: {', '.join(map(str, refs))}",
            candidates=[str(r) for r in refs],
        )
    return Element(frame=frame, world=world, local_id=ids[0], ref=refs[0])


async def _fail_stale(tab: Tab, ref: Ref, *, why: str) -> Element:
    """Raise, with the elements of the present page that have the role and name the ref stood for."""
    role, name = _last_known(tab, ref)
    twins = await _twins(tab, tab.frames.main, role, name) if role else []
    was = f"{ref} ({role} {name!r})" if role else str(ref)
    listed = (
        f"; on the page now: {', '.join(f'{twin.ref} {role} {name!r}' for twin in twins)}" if twins else ""
    )
    raise StaleRef(
        f"{was} is stale: {why}{listed}", ref=str(ref), candidates=[str(twin.ref) for twin in twins]
    )


def _last_known(tab: Tab, ref: Ref) -> tuple[str, str]:
    """Role and name of a ref in the snapshots that the tab remembers."""
    for snapshot in tab.snapshots.all():
        for match in REF_IN_LINE.finditer(snapshot.body):
            if int(match.group(2)) == ref.number:
                role, _, rest = match.group(1).strip().removesuffix("@e").strip().partition(" ")
                return role, msgspec.json.decode(rest) if rest.startswith('"') else ""
    return "", ""


async def _twins(tab: Tab, frame: Frame, role: str, name: str) -> list[Element]:
    question = msgspec.json.encode([role, name]).decode()
    found = await _ask(tab, frame, f"__boathook.twins(...{question}, {tab.refs.next})")
    world = frame.world
    if not found or world is None:
        return []
    tab.refs.adopt(world, first=found["first"], after_last=found["next"])
    return [
        Element(frame=frame, world=world, local_id=local_id, ref=_ref(tab, world, local_id))
        for local_id in found["ids"][:CANDIDATES]
    ]


def _ref(tab: Tab, world: World, local_id: int) -> Ref:
    ref = tab.refs.ref_of(world, local_id)
    if ref is None:
        raise AssertionError(f"local id {local_id} has no ref")  # pragma: no cover - adopt() ran just before
    return ref


async def _ask(tab: Tab, frame: Frame, expression: str) -> dict[str, Any] | None:
    reply = await tab.frames.run(frame, expression)
    value = reply["result"].get("value")
    return value if isinstance(value, dict) else None
