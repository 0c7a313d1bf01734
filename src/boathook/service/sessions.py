"""Sessions: named, isolated places to work, each in a context of a browser that those with equal wishes share."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from boathook.clock import now
from boathook.engine import open as opening
from boathook.engine.addresses import DEFAULT_SCHEMES
from boathook.engine.launch.options import LaunchOptions, Proxy
from boathook.errors import BadRequest, NoSuchSession, TabGone
from boathook.settings import SETTINGS
from boathook.values import Viewport

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from boathook.engine.browser import Browser
    from boathook.engine.tab import Tab
    from boathook.engine.targets import TargetInfo
    from boathook.service.session_records import SessionRecords

DEFAULT_NAME = "default"
MOST_SESSIONS = 32
LaunchKey = frozenset[tuple[str, Any]]


@dataclass(slots=True, eq=False)
class Session:
    """One place to work: its own cookies, tabs and present tab."""

    name: str
    key: LaunchKey
    browser: Browser
    context: str | None
    """None when the browser is not ours: then its own tabs are worked in."""
    owner: str = ""
    began: float = field(default_factory=now)
    used: float = field(default_factory=now)
    secrets: set[str] = field(default_factory=set, repr=False)
    """Values that were given by name: pages may show them again in later answers."""
    news: list[str] = field(default_factory=list)
    """What the next answer should tell."""
    _present: Tab | None = None

    @property
    def tabs(self) -> list[Tab]:
        """The tabs of this session, oldest first."""
        if self.context is None:
            return self.browser.tabs
        return [tab for tab in self.browser.tabs if self.browser.context_of(tab) == self.context]

    @property
    def targets(self) -> Session:
        """What asks a browser for its pages may ask a session for them."""
        return self

    def pages(self) -> list[TargetInfo]:
        """The pages of this session, also those that nobody has worked with."""
        return [info for info in self.browser.targets.pages() if self.context in {None, info.context_id}]

    @property
    def alive(self) -> bool:
        """Whether the browser still answers."""
        return self.browser.connection.closed_because is None

    async def present(self) -> Tab:
        """The tab that calls work on when they name none; a blank one when there is none."""
        if self._present is not None and self._present.state == "closed":
            self.news.append(f"tab {self._present.id} is closed; the latest one left is used")
            self._present = None
        if self._present is None:
            left = self.tabs
            self._present = left[-1] if left else await self.open()
        return self._present

    async def open(self, url: str = "about:blank", **options: Any) -> Tab:
        """Open a tab here and work on it from now on."""
        self._present = await self.browser.open_tab(url, context=self.context, **options)
        return self._present

    async def open_tab(self, url: str = "about:blank", **options: Any) -> Tab:
        """What a browser does to open a tab, done here."""
        return await self.open(url, **options)

    async def use_tab(self, name: str) -> Tab:
        """What a browser does to find a tab: here it is worked on from now on."""
        return self.switch(name)

    def find(self, name: str) -> Tab:
        """The tab with this id, label or target id."""
        for tab in self.tabs:
            if name in {tab.id, tab.target_id} or (tab.label and name == tab.label):
                return tab
        open_now = ", ".join(f"{tab.id} {tab.url[:80]}" for tab in self.tabs) or "none"
        raise TabGone(f"session {self.name} has no tab {name!r}; open: {open_now}", hint="use one of these")

    def switch(self, name: str) -> Tab:
        """Work on another tab from now on."""
        self._present = self.find(name)
        return self._present


class Sessions:
    """All sessions of one user, and the browsers that they share."""

    def __init__(self, records: SessionRecords | None = None) -> None:
        self._records = records
        self._using: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._sessions: dict[str, Session] = {}
        self._browsers: dict[LaunchKey, Browser] = {}
        self._starting: dict[LaunchKey, asyncio.Lock] = {}

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    async def use(self, name: str, wishes: Mapping[str, Any], *, owner: str = "") -> Session:
        """The session of this name, started when it does not run; a wish that differs from how it runs is refused."""
        lock = self._using.setdefault(name, asyncio.Lock())
        async with lock:  # whoever asks for it at the same time gets the same one
            return await self._used(name, wishes, owner=owner)

    async def _used(self, name: str, wishes: Mapping[str, Any], *, owner: str) -> Session:
        key = launch_key(wishes)
        session = self._sessions.get(name)
        lost = session is not None and not session.alive
        if lost and session is not None:
            await self.close(name)
            key = key or session.key
        elif session is not None:
            _check_same(session, wishes)
            session.used = now()
            return session
        if len(self._sessions) >= MOST_SESSIONS:
            raise BadRequest(f"{MOST_SESSIONS} sessions are running", hint="close some: boathook close --all")
        browser = await self._browser(key)
        context = await browser.new_context() if browser.managed and not _is_kept(key) else None
        session = Session(name=name, key=key, browser=browser, context=context, owner=owner)
        if lost:
            session.news.append(
                "the browser of this session ended; its tabs and cookies are lost, a new one is used"
            )
        if self._records is not None and (said := self._records.take_lost(name)):
            session.news.append(said)
        self._sessions[name] = session
        return session

    def keep(self, session: Session) -> None:
        """Note how a session stands, for whoever comes after us."""
        session.used = now()
        if self._records is not None and session.name in self._sessions:
            self._records.keep(session)

    async def close_idle(self, seconds: float, *, busy: Collection[str] = ()) -> list[str]:
        """End sessions that nobody has used for so long; a browser with a window is its user's business."""
        idle = [
            session.name
            for session in self
            if now() - session.used > seconds and not busy and ("headed", True) not in session.key
        ]
        for name in idle:
            await self.close(name)
        return idle

    async def close(self, name: str) -> None:
        """End a session: its tabs, and its browser when nobody else uses that."""
        session = self._sessions.pop(name, None)
        if session is None:
            raise NoSuchSession(f"there is no session {name!r}")
        if self._records is not None:
            self._records.forget(name)
        if session.context is not None and session.alive:
            await session.browser.end_context(session.context)
        if all(other.browser is not session.browser for other in self):
            self._browsers.pop(session.key, None)
            await session.browser.close()

    async def close_all(self) -> int:
        """End all sessions; says how many there were."""
        names = list(self._sessions)
        await asyncio.gather(*(self.close(name) for name in names))
        return len(names)

    async def _browser(self, key: LaunchKey) -> Browser:
        async with self._starting.setdefault(key, asyncio.Lock()):
            browser = self._browsers.get(key)
            if browser is None or browser.connection.closed_because is not None:
                browser = await _started(dict(key))
                self._browsers[key] = browser
            return browser


