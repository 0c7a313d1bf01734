"""Frames: the tree of documents in a tab, the process each lives in, and our isolated world in each."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.cdp.cdp_session import CdpSession
from boathook.cdp.errors_map import ContextGone
from boathook.cdp.replies import ignore_reply
from boathook.engine.hosts.urls import without_credentials
from boathook.engine.page.page_eval import SHOWN_ERROR, evaluate_in, thrown_in
from boathook.engine.page_scripts import walker_source
from boathook.errors import PageError, TabGone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boathook.engine.background_tasks import BackgroundTasks

WORLD_NAME = "boathook"
OPAQUE_ORIGIN = "://"
DOCUMENT_TRIES = 4
_MISSING = "__boathook is not defined"
TWO_FRAMES = (
    "document.hidden || new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
)
"""A background tab is not painted: it has no frames to wait for."""


def keeps_replacing_itself() -> PageError:
    """The error for a page whose documents are replaced faster than they can be read."""
    return PageError(
        f"the page keeps navigating: {DOCUMENT_TRIES} documents were replaced while being read",
        hint="wait until it is stable, then try again",
        documents_replaced=DOCUMENT_TRIES,
    )


def is_replacing_itself(error: PageError) -> bool:
    """Whether it is that error: another attempt may find a document that stays long enough."""
    return "documents_replaced" in error.evidence


@dataclass(slots=True, eq=False)
class Heard:
    """What is known about the listeners of one document (snapshot/listeners.py)."""

    count: int = -1
    """How many there were in the page's process when they were asked about; -1 before that."""
    turn: int = 0
    """How often nothing was asked since, because there were as many."""
    has_probe: bool = False


@dataclass(slots=True, eq=False)
class World:
    """Our own JavaScript world in one document: invisible to the page, and destroyed with the document."""

    frame: Frame
    context_id: int
    document: str
    ranges: list[tuple[int, int, int]] = field(default_factory=list)
    """(first local id, how many, first ref number), in order of local ids."""
    owners: dict[int, str] = field(default_factory=dict)
    """Frame ids of iframe elements, by the element's local id."""
    listens: bool | None = None
    """Whether an element of this document has a listener; None until Chromium was asked."""
    heard: Heard = field(default_factory=Heard)
    page_document: str = ""
    """Chromium's handle of the document in the page's own world, once it was needed; it ends with the document."""

    @property
    def alive(self) -> bool:
        """Whether the document of this world is still shown."""
        return self.frame.world is self


@dataclass(slots=True, eq=False)
class Frame:
    """One frame; the object stays the same while its documents change."""

    id: str
    parent_id: str
    session: CdpSession
    handle: str
    """`f1`, `f2`, …: never given to another frame of the tab."""
    url: str = ""
    name: str = ""
    origin: str = ""
    """As Chromium reports it; documents with an opaque origin, such as sandboxed ones, share theirs with none."""
    loader_id: str = ""
    world: World | None = None
    making: asyncio.Future[World] | None = None
    has_walker: bool = False
    """Whether the current document was created with the walker in it."""
    moved: int = 0
    """Which of all navigations of the tab's frames created its current document."""


