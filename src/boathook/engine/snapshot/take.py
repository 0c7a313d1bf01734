"""Taking a snapshot: one walk per process, joined into one tree over all frames."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from boathook.cdp.errors_map import ContextGone, NodeGone
from boathook.cdp.replies import ignore_reply
from boathook.engine.page.frames import DOCUMENT_TRIES, is_replacing_itself, keeps_replacing_itself
from boathook.engine.page.page_eval import value_of
from boathook.engine.snapshot.ask_chromium import learn_from_chromium
from boathook.engine.snapshot.foreign_sheets import failed_sheets, learn_sheets, sheet_texts
from boathook.engine.snapshot.graphics import describe_graphics
from boathook.engine.snapshot.listeners import anything_listens, can_probe, count_listeners, learn_listeners
from boathook.errors import BoathookError, PageError, ProtocolError, TabGone

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.page.frames import Frame, World
    from boathook.engine.snapshot.snapshot_options import Question
    from boathook.engine.tab import Tab

FRAME_SECONDS = 2.0
"""How long one frame's process may take before the snapshot continues without it."""
PARSE_SECONDS = 1.0
"""How long to wait for a document that has only started to load."""
FRAME_DEPTH = 24
FRAME_LIMIT = 500
INDENT = "  "
STARTED = "the page has only started to load"
STILL_LOADING = "the page is still loading: more may follow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A page as text, before it is cut to a budget: one line per node."""

    tab: str
    url: str
    title: str
    revision: int
    mode: str
    question: str
    body: str
    """The lines, joined."""
    left_out: int = 0
    """Lines that the page did not send, because of a safety limit."""
    hidden: int = 0
    nodes: int = 0
    scroll: tuple[float, ...] = ()
    news: tuple[str, ...] = ()
    texts_added: tuple[str, ...] = ()
    """Quoted texts that are not listed and are new since the last snapshot, if that was requested."""
    texts_removed: tuple[str, ...] = ()
    graphics: tuple[str, ...] = ()
    """Drawings as text, a line each and one for each of their shapes."""

    @property
    def lines(self) -> list[str]:
        """One string per node, indented by two spaces per level."""
        return self.body.split("\n") if self.body else []


@dataclass(slots=True)
class _Walk:
    """The result of one world, with its frames still to be inserted."""

    world: World
    meta: dict[str, Any]
    text: str


@dataclass(slots=True)
class _JoinedSnapshot:
    """Running totals over all frames of one snapshot."""

    frames: int = 0
    nodes: int = 0
    hidden: int = 0
    cut: int = 0
    unread: list[str] = field(default_factory=list)

    def count(self, meta: dict[str, Any]) -> None:
        self.frames += 1
        self.nodes += int(meta.get("nodes", 0))
        self.hidden += int(meta.get("hidden", 0))
        self.cut += int(meta.get("cut", 0))


async def take_snapshot(
    tab: Tab, question: Question, *, deadline: Deadline, remember: bool = True
) -> Snapshot:
    """A snapshot of the whole page or of one element; without `remember` it starts no new revision."""
    async with deadline.stage("waiting for frames that are moving to another process"):
        await tab.frames.wait_for_moving_frames(min(FRAME_SECONDS, deadline.remaining() / 2))
    frame, root = tab.frames.entered or tab.frames.main, 0
    if question.root is not None:
        frame, root = question.root.frame, question.root.local_id
    joined = _JoinedSnapshot()
    async with deadline.stage("reading the page"):
        first = await _first_walk(tab, frame, question, root=root, deadline=deadline)
        if _has_only_begun(first):
            seconds = min(PARSE_SECONDS, deadline.remaining() / 2)
            first = await _walk_after_parsing(tab, frame, question, first, root=root, seconds=seconds)
    graphics: tuple[str, ...] = ()
    async with deadline.stage("reading the page's frames"):
        body = await _with_frames(tab, first, question, joined, ancestors=(frame.id,))
    if question.graphics or (first.meta.get("graphic") and question.lists_drawings):
        async with deadline.stage("describing drawings"):
            graphics = await describe_graphics(tab, first.world, root=root, short=not question.graphics)
    url = tab.url
    news: tuple[str, ...] = ()
    if remember:
        news, tab.news = tuple(tab.news), []
    if first.meta.get("loading"):
        news = (*news, STARTED if _has_only_begun(first) else STILL_LOADING)
    texts = first.meta.get("texts") or {}
    snapshot = Snapshot(
        tab=tab.id,
        url=url,
        title=str(first.meta.get("title", "")),
        revision=tab.snapshots.number(body, url, question.key, graphics=graphics),
        mode=question.mode,
        question=question.key,
        body=body,
        left_out=joined.cut,
        hidden=joined.hidden,
        nodes=joined.nodes,
        scroll=tuple(first.meta.get("scroll") or ()),
        news=news,
        texts_added=tuple(texts.get("added", ())),
        texts_removed=tuple(texts.get("removed", ())),
        graphics=graphics,
    )
    if remember:
        tab.snapshots.keep(snapshot)
    return snapshot


