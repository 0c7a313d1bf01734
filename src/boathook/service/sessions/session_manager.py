"""Sessions: all named places to work of one user, each in a context of a browser that those with equal wishes share."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from boathook.clock import now
from boathook.engine.capture.video.recordings import finish_takes
from boathook.engine.numbering import Numbering
from boathook.errors import BoathookError, BrowserGone, NoSuchSession
from boathook.progress import tell
from boathook.service.secrets.secret_registry import SecretRegistry
from boathook.service.sessions.browser_launch import (
    LaunchKey,
    check_same,
    is_kept,
    launch_key,
    limits_of,
    outfit_of,
    share_profile,
    started,
)
from boathook.service.sessions.process_watch import check_owner, end_of
from boathook.service.sessions.session import DEFAULT_NAME, Session
from boathook.service.sessions.session_limits import (
    check_browsers,
    check_sessions,
    free_memory_mib,
    idle_seconds,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from boathook.engine.browser import Browser
    from boathook.engine.capture.video.video_recording import Recorded
    from boathook.service.sessions.session_records import SessionRecords


class Sessions:
    """All sessions of one user, and the browsers that they share."""

    def __init__(self, records: SessionRecords | None = None) -> None:
        self._records = records
        self.registry = SecretRegistry()
        self._using: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._sessions: dict[str, Session] = {}
        self._browsers: dict[tuple[LaunchKey, str], Browser] = {}
        self._starting: dict[tuple[LaunchKey, str], asyncio.Lock] = {}
        self._at_the_door: Counter[Browser] = Counter()
        self.on_recorded: Callable[[Session, Recorded], None] = lambda _session, _video: None
        """Told of a video that ended because its session did."""

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    def get(self, name: str) -> Session | None:
        """The session of this name, when it runs."""
        return self._sessions.get(name)

    async def use(
        self, name: str, wishes: Mapping[str, Any], *, owner: str = "", project: str = ""
    ) -> Session:
        """The session of this name, started when it does not run; a wish that differs from how it runs is refused."""
        async with self._alone(name):
            session = self._sessions.get(name)
            if session is not None and session.alive:
                if wishes.get("idle_timeout"):
                    session.idle_after = idle_seconds(str(wishes["idle_timeout"]))
                # What was changed while it ran holds, whatever a file still says.
                given = {one: value for one, value in wishes.items() if one not in session.overridden}
                check_same(session.shown, session.key, given)
                session.used = now()
                return session
            return await self._begun(name, wishes, owner=owner, project=project)

    async def replace(
        self, name: str, wishes: Mapping[str, Any], *, owner: str = "", project: str = ""
    ) -> Session:
        """A new session in place of the one of this name; when it cannot be started the old one goes on."""
        async with self._alone(name):
            return await self._begun(name, wishes, owner=owner, project=project)

    async def restart(self, session: Session, *, headed: bool) -> Session:
        """The same session in a new browser, with a window or without; its tabs are lost."""
        key = frozenset(
            {pair for pair in session.key if pair[0] != "headed"} | ({("headed", True)} if headed else set())
        )
        async with self._alone(session.name):
            bound = {"ends_with": session.ends_with}
            new = await self._begun(
                session.name, bound, owner=session.owner, project=session.project, key=key
            )
        new.overridden = session.overridden | {"headed"}
        new.idle_after = session.idle_after
        return new

    def _alone(self, name: str) -> asyncio.Lock:
        """Whoever asks for a session at the same time gets the same one."""
        return self._using.setdefault(name, asyncio.Lock())

    async def _begun(
        self, name: str, wishes: Mapping[str, Any], *, owner: str, project: str, key: LaunchKey | None = None
    ) -> Session:
        old = self._sessions.get(name)
        if not wishes.get("fresh"):
            wishes = {**self.limits(name), **_given(wishes)}
        key = launch_key(wishes) if key is None else key
        idle_after = idle_seconds(str(wishes["idle_timeout"])) if wishes.get("idle_timeout") else None
        pid = wishes.get("ends_with")
        if pid is not None:
            check_owner(pid)
        lost = old is not None and not old.alive
        if old is not None and (lost or share_profile(old.key, key)):
            # A dead one holds nothing, and two browsers cannot have one profile.
            await self.close(name)
            key = key or old.key
        elif old is None:
            check_sessions(len(self._sessions))
        session = await self._made(name, key, wishes, owner=owner, project=project)
        if old is not None:
            session.numbering.continue_from(old.numbering)
        session.limits = limits_of(wishes)
        session.idle_after = idle_after
        session.change = "created" if old is None else "replaced"
        session.news += session.browser.notes
        if lost:
            session.news.append(
                "the browser of this session ended; its tabs and cookies are lost, a new one is used"
            )
        if self._records is not None and (said := self._records.take_lost(name)):
            session.news.append(said)
        left = self._sessions.pop(name, None)
        self._sessions[name] = session
        session.ends_with = pid
        if pid is not None:
            session.ending = asyncio.create_task(self._close_with(session, pid), name=f"owner {pid}")
        if left is not None:
            with suppress(BoathookError):  # what is left of it ends with its browser at the latest
                await self._end(left)
        return session

    def limits(self, name: str) -> Mapping[str, Any]:
        """The settings that hold a session back, also when it was lost: a crash must not loosen anything."""
        session = self._sessions.get(name)
        if session is not None:
            return session.limits
        return self._records.lost_limits(name) if self._records is not None else {}

    async def _made(
        self, name: str, key: LaunchKey, wishes: Mapping[str, Any], *, owner: str, project: str
    ) -> Session:
        browser = await self._browser(key, name, most=wishes.get("max_browsers"))
        with self._passing(browser):
            apart = browser.managed and not is_kept(key)
            numbering = Numbering() if apart else browser.numbering_in(None)
            context = await browser.new_context(numbering=numbering) if apart else None
        return Session(
            name=name,
            key=key,
            browser=browser,
            context=context,
            numbering=numbering,
            registry=self.registry,
            taken=lambda: self._targets_of_others(name),
            owner=owner,
            project=project,
            outfit=outfit_of(dict(key)),
        )

    async def _close_with(self, session: Session, pid: int) -> None:
        await end_of(pid)
        session.ending = None  # it is this very task, and must not cancel itself
        if self._sessions.get(session.name) is session:
            await self.close(session.name)

    def keep(self, session: Session) -> None:
        """Note how a session stands, for whoever comes after us."""
        session.used = now()
        # A call that ends late must not write over what came after its session.
        if self._records is not None and self._sessions.get(session.name) is session:
            self._records.keep(session)

    async def close_idle(self, seconds: float, *, busy: Collection[str] = ()) -> list[str]:
        """End sessions that nobody has used for so long; a browser with a window is its user's business."""
        idle = [
            session.name
            for session in self
            if now() - session.used > (session.idle_after or seconds)
            and not busy
            # A time that was given holds for every browser.
            and (session.idle_after is not None or ("headed", True) not in session.key)
        ]
        for name in idle:
            await self.close(name)
        return idle

    async def close(self, name: str, *, kill: bool = False) -> None:
        """End a session: its tabs, and its browser when nobody else uses that. `kill` also ends an app that we started."""
        session = self._sessions.pop(name, None)
        if session is None:
            raise NoSuchSession(f"there is no session {name!r}")
        if self._records is not None:
            self._records.forget(name)
        await self._end(session, kill=kill)

    async def _end(self, session: Session, *, kill: bool = False) -> None:
        if session.ending is not None:
            session.ending.cancel()
        with self._passing(session.browser):
            for video in await finish_takes(session.browser, session.context):
                self.on_recorded(session, video)
            if session.restoring is not None:
                await session.restoring.finish()
            if session.context is not None and session.alive:
                with suppress(BrowserGone):  # then all that was in it is gone too
                    await session.browser.end_context(session.context)
        if not self._is_used(session.browser):
            self._browsers.pop(_connection_key(session.key, session.name), None)
            await session.browser.close()
            if kill and session.browser.app is not None:
                await session.browser.app.end()

    @contextmanager
    def _passing(self, browser: Browser) -> Iterator[None]:
        """Come into a browser or leave it: meanwhile nobody ends it, so the last one to leave does."""
        self._at_the_door[browser] += 1
        try:
            yield
        finally:
            self._at_the_door[browser] -= 1
            if not self._at_the_door[browser]:
                del self._at_the_door[browser]

    def _is_used(self, browser: Browser) -> bool:
        return browser in self._at_the_door or any(one.browser is browser for one in self)

    async def close_all(self) -> int:
        """End all sessions; says how many there were."""
        names = list(self._sessions)
        await asyncio.gather(*(self.close(name) for name in names))
        return len(names)

    async def _browser(self, key: LaunchKey, name: str, *, most: int | None) -> Browser:
        place = _connection_key(key, name)
        async with self._starting.setdefault(place, asyncio.Lock()):
            browser = self._browsers.get(place)
            if browser is None or browser.connection.closed_because is not None:
                alive = [one for one in self._browsers.values() if one.connection.closed_because is None]
                check_browsers(len(alive), free_mib=free_memory_mib(), most=most)
                tell("connecting to a browser …" if "cdp" in dict(key) else "starting a browser …")
                browser = await started(dict(key))
                self._browsers[place] = browser
            return browser

    def _targets_of_others(self, name: str) -> set[str]:
        """Pages that other sessions work in."""
        return {tab.target_id for session in self if session.name != name for tab in session.tabs}


