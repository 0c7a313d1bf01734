"""Restoring a session: cookies and storage come back when it starts, and are kept while it runs and when it closes.

What is kept is guarded: a state that could not be read, one that is empty, and one that fails its check replace nothing.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.clock import Deadline
from boathook.commands.environment.storage import load_state
from boathook.engine.elements.evaluate import evaluate
from boathook.engine.network.routing.url_patterns import url_matcher
from boathook.engine.state.state_file import gathered, read_state, sealed_already, write_state
from boathook.engine.state.state_store import is_name, place_of
from boathook.engine.vault import encryption_keys
from boathook.errors import BadSetting, BoathookError, OtherLaunch
from boathook.settings import SETTINGS
from boathook.values import counted

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
"""Settings that belong to it; a session that is lost comes back with them."""
USUAL_INTERVAL = 30.0
SAVE_SECONDS = 5.0
_SAYS = "text => document.body !== null && document.body.innerText.includes(text)"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreWishes:
    """What the settings say."""

    name: str
    """The kept state that it is about."""
    save: str = "auto"
    """auto: when the check is passed; always; never."""
    check_url: str = ""
    check_text: str = ""
    check_fn: str = ""
    interval: float = USUAL_INTERVAL
    """Seconds between two saves; 0 saves on close only."""
    encrypt: bool = False


def restore_wishes(settings: Mapping[str, Any], *, session: str) -> RestoreWishes | None:
    """What the settings say about a session of this name; None when nothing is to be restored."""
    name = settings.get("restore")
    if not name:
        return None
    chosen = session if name == SETTINGS["restore"].bare else str(name)
    if not is_name(chosen):
        raise BadSetting(
            f"{chosen[:80]!r} is no name to restore by",
            hint="letters, digits, dots, hyphens and underscores|; for a file there is `=state`",
        )
    return RestoreWishes(
        name=chosen,
        save=settings.get("restore_save") or "auto",
        check_url=settings.get("restore_check_url") or "",
        check_text=settings.get("restore_check_text") or "",
        check_fn=settings.get("restore_check_fn") or "",
        interval=float(settings.get("restore_interval", USUAL_INTERVAL)),
        encrypt=bool(settings.get("encrypt_states")),
    )


async def restored(session: Session, settings: Mapping[str, Any]) -> None:
    """Make sure that a session which wants it has its state back, before anything is done in it."""
    wanted = settings.get("restore")
    if wanted and wanted != session.limits.get("restore"):
        words = (
            ("--fresh", "--restore", str(wanted))
            if wanted != SETTINGS["restore"].bare
            else ("--fresh", "--restore")
        )
        raise OtherLaunch(
            f"session {session.shown} runs without {' '.join(words[1:])}",
            hint=f"start a new one|: `{' '.join(words)} open URL`",
            setting="restore",
            argv=(*words, "open"),
        )
    if session.restoring is None:
        wishes = restore_wishes(session.limits, session=session.name)
        if wishes is None:
            return
        session.restoring = Restoring(session, wishes)
    await session.restoring.begin()


class Restoring:
    """Loads and saves the state of one session."""

    def __init__(self, session: Session, wishes: RestoreWishes) -> None:
        self._session = session
        self._wishes = wishes
        self._path = place_of(wishes.name)
        self._key = encryption_keys.given_key.get()
        """Saves happen between calls too, so the key of the first one is remembered."""
        self._beginning = asyncio.Lock()
        self._saving = asyncio.Lock()
        self._began = False
        self._blocked = ""
        """Why nothing may be saved; empty when it may."""
        self._known: dict[str, Any] = {"cookies": [], "origins": []}
        """What the file holds."""
        self._task: asyncio.Task[None] | None = None
        self.status = ""
        """What came of it so far, in words."""

    async def begin(self) -> None:
        """Load what is kept, once; whoever comes meanwhile waits for it."""
        async with self._beginning:
            if self._began:
                return
            self._began = True
            await self._load()
        if self._wishes.save != "never" and self._wishes.interval > 0:
            self._task = asyncio.create_task(self._save_now_and_then(), name=f"save {self._wishes.name}")

    async def finish(self) -> None:
        """Save a last time; the session is about to end."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if self._began and self._session.alive:
            await self.save()

    async def save(self) -> None:
        """Keep how the session stands now, unless that would harm what is kept; never an error, `status` tells."""
        if self._wishes.save == "never" or self._blocked:
            return
        async with self._saving:
            token = encryption_keys.given_key.set(self._key)
            try:
                self.status = await self._saved()
            except BoathookError as error:
                self.status = f"{self._wishes.name}: not saved: {error.message[:200]}"
            finally:
                encryption_keys.given_key.reset(token)

    async def _save_now_and_then(self) -> None:
        while self._session.alive:
            await asyncio.sleep(self._wishes.interval)
            await self.save()

    async def _load(self) -> None:
        name = self._wishes.name
        if not self._path.exists():
            self.status = f"{name}: nothing was kept yet"
            return
        try:
            self._known = await asyncio.to_thread(read_state, self._path)
            done = await load_state(await self._session.present(), self._path)
        except BoathookError as error:
            self._blocked = error.message
            self.status = f"{name}: not loaded, and nothing is saved over it: {error.message[:200]}"
            self._session.news.append(f"restore {self.status}")
        else:
            self.status = (
                f"{name}: loaded {counted(done.cookies, 'cookie')}, {counted(len(done.origins), 'origin')}"
            )

    async def _saved(self) -> str:
        name = self._wishes.name
        tabs = [tab for tab in self._session.tabs if tab.state == "ready" and tab.dialogs.pending is None]
        if not tabs:
            return f"{name}: not saved: no page could be asked"
        latest = tabs[-1]
        # Not a call on the tab: one that takes too long would be taken for a sign that its page hangs.
        deadline = Deadline.after(SAVE_SECONDS)
        async with deadline.stage("saving the session's state"):
            failed = await self._failed_check(latest, deadline)
            if failed:
                return f"{name}: not saved, what was kept stays: {failed}"
            state, _skipped = await gathered(tabs, deadline=deadline)
        if not state["cookies"] and not state["origins"]:
            return f"{name}: not saved: there is nothing to keep, and what was kept stays"
        state = _with_earlier(state, self._known)
        if state != self._known:
            await asyncio.to_thread(self._write, state)
            self._known = state
        return f"{name}: saved {counted(len(state['cookies']), 'cookie')}, {counted(len(state['origins']), 'origin')}"

    def _write(self, state: dict[str, Any]) -> None:
        sealed = (
            self._wishes.encrypt
            or bool(sealed_already(self._path))
            or encryption_keys.users_key() is not None
        )
        write_state(self._path, state, sealed=sealed)

    async def _failed_check(self, tab: Tab, deadline: Deadline) -> str:
        """What of the check does not hold; nothing when all does, or when it is saved in any case."""
        wishes = self._wishes
        if wishes.save == "always":
            return ""
        if wishes.check_url and not url_matcher(wishes.check_url).search(tab.url):
            return f"the address is not like {wishes.check_url[:80]!r}"
        if wishes.check_text and not await evaluate(tab, _SAYS, (wishes.check_text,), deadline=deadline):
            return f"the page does not show {wishes.check_text[:80]!r}"
        if wishes.check_fn and not await evaluate(tab, wishes.check_fn, (), deadline=deadline):
            return "the script of the check does not say true"
        return ""


def _with_earlier(state: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Origins that are not shown now keep what they had."""
    shown = {one["origin"] for one in state["origins"]}
    earlier = [one for one in known["origins"] if one.get("origin") not in shown]
    return {"cookies": state["cookies"], "origins": [*state["origins"], *earlier]}