def _has_only_begun(walk: _Walk) -> bool:
    """Whether it is an empty result from a document that has just started to load: that says nothing about the page."""
    return bool(walk.meta.get("loading")) and not (walk.meta["nodes"] and walk.text)


async def _first_walk(tab: Tab, frame: Frame, question: Question, *, root: int, deadline: Deadline) -> _Walk:
    """Walk the page; one that keeps replacing its documents is read right after one of them was parsed."""
    while True:
        try:
            return await _walk(tab, frame, question, root=root)
        except PageError as error:
            if not is_replacing_itself(error) or deadline.remaining() < deadline.seconds / 2:
                raise
        with suppress(TimeoutError):
            async with asyncio.timeout(min(PARSE_SECONDS, deadline.remaining() / 2)):
                await tab.loads.present("domcontentloaded")


async def _walk_after_parsing(
    tab: Tab, frame: Frame, question: Question, walk: _Walk, *, root: int, seconds: float
) -> _Walk:
    """Walk again once there is content; a page may navigate meanwhile."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while _has_only_begun(walk):
                await tab.loads.present("domcontentloaded")
                # At once: a page that replaces its documents has another one by the time it has said who listens.
                walk = await _walk(tab, frame, question, root=root, asks=False)
    return walk


async def _walk(tab: Tab, frame: Frame, question: Question, *, root: int = 0, asks: bool = True) -> _Walk:
    walker = _walk_with_listeners if asks else _walk_living
    walk = await walker(tab, frame, question, root=root)
    if walk.meta.get("hosts"):
        # At once: both questions are about elements of the walk that was just made.
        opened, _ = await asyncio.gather(_open_closed_roots(walk), _learn_owners(walk))
        if opened:
            walk = await _walk_living(tab, frame, question, root=root)
    questions = walk.meta.get("questions")
    if questions and await learn_from_chromium(frame.session, walk.world.context_id, questions):
        walk = await _walk_living(tab, frame, question, root=root)
    return walk


async def _walk_with_listeners(tab: Tab, frame: Frame, question: Question, *, root: int) -> _Walk:
    """A walk that knows which elements listen."""
    if not can_probe(tab, frame):
        return await _walk_living(tab, frame, question, root=root)
    try:
        world = await tab.frames.world(frame)
    except ContextGone:  # replaced at this moment: the walk itself tries again
        return await _walk_living(tab, frame, question, root=root)
    counted = not world.listens
    if world.listens is None:
        world.listens = await anything_listens(world, count_listeners(world))
    elif not world.listens:
        # The count goes first: it takes no time, and its answer does not have to wait for the end of the walk.
        count = count_listeners(world)
        walk = await _walk_living(tab, frame, question, root=root)
        world.listens = await anything_listens(world, count)
        if not world.listens:
            return walk
    learn = await learn_listeners(world, counted=counted) if world.listens else ""
    return await _walk_living(tab, frame, question, root=root, learn=learn)


async def _walk_living(tab: Tab, frame: Frame, question: Question, *, root: int, learn: str = "") -> _Walk:
    """Walk until the document that responded still exists to assign its refs to."""
    for _ in range(DOCUMENT_TRIES):
        walk = await _walk_once(tab, frame, question, root=root, learn=learn)
        if walk is not None:
            return walk
    raise keeps_replacing_itself()


async def _walk_once(tab: Tab, frame: Frame, question: Question, *, root: int, learn: str) -> _Walk | None:
    options = question.for_page(base=tab.refs.next, root=root, failed_sheets=failed_sheets(tab, frame))
    first = f"{learn}, " if learn else ""
    meta, text = await _answer(tab, frame, f"{first}__boathook.walk({options})")
    unknown = meta.get("sheets")
    if unknown and "nodes" not in meta:
        options = question.for_page(base=tab.refs.next, root=root)
        sheets = learn_sheets(await sheet_texts(tab, frame, unknown))
        meta, text = await _answer(tab, frame, f"{sheets}, __boathook.walk({options})")
    world = frame.world
    if world is None:
        return None
    tab.refs.adopt(world, first=int(meta["first"]), after_last=int(meta["next"]))
    return _Walk(world=world, meta=meta, text=tab.refs.in_session_numbers(world, text))


async def _answer(tab: Tab, frame: Frame, expression: str) -> tuple[dict[str, Any], str]:
    """What a walk returns: facts about it, and the lines."""
    reply = await tab.frames.run(frame, expression)
    head, _, text = str(value_of(reply, failed="the page could not be read")).partition("\n")
    return msgspec.json.decode(head.encode()), text


async def _open_closed_roots(walk: _Walk) -> bool:
    """Pass the closed shadow roots of possible hosts to the walker; true if there was one."""
    found = await asyncio.gather(*(_open_closed_root(walk, host) for host in walk.meta["hosts"]))
    return any(found)


async def _open_closed_root(walk: _Walk, host: int) -> bool:
    session, context = walk.world.frame.session, walk.world.context_id
    try:
        element = await session.send(
            "Runtime.evaluate", expression=f"__boathook.get({host})", contextId=context
        )
        object_id = element["result"].get("objectId")
        if object_id is None:
            return False
        node = (await session.send("DOM.describeNode", objectId=object_id))["node"]
        roots = [root for root in node.get("shadowRoots", ()) if root.get("shadowRootType") == "closed"]
        if not roots:
            return False
        resolved = await session.send(
            "DOM.resolveNode", backendNodeId=roots[0]["backendNodeId"], executionContextId=context
        )
        # The next walk is sent behind it, and run after it.
        passed = session.post(
            "Runtime.callFunctionOn",
            functionDeclaration="function (root) { __boathook.closed(this, root); }",
            objectId=object_id,
            arguments=[{"objectId": resolved["object"]["objectId"]}],
        )
        ignore_reply(passed)
    except (ProtocolError, TabGone):
        return False
    return True


async def _learn_owners(walk: _Walk) -> None:
    """Ask which frames the listed frame elements contain; what cannot be answered is asked again when it is needed."""
    owners = [owner for _line, _depth, owner in walk.meta.get("frames", ())[:FRAME_LIMIT]]
    unknown = [owner for owner in owners if owner not in walk.world.owners]
    with suppress(TimeoutError):
        async with asyncio.timeout(FRAME_SECONDS):
            await asyncio.gather(*(_frame_id(walk, owner) for owner in unknown), return_exceptions=True)


async def _with_frames(
    tab: Tab, walk: _Walk, question: Question, joined: _JoinedSnapshot, *, ancestors: tuple[str, ...]
) -> str:
    """The walk's lines with the content of frames from other processes inserted."""
    joined.count(walk.meta)
    places = walk.meta.get("frames", ())
    if not places or len(ancestors) > FRAME_DEPTH:
        return walk.text
    contents = await asyncio.gather(
        *(_frame_lines(tab, walk, place, question, joined, ancestors=ancestors) for place in places)
    )
    lines = walk.text.split("\n")
    for (line, depth, _owner), content in sorted(
        zip(places, contents, strict=True), key=lambda pair: -pair[0][0]
    ):
        lines[line + 1 : line + 1] = [INDENT * depth + inner for inner in content]
    return "\n".join(lines)


