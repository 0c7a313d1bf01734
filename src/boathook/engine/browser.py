"""A browser: its connection, contexts and tabs, and a shutdown that leaves nothing behind."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Literal
from weakref import WeakValueDictionary

from boathook.cdp.cdp_session import CdpSession
from boathook.cdp.replies import ignore_reply
from boathook.clock import Deadline
from boathook.engine.actions.held_input import release_all
from boathook.engine.background_tasks import BackgroundTasks
from boathook.engine.cdp_targets import CdpTargets, TargetInfo
from boathook.engine.files.downloads import DownloadWatch
from boathook.engine.files.private_dir import PrivateDirectory
from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.engine.hosts.urls import DEFAULT_SCHEMES, normalize_url
from boathook.engine.network.log.early_requests import EarlyRequests
from boathook.engine.network.routing.traffic import Traffic
from boathook.engine.numbering import Numbering
from boathook.engine.tab import CLOSE_SECONDS, NAVIGATE_SECONDS, Tab
from boathook.errors import (
    BadRequest,
    BoathookError,
    BrowserGone,
    Denied,
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
    from boathook.engine.hosts.host_policy import HostPolicy
    from boathook.engine.launch.app_process import RunningApp
    from boathook.engine.network.proxy.egress_proxy import EgressProxy
    from boathook.values import Viewport, WaitUntil

MOST_POPUPS = 3
"""How many tabs a page may open by itself after one action; more are a popup storm."""
POLL_SECONDS = 0.1
BrowserKind = Literal["managed", "cdp", "app", "relay"]

PAGE_FILTER = [{"type": "page"}, {"type": "webview"}, {"exclude": True}]


class Browser:
    """One browser that we control, started by us or attached to."""

    def __init__(
        self,
        connection: Connection,
        *,
        kind: BrowserKind,
        address: str = "",
        viewport: Viewport | None = None,
        schemes: Collection[str] = DEFAULT_SCHEMES,
        host_policy: HostPolicy = UNLIMITED,
        egress: EgressProxy | None = None,
        keeps_profile: bool = False,
        notes: tuple[str, ...] = (),
        folder: Path | None = None,
    ) -> None:
        self.connection = connection
        connection.on_closed = self._on_connection_closed
        self.kind: BrowserKind = kind
        self.app: RunningApp | None = None
        """The program that contains these pages, if it was opened by its path."""
        self.address = address
        self.notes = notes
        self.product = ""
        self.background_tasks = BackgroundTasks()
        self.lasting_tasks = BackgroundTasks()
        """Tasks that run until the browser is closed, such as its watchdog."""
        self.targets = CdpTargets(connection)
        self.targets.on_created = self._on_target
        self.targets.on_gone = self._on_target_gone
        self.targets.on_crashed = self._on_target_crashed
        self.folder = PrivateDirectory(folder)
        self.downloads = DownloadWatch(connection, self.folder, find=self._downloads_of)
        self.upload_roots: tuple[Path, ...] | None = None
        """Folders that files may be uploaded from; None is the working directory and the directory for temporary files."""
        self.confided: set[str] = set()
        """Secrets that its pages received from us: no file or output may contain them."""
        self.host_policy = host_policy
        self.egress = egress
        """The proxy of its requests; None if all hosts are allowed, or if it is not ours."""
        self._viewport = viewport
        self._schemes = schemes
        self._keeps_profile = keeps_profile
        self.release: Callable[[], Awaitable[None]] = connection.close
        """Closes the connection, and the process behind it if it is ours."""
        self.apply_fingerprint: Callable[[str], Awaitable[None]] | None = None
        """Waits until the fingerprint profile of this browser is applied to a target (`stealth/`); None if there is none."""
        self.console_unasked = True
        """Whether the consoles of local pages are listened to before the first request, which pages can notice."""
        self._tabs: dict[str, Tab] = {}  # by target id
        self._preparing: dict[str, Tab] = {}
        """Tabs that are attached to but not ready yet; their pages may crash as well."""
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
        """Tabs that we control, oldest first."""
        return list(self._tabs.values())

    @property
    def current_tab(self) -> Tab | None:
        """None: only sessions have a current tab."""
        return None

    def unused_tabs(self) -> list[Tab]:
        """None: only sessions of the daemon list tabs that they have not used."""
        return []

    @property
    def managed(self) -> bool:
        """Whether we started this browser."""
        return self.kind == "managed"

    @property
    def own_clipboard(self) -> bool:
        """Whether the clipboard belongs to the browser alone: headless browsers have their own, others share the user's."""
        return self.managed and self._viewport is not None

    async def start(self) -> None:
        """Start the connection and begin to watch for pages."""
        version = self.connection.post("Browser.getVersion")
        watching = self.connection.post(
            "Target.setDiscoverTargets", {"discover": True, "filter": PAGE_FILTER}
        )
        if self.managed:
            self.downloads.begin(None)
        await asyncio.wait([version, watching])
        if version.exception() is None:  # only a name; some embedders do not report it
            self.product = str(version.result().get("product", ""))
        watching.result()

    async def new_context(self, *, proxy: str | None = None, numbering: Numbering | None = None) -> str:
        """An isolated context for cookies and storage, closed with the browser. Its ids are the browser's, or its own numbering's."""
        options: dict[str, object] = {"disposeOnDetach": True}
        if proxy:
            if self.host_policy.limited:
                raise PolicyBlocked("a context cannot have a separate proxy while limits on hosts are set")
            options["proxyServer"] = proxy
        try:
            reply = await self.connection.send("Target.createBrowserContext", options)
        except (ProtocolError, Unsupported) as error:
            raise Unsupported(
                f"this browser does not support isolated contexts ({error})",
                hint="use tabs of its default context instead",
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
        """Open a tab and load a URL in it; a label that is already in use returns the tab that has it.

        `dress` is called with a new tab before anything is loaded in it.
        """
        address = normalize_url(url, schemes=self._schemes, host_policy=self.host_policy)
        deadline = Deadline.after(timeout)
        async with self._turn(label, deadline):
            async with deadline.stage("opening a tab"):
                tab = self._find_labelled(label, isolated=isolated, context=context)
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
        """Calls that open the same label run one after the other."""
        lock = self._opening.setdefault(label, asyncio.Lock()) if label else asyncio.Lock()
        async with deadline.stage("waiting for another call that opens the same label"):
            await lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def _find_labelled(self, label: str, *, isolated: bool, context: str | None) -> Tab | None:
        named = [tab for tab in self.tabs if label and tab.label == label]
        tab = next((tab for tab in named if context is None or self.context_of(tab) == context), None)
        if tab is not None and isolated and tab.own_context is None:
            raise BadRequest(f"tab {label!r} is already open and not isolated", hint="choose another label")
        return tab

    async def _new_tab(self, label: str, *, isolated: bool, context: str | None) -> Tab:
        own = await self.new_context(numbering=self.numbering_in(context)) if isolated else None
        tab = await self.open_blank(own or context)
        tab.label = label
        tab.own_context = own
        return tab

    async def open_blank(self, context: str | None) -> Tab:
        """A blank tab in a context; if its renderer crashes before the first use, it is replaced once."""
        target = await self._create_target(context)
        try:
            return await self._adopt(target, owned=True)
        except TabCrashed:
            self._close_quietly(target)
            return await self._adopt(await self._create_target(context), owned=True)

    async def use_tab(self, name: str) -> Tab:
        """The tab with this id, label or CDP target id; open pages are attached to."""
        for tab in self.tabs:
            if name in {tab.id, tab.target_id} or (tab.label and name == tab.label):
                return tab
        info = self.targets.get(name)
        if info is None or not info.is_page:
            open_now = ", ".join(f"{tab.id} {tab.url[:80]}" for tab in self.tabs) or "none"
            raise TargetNotFound(f"no such tab: {name!r}; open tabs: {open_now}", hint="use one of these ids")
        return await self._adopt(name, owned=False)

    async def find_again(self, tab: Tab, *, seconds: float) -> Tab | None:
        """A tab of an earlier connection, by its target id; it keeps its id, its label and its setup.

        Without any page the browser itself is not connected yet: that is waited for.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.targets.pages():  # noqa: ASYNC110 (there is no event)
                    await asyncio.sleep(POLL_SECONDS)
        if self.targets.get(tab.target_id) is None:
            return None
        return await self._adopt(tab.target_id, owned=tab.owned, earlier=tab)

    async def close_tab(self, tab: Tab) -> None:
        """Close a tab and wait until it is closed."""
        if tab.state == "closed":
            return
        with suppress(TabGone, ProtocolError):
            await self.connection.send("Target.closeTarget", {"targetId": tab.target_id})
        tab.closed_on_request = True
        deadline = Deadline.after(CLOSE_SECONDS)
        with suppress(BoathookError):
            async with deadline.stage("closing the tab"):
                await tab.closed.wait()
        self._on_target_gone(tab.target_id)
        if tab.own_context is not None:
            await self.end_context(tab.own_context)

    async def end_context(self, context: str) -> None:
        """Close an isolated context with its tabs and all of their storage."""
        self._contexts.remove(context)
        self._numberings.pop(context, None)
        if context in self._traffic:
            await self._traffic.pop(context).end()
        with suppress(ProtocolError):
            await self.connection.send("Target.disposeBrowserContext", {"browserContextId": context})

    async def close(self) -> None:
        """Close a browser that we started, disconnect from others; may be called twice."""
        if self._closed:
            return
        self._closed = True
        await self.background_tasks.close()
        await self.lasting_tasks.close()
        try:
            with suppress(BoathookError, TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._send_close()
        finally:
            for tab in self.tabs:
                tab.mark_closed()
            self.folder.close()
            await self.release()

    async def _send_close(self) -> None:
        if self.managed:
            if (
                self._keeps_profile
            ):  # a temporary one is removed with its browser, so closing the pipe is enough
                await self.connection.send("Browser.close")
            return
        for tab in self.tabs:
            if tab.held.anything and not tab.owned:
                await release_all(tab)
        ours = [tab for tab in self.tabs if tab.owned]
        partings = [self.connection.send("Target.closeTarget", {"targetId": tab.target_id}) for tab in ours]
        partings += [
            self.connection.send("Target.disposeBrowserContext", {"browserContextId": context})
            for context in self._contexts
        ]
        await asyncio.gather(*partings, return_exceptions=True)
        # The next caller must not mistake a closing tab for one of the user's.
        await asyncio.gather(*(tab.closed.wait() for tab in ours))

    async def _create_target(self, context: str | None) -> str:
        options: dict[str, object] = {"url": "about:blank"}
        if context is not None:
            options["browserContextId"] = context
        if not self.managed:
            options["background"] = True  # never raise a window of the user
        elif self._viewport is not None:
            # Headless: a window for each tab, since one behind another in the same window is not painted.
            options["newWindow"] = True
        try:
            reply = await self.connection.send("Target.createTarget", options)
        except (ProtocolError, Unsupported) as error:
            if self.kind == "relay" and isinstance(error, ProtocolError):  # a limit that the user has set
                raise Denied(error.text, hint="use an open tab|: `pages` lists them") from error
            raise Unsupported(
                f"this browser cannot open tabs ({error})",
                hint="use an open tab|: `pages` lists them",
            ) from error
        return str(reply["targetId"])

    async def _adopt(
        self, target_id: str, *, owned: bool, opener: Tab | None = None, earlier: Tab | None = None
    ) -> Tab:
        """Attach to a target once, however many callers request it at the same time."""
        if target_id in self._tabs:
            return self._tabs[target_id]
        task = self._adopting.get(target_id)
        if task is None:
            task = asyncio.create_task(
                self._attach(target_id, owned=owned, opener=opener, earlier=earlier), name="attach to tab"
            )
            self._adopting[target_id] = task
            task.add_done_callback(lambda _task: self._adopting.pop(target_id, None))
        return await asyncio.shield(task)

    async def _attach(
        self, target_id: str, *, owned: bool, opener: Tab | None, earlier: Tab | None = None
    ) -> Tab:
        reply = await self.connection.send("Target.attachToTarget", {"targetId": target_id, "flatten": True})
        numbering = self.numbering_in(self._context_of_target(target_id))
        tab = Tab(
            numbering.next_tab_id(),
            target_id=target_id,
            session=CdpSession(self.connection, reply["sessionId"]),
            background_tasks=self.background_tasks,
            refs=numbering.refs,
            schemes=self._schemes,
            owned=owned,
        )
        tab.browser = self
        tab.opener = opener
        tab.emulation.product = self.product
        if earlier is not None:
            tab.id, tab.label = earlier.id, earlier.label
        if (like := earlier or opener) is not None:
            tab.begin_like(like)
        tab.interception.join(self._traffic_in(self.context_of(tab)))
        tab.console.unasked = self.console_unasked
        tab.siblings = lambda: [known.id for known in self.tabs_of(numbering)]
        tab.raisable = self.managed
        if owned:
            tab.replace_target = lambda: self._replace_target(tab)
        self._preparing[target_id] = tab
        try:
            await tab.prepare(self._viewport if owned else None)
            await self._wait_for_fingerprint(target_id)
        finally:
            del self._preparing[target_id]
        self._tabs[target_id] = tab
        return tab

    async def _replace_target(self, tab: Tab) -> None:
        """Replace the target of a tab, because the renderer of the old one neither responds nor exits."""
        info = self.targets.get(tab.target_id)
        old = tab.target_id
        target_id = await self._create_target(info.context_id if info else None)
        reply = await self.connection.send("Target.attachToTarget", {"targetId": target_id, "flatten": True})
        self._tabs.pop(old, None)
        self._tabs[target_id] = tab
        tab.session.forget()
        tab.bind(target_id, CdpSession(self.connection, reply["sessionId"]))
        await tab.prepare(self._viewport)
        await self._wait_for_fingerprint(target_id)
        self._close_quietly(old)

    def _on_target(self, info: TargetInfo) -> None:
        opener = self._tabs.get(info.opener_id) or self._gesturing(info)
        if opener is not None and info.is_page and not self._closed:
            if opener.owned and opener.popups_since_action >= MOST_POPUPS:
                self._refuse_popup(info.id, opener)
                return
            adopting = self.background_tasks.start(self._adopt_popup(info.id, opener), name="adopt popup")
            if adopting is not None:
                opener.popups.add(adopting)
                adopting.add_done_callback(opener.popups.discard)

    def _gesturing(self, info: TargetInfo) -> Tab | None:
        """The tab whose link was just opened in a new tab; tabs that we open ourselves start blank."""
        if info.opener_id or info.url == "about:blank":
            return None
        known = {tab: self.targets.get(tab.target_id) for tab in self.tabs if tab.opens_tabs}
        found = [tab for tab, own in known.items() if own is not None and own.context_id == info.context_id]
        return found[0] if len(found) == 1 else None

    async def _wait_for_fingerprint(self, target_id: str) -> None:
        """Wait until the fingerprint profile of this browser is applied to a target, with a limit."""
        if self.apply_fingerprint is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self.apply_fingerprint(target_id)

    def _refuse_popup(self, target_id: str, opener: Tab) -> None:
        opener.refuse_popup()
        self.background_tasks.start(self._close_after_fingerprint(target_id), name="close popup")

    async def _close_after_fingerprint(self, target_id: str) -> None:
        """A target that is closed while it waits for its fingerprint profile would leave its opener waiting indefinitely."""
        await self._wait_for_fingerprint(target_id)
        self._close_quietly(target_id)

    def _close_quietly(self, target_id: str) -> None:
        closing = self.connection.post("Target.closeTarget", {"targetId": target_id})
        ignore_reply(closing)

    async def _adopt_popup(self, target_id: str, opener: Tab) -> None:
        with suppress(BrowserGone, TabGone):
            tab = await self._adopt(target_id, owned=opener.owned, opener=opener)
            opener.opened.add(opener.opened.next_number(), tab)

    def context_of(self, tab: Tab) -> str | None:
        """The isolated context of a tab; None for the browser's default context."""
        return tab.own_context or self._context_of_target(tab.target_id)

    def _context_of_target(self, target_id: str) -> str | None:
        info = self.targets.get(target_id)
        return info.context_id if info is not None and info.context_id in self._contexts else None

    def numbering_in(self, context: str | None) -> Numbering:
        """The numbering of a context's tabs and elements."""
        return self._numberings[context if context in self._contexts else None]

    def tabs_of(self, numbering: Numbering) -> list[Tab]:
        """The tabs that have their ids from this numbering, oldest first."""
        return [tab for tab in self.tabs if tab.refs is numbering.refs]

    def _traffic_in(self, context: str | None) -> Traffic:
        """What the tabs of a context share on the network; only a browser of ours is intercepted as a whole."""
        if context not in self._traffic:
            self._traffic[context] = Traffic(early=self._early if self.managed else None)
        return self._traffic[context]

    def _traffic_of(self, frame_id: str) -> Traffic | None:
        """The traffic of the tab that a frame belongs to, also of a tab that is not attached yet."""
        for tab in self.tabs:
            if tab.frames.get(frame_id) is not None:
                return tab.interception.traffic
        info = self.targets.get(frame_id)
        if info is None:
            return None
        return self._traffic.get(info.context_id if info.context_id in self._contexts else None)

    def _downloads_of(self, frame_id: str) -> Downloads | None:
        """The downloads of the tab that a frame belongs to; those of a popup that existed only for its download go to its opener."""
        for tab in self.tabs:
            if tab.frames.get(frame_id) is not None:
                blank = tab.url in {"", "about:blank"}
                return tab.opener.downloads if blank and tab.opener is not None else tab.downloads
        info = self.targets.get(frame_id)
        opener = self._tabs.get(info.opener_id) if info is not None else None
        return opener.downloads if opener is not None else None

    def _on_connection_closed(self, reason: str) -> None:
        """A caller that waits on a tab without querying it must not wait until its deadline."""
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
