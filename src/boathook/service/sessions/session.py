"""One session: a named place to work with its own cookies, tabs and present tab."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from boathook.clock import now
from boathook.engine.cdp_targets import meant_first
from boathook.engine.emulation.overrides import Settings
from boathook.errors import TabGone
from boathook.service.secrets.secret_registry import SecretRegistry

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Collection, Mapping

    from boathook.engine.actions.input.pointer_motion import Gait
    from boathook.engine.browser import Browser
    from boathook.engine.cdp_targets import TargetInfo
    from boathook.engine.numbering import Numbering
    from boathook.engine.page.dialogs import DialogPolicy
    from boathook.engine.tab import Tab
    from boathook.service.sessions.browser_launch import LaunchKey
    from boathook.service.sessions.session_restore import Restoring

BLANK = "about:blank"
DEFAULT_NAME = "default"
"""What users call the session of a project."""
MOST_LISTED = 20
_ID = re.compile(r"t\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outfit:
    """What every tab of a session gets from its first moment on."""

    looks: Settings = field(default_factory=Settings)
    dialogs: DialogPolicy | None = None
    gait: Gait = "instant"
    scripts: tuple[str, ...] = ()
    """Those that run before the page's own."""


@dataclass(slots=True, eq=False)
class Session:
    """A place to work. Two objects of one name are two sessions: the one came after the other."""

    name: str
    key: LaunchKey
    browser: Browser
    context: str | None
    """None when the browser is not ours: then its own tabs are worked in."""
    numbering: Numbering
    """The ids of its tabs and their elements; sessions that work in the same tabs share it."""
    owner: str = ""
    project: str = ""
    """The folder whose default session it is; empty for one that was given a name."""
    began: float = field(default_factory=now)
    used: float = field(default_factory=now)
    registry: SecretRegistry = field(default_factory=SecretRegistry, repr=False)
    """The secrets that it must not show."""
    taken: Callable[[], Collection[str]] = tuple
    """Pages of the same browser that other sessions work in."""
    news: list[str] = field(default_factory=list)
    """What the next answer should tell."""
    change: str = ""
    """How it came to be, until an answer has told it: created or replaced."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    """The settings that hold it back: what comes in its place when it is lost gets them too."""
    restoring: Restoring | None = None
    """Brings its state back and keeps it, when that is wanted."""
    overridden: frozenset[str] = frozenset()
    """Settings of the launch that were changed while it ran."""
    outfit: Outfit = field(default_factory=Outfit)
    idle_after: float | None = None
    """Seconds without use after which it ends; None is what holds for all."""
    ends_with: int | None = None
    """The process with which it ends."""
    ending: asyncio.Task[None] | None = None
    """Waits for that process."""
    _present: Tab | None = None
    _left: tuple[Tab, str] | None = None
    """The tab and the address at which the last call ended."""

    @property
    def secrets(self) -> frozenset[str]:
        """Values that no answer may contain."""
        return self.registry.known_to(self.name)

    @property
    def shown(self) -> str:
        """The name as users see and give it."""
        return DEFAULT_NAME if self.project else self.name

    @property
    def tabs(self) -> list[Tab]:
        """The tabs of this session, oldest first."""
        return self.browser.tabs_of(self.numbering)

    @property
    def targets(self) -> Session:
        """What asks a browser for its pages may ask a session for them."""
        return self

    def pages(self) -> list[TargetInfo]:
        """The pages of this session, also those that nobody has worked with."""
        pages = self.browser.targets.pages()
        return [info for info in pages if self.browser.numbering_in(info.context_id) is self.numbering]

    @property
    def alive(self) -> bool:
        """Whether the browser still answers."""
        return self.browser.connection.closed_because is None

    async def present(self) -> Tab:
        """The tab that calls work on when they name none; a blank one when there is none."""
        before = self._present
        if before is None or before.state == "closed":
            self._present = await self._some_tab()
            if before is not None:
                self.news.append(f"tab {before.id} is closed; the latest one left is used")
        return self._present  # type: ignore[return-value]

    async def _some_tab(self) -> Tab:
        """The latest tab that is known; in a browser of somebody else's the first page that is open there.

        In a person's own Chrome it is a new one: their pages are taken when they are named, not by chance.
        """
        if known := self.tabs:
            return known[-1]
        taken = self.taken()
        pages = [info for info in self.pages() if info.id not in taken]
        if self.context is None and self.browser.kind != "relay" and pages:
            tab = await self.browser.use_tab(meant_first(pages)[0].id)
            self._dress(tab)
            return tab
        return await self.open()

    def _dress(self, tab: Tab) -> None:
        """A new tab finds what was set up for the one before it, or for the session when it is the first."""
        before = self._present
        if before is None:
            tab.gait = self.outfit.gait
            tab.emulation.begin_with(self.outfit.looks)
            tab.dialogs.policy = self.outfit.dialogs
            tab.init_scripts.begin_with(dict(enumerate(self.outfit.scripts, 1)))
        elif before is not tab:
            tab.begin_like(before)

    def note_where(self, tab: Tab, url: str) -> None:
        """Remember where a call has left its tab."""
        self._left = (tab, url)

    def tell_drift(self, tab: Tab) -> None:
        """Say it when the page has gone elsewhere between two calls: what is known of it may be old."""
        if self._left is None or self._left[0] is not tab:
            return
        before, here = self._left[1], tab.url
        if urldefrag(here).url == urldefrag(before).url:
            return
        if here == BLANK:
            self.news.append(f"tab {tab.id} is blank now; it was at {before} when the last call ended")
        else:
            self.news.append(f"tab {tab.id} has gone from {before} to {here} since the last call")

    async def open(self, url: str = BLANK, **options: Any) -> Tab:
        """Open a tab here and work on it from now on."""
        self._present = await self.browser.open_tab(url, context=self.context, dress=self._dress, **options)
        return self._present

    async def open_tab(self, url: str = BLANK, **options: Any) -> Tab:
        """What a browser does to open a tab, done here."""
        return await self.open(url, **options)

    async def use_tab(self, name: str) -> Tab:
        """What a browser does to find a tab: here it is worked on from now on."""
        self._present = await self.tab_named(name)
        return self._present

    async def tab_named(self, name: str) -> Tab:
        """The tab with this id or label, or a page that is taken over: by its target id, or by words of its title or address."""
        pages = self.pages()
        if any(info.id == name for info in pages):
            return await self.browser.use_tab(name)
        # What looks like an id is that of a tab which is gone; whoever has it does not mean another page.
        if self._known(name) is None and self.context is None and _ID.fullmatch(name) is None:
            return await self.browser.use_tab(_only_like(name, pages).id)
        return self.find(name)

    def find(self, name: str) -> Tab:
        """The tab with this id, label or target id."""
        if (known := self._known(name)) is not None:
            return known
        open_now = ", ".join(f"{tab.id} {tab.url[:80]}" for tab in self.tabs) or "none"
        raise TabGone(f"this session has no tab {name!r}; open: {open_now}", hint="use one of these")

    def _known(self, name: str) -> Tab | None:
        named = (
            tab for tab in self.tabs if name in {tab.id, tab.target_id} or (tab.label and name == tab.label)
        )
        return next(named, None)


def _only_like(words: str, pages: list[TargetInfo]) -> TargetInfo:
    """The one page with these words in its title or address; in a browser of somebody else's nobody knows ids."""
    like = [info for info in pages if words and words.casefold() in f"{info.title}\n{info.url}".casefold()]
    if len(like) == 1:
        return like[0]
    listed = [f"{info.title[:60]!r} {info.url[:80]}" for info in (like or pages)[:MOST_LISTED]]
    found = "several pages are like" if like else "there is no page like"
    raise TabGone(
        f"{found} {words!r}; open: {', '.join(listed) or 'none'}",
        hint="give more of the title or address|, or a target id: `pages` lists them",
    )
