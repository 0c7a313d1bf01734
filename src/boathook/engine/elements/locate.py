"""From a target to one element, across all frames; or a precise error with candidates."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.cdp.replies import ignore_reply
from boathook.engine.elements.match_scope import frames_to_search, index_of_match, search_options
from boathook.engine.elements.refs import REF_IN_LINE, foreign_ref, gone_ref, stale_ref, unknown_ref
from boathook.engine.elements.selector import Selector, invalid_selector, parse_target
from boathook.engine.page.page_eval import evaluate_in, post_evaluation
from boathook.engine.page_scripts import page_script
from boathook.errors import AmbiguousTarget, BoathookError, TargetNotFound
from boathook.values import Ref, count_noun

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.clock import Deadline
    from boathook.engine.page.frames import Frame, World
    from boathook.engine.tab import Tab

CANDIDATES = 10
_searches = itertools.count(1)
ZERO_MATCH_SECONDS = 2.0
"""How long nothing may match before it is an error."""
SHARE_FOR_LOOKING = 0.5
"""The part of a short timeout in which nothing may match."""
POLL_SECONDS = 0.1
BLANK_PAGES = ("", "about:blank")
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
    hidden: bool = False
    mark: str = ""
    """What of it is similar to the target, if not its name: `#save`."""

    def __str__(self) -> str:
        named = f" {self.name!r}" if self.name else ""
        mark = f" ({self.mark})" if self.mark else ""
        return f"{self.element.ref} {self.role}{named}{mark}{' (hidden)' if self.hidden else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What matches a target, across all frames: at most ten in detail, and near misses if there are none."""

    matches: list[Match]
    near: list[Match]
    count: int = 0
    hidden: int = 0
    """Further matches that are hidden."""


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
    found = await _appearing(tab, wanted, deadline, nth=nth)
    if not found.matches:
        raise await _nothing(tab, wanted, nth=nth)
    if nth is None and len(found.matches) > 1 and not (wanted.kind == "css" and wanted.value in WHOLE_PAGE):
        raise _ambiguous(wanted, found)
    return found.matches[0].element


async def locate_at_once(
    tab: Tab, target: str, *, nth: int | None, behind: Callable[[int], tuple[str, ...]]
) -> tuple[Element, tuple[asyncio.Future[dict[str, Any]], ...]] | None:
    """The element that a target matches now, in a page of one document; None if it has to be located otherwise.

    `behind` gets the number of the search, and returns what is sent with the question: it knows the match by that number.
    """
    wanted, main = parse_target(target), tab.frames.main
    world = main.world
    if (
        wanted.ref
        or wanted.point
        or wanted.kind == "cell"
        or world is None
        or not is_only_document(tab, main)
    ):
        return None
    nth, search = index_of_match(nth), next(_searches)
    finding = (
        f"__boathook.find({_js(_search_question(tab, wanted, nth=nth, search=search))}, {tab.refs.next})"
    )
    replies = [
        post_evaluation(main.session, expression, context_id=world.context_id)
        for expression in (finding, *behind(search))
    ]
    for reply in replies[1:]:
        ignore_reply(reply)
    try:
        found = (await replies[0])["result"].get("value") or {}
    except BoathookError:
        return None
    if not found.get("found"):
        return None
    tab.refs.adopt(world, first=found["first"], after_last=found["next"])
    if nth is None and found["count"] != 1:
        return None
    return _match(tab, world, found["found"][0]).element, tuple(replies[1:])


def is_only_document(tab: Tab, frame: Frame) -> bool:
    """Whether our scripts run in no other frame."""
    return tab.frames.walk_roots() == [frame] and frames_to_search(tab) == [frame]


def _ambiguous(wanted: Selector, found: Found) -> AmbiguousTarget:
    count = f"{CANDIDATES}+" if len(found.matches) == CANDIDATES else str(len(found.matches))
    kind = "visible elements" if found.hidden and not found.matches[0].hidden else "elements"
    others = f" (and {found.hidden} hidden)" if kind == "visible elements" else ""
    listed = ", ".join(str(match) for match in found.matches)
    return AmbiguousTarget(
        f"{count} {kind} match {wanted.given!r}{others}: {listed}",
        candidates=[str(match.element.ref) for match in found.matches],
        near=[_evidence(match, wanted) for match in found.matches],
    )


def _evidence(match: Match, wanted: Selector) -> dict[str, Any]:
    """An element that may be meant; `exact` if its name is what was asked for, apart from case and spaces."""
    words = wanted.name if wanted.kind == "role" else wanted.value
    exact = bool(words) and _normalize(match.name) == _normalize(words or "")
    return {"ref": str(match.element.ref), "role": match.role, "name": match.name, "exact": exact}


