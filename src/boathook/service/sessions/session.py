"""One session: a named workspace with its own cookies, tabs and current tab."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from boathook.clock import now
from boathook.commands.results import UnusedTab
from boathook.engine.cdp_targets import user_pages_first
from boathook.engine.emulation.overrides import Settings
from boathook.errors import BoathookError, TabGone
from boathook.service.secrets.secret_registry import SecretRegistry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from boathook.engine.actions.input.pointer_motion import PointerMotion
    from boathook.engine.browser import Browser
    from boathook.engine.cdp_targets import TargetInfo
    from boathook.engine.numbering import Numbering
    from boathook.engine.page.dialogs import DialogPolicy
    from boathook.engine.tab import Tab
    from boathook.service.sessions.browser_launch import LaunchKey
    from boathook.service.sessions.session_restore import SessionRestore

BLANK = "about:blank"
DEFAULT_NAME = "default"
"""The name of a project's session for users."""
MOST_LISTED = 20
RECONNECT_SECONDS = 10.0
"""How long a call waits for an extension that connects again."""
_ID = re.compile(r"t\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class TabDefaults:
    """Settings that every tab of a session gets when it is created."""

    looks: Settings = field(default_factory=Settings)
    dialogs: DialogPolicy | None = None
    pointer_motion: PointerMotion = "instant"
    scripts: tuple[str, ...] = ()
    """Init scripts."""


@dataclass(slots=True, eq=False)
class Session:
    """A workspace. Two objects of one name are two sessions, one after the other."""

    name: str
    key: LaunchKey
    browser: Browser
    context: str | None
    """None if the browser is not ours: then its default context is used."""
    numbering: Numbering
    """The numbering of its tabs and elements; sessions that use the same tabs share it."""
    owner: str = ""
    project: str = ""
    """The folder whose default session it is; empty for one that was given a name."""
    began: float = field(default_factory=now)
    used: float = field(default_factory=now)
    registry: SecretRegistry = field(default_factory=SecretRegistry, repr=False)
    """The secrets that it must not show."""
    taken: Callable[[], Collection[str]] = tuple
    """Pages of the same browser that other sessions use."""
    news: list[str] = field(default_factory=list)
    """Notes for the next outcome."""
    unused_variables: tuple[str, ...] = ()
    """Of the callers so far: those that its browser was started without; each is reported once."""
    change: str = ""
    """How it was started, until an outcome has reported it: created or replaced."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    """The settings that restrict it: a replacement after a loss gets them too."""
    restoring: SessionRestore | None = None
    """Restores and saves its state, if requested."""
    overridden: frozenset[str] = frozenset()
    """Launch settings that were changed while it ran."""
    tab_defaults: TabDefaults = field(default_factory=TabDefaults)
    idle_after: float | None = None
    """Idle seconds after which it is closed; None is the default."""
    ends_with: int | None = None
    """The process with which it is closed."""
    ending: asyncio.Task[None] | None = None
    """Waits for that process."""
    _choosing: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)
    _present: Tab | None = None
    _left: tuple[Tab, str] | None = None
    """The tab and the URL at which the last call ended."""

    @property
    def secrets(self) -> frozenset[str]:
        """Values that no result may contain."""
        return self.registry.secrets_for(self.name)

    def report_unused(self, variables: Iterable[str]) -> None:
        """Name variables of a caller that do not apply to the browser that is running."""
        new = tuple(name for name in variables if name not in self.unused_variables)
        if new:
            self.unused_variables += new
            self.news.append(
                f"session {self.shown} runs without {' and '.join(new)} of this call; a new session uses them"
            )

    @property
    def shown(self) -> str:
        """The name as users see and pass it."""
        return DEFAULT_NAME if self.project else self.name

    @property
    def tabs(self) -> list[Tab]:
        """The tabs of this session, oldest first."""
        return self.browser.tabs_of(self.numbering)

    @property
    def current_tab(self) -> Tab | None:
        """The tab for calls that name none, if there is one already."""
        return None if self._present is None or self._present.state == "closed" else self._present

    @property
    def targets(self) -> Session:
        """Provides pages in the way that a browser does."""
        return self

    def pages(self) -> list[TargetInfo]:
        """The pages of this session, also those that were not used yet."""
        pages = self.browser.targets.pages()
        return [info for info in pages if self.browser.numbering_in(info.context_id) is self.numbering]

    def unused_tabs(self) -> list[Any]:
        """Tabs of the user's own browser that no call has used yet, within the user's limits; each can be selected."""
        if self.browser.kind != "relay":
            return []
        known = {tab.target_id for tab in self.tabs}
        found = [info for info in self.pages() if info.id not in known]
        return [UnusedTab(url=info.url, title=info.title, target_id=info.id) for info in found[:MOST_LISTED]]

    @property
    def alive(self) -> bool:
        """Whether the browser still responds."""
        return self.browser.connection.closed_because is None

    @property
    def current(self) -> Tab | None:
        """The tab that the next call uses, if it is already known."""
        return self._present if self._present is not None and self._present.state != "closed" else None

    async def present(self, *, may_open: bool = False) -> Tab:
        """The tab for calls that name none; a blank one if there is none.

        In the user's own Chrome a call never continues in another tab: it finds its own one again, or fails; `may_open` is for
        calls that bring a URL.
        """
        async with self._choosing:  # several first calls at once get the same tab
            before = self._present
            if before is not None and before.state == "closed" and self._must_find_again(before):
                self._present = await self._find_again(before, may_open=may_open)
            elif before is None or before.state == "closed":
                self._present = await self._some_tab()
                if before is not None:
                    self.news.append(f"tab {before.id} was closed; using the most recent remaining tab")
            return self._present  # type: ignore[return-value]

    def _must_find_again(self, before: Tab) -> bool:
        return self.browser.kind == "relay" and not before.closed_on_request

    async def _find_again(self, before: Tab, *, may_open: bool) -> Tab:
        """The tab after the relay or the extension was restarted; TabGone if the user has closed it."""
        found = await self.browser.find_again(before, seconds=RECONNECT_SECONDS)
        if found is not None:
            self.news.append(f"the connection to your Chrome was lost; tab {found.id} was found again")
            return found
        if may_open:
            return await self.browser.open_tab(BLANK, context=self.context, dress=self._apply_defaults)
        raise TabGone(
            f"tab {before.id} is no longer open in your Chrome ({before.url[:200]})",
            hint="open a URL|: `open URL`|, or choose another tab|: `tab NAME`|; `pages` lists them",
            tab=before.id,
        )

    async def continue_from(self, old: Session, *, is_lost: bool) -> None:
        """Begin in place of another session; if only its connection was lost, with its tabs."""
        self.numbering.continue_from(old.numbering)
        if not is_lost:
            return
        if self.browser.kind != "relay":
            self.news.append(
                "the browser of this session exited; its tabs and cookies were lost, and a new browser is used"
            )
            return
        for tab in old.tabs:
            await self.browser.find_again(tab, seconds=RECONNECT_SECONDS)
        self._present = old._present

    async def _some_tab(self) -> Tab:
        """The most recent known tab; in a browser that we attached to, the first open page.

        In the user's own Chrome it is a new one: the user's pages are used only if they are named.
        """
        if known := self.tabs:
            return known[-1]
        taken = self.taken()
        pages = [info for info in self.pages() if info.id not in taken]
        if self.context is None and self.browser.kind != "relay" and pages:
            tab = await self.browser.use_tab(user_pages_first(pages)[0].id)
            self._apply_defaults(tab)
            return tab
        return await self.open()

    def _apply_defaults(self, tab: Tab) -> None:
        """A new tab copies the setup of the previous one, or of the session if it is the first."""
        before = self._present
        if before is None:
            tab.pointer_motion = self.tab_defaults.pointer_motion
            tab.emulation.begin_with(self.tab_defaults.looks)
            tab.dialogs.policy = self.tab_defaults.dialogs
            tab.init_scripts.begin_with(dict(enumerate(self.tab_defaults.scripts, 1)))
        elif before is not tab:
            tab.begin_like(before)

    def note_where(self, tab: Tab, url: str) -> None:
        """Remember where a call has left its tab."""
        self._left = (tab, url)

    def report_drift(self, tab: Tab) -> None:
        """Report that the page has navigated between two calls: what is known about it may be outdated."""
        if self._left is None or self._left[0] is not tab:
            return
        before, here = self._left[1], tab.url
        if urldefrag(here).url == urldefrag(before).url:
            return
        if here == BLANK:
            self.news.append(f"tab {tab.id} is blank now; it was at {before} when the last call ended")
        else:
            self.news.append(f"tab {tab.id} navigated from {before} to {here} since the last call")

    async def open(self, url: str = BLANK, **options: Any) -> Tab:
        """Open a tab here and make it the current one."""
        self._present = await self.browser.open_tab(
            url, context=self.context, dress=self._apply_defaults, **options
        )
        return self._present

    async def open_tab(self, url: str = BLANK, **options: Any) -> Tab:
        """Open a tab, in the way that a browser does."""
        return await self.open(url, **options)

    async def follow_new_tab(self, known: Collection[Tab], *, seconds: float) -> None:
        """Make the tab that was opened meanwhile the current one, and wait for its page."""
        opened = [tab for tab in self.tabs if tab not in known]
        if not opened:
            return
        self._present = opened[-1]
        with suppress(TimeoutError, BoathookError):
            async with asyncio.timeout(seconds):
                await opened[-1].loads.wait_for_requested_start()
                await opened[-1].loads.present("load")

    async def use_tab(self, name: str) -> Tab:
        """Find a tab, in the way that a browser does, and make it the current one."""
        self._present = await self.resolve_tab(name)
        return self._present

    async def resolve_tab(self, name: str) -> Tab:
        """The tab with this id or label, or a page that is attached: by its target id, or by text of its title or URL."""
        pages = self.pages()
        if any(info.id == name for info in pages):
            return await self.browser.use_tab(name)
        # A name that looks like an id belongs to a closed tab, not to another page.
        if self._find_tab(name) is None and self.context is None and _ID.fullmatch(name) is None:
            return await self.browser.use_tab(_only_like(name, pages).id)
        return self.find(name)

    def find(self, name: str) -> Tab:
        """The tab with this id, label or target id."""
        if (known := self._find_tab(name)) is not None:
            return known
        open_now = ", ".join(f"{tab.id} {tab.url[:80]}" for tab in self.tabs) or "none"
        raise TabGone(f"no such tab in this session: {name!r}; open: {open_now}", hint="use one of these")

    def _find_tab(self, name: str) -> Tab | None:
        named = (
            tab for tab in self.tabs if name in {tab.id, tab.target_id} or (tab.label and name == tab.label)
        )
        return next(named, None)


def _only_like(words: str, pages: list[TargetInfo]) -> TargetInfo:
    """The one page with this text in its title or URL; in a browser that we attached to, ids are not known."""
    like = [info for info in pages if words and words.casefold() in f"{info.title}\n{info.url}".casefold()]
    if len(like) == 1:
        return like[0]
    listed = [f"{info.title[:60]!r} {info.url[:80]}" for info in (like or pages)[:MOST_LISTED]]
    found = "several pages match" if like else "no page matches"
    raise TabGone(
        f"{found} {words!r}; open: {', '.join(listed) or 'none'}",
        hint="use more of the title or URL|, or a target id: `pages` lists them",
    )
