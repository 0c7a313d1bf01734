"""Sessions: all workspaces of one user, each in a context of a browser that sessions with equal launch settings share."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections import Counter
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from boathook.clock import now
from boathook.engine.capture.video.recordings import finish_recordings
from boathook.engine.numbering import Numbering
from boathook.errors import BoathookError, BrowserGone, NoSuchSession
from boathook.progress import report_progress
from boathook.service.secrets.secret_registry import SecretRegistry
from boathook.service.sessions.browser_launch import (
    LaunchKey,
    Variables,
    check_same,
    is_kept,
    launch_key,
    limits_of,
    share_profile,
    tab_defaults_of,
    with_window,
)
from boathook.service.sessions.process_watch import check_owner, end_of
from boathook.service.sessions.providers.choose import acquire_browser, choose_provider
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
        self._waiting_for_browser: Counter[Browser] = Counter()
        self.on_recorded: Callable[[Session, Recorded], None] = lambda _session, _video: None
        """Called with a video that was finished because its session closed."""

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    def get(self, name: str) -> Session | None:
        """The session of this name, if it is running."""
        return self._sessions.get(name)

    async def use(
        self, name: str, requested: Mapping[str, Any], *, owner: str = "", project: str = ""
    ) -> Session:
        """The session of this name, started if it is not running; settings that differ from those of the running one are refused."""
        async with self._alone(name):
            session = self._sessions.get(name)
            if session is not None and session.alive:
                if requested.get("idle_timeout"):
                    session.idle_after = idle_seconds(str(requested["idle_timeout"]))
                # Settings that were changed while it ran override configuration files.
                given = {name: value for name, value in requested.items() if name not in session.overridden}
                check_same(session.shown, session.key, given)
                session.used = now()
                return session
            return await self._begin_session(name, requested, owner=owner, project=project)

    async def replace(
        self, name: str, requested: Mapping[str, Any], *, owner: str = "", project: str = ""
    ) -> Session:
        """A new session in place of the one of this name; if it cannot be started, the old one continues."""
        async with self._alone(name):
            return await self._begin_session(name, requested, owner=owner, project=project)

    async def restart(self, session: Session, *, headed: bool, display: Variables = ()) -> Session:
        """The same session in a new browser, with or without a window on a display; its tabs are lost."""
        key = with_window(session.key, headed=headed, display=display)
        async with self._alone(session.name):
            bound = {"ends_with": session.ends_with}
            new = await self._begin_session(
                session.name, bound, owner=session.owner, project=session.project, key=key
            )
        new.overridden = session.overridden | {"headed"}
        new.idle_after = session.idle_after
        return new

    def _alone(self, name: str) -> asyncio.Lock:
        """Concurrent callers get the same session."""
        return self._using.setdefault(name, asyncio.Lock())

    async def _begin_session(
        self,
        name: str,
        requested: Mapping[str, Any],
        *,
        owner: str,
        project: str,
        key: LaunchKey | None = None,
    ) -> Session:
        old = self._sessions.get(name)
        if not requested.get("fresh"):
            requested = {**self.limits(name), **_without_none(requested)}
        key = launch_key(requested) if key is None else key
        idle_after = idle_seconds(str(requested["idle_timeout"])) if requested.get("idle_timeout") else None
        pid = requested.get("ends_with")
        if pid is not None:
            check_owner(pid)
        lost = old is not None and not old.alive
        if old is not None and (lost or share_profile(old.key, key)):
            # A dead session is removed first, since two browsers cannot share one profile.
            await self.close(name)
            key = key or old.key
        elif old is None:
            check_sessions(len(self._sessions))
        session = await self._create_session(name, key, requested, owner=owner, project=project)
        if old is not None:
            await session.continue_from(old, is_lost=lost)
        session.limits = limits_of(requested)
        session.idle_after = idle_after
        session.change = "created" if old is None else "replaced"
        session.news += session.browser.notes
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
        """The settings that restrict a session, also if it was lost: a crash must not lift a restriction."""
        session = self._sessions.get(name)
        if session is not None:
            return session.limits
        return self._records.lost_limits(name) if self._records is not None else {}

    async def _create_session(
        self, name: str, key: LaunchKey, requested: Mapping[str, Any], *, owner: str, project: str
    ) -> Session:
        limits = {"most": requested.get("max_browsers"), "seconds": requested.get("timeout")}
        try:
            browser, context, numbering = await self._join_browser(key, name, **limits)
        except BrowserGone:  # it was stuck, and the watchdog has killed it
            browser, context, numbering = await self._join_browser(key, name, **limits)
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
            tab_defaults=tab_defaults_of(dict(key)),
        )

    async def _join_browser(
        self, key: LaunchKey, name: str, *, most: int | None, seconds: float | None
    ) -> tuple[Browser, str | None, Numbering]:
        """The browser for a session, a context in it, and the numbering of its tabs."""
        browser = await self._browser(key, name, most=most, seconds=seconds)
        with self._hold_browser(browser):
            apart = browser.managed and not is_kept(key)
            numbering = Numbering() if apart else browser.numbering_in(None)
            context = await browser.new_context(numbering=numbering) if apart else None
        return browser, context, numbering

    async def _close_with(self, session: Session, pid: int) -> None:
        await end_of(pid)
        session.ending = None  # it is this very task, and must not cancel itself
        if self._sessions.get(session.name) is session:
            await self.close(session.name)

    def keep(self, session: Session) -> None:
        """Record the state of a session for the next daemon."""
        session.used = now()
        # A call that ends late must not write over what came after its session.
        if self._records is not None and self._sessions.get(session.name) is session:
            self._records.keep(session)

    async def close_idle(self, seconds: float, *, busy: Collection[str] = ()) -> list[str]:
        """Close sessions that have been idle for too long; a browser with a window is left to its user."""
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
        """Close a session: its tabs, and its browser if no other session uses it. `kill` also terminates an app that we started."""
        session = self._sessions.pop(name, None)
        if session is None:
            raise NoSuchSession(f"no such session: {name!r}")
        if self._records is not None:
            self._records.forget(name)
        await self._end(session, kill=kill)

    async def _end(self, session: Session, *, kill: bool = False) -> None:
        if session.ending is not None:
            session.ending.cancel()
        with self._hold_browser(session.browser):
            await self._finish_recordings(session)
            if session.restoring is not None:
                await session.restoring.finish()
            if session.context is not None and session.alive:
                with suppress(BrowserGone):  # then all that was in it is gone too
                    await session.browser.end_context(session.context)
        if not self._is_used(session.browser):
            place = _connection_key(session.key, session.name)
            if self._browsers.get(place) is session.browser:  # others may have replaced one that exited
                del self._browsers[place]
            provider, _ = choose_provider(dict(session.key))
            await provider.release(session.browser, kill=kill)

    @contextmanager
    def _hold_browser(self, browser: Browser) -> Iterator[None]:
        """Join or leave a browser: meanwhile it is not closed, so the last session to leave closes it."""
        self._waiting_for_browser[browser] += 1
        try:
            yield
        finally:
            self._waiting_for_browser[browser] -= 1
            if not self._waiting_for_browser[browser]:
                del self._waiting_for_browser[browser]

    def _is_used(self, browser: Browser) -> bool:
        return browser in self._waiting_for_browser or any(session.browser is browser for session in self)

    async def close_all(self) -> int:
        """Close all sessions; returns how many there were."""
        names = list(self._sessions)
        await asyncio.gather(*(self.close(name) for name in names))
        return len(names)

    async def _browser(
        self, key: LaunchKey, name: str, *, most: int | None, seconds: float | None
    ) -> Browser:
        place = _connection_key(key, name)
        async with self._starting.setdefault(place, asyncio.Lock()):
            browser = self._browsers.get(place)
            if browser is not None and browser.connection.closed_because is not None:
                await self._release_exited(place, browser)
                browser = None
            if browser is None:
                alive = [
                    other for other in self._browsers.values() if other.connection.closed_because is None
                ]
                check_browsers(len(alive), free_mib=free_memory_mib(), most=most)
                report_progress(choose_provider(dict(key))[0].progress)
                browser = await acquire_browser(dict(key), seconds=seconds)
                self._browsers[place] = browser
            return browser

    async def _release_exited(self, place: tuple[LaunchKey, str], browser: Browser) -> None:
        """Remove the files of a browser that exited now, not when each session that used it is used again or closed."""
        del self._browsers[place]
        for session in self:
            if session.browser is browser:
                await self._finish_recordings(session)
        provider, _ = choose_provider(dict(place[0]))
        await provider.release(browser)

    async def _finish_recordings(self, session: Session) -> None:
        for video in await finish_recordings(session.browser, session.context):
            self.on_recorded(session, video)

    def _targets_of_others(self, name: str) -> set[str]:
        """Pages that other sessions use."""
        return {tab.target_id for session in self if session.name != name for tab in session.tabs}


def _connection_key(key: LaunchKey, name: str) -> tuple[LaunchKey, str]:
    """Sessions that attach to a running browser have a connection each, and so separate ids."""
    provider, _ = choose_provider(dict(key))
    return key, name if provider.connection_per_session else ""


def _without_none(requested: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in requested.items() if value is not None}


def project_of(working_directory: str) -> str:
    """The folder that a call belongs to: the root of the repository, or the working directory."""
    folders = _folders_up(working_directory or "/")
    return next((folder for folder, repository in folders if os.path.exists(repository)), folders[0][0])  # noqa: PTH110 (several times in each call)


@lru_cache(maxsize=64)
def _folders_up(folder: str) -> tuple[tuple[str, str], ...]:
    """A folder and those above it, each with the place of a repository in it."""
    here = Path(folder)
    return tuple((str(place), str(place / ".git")) for place in (here, *here.parents))


def default_name(project: str) -> str:
    """The default session name of a project: no two checkouts share one."""
    return name_after(project, prefix=DEFAULT_NAME)


def name_after(folder: str, *, prefix: str) -> str:
    """A name that is stable for a folder, and different for others."""
    return f"{prefix}-{hashlib.sha256(folder.encode()).hexdigest()[:8]}"


def name_in(folder: str, *, scope: str, prefix: str) -> str:
    """A session name for a folder itself, for its checkout, or for the repository that all checkouts share."""
    if scope == "cwd":
        return name_after(folder, prefix=prefix)
    checkout = Path(project_of(folder))
    return name_after(str(_repository(checkout) if scope == "git-root" else checkout), prefix=prefix)


def _repository(checkout: Path) -> Path:
    """The repository of a checkout: a git worktree has a file that points into the main one."""
    link = checkout / ".git"
    try:
        told = link.read_text(encoding="utf-8").partition("gitdir:")[2].strip() if link.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return checkout
    folders = (checkout / told).parents if told else ()
    return next((folder.parent for folder in folders if folder.name == ".git"), checkout)
