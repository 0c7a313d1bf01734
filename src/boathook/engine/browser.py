"""A browser: its connection, its contexts and tabs, and an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Literal
from weakref import WeakValueDictionary

from boathook.cdp.replies import forgotten
from boathook.cdp.session import Session
from boathook.clock import Deadline
from boathook.engine.actions.held_input import let_go
from boathook.engine.background_tasks import Chores
from boathook.engine.cdp_targets import TargetInfo, Targets
from boathook.engine.files.downloads import DownloadWatch
from boathook.engine.files.private_dir import OwnFolder
from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.engine.hosts.urls import DEFAULT_SCHEMES, checked_address
from boathook.engine.network.log.early_requests import EarlyRequests
from boathook.engine.network.routing.traffic import Traffic
from boathook.engine.numbering import Numbering
from boathook.engine.tab import CLOSE_SECONDS, NAVIGATE_SECONDS, Tab
from boathook.errors import (
    BadRequest,
    BoathookError,
    BrowserGone,
    PolicyBlocked,
    ProtocolError,
    TabCrashed,
    TabGone,
    TargetNotFound,
    Unsupported,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection
    from pathlib import Path

    from boathook.cdp.connection import Connection
    from boathook.engine.files.downloads import Downloads
    from boathook.engine.hosts.host_policy import Reach
    from boathook.engine.launch.app_process import RunningApp
    from boathook.engine.network.proxy.egress_proxy import EgressProxy
    from boathook.values import Viewport, WaitUntil

MOST_POPUPS = 3
"""How many tabs a page may open of itself after one action; more are a storm."""
BrowserKind = Literal["managed", "cdp", "app", "relay"]

PAGE_FILTER = [{"type": "page"}, {"type": "webview"}, {"exclude": True}]


class Browser:
    """One browser that we talk to, ours or somebody else's."""

    def __init__(
        self,
        connection: Connection,
        *,
        kind: BrowserKind,
        address: str = "",
        viewport: Viewport | None = None,
        schemes: Collection[str] = DEFAULT_SCHEMES,
        reach: Reach = UNLIMITED,
        egress: EgressProxy | None = None,
        keeps_profile: bool = False,
        notes: tuple[str, ...] = (),
        folder: Path | None = None,
    ) -> None:
        self.connection = connection
        connection.on_closed = self._on_connection_closed
        self.kind: BrowserKind = kind
        self.app: RunningApp | None = None
        """The program whose pages these are, when it was opened by its path."""
        self.address = address
        self.notes = notes
        self.product = ""
        self.chores = Chores()
        self.targets = Targets(connection)
        self.targets.on_created = self._on_target
        self.targets.on_gone = self._on_target_gone
        self.targets.on_crashed = self._on_target_crashed
        self.folder = OwnFolder(folder)
        self.downloads = DownloadWatch(connection, self.folder, find=self._downloads_of)
        self.upload_roots: tuple[Path, ...] | None = None
        """Folders that files may be uploaded from; None is the working directory and the one for temporary files."""
        self.confided: set[str] = set()
        """Secrets that its pages were given by us: nothing that is written down may have them in it."""
        self.reach = reach
        self.egress = egress
        """What its requests pass through; None when it may reach everything, or is not ours."""
        self._viewport = viewport
        self._schemes = schemes
        self._keeps_profile = keeps_profile
        self.release: Callable[[], Awaitable[None]] = connection.close
        """Closes the connection and ends the process behind it, when it is ours."""
        self.dressed: Callable[[str], Awaitable[None]] | None = None
        """Waits until a target wears the guise of this browser (`stealth/`); None where there is none to wear."""
        self.console_unasked = True
        """Whether consoles of pages of this machine are listened to before anybody asks, which pages can notice."""
        self._tabs: dict[str, Tab] = {}  # by target id
        self._preparing: dict[str, Tab] = {}
        """Those that are attached to and not ready yet; their pages may die as well."""
        self._adopting: dict[str, asyncio.Task[Tab]] = {}
        self._contexts: list[str] = []
        self._numberings: dict[str | None, Numbering] = {None: Numbering()}
        """Ids of tabs and elements, by context."""
        self._traffic: dict[str | None, Traffic] = {}
        """Routes, headers and recordings, by context."""
        self._early = EarlyRequests(connection, traffic_of=self._traffic_of)
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._closed = False

    @property
    def tabs(self) -> list[Tab]:
        """Tabs that we work with, oldest first."""
        return list(self._tabs.values())

    @property
    def managed(self) -> bool:
        """Whether we started this browser."""
        return self.kind == "managed"

    @property
    def own_clipboard(self) -> bool:
        """Whether the clipboard is the browser's alone: headless ones have theirs, others share their user's."""
        return self.managed and self._viewport is not None

    async def start(self) -> None:
        """Say hello and begin to watch for pages."""
        version = self.connection.post("Browser.getVersion")
        watching = self.connection.post(
            "Target.setDiscoverTargets", {"discover": True, "filter": PAGE_FILTER}
        )
        if self.managed:
            self.downloads.begin(None)
        await asyncio.wait([version, watching])
        if version.exception() is None:  # only a name; some embedders do not tell it
            self.product = str(version.result().get("product", ""))
        watching.result()

    async def new_context(self, *, proxy: str | None = None, numbering: Numbering | None = None) -> str:
        """An isolated place for cookies and storage; gone with us. Its ids are the browser's, or of a numbering of its own."""
        options: dict[str, object] = {"disposeOnDetach": True}
        if proxy:
            if self.reach.limited:
                raise PolicyBlocked("a proxy of its own would lead a context around the limits on hosts")
            options["proxyServer"] = proxy
        try:
            reply = await self.connection.send("Target.createBrowserContext", options)
        except (ProtocolError, Unsupported) as error:
            raise Unsupported(
                f"this browser has no isolated contexts ({error})", hint="work in its own tabs instead"
            ) from error
        context_id = str(reply["browserContextId"])
        self._contexts.append(context_id)
        self._numberings[context_id] = numbering or self.numbering_in(None)
        if self.managed:
            self.downloads.begin(context_id)
        return context_id

    async def open_tab(
        self,
        url: str = "about:blank",
        *,
        isolated: bool = False,
        context: str | None = None,
        label: str = "",
        wait_until: WaitUntil = "load",
        timeout: float = NAVIGATE_SECONDS,
        dress: Callable[[Tab], None] | None = None,
    ) -> Tab:
        """Open a tab and load an address in it; a label that is in use already stands for the tab that has it.

        `dress` is called with a tab that is new, before anything is loaded in it.
        """
        address = checked_address(url, schemes=self._schemes, reach=self.reach)
        deadline = Deadline.after(timeout)
        async with self._turn(label, deadline):
            async with deadline.stage("opening a tab"):
                tab = self._labelled(label, isolated=isolated, context=context)
                if tab is None:
                    tab = await self._new_tab(label, isolated=isolated, context=context)
                    if dress is not None:
                        dress(tab)
            if address != "about:blank":
                try:
                    await tab.goto(address, wait_until=wait_until, timeout=max(0.001, deadline.remaining()))
                except BoathookError as error:
                    error.evidence.setdefault("tab", tab.id)
                    raise
        return tab

    @asynccontextmanager
    async def _turn(self, label: str, deadline: Deadline) -> AsyncIterator[None]:
        """Calls that open the same label come one after the other."""
        lock = self._opening.setdefault(label, asyncio.Lock()) if label else asyncio.Lock()
        async with deadline.stage("waiting for another call that opens the same label"):
            await lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def _labelled(self, label: str, *, isolated: bool, context: str | None) -> Tab | None:
        named = [tab for tab in self.tabs if label and tab.label == label]
        tab = next((tab for tab in named if context is None or self.context_of(tab) == context), None)
        if tab is not None and isolated and tab.own_context is None:
            raise BadRequest(f"{label!r} is open already, and not isolated", hint="choose another label")
        return tab

    async def _new_tab(self, label: str, *, isolated: bool, context: str | None) -> Tab:
        own = await self.new_context(numbering=self.numbering_in(context)) if isolated else None
        tab = await self.open_blank(own or context)
        tab.label = label
        tab.own_context = own
        return tab

    async def open_blank(self, context: str | None) -> Tab:
        """A blank tab in a context; one whose renderer dies before anything was done in it is replaced, once."""
        target = await self._create_target(context)
        try:
            return await self._adopt(target, owned=True)
        except TabCrashed:
            self._close_unasked(target)
            return await self._adopt(await self._create_target(context), owned=True)

    async def use_tab(self, name: str) -> Tab:
        """The tab with this id, label or CDP target id; pages that are open already are taken over."""
        for tab in self.tabs:
            if name in {tab.id, tab.target_id} or (tab.label and name == tab.label):
                return tab
        info = self.targets.get(name)
        if info is None or not info.is_page:
            open_now = ", ".join(f"{tab.id} {tab.url[:80]}" for tab in self.tabs) or "none"
            raise TargetNotFound(
                f"there is no tab {name!r}; open tabs: {open_now}", hint="use one of these ids"
            )
        return await self._adopt(name, owned=False)

    async def close_tab(self, tab: Tab) -> None:
        """Close a tab and wait until it is gone."""
        if tab.state == "closed":
            return
        with suppress(TabGone, ProtocolError):
            await self.connection.send("Target.closeTarget", {"targetId": tab.target_id})
        deadline = Deadline.after(CLOSE_SECONDS)
        with suppress(BoathookError):
            async with deadline.stage("closing the tab"):
                await tab.closed.wait()
        self._on_target_gone(tab.target_id)
        if tab.own_context is not None:
            await self.end_context(tab.own_context)

    async def end_context(self, context: str) -> None:
        """Forget an isolated place, with all that its tabs have stored; they are closed with it."""
        self._contexts.remove(context)
        self._numberings.pop(context, None)
        if context in self._traffic:
            await self._traffic.pop(context).end()
        with suppress(ProtocolError):
            await self.connection.send("Target.disposeBrowserContext", {"browserContextId": context})

    async def close(self) -> None:
        """End what we started, leave what we did not; may be called twice."""
        if self._closed:
            return
        self._closed = True
        await self.chores.close()
        try:
            with suppress(BoathookError, TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._say_goodbye()
        finally:
            for tab in self.tabs:
                tab.mark_closed()
            self.folder.close()
            await self.release()

    async def _say_goodbye(self) -> None:
        if self.managed:
            if (
                self._keeps_profile
            ):  # a temporary one goes with its browser, so the pipe's end is order enough
                await self.connection.send("Browser.close")
            return
        for tab in self.tabs:
            if tab.held.anything and not tab.owned:
                await let_go(tab)
        ours = [tab for tab in self.tabs if tab.owned]
        partings = [self.connection.send("Target.closeTarget", {"targetId": tab.target_id}) for tab in ours]
        partings += [
            self.connection.send("Target.disposeBrowserContext", {"browserContextId": context})
            for context in self._contexts
        ]
        await asyncio.gather(*partings, return_exceptions=True)
        # Whoever comes next must not take one that is about to go for one of the user's.
        await asyncio.gather(*(tab.closed.wait() for tab in ours))

    async def _create_target(self, context: str | None) -> str:
        options: dict[str, object] = {"url": "about:blank"}
        if context is not None:
            options["browserContextId"] = context
        if not self.managed:
            options["background"] = True  # never raise a window of the user's
        elif self._viewport is not None:
            # Headless: a window for each tab, since one behind another in the same window is not painted.
            options["newWindow"] = True
        try:
            reply = await self.connection.send("Target.createTarget", options)
        except (ProtocolError, Unsupported) as error:
            raise Unsupported(
                f"this browser cannot open tabs ({error})",
                hint="use one that is open|: `pages` lists them",
            ) from error
        return str(reply["targetId"])

    async def _adopt(self, target_id: str, *, owned: bool, opener: Tab | None = None) -> Tab:
        """Attach to a target once, however many ask for it at the same time."""
        if target_id in self._tabs:
            return self._tabs[target_id]
        task = self._adopting.get(target_id)
        if task is None:
            task = asyncio.create_task(
                self._attach(target_id, owned=owned, opener=opener), name="attach to tab"
            )
            self._adopting[target_id] = task
            task.add_done_callback(lambda _task: self._adopting.pop(target_id, None))
        return await asyncio.shield(task)

    async def _attach(self, target_id: str, *, owned: bool, opener: Tab | None) -> Tab:
        reply = await self.connection.send("Target.attachToTarget", {"targetId": target_id, "flatten": True})
        numbering = self.numbering_in(self._context_of_target(target_id))
        tab = Tab(
            numbering.next_tab_id(),
            target_id=target_id,
            session=Session(self.connection, reply["sessionId"]),
            chores=self.chores,
            refs=numbering.refs,
            schemes=self._schemes,
            owned=owned,
        )
        tab.browser = self
        tab.opener = opener
        tab.emulation.product = self.product
        if opener is not None:
            tab.begin_like(opener)
        tab.interception.join(self._traffic_in(self.context_of(tab)))
        tab.console.unasked = self.console_unasked
        tab.siblings = lambda: [known.id for known in self.tabs_of(numbering)]
        tab.raisable = self.managed
        if owned:
            tab.replace_target = lambda: self._replace_target(tab)
        self._preparing[target_id] = tab
        try:
            await tab.prepare(self._viewport if owned else None)
            await self._worn(target_id)
        finally:
            del self._preparing[target_id]
        self._tabs[target_id] = tab
        return tab

    async def _replace_target(self, tab: Tab) -> None:
        """Give a tab a new target, since the old one's renderer neither answers nor dies."""
        info = self.targets.get(tab.target_id)
        old = tab.target_id
        target_id = await self._create_target(info.context_id if info else None)
        reply = await self.connection.send("Target.attachToTarget", {"targetId": target_id, "flatten": True})
        self._tabs.pop(old, None)
        self._tabs[target_id] = tab
        tab.session.forget()
        tab.bind(target_id, Session(self.connection, reply["sessionId"]))
        await tab.prepare(self._viewport)
        await self._worn(target_id)
        self._close_unasked(old)

    def _on_target(self, info: TargetInfo) -> None:
        opener = self._tabs.get(info.opener_id) or self._gesturing(info)
        if opener is not None and info.is_page and not self._closed:
            if opener.owned and opener.popups_since_action >= MOST_POPUPS:
                self._refuse_popup(info.id, opener)
                return
            adopting = self.chores.start(self._adopt_popup(info.id, opener), name="adopt popup")
            if adopting is not None:
                opener.popups.add(adopting)
                adopting.add_done_callback(opener.popups.discard)

    def _gesturing(self, info: TargetInfo) -> Tab | None:
        """The tab whose link was just opened in a new one; tabs that we open ourselves begin blank."""
        if info.opener_id or info.url == "about:blank":
            return None
        known = {tab: self.targets.get(tab.target_id) for tab in self.tabs if tab.opens_tabs}
        found = [tab for tab, own in known.items() if own is not None and own.context_id == info.context_id]
        return found[0] if len(found) == 1 else None

    async def _worn(self, target_id: str) -> None:
        """Wait until a target wears the guise of this browser, but not for ever."""
        if self.dressed is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self.dressed(target_id)

    def _refuse_popup(self, target_id: str, opener: Tab) -> None:
        opener.refuse_popup()
        self.chores.start(self._close_worn(target_id), name="close popup")

    async def _close_worn(self, target_id: str) -> None:
        """One that is closed while it still waits for its guise would leave its opener waiting for ever."""
        await self._worn(target_id)
        self._close_unasked(target_id)

    def _close_unasked(self, target_id: str) -> None:
        closing = self.connection.post("Target.closeTarget", {"targetId": target_id})
        forgotten(closing)

    async def _adopt_popup(self, target_id: str, opener: Tab) -> None:
        with suppress(BrowserGone, TabGone):
            tab = await self._adopt(target_id, owned=opener.owned, opener=opener)
            opener.opened.add(opener.opened.tick(), tab)

    def context_of(self, tab: Tab) -> str | None:
        """The isolated context that a tab lives in; None for the browser's own."""
        return tab.own_context or self._context_of_target(tab.target_id)

    def _context_of_target(self, target_id: str) -> str | None:
        info = self.targets.get(target_id)
        return info.context_id if info is not None and info.context_id in self._contexts else None

    def numbering_in(self, context: str | None) -> Numbering:
        """The ids of a context's tabs and their elements."""
        return self._numberings[context if context in self._contexts else None]

    def tabs_of(self, numbering: Numbering) -> list[Tab]:
        """The tabs that have their ids from this numbering, oldest first."""
        return [tab for tab in self.tabs if tab.refs is numbering.refs]

    def _traffic_in(self, context: str | None) -> Traffic:
        """What the tabs of a context share on the network; only a browser of ours is stopped as a whole."""
        if context not in self._traffic:
            self._traffic[context] = Traffic(early=self._early if self.managed else None)
        return self._traffic[context]

    def _traffic_of(self, frame_id: str) -> Traffic | None:
        """That of the tab which a frame belongs to, also of one that nobody has attached to yet."""
        for tab in self.tabs:
            if tab.frames.get(frame_id) is not None:
                return tab.interception.traffic
        info = self.targets.get(frame_id)
        if info is None:
            return None
        return self._traffic.get(info.context_id if info.context_id in self._contexts else None)

    def _downloads_of(self, frame_id: str) -> Downloads | None:
        """The downloads of the tab that a frame belongs to; a popup that lived for its download only, to its opener's."""
        for tab in self.tabs:
            if tab.frames.get(frame_id) is not None:
                blank = tab.url in {"", "about:blank"}
                return tab.opener.downloads if blank and tab.opener is not None else tab.downloads
        info = self.targets.get(frame_id)
        opener = self._tabs.get(info.opener_id) if info is not None else None
        return opener.downloads if opener is not None else None

    def _on_connection_closed(self, reason: str) -> None:
        """Whoever waits on a tab without asking it anything must not wait for its deadline."""
        for tab in self.tabs:
            if tab.state != "closed":
                tab.mark_closed(lost=reason)

    def _on_target_gone(self, target_id: str) -> None:
        tab = self._tabs.pop(target_id, None) or self._preparing.get(target_id)
        if tab is not None:
            tab.mark_closed()

    def _on_target_crashed(self, target_id: str) -> None:
        tab = self._tabs.get(target_id) or self._preparing.get(target_id)
        if tab is not None:
            tab.mark_crashed()
