"""A tab: owns the watchers of one page and the one way to run a call on it; features are elsewhere."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal

from boathook.cdp.replies import ignore_reply
from boathook.clock import READ_SECONDS, Deadline
from boathook.engine.actions.held_input import Held
from boathook.engine.capture.images.screenshot_memory import ScreenshotMemory
from boathook.engine.debug.source_maps import SourceMaps
from boathook.engine.emulation.overrides import Emulation
from boathook.engine.events.console import Console
from boathook.engine.events.event_log import EventLog, RingBuffer
from boathook.engine.files.downloads import Downloads
from boathook.engine.hosts.urls import normalize_url, without_credentials
from boathook.engine.network.log.network_log import NetworkLog
from boathook.engine.network.proxy.egress_proxy import explaining
from boathook.engine.network.routing.interception import Interception
from boathook.engine.page import navigation, recovery
from boathook.engine.page.detached_calls import DetachedCalls
from boathook.engine.page.dialogs import Dialogs
from boathook.engine.page.file_choosers import FileChoosers
from boathook.engine.page.frames import Frames
from boathook.engine.page.http_auth import HttpCredentials
from boathook.engine.page.inflight_requests import InflightRequests
from boathook.engine.page.init_scripts import InitScripts
from boathook.engine.page.navigation import Loads
from boathook.engine.snapshot.snapshot_memory import SnapshotMemory
from boathook.errors import BrowserGone, TabCrashed, TabGone, TimedOut
from boathook.redaction.redactor import Redactor
from boathook.values import cut_text

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection
    from pathlib import Path

    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.actions.changes import Interrupted
    from boathook.engine.actions.input.pointer_motion import PointerMotion
    from boathook.engine.background_tasks import BackgroundTasks
    from boathook.engine.browser import Browser
    from boathook.engine.debug.coverage import CoverageWatch
    from boathook.engine.elements.refs import RefTable
    from boathook.values import TabId, Viewport, WaitUntil

TabState = Literal["ready", "recovering", "crashed", "dead", "closed"]

NAVIGATE_SECONDS = 30.0
POPUP_NEWS = "the page keeps opening tabs"
CLOSE_SECONDS = 5.0
REPLACING_SHARE = 0.5
"""Of the time of a call that opens a page, for replacing a page that hung before."""
TITLE_CHARACTERS = 1_000
"""What is kept of a title; pages set titles of any length."""


class Tab:
    """One page of a browser, with a stable id."""

    upload_roots: tuple[Path, ...] | None = None
    """Folders that the current call may upload files from; None is the browser's setting."""
    pointer_motion: PointerMotion = "instant"
    """How the mouse moves to what is clicked or dragged."""
    opens_tabs = False
    """Whether an action is running that opens links in new tabs; the browser does not report their opener."""
    interrupted: Interrupted | None = None
    """The action that opened the current dialog."""
    listed_title = ""
    """The title, when the tab was last listed."""
    is_current = False
    """Whether calls that name no tab used it then."""
    coverage: CoverageWatch | None = None
    """The running coverage of the tab, if any."""
    redactor: Callable[[], Redactor] = staticmethod(Redactor)
    """Removes known secrets from files."""
    _stopped_because = ""
    """Why we terminated the current renderer, if we did."""
    closed_on_request = False
    """Whether a caller of ours closed it."""

    def __init__(
        self,
        tab_id: TabId,
        *,
        target_id: str,
        session: CdpSession,
        background_tasks: BackgroundTasks,
        refs: RefTable,
        schemes: Collection[str],
        owned: bool,
    ) -> None:
        self.id = tab_id
        self.browser: Browser
        """Its numbering; set when the tab is attached to."""
        self.label = ""
        self.refs = refs
        self.owned = owned
        self.raisable = False
        """Whether the tab may be brought to the front: only in a browser that is exclusively ours."""
        self.opener: Tab | None = None
        self.own_context: str | None = None
        """The isolated context that is closed with this tab."""
        self.state: TabState = "ready"
        self.closed = asyncio.Event()
        self.news: list[str] = []
        self.snapshots = SnapshotMemory()
        self.pictures = ScreenshotMemory()
        self.held = Held()
        self.event_log = EventLog()
        self.last_action = 0
        """The mark from which waits count events, unless they are given another."""
        self.dialogs = Dialogs(self.event_log)
        self.dialogs.on_storm = self.news.append
        self.dialogs.give_up = self._stop_page if owned else None
        self.console = Console(self.event_log)
        self.source_maps = SourceMaps(self)
        self.network = NetworkLog(self.event_log)
        self.choosers = FileChoosers(self.event_log)
        self.downloads = Downloads(self.event_log)
        self.interception = Interception(self.network)
        self.credentials = HttpCredentials(self.interception)
        self.emulation = Emulation()
        self.init_scripts = InitScripts()
        self.detached = DetachedCalls()
        self.opened: RingBuffer[Tab] = RingBuffer(self.event_log, limit=100)
        """Tabs that pages of this one opened."""
        self.opening: RingBuffer[str] = RingBuffer(self.event_log, limit=20)
        """URLs that its pages tried to open in new tabs."""
        self.replace_target: Callable[[], Awaitable[None]] | None = None
        self.siblings: Callable[[], list[str]] = list
        """Ids of all tabs of the browser, to detect which ones an action opened."""
        self.popups: set[asyncio.Task[None]] = set()
        """Tabs that the page has just opened, while we attach to them."""
        self._lost = ""
        """Why the browser disconnected, if it has."""
        self._refused_popups = 0
        self._background_tasks = background_tasks
        self._schemes = schemes
        self._recovered = asyncio.Event()
        self.bind(target_id, session)

    def bind(self, target_id: str, session: CdpSession) -> None:
        """Watch a target; a tab whose renderer cannot be recovered gets a second one."""
        self.target_id = target_id
        self.session = session
        self.frames = Frames(session, self._background_tasks)
        self.loads = Loads(session, self.frames)
        self.loads.require_no_dialog, self.dialogs.on_held = self.dialogs.require_none, self.loads.note_dialog
        self.requests = InflightRequests()
        self._watch(session, main=True)
        self.frames.on_session = self._watch

    def _watch(self, session: CdpSession, *, main: bool = False) -> None:
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
            lambda params: self.opening.add(self.opening.next_number(), without_credentials(params["url"])),
        )
        session.on("Page.navigatedWithinDocument", lambda _params: self._note_activity())

    def _note_activity(self) -> None:
        self.event_log.next_number()

    @property
    def popups_since_action(self) -> int:
        """How many tabs the page has opened since the last action on it."""
        return len(self.opened.since(self.last_action)) + len(self.popups)

    def refuse_popup(self) -> None:
        """Report, in one line however many there were, that further tabs were closed immediately."""
        if self._refused_popups:
            self.news = [line for line in self.news if not line.startswith(POPUP_NEWS)]
        self._refused_popups += 1
        self.news.append(f"{POPUP_NEWS}: {self._refused_popups} were closed immediately")

    @property
    def url(self) -> str:
        """The current URL of the top frame; empty while a page that hung is being replaced."""
        main = self.frames.get(self.frames.main_id)
        return main.url if main is not None else ""

    def begin_like(self, other: Tab) -> None:
        """Copy the setup of another tab, before anything is loaded here."""
        self.emulation.begin_with(other.emulation.settings)
        self.dialogs.policy = other.dialogs.policy
        self.pointer_motion = other.pointer_motion
        self.init_scripts.begin_with(other.init_scripts.sources)

    async def prepare(self, viewport: Viewport | None) -> None:
        """Enable what every tab needs, all at once."""
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
        read_only: bool = False,
        waits: bool = False,
        replaces_page: bool = False,
    ) -> AsyncIterator[Deadline]:
        """Run one call: check the state first, stop it at its deadline, and recover the tab after a timeout.

        A call that only reads or waits does not move the mark of the last action, and one that waits may time out without
        anything being wrong with the page.
        """
        deadline = Deadline.after(seconds)
        if not (read_only or waits):
            self.last_action = self.event_log.now
        try:
            async with deadline.stage(doing, seen=self._situation):
                await self._usable(deadline, needs_page=needs_page, replaces_page=replaces_page)
                if needs_page:
                    self.dialogs.require_none()
                yield deadline
        except TimedOut as error:
            self._on_timeout(error, patience=recovery.patience_for(seconds), stop_loading=not waits)
            raise

    async def goto(
        self, url: str, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS
    ) -> None:
        """Load a URL and wait for it."""
        address = normalize_url(url, schemes=self._schemes, host_policy=self.browser.host_policy)
        async with self.call(
            f"opening {without_credentials(address)[:200]}",
            seconds=timeout,
            needs_page=False,
            replaces_page=True,
        ) as deadline:
            await self._leave_page()
            self._revive()
            self.console.expect(address)
            with explaining(self.browser.egress, self.network, self.browser.host_policy):
                await self.dialogs.navigate_past(
                    lambda: navigation.navigate(
                        self.session, self.loads, address, wait_until=wait_until, deadline=deadline
                    )
                )

    async def reload(self, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS) -> None:
        """Reload the current URL."""
        async with self.call("reloading", seconds=timeout, needs_page=False) as deadline:
            await self._leave_page()
            self._revive()
            await navigation.reload(
                self.session, self.frames, self.loads, wait_until=wait_until, deadline=deadline
            )

    async def step(
        self, steps: int, *, wait_until: WaitUntil = "load", timeout: float = NAVIGATE_SECONDS
    ) -> None:
        """Go back or forward in history."""
        async with self.call("navigating in history", seconds=timeout, needs_page=False) as deadline:
            await self._leave_page()
            await navigation.step_in_history(
                self.session, self.frames, self.loads, steps, wait_until=wait_until, deadline=deadline
            )

    def _revive(self) -> None:
        """A crashed page comes back with its next document."""
        self.state, self._stopped_because = "ready", ""

    async def _leave_page(self) -> None:
        has_scripts = bool(self.frames.main_id) and self.frames.main.url != "about:blank"
        if self.state == "ready" and has_scripts and self.dialogs.pending is None:
            await recovery.interrupt_page(self.session, dialogs=lambda: self.dialogs.count)

    async def title(self) -> str:
        """The document's title, read from the page."""
        async with self.call("reading the title", seconds=READ_SECONDS, read_only=True):
            reply = await self.dialogs.unless_held(self.frames.run(self.frames.main, "document.title"))
            return cut_text(str(reply["result"].get("value", "")), TITLE_CHARACTERS)

    def mark_crashed(self) -> None:
        """The renderer crashed: waiting callers are notified."""
        if self.state != "ready":
            return
        self.state = "crashed"
        self.held.clear()
        self.event_log.next_number()
        self.frames.forget_worlds()
        error = self.crash_error()
        for session in {frame.session.id: frame.session for frame in self.frames}.values():
            session.fail(error)
        self.session.fail(error)
        self.loads.fail(error)

    def mark_closed(self, *, lost: str = "") -> None:
        """The target is closed; `lost` is set if the whole browser is."""
        self.state = "closed"
        self._lost = self._lost or lost
        self.held.clear()
        self.detached.cancel_all()
        self.closed.set()
        self.event_log.next_number()
        error = self._gone_error(f"tab {self.id} was closed")
        self.session.fail(error)
        self.loads.fail(error)
        self.session.forget()

    def _gone_error(self, message: str) -> BrowserGone | TabGone:
        if self._lost:
            return BrowserGone(f"the browser of tab {self.id} disconnected: {self._lost}", tab=self.id)
        return TabGone(message, tab=self.id)

    async def _usable(self, deadline: Deadline, *, needs_page: bool, replaces_page: bool) -> None:
        if self.state == "recovering":
            await self._recovered.wait()
        if self.state == "dead" and replaces_page:
            await self._replace_dead_page(deadline.remaining() * REPLACING_SHARE)
        self.require_alive(needs_page=needs_page)

    async def _replace_dead_page(self, seconds: float) -> None:
        """A page that could not be recovered is not needed any more if another one is opened."""
        self.state = "recovering"
        self._recovered.clear()
        usable = False
        try:
            # The tab of a person is not replaced, but it may have come back.
            usable = await (
                recovery.fresh_target(self.replace_target, seconds=seconds)
                if self.replace_target is not None
                else recovery.answers(self.session)
            )
        finally:
            self.state = "ready" if usable else "dead"
            self._recovered.set()
        if usable and self.replace_target is not None:
            self.frames.forget_worlds()
            self.news.append(f"the page in tab {self.id} hung and was replaced")

    def require_alive(self, *, needs_page: bool = True) -> None:
        """Raise if there is no tab, or no page in it, to query."""
        if self.state == "closed":
            raise self._gone_error(f"tab {self.id} is closed")
        if self.state == "dead":
            raise TabGone(
                f"the page in tab {self.id} hung and could not be recovered",
                tab=self.id,
                hint="open a URL to replace it|: `open URL`",
            )
        if self.state == "crashed" and needs_page:
            raise self.crash_error()

    def crash_error(self, *, during: str = "") -> TabCrashed:
        """Why there is no page: its renderer crashed, or we stopped it."""
        when = f" during the {during}" if during else ""
        if self._stopped_because:
            return TabCrashed(
                f"Boathook stopped the page in tab {self.id}{when}: {self._stopped_because}", tab=self.id
            )
        return TabCrashed(f"the page in tab {self.id} crashed{when}", tab=self.id)

    def _situation(self) -> str:
        parts = [f"{self.frames.main.url[:200]} ({self.loads.state()})"] if self.frames.main_id else []
        if self.dialogs.pending is not None:
            parts.append(f"an open {self.dialogs.pending.kind} dialog")
        return ", ".join(parts)

    def _stop_page(self) -> None:
        """Terminate the renderer: nothing less stops a page that loops over dialogs."""
        self._stopped_because = f"it opened dialogs in an endless loop ({self.dialogs.count} so far)"
        crash = self.session.post("Page.crash")
        ignore_reply(crash)

    def _on_timeout(self, error: TimedOut, *, patience: float, stop_loading: bool = True) -> None:
        if self.state != "ready" or self.dialogs.pending is not None:
            return
        self.state = "recovering"
        self._recovered.clear()
        self._background_tasks.start(
            self._recover(error.stage, patience=patience, stop_loading=stop_loading),
            name=f"recover {self.id}",
        )

    async def _recover(self, stage: str, *, patience: float, stop_loading: bool) -> None:
        rung = "dead"
        try:
            rung = await recovery.recover(
                self.session,
                replace_target=self.replace_target,
                patience=patience,
                stop_loading=stop_loading,
            )
        finally:
            self.state = "dead" if rung == "dead" else "ready"
            if rung == "replaced":
                self.frames.forget_worlds()
                self.news.append(
                    f"the page hung while {stage}; its renderer was replaced and the tab is blank now"
                )
            elif rung == "interrupted":
                self.news.append(
                    f"the page's script was interrupted because it blocked the tab while {stage}"
                )
            self._recovered.set()
