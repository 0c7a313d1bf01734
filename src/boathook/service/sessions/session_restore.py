"""Restoring a session: cookies and storage are loaded when it starts, and saved while it runs and when it closes.

The saved state is protected: a state that could not be read, one that is empty, and one that fails its check do not
replace it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.clock import Deadline
from boathook.commands.environment.storage import load_state
from boathook.engine.elements.evaluate import evaluate
from boathook.engine.network.routing.url_patterns import url_matcher
from boathook.engine.state.state_file import gather_state, is_state_sealed, read_state, write_state
from boathook.engine.state.state_store import is_name, place_of
from boathook.engine.vault import encryption_keys
from boathook.errors import BadSetting, BoathookError, LaunchConflict
from boathook.settings import SETTINGS
from boathook.values import count_noun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.tab import Tab
    from boathook.service.sessions.session import Session

RESTORE = (
    "restore",
    "restore_save",
    "restore_check_url",
    "restore_check_text",
    "restore_check_fn",
    "restore_interval",
    "encrypt_states",
)
"""Settings that belong to it; a lost session is restored with them."""
USUAL_INTERVAL = 30.0
SAVE_SECONDS = 5.0
_SAYS = "text => document.body !== null && document.body.innerText.includes(text)"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreSettings:
    """The options from the settings."""

    name: str
    """The saved state that it uses."""
    save: str = "auto"
    """auto: if the check passes; always; never."""
    check_url: str = ""
    check_text: str = ""
    check_fn: str = ""
    interval: float = USUAL_INTERVAL
    """Seconds between two saves; 0 saves on close only."""
    encrypt: bool = False


def restore_settings(settings: Mapping[str, Any], *, session: str) -> RestoreSettings | None:
    """The options for a session of this name; None if nothing is restored."""
    name = settings.get("restore")
    if not name:
        return None
    chosen = session if name == SETTINGS["restore"].bare else str(name)
    if not is_name(chosen):
        raise BadSetting(
            f"invalid restore name: {chosen[:80]!r}",
            hint="use letters, digits, dots, hyphens and underscores|; for a file use `=state`",
        )
    return RestoreSettings(
        name=chosen,
        save=settings.get("restore_save") or "auto",
        check_url=settings.get("restore_check_url") or "",
        check_text=settings.get("restore_check_text") or "",
        check_fn=settings.get("restore_check_fn") or "",
        interval=float(settings.get("restore_interval", USUAL_INTERVAL)),
        encrypt=bool(settings.get("encrypt_states")),
    )


async def restore_session(session: Session, settings: Mapping[str, Any]) -> None:
    """Restore the state of a session, if requested, before anything is done in it."""
    wanted = settings.get("restore")
    if wanted and wanted != session.limits.get("restore"):
        words = (
            ("--fresh", "--restore", str(wanted))
            if wanted != SETTINGS["restore"].bare
            else ("--fresh", "--restore")
        )
        raise LaunchConflict(
            f"session {session.shown!r} is already running without {' '.join(words[1:])}",
            hint=f"start a new one|: `{' '.join(words)} open URL`",
            setting="restore",
            argv=(*words, "open"),
        )
    if session.restoring is None:
        requested = restore_settings(session.limits, session=session.name)
        if requested is None:
            return
        session.restoring = SessionRestore(session, requested)
    await session.restoring.begin()


class SessionRestore:
    """Loads and saves the state of one session."""

    def __init__(self, session: Session, requested: RestoreSettings) -> None:
        self._session = session
        self._requested = requested
        self._path = place_of(requested.name)
        self._key = encryption_keys.given_key.get()
        """Saves happen between calls too, so the key of the first call is kept."""
        self._beginning = asyncio.Lock()
        self._saving = asyncio.Lock()
        self._began = False
        self._blocked = ""
        """Why nothing may be saved; empty if it may."""
        self._known: dict[str, Any] = {"cookies": [], "origins": []}
        """The content of the file."""
        self._task: asyncio.Task[None] | None = None
        self.status = ""
        """Its status so far, as text."""

    async def begin(self) -> None:
        """Load the saved state, once; concurrent callers wait for it."""
        async with self._beginning:
            if self._began:
                return
            self._began = True
            await self._load()
        if self._requested.save != "never" and self._requested.interval > 0:
            self._task = asyncio.create_task(self._save_now_and_then(), name=f"save {self._requested.name}")

    async def finish(self) -> None:
        """Save a last time; the session is about to close."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if self._began and self._session.alive:
            await self.save()

    async def save(self) -> None:
        """Save the current state, unless that would damage the saved one; never raises, see `status`."""
        if self._requested.save == "never" or self._blocked:
            return
        async with self._saving:
            token = encryption_keys.given_key.set(self._key)
            try:
                self.status = await self._save()
            except BoathookError as error:
                self.status = f"{self._requested.name}: not saved: {error.message[:200]}"
            finally:
                encryption_keys.given_key.reset(token)

    async def _save_now_and_then(self) -> None:
        while self._session.alive:
            await asyncio.sleep(self._requested.interval)
            await self.save()

    async def _load(self) -> None:
        name = self._requested.name
        if not self._path.exists():
            self.status = f"{name}: nothing was saved yet"
            return
        try:
            self._known = await asyncio.to_thread(read_state, self._path)
            done = await load_state(await self._session.present(), self._path)
        except BoathookError as error:
            self._blocked = error.message
            self.status = f"{name}: not loaded, and will not be overwritten: {error.message[:200]}"
            self._session.news.append(f"restore {self.status}")
        else:
            self.status = f"{name}: loaded {count_noun(done.cookies, 'cookie')}, {count_noun(len(done.origins), 'origin')}"

    async def _save(self) -> str:
        name = self._requested.name
        tabs = [tab for tab in self._session.tabs if tab.state == "ready" and tab.dialogs.pending is None]
        if not tabs:
            return f"{name}: not saved: no page could be checked"
        latest = tabs[-1]
        # Not a call on the tab: one that takes too long would be taken for a sign that its page hangs.
        deadline = Deadline.after(SAVE_SECONDS)
        async with deadline.stage("saving the session's state"):
            failed = await self._run_check(latest, deadline)
            if failed:
                return f"{name}: not saved, the previous state is kept: {failed}"
            state, _skipped = await gather_state(tabs, deadline=deadline)
        if not state["cookies"] and not state["origins"]:
            return f"{name}: not saved: there is nothing to save, and the previous state is kept"
        state = _with_earlier(state, self._known)
        if state != self._known:
            await asyncio.to_thread(self._write, state)
            self._known = state
        return f"{name}: saved {count_noun(len(state['cookies']), 'cookie')}, {count_noun(len(state['origins']), 'origin')}"

    def _write(self, state: dict[str, Any]) -> None:
        sealed = (
            self._requested.encrypt
            or bool(is_state_sealed(self._path))
            or encryption_keys.users_key() is not None
        )
        write_state(self._path, state, sealed=sealed)

    async def _run_check(self, tab: Tab, deadline: Deadline) -> str:
        """Which part of the check failed; empty if none did, or if it is saved in any case."""
        requested = self._requested
        if requested.save == "always":
            return ""
        if requested.check_url and not url_matcher(requested.check_url).search(tab.url):
            return f"the URL does not match {requested.check_url[:80]!r}"
        if requested.check_text and not await evaluate(
            tab, _SAYS, (requested.check_text,), deadline=deadline
        ):
            return f"the page does not show {requested.check_text[:80]!r}"
        if requested.check_fn and not await evaluate(tab, requested.check_fn, (), deadline=deadline):
            return "the check script did not return true"
        return ""


def _with_earlier(state: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Origins that are not open now keep their saved items."""
    shown = {origin["origin"] for origin in state["origins"]}
    earlier = [origin for origin in known["origins"] if origin.get("origin") not in shown]
    return {"cookies": state["cookies"], "origins": [*state["origins"], *earlier]}
