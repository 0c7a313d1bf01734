"""A tab: owns the watchers of one page and the one way to run a call on it; features live elsewhere."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal

from boathook.cdp.replies import forgotten
from boathook.clock import Deadline
from boathook.engine.actions.held_input import Held
from boathook.engine.capture.images.screenshot_memory import PictureMemory
from boathook.engine.debug.source_maps import SourceMaps
from boathook.engine.emulation.overrides import Emulation
from boathook.engine.events.console import Console
from boathook.engine.events.event_log import Happenings, Ring
from boathook.engine.files.downloads import Downloads
from boathook.engine.hosts.urls import checked_address, without_credentials
from boathook.engine.network.log.network_log import NetworkLog
from boathook.engine.network.proxy.egress_proxy import explaining
from boathook.engine.network.routing.interception import Interception
from boathook.engine.page import navigation, recovery
from boathook.engine.page.detached_calls import Detached
from boathook.engine.page.dialogs import Dialogs
from boathook.engine.page.file_choosers import Choosers
from boathook.engine.page.frames import Frames
from boathook.engine.page.http_auth import Credentials
from boathook.engine.page.inflight_requests import Requests
from boathook.engine.page.init_scripts import InitScripts
from boathook.engine.page.navigation import Loads
from boathook.engine.snapshot.snapshot_memory import SnapshotMemory
from boathook.errors import BrowserGone, TabCrashed, TabGone, TimedOut
from boathook.redaction.redactor import Redactor

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection
    from pathlib import Path

    from boathook.cdp.session import Session
    from boathook.engine.actions.changes import Interrupted
    from boathook.engine.actions.input.pointer_motion import Gait
    from boathook.engine.background_tasks import Chores
    from boathook.engine.browser import Browser
    from boathook.engine.debug.coverage import CoverageWatch
    from boathook.engine.elements.refs import RefTable
    from boathook.values import TabId, Viewport, WaitUntil

TabState = Literal["ready", "recovering", "crashed", "dead", "closed"]

NAVIGATE_SECONDS = 30.0
READ_SECONDS = 20.0
POPUP_NEWS = "the page keeps opening tabs"
CLOSE_SECONDS = 5.0


class Tab:
    """One page of a browser, by its lasting id."""

    upload_roots: tuple[Path, ...] | None = None
    """Folders that the present call may upload files from; None is what the browser says."""
    gait: Gait = "instant"
    """How the mouse goes to what is clicked or dragged."""
    opens_tabs = False
    """Whether a gesture goes on that opens links in new tabs; the browser does not say whose these are."""
    interrupted: Interrupted | None = None
    """The action that opened the dialog which is open now."""
    coverage: CoverageWatch | None = None
    """Counts what pages use of what they load, while somebody wants to know."""
    redactor: Callable[[], Redactor] = staticmethod(Redactor)
    """Takes secrets out of files, as far as they are known by now."""

    def __init__(
        self,
        tab_id: TabId,
        *,
        target_id: str,
        session: Session,
        chores: Chores,
        refs: RefTable,
        schemes: Collection[str],
        owned: bool,
    ) -> None:
        self.id = tab_id
        self.browser: Browser
        """The one that it belongs to; set when the tab is attached to."""
        self.label = ""
        self.refs = refs
        self.owned = owned
        self.raisable = False
        """Whether the tab may be brought to the front: only in a browser that is ours alone."""
        self.opener: Tab | None = None
        self.own_context: str | None = None
        """The isolated context that goes away with this tab."""
        self.state: TabState = "ready"
        self.closed = asyncio.Event()
        self.news: list[str] = []
        self.snapshots = SnapshotMemory()
        self.pictures = PictureMemory()
        self.held = Held()
        self.happenings = Happenings()
        self.last_action = 0
        """The mark from which waits count what happened, unless they are given another."""
        self.dialogs = Dialogs(self.happenings)
        self.dialogs.on_storm = self.news.append
        self.dialogs.give_up = self._stop_page if owned else None
        self.console = Console(self.happenings)
        self.source_maps = SourceMaps(self)
        self.network = NetworkLog(self.happenings)
        self.choosers = Choosers(self.happenings)
        self.downloads = Downloads(self.happenings)
        self.interception = Interception(self.network)
        self.credentials = Credentials(self.interception)
        self.emulation = Emulation()
        self.init_scripts = InitScripts()
        self.detached = Detached()
        self.opened: Ring[Tab] = Ring(self.happenings, limit=100)
        """Tabs that pages of this one opened."""
        self.opening: Ring[str] = Ring(self.happenings, limit=20)
        """Addresses that its pages wanted to open in tabs of their own."""
        self.replace_target: Callable[[], Awaitable[None]] | None = None
        self.siblings: Callable[[], list[str]] = list
        """Ids of all tabs of the browser, to see which ones an action opened."""
        self.popups: set[asyncio.Task[None]] = set()
        """Tabs that the page has just opened, while we attach to them."""
        self._lost = ""
        """Why the browser went away, once it has."""
        self._refused_popups = 0
        self._chores = chores
        self._schemes = schemes
        self._recovered = asyncio.Event()
        self.bind(target_id, session)

    def bind(self, target_id: str, session: Session) -> None:
        """Watch a target; a tab whose renderer cannot be brought back gets a second one."""
        self.target_id = target_id
        self.session = session
        self.frames = Frames(session, self._chores)
        self.loads = Loads(session, self.frames)
        self.requests = Requests()
        self._watch(session, main=True)
        self.frames.on_session = self._watch

    def _watch(self, session: Session, *, main: bool = False) -> None:
        """Listen on the top session, or on that of a frame in another process."""
        self.dialogs.watch(session, main=main)
        self.requests.watch(session)
        self.network.watch(session, main=main)
        self.choosers.watch(session, intercept=self.owned)
        self.console.watch(session, main=main)
        self.interception.watch(session, main=main)
        self.emulation.watch(session, main=main)
        self.init_scripts.watch(session, main=main)
        session.on(
            "Page.windowOpen",
            lambda params: self.opening.add(self.opening.tick(), without_credentials(params["url"])),
        )
        session.on("Page.navigatedWithinDocument", lambda _params: self._stirred())

    def _stirred(self) -> None:
        self.happenings.tick()

    @property
    def popups_since_action(self) -> int:
        """How many tabs the page has opened since the last action on it."""
        return len(self.opened.since(self.last_action)) + len(self.popups)

    def refuse_popup(self) -> None:
        """Tell, in one line however many there were, that a further tab was closed at once."""
        if self._refused_popups:
            self.news = [line for line in self.news if not line.startswith(POPUP_NEWS)]
        self._refused_popups += 1
        self.news.append(f"{POPUP_NEWS}: {self._refused_popups} were closed at once")

    @property
    def url(self) -> str:
        """The present address of the top frame; nothing while a new page takes the place of one that hung."""
        main = self.frames.get(self.frames.main_id)
        return main.url if main is not None else ""

    def begin_like(self, other: Tab) -> None:
        """Find what was set up for another tab, before anything is loaded here."""
        self.emulation.begin_with(other.emulation.settings)
        self.dialogs.policy = other.dialogs.policy
        self.gait = other.gait
        self.init_scripts.begin_with(other.init_scripts.sources)

    async def prepare(self, viewport: Viewport | None) -> None:
        """Turn on what every tab needs, all at once."""
        self.require_alive()  # a dead page would never answer
        extras = []
        if self.owned:
            # A background tab would otherwise stop painting and never get focus events.
            extras.append(self.session.post("Emulation.setFocusEmulationEnabled", enabled=True))
        self.emulation.usual_viewport = viewport
        if viewport is not None and not self.emulation.has_screen:
            extras.append(
                self.session.post(
                    "Emulation.setDeviceMetricsOverride",
                    width=viewport.width,
                    height=viewport.height,
                    deviceScaleFactor=viewport.scale,
                    mobile=False,
                )
            )
        await asyncio.gather(self.frames.prepare(self.session), *extras)

    @asynccontextmanager
    async def call(
        self,
        doing: str,
        *,
        seconds: float,
        needs_page: bool = True,
        looks: bool = False,
        waits: bool = False,
    ) -> AsyncIterator[Deadline]:
        """Run one call: state checked first, ended by its deadline, and the tab brought back when that passes.

        One that only looks or waits leaves the mark of the last action where it is, and one that waits may give
        up without anything being wrong with the page.
        """
        deadline = Deadline.after(seconds)
        if not (looks or waits):
            self.last_action = self.happenings.now
        try:
            async with deadline.stage(doing, seen=self._situation):
                await self._usable(needs_page=needs_page)
                if needs_page:
                    self.dialogs.require_none()
                yield deadline
        except TimedOut as error:
            self._on_timeout(error, stop_loading=not waits)
            raise

    async def goto(
        self, url: str, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS
    ) -> None:
        """Load an address and wait for it."""
        address = checked_address(url, schemes=self._schemes, reach=self.browser.reach)
        async with self.call(
            f"opening {without_credentials(address)[:200]}", seconds=timeout, needs_page=False
        ) as deadline:
            await self._leave_page()
            self.state = "ready"  # a crashed page comes back with its next document
            self.console.expect(address)
            with explaining(self.browser.egress, self.network):
                await self.dialogs.navigate_past(
                    lambda: navigation.navigate(
                        self.session, self.loads, address, wait_until=wait_until, deadline=deadline
                    )
                )

    async def reload(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> None:
        """Load the present address again."""
        async with self.call("reloading", seconds=timeout, needs_page=False) as deadline:
            await self._leave_page()
            self.state = "ready"
            await navigation.reload(
                self.session, self.frames, self.loads, wait_until=wait_until, deadline=deadline
            )

    async def step(
        self, steps: int, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS
    ) -> None:
        """Go back or forward in history."""
        async with self.call("moving in history", seconds=timeout, needs_page=False) as deadline:
            await self._leave_page()
            await navigation.step_in_history(
                self.session, self.frames, self.loads, steps, wait_until=wait_until, deadline=deadline
            )

    async def _leave_page(self) -> None:
        has_scripts = bool(self.frames.main_id) and self.frames.main.url != "about:blank"
        if self.state == "ready" and has_scripts and self.dialogs.pending is None:
            await recovery.let_go(self.session, dialogs=lambda: self.dialogs.count)

    async def title(self) -> str:
        """The document's title, read from the page."""
        async with self.call("reading the title", seconds=READ_SECONDS, looks=True):
            reply = await self.frames.run(self.frames.main, "document.title")
            return str(reply["result"].get("value", ""))

    def mark_crashed(self) -> None:
        """The renderer died: whoever waits on it is told now."""
        if self.state != "ready":
            return
        self.state = "crashed"
        self.held.clear()
        self.happenings.tick()
        self.frames.forget_worlds()
        error = TabCrashed(f"the page in tab {self.id} crashed", tab=self.id)
        for session in {frame.session.id: frame.session for frame in self.frames}.values():
            session.fail(error)
        self.session.fail(error)
        self.loads.fail(error)

    def mark_closed(self, *, lost: str = "") -> None:
        """The target is gone; `lost` says so when the whole browser is."""
        self.state = "closed"
        self._lost = self._lost or lost
        self.held.clear()
        self.detached.cancel_all()
        self.closed.set()
        self.happenings.tick()
        error = self._gone(f"tab {self.id} was closed")
        self.session.fail(error)
        self.loads.fail(error)
        self.session.forget()

    def _gone(self, message: str) -> BrowserGone | TabGone:
        if self._lost:
            return BrowserGone(f"the browser of tab {self.id} went away: {self._lost}", tab=self.id)
        return TabGone(message, tab=self.id)

    async def _usable(self, *, needs_page: bool) -> None:
        if self.state == "recovering":
            await self._recovered.wait()
        self.require_alive(needs_page=needs_page)

    def require_alive(self, *, needs_page: bool = True) -> None:
        """Raise when there is no tab, or no page in it, to ask."""
        if self.state == "closed":
            raise self._gone(f"tab {self.id} is closed")
        if self.state == "dead":
            raise TabGone(f"the page in tab {self.id} hung and could not be brought back", tab=self.id)
        if self.state == "crashed" and needs_page:
            raise TabCrashed(f"the page in tab {self.id} crashed", tab=self.id)

    def _situation(self) -> str:
        parts = [f"{self.frames.main.url[:200]} ({self.loads.state()})"] if self.frames.main_id else []
        if self.dialogs.pending is not None:
            parts.append(f"an open {self.dialogs.pending.kind} dialog")
        return ", ".join(parts)

    def _stop_page(self) -> None:
        """End the renderer: nothing milder reaches a page that loops over dialogs."""
        crash = self.session.post("Page.crash")
        forgotten(crash)

    def _on_timeout(self, error: TimedOut, *, stop_loading: bool = True) -> None:
        if self.state != "ready" or self.dialogs.pending is not None:
            return
        self.state = "recovering"
        self._recovered.clear()
        self._chores.start(self._recover(error.stage, stop_loading=stop_loading), name=f"recover {self.id}")

    async def _recover(self, stage: str, *, stop_loading: bool) -> None:
        rung = "dead"
        try:
            rung = await recovery.recover(
                self.session, replace_target=self.replace_target, stop_loading=stop_loading
            )
        finally:
            self.state = "dead" if rung == "dead" else "ready"
            if rung == "replaced":
                self.frames.forget_worlds()
                self.news.append(
                    f"the page hung while {stage}; its renderer was replaced and the tab is blank now"
                )
            elif rung == "interrupted":
                self.news.append(f"the page's script was interrupted, since it blocked the tab while {stage}")
            self._recovered.set()