class Frames:
    """All frames of one tab, across all of their processes."""

    def __init__(self, session: CdpSession, background_tasks: BackgroundTasks) -> None:
        self._main_session = session
        self._background_tasks = background_tasks
        self._by_id: dict[str, Frame] = {}
        self._adopting: set[asyncio.Future[None]] = set()
        self._last_handle = 0
        self.main_id = ""
        self.on_session: Callable[[CdpSession], None] = lambda _session: None
        self.on_main_navigated: Callable[[dict[str, Any]], None] = lambda _frame: None
        self._entered = ""
        self._moves = 0
        """How often a frame has received another document."""
        self._watch(session)

    @property
    def main(self) -> Frame:
        """The top frame."""
        return self._by_id[self.main_id]

    @property
    def entered(self) -> Frame | None:
        """The frame that commands are limited to; None for the whole page. A new document ends that."""
        return self._by_id.get(self._entered)

    def enter(self, frame: Frame | None) -> None:
        """Limit the following commands to one frame, or to none."""
        self._entered = frame.id if frame is not None else ""

    def __iter__(self) -> Iterator[Frame]:
        return iter(list(self._by_id.values()))

    def get(self, frame_id: str) -> Frame | None:
        """The frame with this id, if it still exists."""
        return self._by_id.get(frame_id)

    def walk_roots(self) -> list[Frame]:
        """One frame per document that the scripts of others cannot access: the top one, and those of other origins."""
        return [self.main, *(frame for frame in self if frame.parent_id and not self._is_entered(frame))]

    def _is_entered(self, frame: Frame) -> bool:
        parent = self._by_id.get(frame.parent_id)
        if parent is None or parent.session is not frame.session:
            return False
        return not frame.origin or (frame.origin == parent.origin and frame.origin != OPAQUE_ORIGIN)

    def once(self, frame: Frame, expression: str) -> str:
        """The expression for a walk root, with no value where the parent's script has already been.

        The protocol reports documents without a URL (`srcdoc`, `about:blank`) as opaque, whether they are isolated or not:
        only the page knows.
        """
        shared = frame.parent_id and frame.origin == OPAQUE_ORIGIN and frame.id != self._entered
        return f"frameElement ? null : {expression}" if shared else expression

    async def prepare(self, session: CdpSession) -> None:
        """Enable what frame tracking needs, in one go, and read the tree."""
        before = self._moves
        replies = [
            session.post("Page.enable"),
            session.post("Page.setLifecycleEventsEnabled", enabled=True),
            session.post(
                "Target.setAutoAttach",
                autoAttach=True,
                waitForDebuggerOnStart=False,
                flatten=True,
                filter=[{"type": "iframe"}, {"exclude": True}],
            ),
            session.post("Network.enable"),
            # New documents come with the walker in them, so that the first snapshot does not wait for its installation.
            session.post(
                "Page.addScriptToEvaluateOnNewDocument", source=walker_source(), worldName=WORLD_NAME
            ),
            session.post("Page.getFrameTree"),
        ]
        results = await asyncio.gather(*replies)
        self._take_tree(results[-1]["frameTree"], session, before)

    async def wait_for_moving_frames(self, seconds: float) -> None:
        """Wait until frames that have just moved to another process are ready, with a limit."""
        if self._adopting:
            await asyncio.wait(set(self._adopting), timeout=seconds)

    async def world(self, frame: Frame) -> World:
        """Our world in the frame's current document, created on first use, with the walker in it."""
        if frame.world is not None:
            return frame.world
        if frame.making is None:
            frame.making = asyncio.ensure_future(self._make_world(frame))
            ignore_reply(frame.making)
        try:
            return await asyncio.shield(frame.making)
        finally:
            if frame.making is not None and frame.making.done():
                frame.making = None

    async def _make_world(self, frame: Frame) -> World:
        loader = frame.loader_id
        reply = await frame.session.send("Page.createIsolatedWorld", frameId=frame.id, worldName=WORLD_NAME)
        context_id = int(reply["executionContextId"])
        if not frame.has_walker:
            await self._install(frame, context_id)
        if frame.loader_id != loader:
            raise ContextGone(
                "Page.createIsolatedWorld", number=0, text="the frame navigated to another document"
            )
        frame.world = World(frame=frame, context_id=context_id, document=loader)
        return frame.world

    async def _install(self, frame: Frame, context_id: int) -> None:
        """Install the walker in a document that was loaded before we attached."""
        installed = await evaluate_in(frame.session, walker_source() + ";0", context_id=context_id)
        thrown = thrown_in(installed)
        if thrown is not None:
            raise TabGone("the page script could not be installed", details=thrown.text[:SHOWN_ERROR])

    async def run(self, frame: Frame, expression: str, *, by_value: bool = True) -> dict[str, Any]:
        """Evaluate our own expression in the frame's world; if the document was just replaced, the next one is used."""
        for _ in range(DOCUMENT_TRIES):
            try:
                return await self._run_once(frame, expression, by_value=by_value)
            except ContextGone:
                frame.world = None
        raise keeps_replacing_itself()

    async def _run_once(self, frame: Frame, expression: str, *, by_value: bool) -> dict[str, Any]:
        world = await self.world(frame)
        question = {"expression": expression, "contextId": world.context_id, "returnByValue": by_value}
        reply = await frame.session.send("Runtime.evaluate", **question)
        thrown = thrown_in(reply)
        if thrown is None or _MISSING not in thrown.text:
            return reply
        await self._install(frame, world.context_id)
        return await frame.session.send("Runtime.evaluate", **question)

    async def offset_of(self, frame: Frame) -> tuple[float, float]:
        """The origin of a walk root's content in the viewport of the top frame."""
        x = y = 0.0
        for inner, outer in self._steps_out(frame):
            left, top = await self._owner_offset(inner, outer)
            x, y = x + left, y + top
        return x, y

    def _steps_out(self, frame: Frame) -> Iterator[tuple[Frame, Frame]]:
        """A frame and its ancestors, outwards; boxes are relative to the local root of the process."""
        while frame.id != self.main_id:
            parent = self._by_id.get(frame.parent_id)
            if parent is None:
                return
            yield frame, parent
            frame = self._local_root(parent)

    def is_process_root(self, frame: Frame) -> bool:
        """Whether it is the outermost frame of its process: the one whose own world commands reach without a context."""
        return self._local_root(frame) is frame

    def _local_root(self, frame: Frame) -> Frame:
        parent = self._by_id.get(frame.parent_id)
        while parent is not None and parent.session is frame.session:
            frame, parent = parent, self._by_id.get(parent.parent_id)
        return frame

    async def bring_into_view(self, frame: Frame) -> None:
        """Scroll the elements that contain the frame into view, outermost first."""
        for inner, outer in reversed(list(self._steps_out(frame))):
            owner = await outer.session.send("DOM.getFrameOwner", frameId=inner.id)
            await outer.session.send("DOM.scrollIntoViewIfNeeded", backendNodeId=owner["backendNodeId"])
        if frame.session is not self._main_session:
            # Input is routed to frames of other processes by the last compositor frame: wait for one at the current position.
            await self._main_session.send("Runtime.evaluate", expression=TWO_FRAMES, awaitPromise=True)

    async def _owner_offset(self, inner: Frame, outer: Frame) -> tuple[float, float]:
        """The origin of the content box of the element that contains a frame."""
        owner = await outer.session.send("DOM.getFrameOwner", frameId=inner.id)
        box = await outer.session.send("DOM.getBoxModel", backendNodeId=owner["backendNodeId"])
        return float(box["model"]["content"][0]), float(box["model"]["content"][1])

    def forget_worlds(self) -> None:
        """Drop all worlds: the renderer was replaced."""
        for frame in self._by_id.values():
            frame.world = None

    def _watch(self, session: CdpSession) -> None:
        session.on(
            "Page.frameAttached", lambda p: self._on_attached(p["frameId"], p["parentFrameId"], session)
        )
        session.on("Page.frameNavigated", lambda p: self._on_navigated(p["frame"], session))
        session.on("Page.frameDetached", self._on_detached)
        session.on("Page.navigatedWithinDocument", self._on_moved_within)
        session.on("Target.attachedToTarget", self._on_child_attached)
        session.on("Target.detachedFromTarget", self._on_child_detached)

    def _take_tree(self, tree: dict[str, Any], session: CdpSession, before: int) -> None:
        known = self._by_id.get(tree["frame"]["id"])
        if known is not None and known.moved > before:
            # The tree was read before it navigated, so its children are gone, and the document did not wait for the walker.
            known.world, known.making, known.has_walker = None, None, False
            return
        self._put(tree["frame"], session)
        for child in tree.get("childFrames", ()):
            self._take_tree(child, session, before)

    def _put(self, info: dict[str, Any], session: CdpSession) -> Frame:
        frame = self._by_id.get(info["id"])
        if frame is None:
            frame = self._add(info["id"], info.get("parentId", ""), session)
        if frame.session is not session or frame.loader_id != info.get("loaderId", ""):
            frame.world = frame.making = None
            frame.has_walker = False
        frame.session = session
        frame.loader_id = info.get("loaderId", "")
        frame.url = without_credentials(info.get("url", "")) + info.get("urlFragment", "")
        frame.name = info.get("name", "")
        frame.origin = info.get("securityOrigin", "")
        if not frame.parent_id and session is self._main_session:
            self.main_id = frame.id
        return frame

    def _on_attached(self, frame_id: str, parent_id: str, session: CdpSession) -> None:
        if frame_id not in self._by_id:
            self._add(frame_id, parent_id, session)

    def _add(self, frame_id: str, parent_id: str, session: CdpSession) -> Frame:
        self._last_handle += 1
        frame = Frame(id=frame_id, parent_id=parent_id, session=session, handle=f"f{self._last_handle}")
        self._by_id[frame_id] = frame
        return frame

    def _on_navigated(self, info: dict[str, Any], session: CdpSession) -> None:
        known = self._by_id.get(info["id"])
        if (
            known is not None
            and known.session is not session
            and session is self._main_session
            and info.get("parentId")
        ):
            known.world = None  # a frame returned from a separate process
        self._moves += 1
        frame = self._put(info, session)
        frame.has_walker, frame.moved = True, self._moves
        self._drop_children(info["id"])
        if info["id"] == self.main_id:
            self._entered = ""
            self.on_main_navigated(info)
            # The walker is installed while the page still loads, so that the first snapshot does not wait for that.
            self._background_tasks.start(self._make_early(self.main), name="install the walker")

    async def _make_early(self, frame: Frame) -> None:
        with suppress(ContextGone):
            await self.world(frame)

    def _on_moved_within(self, params: dict[str, Any]) -> None:
        frame = self._by_id.get(params["frameId"])
        if frame is not None:
            frame.url = without_credentials(params.get("url", frame.url))

    def _on_detached(self, params: dict[str, Any]) -> None:
        if params.get("reason") != "swap":
            self._drop(params["frameId"])

    def _drop_children(self, frame_id: str) -> None:
        for child in [frame.id for frame in self._by_id.values() if frame.parent_id == frame_id]:
            self._drop(child)

    def _drop(self, frame_id: str) -> None:
        self._drop_children(frame_id)
        frame = self._by_id.pop(frame_id, None)
        if frame is not None:
            frame.world = None

    def _on_child_attached(self, params: dict[str, Any]) -> None:
        info = params["targetInfo"]
        if info["type"] != "iframe":
            return
        session = CdpSession(self._main_session.connection, params["sessionId"])
        self._watch(session)
        self.on_session(session)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._adopting.add(done)
        if self._background_tasks.start(self._adopt(session, done), name="adopt frame") is None:
            self._adopting.discard(done)

    async def _adopt(self, session: CdpSession, done: asyncio.Future[None]) -> None:
        try:
            await self.prepare(session)
        finally:
            self._adopting.discard(done)
            if not done.done():
                done.set_result(None)
        for frame in [frame for frame in self if frame.session is session and frame.world is None]:
            await self._make_early(frame)

    def _on_child_detached(self, params: dict[str, Any]) -> None:
        for frame in self._by_id.values():
            if frame.session.id == params["sessionId"]:
                frame.world = None
        self._main_session.connection.forget_session(params["sessionId"])