def _connection_key(key: LaunchKey, name: str) -> tuple[LaunchKey, str]:
    """Sessions that attach to a browser of somebody else's have a connection each, and so ids of their own."""
    return key, name if "cdp" in dict(key) else ""


def _given(wishes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in wishes.items() if value is not None}


def project_of(working_directory: str) -> str:
    """The folder that a call belongs to: the root of the repository, or where it was made."""
    here = Path(working_directory or "/")
    return str(next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here))


def default_name(project: str) -> str:
    """The name of the session that calls from a project use when they name none: no two checkouts share one."""
    return named_after(project, prefix=DEFAULT_NAME)


def named_after(folder: str, *, prefix: str) -> str:
    """A name that is always the same for a folder, and another for others."""
    return f"{prefix}-{hashlib.sha256(folder.encode()).hexdigest()[:8]}"


def name_in(folder: str, *, scope: str, prefix: str) -> str:
    """A name for a session of a folder itself, of its checkout, or of the repository that all checkouts share."""
    if scope == "cwd":
        return named_after(folder, prefix=prefix)
    checkout = Path(project_of(folder))
    return named_after(str(_repository(checkout) if scope == "git-root" else checkout), prefix=prefix)


def _repository(checkout: Path) -> Path:
    """Where the repository of a checkout lies: a further one has a file that leads into the first one's folder."""
    link = checkout / ".git"
    try:
        told = link.read_text(encoding="utf-8").partition("gitdir:")[2].strip() if link.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return checkout
    folders = (checkout / told).parents if told else ()
    return next((folder.parent for folder in folders if folder.name == ".git"), checkout)