async def _frame_lines(
    tab: Tab,
    walk: _Walk,
    place: list[int],
    question: Question,
    joined: _JoinedSnapshot,
    *,
    ancestors: tuple[str, ...],
) -> list[str]:
    _line, _depth, owner = place
    if joined.frames + len(joined.unread) >= FRAME_LIMIT:
        joined.unread.append("too many frames")
        return []
    try:
        async with asyncio.timeout(FRAME_SECONDS):
            frame_id = walk.world.owners.get(owner) or await _frame_id(walk, owner)
            frame = tab.frames.get(frame_id)
            if frame is None or frame.id in ancestors:
                return []
            inner = await _walk(tab, frame, question)
            body = await _with_frames(tab, inner, question, joined, ancestors=(*ancestors, frame.id))
    except (TimeoutError, BoathookError) as error:
        reason = error.code.replace("_", " ") if isinstance(error, BoathookError) else "does not respond"
        joined.unread.append(reason)
        return [f"(this frame could not be read: {reason})"]
    return body.split("\n") if body else []


async def _frame_id(walk: _Walk, owner: int) -> str:
    session = walk.world.frame.session
    element = await session.send(
        "Runtime.evaluate", expression=f"__boathook.get({owner})", contextId=walk.world.context_id
    )
    object_id = element["result"].get("objectId")
    if object_id is None:
        raise NodeGone("DOM.describeNode", number=0, text="the frame element is gone")
    node = (await session.send("DOM.describeNode", objectId=object_id))["node"]
    frame_id = str(node.get("frameId", ""))
    walk.world.owners[owner] = frame_id
    return frame_id