def default_name(working_directory: str) -> str:
    """The name of the session that calls from a project use when they name none: no two checkouts share one."""
    root = Path(working_directory or "/")
    for folder in (root, *root.parents):
        if (folder / ".git").exists():
            root = folder
            break
    return f"{DEFAULT_NAME}-{hashlib.sha256(str(root).encode()).hexdigest()[:8]}"


def launch_key(wishes: Mapping[str, Any]) -> LaunchKey:
    """What decides which browser a session may share."""
    given = {name: value for name, value in wishes.items() if name in SETTINGS and SETTINGS[name].launches}
    return frozenset((name, value) for name, value in given.items() if value not in {None, False})


def _is_kept(key: LaunchKey) -> bool:
    return any(name == "profile" for name, _value in key)


def _check_same(session: Session, wishes: Mapping[str, Any]) -> None:
    """A browser is never silently started again: what is left out is inherited, what differs is refused."""
    running = dict(session.key)
    for name, value in wishes.items():
        setting = SETTINGS.get(name)
        if (
            setting is not None
            and setting.launches
            and value is not None
            and running.get(name, False) != value
        ):
            raise BadRequest(
                f"session {session.name} runs without {setting.flag} {value if value is not True else ''}".rstrip(),
                hint=f"start a new one: boathook --fresh {setting.flag} …",
                setting=name,
            )


async def _started(wishes: dict[str, Any]) -> Browser:
    schemes = DEFAULT_SCHEMES | ({"file"} if wishes.get("allow_file_access") else set())
    if "cdp" in wishes:
        return await opening.attach(str(wishes["cdp"]), schemes=schemes)
    viewport = Viewport()
    if "viewport" in wishes:
        width, _, height = str(wishes["viewport"]).partition("x")
        if not (width.isdigit() and height.isdigit()):
            raise BadRequest(f"{wishes['viewport']!r} is no size", hint="write it like 1365x768")
        viewport = Viewport(width=int(width), height=int(height))
    options = LaunchOptions(
        headless=not wishes.get("headed"),
        executable=wishes.get("executable"),
        profile=Path(wishes["profile"]) if "profile" in wishes else None,
        viewport=viewport,
        sandbox=wishes.get("sandbox", "auto"),
        stealth=wishes.get("stealth", "basic"),
        proxy=Proxy(server=wishes["proxy"]) if "proxy" in wishes else None,
        ignore_certificate_errors=bool(wishes.get("ignore_certificate_errors")),
        ca_bundle=Path(wishes["ca_bundle"]) if "ca_bundle" in wishes else None,
    )
    return await opening.launch(options, schemes=schemes)
