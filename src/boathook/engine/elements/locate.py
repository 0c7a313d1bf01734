"""From a target to one element, across all frames; or a precise error with candidates."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.engine.elements.match_scope import frames_to_search, index_of_match, search_options
from boathook.engine.elements.refs import REF_IN_LINE, foreign_ref, gone_ref, stale_ref, unknown_ref
from boathook.engine.elements.selector import Selector, parse_target
from boathook.errors import AmbiguousTarget, BadTarget, BoathookError, TargetNotFound
from boathook.values import Ref

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.page.frames import Frame, World
    from boathook.engine.tab import Tab

CANDIDATES = 10
ZERO_MATCH_SECONDS = 2.0
"""How long nothing may match before it is an error."""
POLL_SECONDS = 0.1
WHOLE_PAGE = ("html", "body", ":root")
"""Every document has one, so the page's own is meant, which is found first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One element; `note` is set if it is not the one that was given."""

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
            raise gone_ref(self.ref)
        return str(object_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One element that matches, as it is listed in errors."""

    element: Element
    role: str
    name: str

    def __str__(self) -> str:
        return (
            f"{self.element.ref} {self.role} {self.name!r}"
            if self.name
            else f"{self.element.ref} {self.role}"
        )


async def locate(
    tab: Tab,
    target: str,
    *,
    deadline: Deadline | None = None,
    nth: int | None = None,
    trusting: bool = False,
) -> Element:
    """The element that a target matches; waits a moment for it to appear if there is a deadline.

    With `trusting`, the element of a ref is returned without checking that it still exists; the caller finds out.
    """
    wanted = parse_target(target)
    if wanted.ref is not None:
        return await _by_ref(tab, wanted.ref, trusting=trusting)
    if wanted.point is not None:
        return await _at_point(tab, wanted)
    nth = index_of_match(nth)
    matches, near = await _appearing(tab, wanted, deadline, nth=nth)
    if not matches:
        _raise_nothing(wanted, near)
    if nth is not None or (wanted.kind == "css" and wanted.value in WHOLE_PAGE):
        return matches[0].element
    if len(matches) > 1:
        listed = ", ".join(str(match) for match in matches)
        raise AmbiguousTarget(
            f"{len(matches)}{'+' if len(matches) == CANDIDATES else ''} elements match {wanted.given!r}: {listed}",
            candidates=[str(match.element.ref) for match in matches],
        )
    return matches[0].element


async def _at_point(tab: Tab, wanted: Selector) -> Element:
    """The element at a point of the viewport."""
    x, y = wanted.point or (0, 0)
    frame = tab.frames.main
    reply = await _ask(tab, frame, f"__boathook.elementAt({x}, {y}, {tab.refs.next})")
    if not reply or "id" not in reply or frame.world is None:
        raise TargetNotFound(
            f"{wanted.given} is outside the viewport",
            hint="take coordinates from a screenshot of the viewport",
        )
    tab.refs.adopt(frame.world, first=reply["first"], after_last=reply["next"])
    return _match(tab, frame.world, reply).element


async def find_all(tab: Tab, wanted: Selector, *, nth: int = 0) -> tuple[list[Match], list[Match]]:
    """Current matches, across all frames (at most ten), and near misses if there are none."""
    matches: list[Match] = []
    near: list[Match] = []
    skipped = 0
    for frame in frames_to_search(tab):
        found = await _find_in(tab, frame, wanted, nth=max(0, nth - skipped))
        if found is None:
            continue
        world, reply = found
        if "error" in reply:
            raise BadTarget(f"invalid selector: {wanted.given!r} ({reply['error'][:200]})")
        matches += [_match(tab, world, entry) for entry in reply["found"]]
        near += [_match(tab, world, entry) for entry in reply["near"]]
        skipped += int(reply["count"])
    return matches[:CANDIDATES], near


async def _appearing(
    tab: Tab, wanted: Selector, deadline: Deadline | None, *, nth: int | None
) -> tuple[list[Match], list[Match]]:
    if deadline is None:
        return await find_all(tab, wanted, nth=nth or 0)
    patience = deadline.shorten(ZERO_MATCH_SECONDS)
    async with deadline.stage(f"looking for {wanted.given[:200]!r}"):
        while True:
            matches, near = await find_all(tab, wanted, nth=nth or 0)
            if matches or patience.remaining() == 0:
                return matches, near
            await asyncio.sleep(POLL_SECONDS)


async def _find_in(
    tab: Tab, frame: Frame, wanted: Selector, *, nth: int
) -> tuple[World, dict[str, Any]] | None:
    question = {
        "kind": wanted.kind,
        "value": wanted.value,
        "name": wanted.name,
        "exact": wanted.exact,
        "nth": nth,
        **search_options(tab),
    }
    try:
        finding = f"__boathook.find({_js(question)}, {tab.refs.next})"
        reply = await _ask(tab, frame, tab.frames.once(frame, finding))
    except BoathookError:
        if frame is tab.frames.main:
            raise
        return None
    if reply is None or frame.world is None:
        return None
    tab.refs.adopt(frame.world, first=reply["first"], after_last=reply["next"])
    return frame.world, reply


def _match(tab: Tab, world: World, entry: dict[str, Any]) -> Match:
    element = Element(frame=world.frame, world=world, local_id=entry["id"], ref=_ref(tab, world, entry["id"]))
    return Match(element=element, role=entry["role"], name=entry["name"])


def _raise_nothing(wanted: Selector, near: list[Match]) -> None:
    listed = f"; near: {', '.join(str(match) for match in near[:5])}" if near else ""
    raise TargetNotFound(
        f"nothing on the page matches {wanted.given!r}{listed}",
        candidates=[str(match.element.ref) for match in near[:5]],
    )


def require_known_ref(tab: Tab, target: str | None) -> None:
    """Raise if a target is a ref that was never assigned, or belongs to a session that was replaced."""
    ref = parse_target(target).ref if target is not None else None
    if ref is not None:
        _node_of(tab, ref)


def _node_of(tab: Tab, ref: Ref) -> tuple[World, int]:
    found = tab.refs.find(ref)
    if found is None:
        if ref.number < tab.refs.next:
            raise stale_ref(ref, str(ref), why="it belongs to a session that was replaced")
        raise unknown_ref(ref)
    return found


async def _by_ref(tab: Tab, ref: Ref, *, trusting: bool) -> Element:
    world, local_id = _node_of(tab, ref)
    if not world.alive:
        await _fail_stale(tab, ref, why="its page is gone")
    if tab.frames.get(world.frame.id) is not world.frame:
        raise foreign_ref(ref)
    element = Element(frame=world.frame, world=world, local_id=local_id, ref=ref)
    if trusting:
        return element
    about = await _ask(tab, world.frame, f"__boathook.about({local_id})")
    if about and about["connected"]:
        return element
    if about:
        twins = await _twins(tab, world.frame, about["role"], about["name"])
        if len(twins) == 1:
            note = (
                f"{ref} was replaced on the page by {twins[0].ref}, the only {about['role']} with that name"
            )
            return Element(
                frame=world.frame, world=world, local_id=twins[0].local_id, ref=twins[0].ref, note=note
            )
    return await _fail_stale(tab, ref, why="its element was removed")


async def _fail_stale(tab: Tab, ref: Ref, *, why: str) -> Element:
    """Raise, with the elements of the current page that have the ref's role and name."""
    role, name = _find_last_known(tab, ref)
    twins = await _twins(tab, tab.frames.main, role, name) if role else []
    was = f"{ref} ({role} {name!r})" if role else str(ref)
    listed = (
        f"; on the page now: {', '.join(f'{twin.ref} {role} {name!r}' for twin in twins)}" if twins else ""
    )
    raise stale_ref(ref, was, why=f"{why}{listed}", candidates=[str(twin.ref) for twin in twins])


def _find_last_known(tab: Tab, ref: Ref) -> tuple[str, str]:
    """Role and name of a ref in the snapshots that the tab remembers."""
    for snapshot in tab.snapshots.all():
        for match in REF_IN_LINE.finditer(snapshot.body):
            if int(match.group(2)) == ref.number:
                role, _, rest = match.group(1).strip().removesuffix("@e").strip().partition(" ")
                return role, _unquote(rest)
    return "", ""


def _unquote(text: str) -> str:
    return text[1:-1].replace('\\"', '"').replace("\\\\", "\\") if text.startswith('"') else ""


async def _twins(tab: Tab, frame: Frame, role: str, name: str) -> list[Element]:
    found = await _ask(tab, frame, f"__boathook.twins(...{_js([role, name])}, {tab.refs.next})")
    world = frame.world
    if not found or world is None:
        return []
    tab.refs.adopt(world, first=found["first"], after_last=found["next"])
    return [
        Element(frame=frame, world=world, local_id=local_id, ref=_ref(tab, world, local_id))
        for local_id in found["ids"][:CANDIDATES]
    ]


def _ref(tab: Tab, world: World, local_id: int) -> Ref:
    """The ref of a local id; one that the page created for a call that was cancelled gets its ref now."""
    ref = tab.refs.ref_of(world, local_id)
    if ref is not None:
        return ref
    tab.refs.adopt(world, first=local_id, after_last=local_id + 1)
    return Ref(tab.refs.next - 1)


def _js(value: object) -> str:
    return msgspec.json.encode(value).decode()


async def _ask(tab: Tab, frame: Frame, expression: str) -> dict[str, Any] | None:
    reply = await tab.frames.run(frame, expression)
    value = reply["result"].get("value")
    return value if isinstance(value, dict) else None