def _normalize(text: str) -> str:
    return " ".join(text.split()).casefold()


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


async def find_all(tab: Tab, wanted: Selector, *, nth: int | None = None, near: bool = False) -> Found:
    """Current matches, across all frames; with `nth`, from that index on, hidden ones included."""
    matches: list[Match] = []
    misses: list[Match] = []
    count = hidden = 0
    for frame in frames_to_search(tab):
        left = None if nth is None else max(0, nth - count)
        found = await _find_in(tab, frame, wanted, nth=left, near=near)
        if found is None:
            continue
        world, reply = found
        if "error" in reply:
            raise invalid_selector(wanted)
        matches += [_match(tab, world, entry) for entry in reply["found"]]
        misses += [_match(tab, world, entry) for entry in reply["near"]]
        count += int(reply["count"])
        hidden += int(reply["hidden"])
    return Found(matches=matches[:CANDIDATES], near=misses, count=count, hidden=hidden)


async def _appearing(tab: Tab, wanted: Selector, deadline: Deadline | None, *, nth: int | None) -> Found:
    if deadline is None:
        return await find_all(tab, wanted, nth=nth)
    # Shorter than the call, so that nothing found is reported as that and not as a timeout.
    patience = deadline.shorten(min(ZERO_MATCH_SECONDS, SHARE_FOR_LOOKING * deadline.remaining()))
    async with deadline.stage(f"looking for {wanted.given[:200]!r}"):
        if wanted.kind == "cell":
            await _reach_cell(tab, wanted, deadline)
        while True:
            found = await find_all(tab, wanted, nth=nth)
            if found.matches or patience.remaining() == 0:
                return found
            await asyncio.sleep(min(POLL_SECONDS, patience.remaining()))


async def _reach_cell(tab: Tab, wanted: Selector, deadline: Deadline) -> None:
    """Scroll a cell into view, in grids that render only the rows in view as well."""
    script = page_script("widgets/reach_cell.js")
    for frame in frames_to_search(tab):
        milliseconds = int(SHARE_FOR_LOOKING * deadline.remaining() * 1_000)
        call = f"({script})({_js(wanted.value)}, {_js(wanted.name)}, {milliseconds})"
        with suppress(BoathookError):
            world = await tab.frames.world(frame)
            reply = await evaluate_in(frame.session, call, context_id=world.context_id)
            if (reply["result"].get("value") or {}).get("found"):
                return


def _search_question(
    tab: Tab, wanted: Selector, *, nth: int | None, near: bool = False, search: int = 0
) -> dict[str, Any]:
    return {
        "kind": wanted.kind,
        "value": wanted.value,
        "name": wanted.name,
        "exact": "anyCase" if wanted.any_case else wanted.exact,
        "nth": nth,
        "near": near,
        "search": search,
        **search_options(tab),
    }


async def _find_in(
    tab: Tab, frame: Frame, wanted: Selector, *, nth: int | None, near: bool
) -> tuple[World, dict[str, Any]] | None:
    try:
        finding = (
            f"__boathook.find({_js(_search_question(tab, wanted, nth=nth, near=near))}, {tab.refs.next})"
        )
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
    return Match(
        element=element,
        role=entry["role"],
        name=entry["name"] or entry.get("text", ""),
        hidden=bool(entry.get("hidden")),
        mark=entry.get("mark", ""),
    )


async def _nothing(tab: Tab, wanted: Selector, *, nth: int | None) -> TargetNotFound:
    """The error for a target that matches nothing, with what is similar to it."""
    found = await find_all(tab, wanted, near=True)
    every = found.count + found.hidden
    if nth is not None and every:
        hidden = f" ({found.hidden} hidden)" if found.hidden else ""
        return TargetNotFound(
            f"no match of {wanted.given!r} has index {nth}: {count_noun(every, 'element')} found{hidden}",
            hint=f"use an index from 0 to {every - 1}",
        )
    if tab.url in BLANK_PAGES:
        return TargetNotFound(
            f"nothing matches {wanted.given!r}: the page is blank",
            hint="open a URL first|: `open URL`",
            blank=True,
        )
    near = found.near[:5]
    listed = f"; near: {', '.join(str(match) for match in near)}" if near else ""
    return TargetNotFound(
        f"nothing on the page matches {wanted.given!r}{listed}",
        hint="use one of these refs" if near else None,
        candidates=[str(match.element.ref) for match in near],
        near=[_evidence(match, wanted) for match in near],
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
        twins = await find_twins(tab, world.frame, about["role"], about["name"])
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
    twins = await find_twins(tab, tab.frames.main, role, name) if role else []
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


async def find_twins(tab: Tab, frame: Frame, role: str, name: str) -> list[Element]:
    """Elements with a role and a name, at most ten."""
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
