"""Scripts that run before those of the page, in every new document of a tab and its frames: a caller's, and our own."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply
from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.tab import Tab

Key = int | str
"""A caller's script has a number, one of ours a name."""
LONGEST_SCRIPT = 1_000_000
MOST_SCRIPTS = 50


class InitScripts:
    """The init scripts of one tab; later sessions receive them too, also after the page was replaced."""

    def __init__(self) -> None:
        self.sources: dict[Key, str] = {}
        self._sessions: list[CdpSession] = []
        self._placed: dict[Key, list[tuple[CdpSession, asyncio.Future[dict[str, Any]]]]] = {}

    @property
    def numbers(self) -> set[int]:
        """The callers' scripts."""
        return {key for key in self.sources if isinstance(key, int)}

    def watch(self, session: CdpSession, *, main: bool) -> None:
        """Add the existing scripts to a new session."""
        if main:
            self._sessions.clear()
            self._placed.clear()
        self._sessions.append(session)
        for key, source in self.sources.items():
            self._place(session, key, source)

    def begin_with(self, sources: Mapping[Key, str]) -> None:
        """Copy the scripts of another tab, before anything is loaded."""
        for key, source in sources.items():
            self._put(key, source)

    async def add(self, key: Key, source: str) -> None:
        """Run it in every document from the next one on; frames may disappear meanwhile, but the page must have accepted it."""
        self._put(key, source)
        (_page, taken), *frames = self._placed[key]
        await asyncio.gather(*(reply for _session, reply in frames), return_exceptions=True)
        await taken

    async def remove(self, key: Key) -> None:
        """Remove it from further documents."""
        self.sources.pop(key, None)
        for session, reply in self._placed.pop(key, []):
            placed = (await asyncio.gather(reply, return_exceptions=True))[0]
            if isinstance(placed, dict):
                ignore_reply(
                    session.post("Page.removeScriptToEvaluateOnNewDocument", identifier=placed["identifier"])
                )

    def _put(self, key: Key, source: str) -> None:
        self.sources[key] = source
        for session in self._sessions:
            self._place(session, key, source)

    def _place(self, session: CdpSession, key: Key, source: str) -> None:
        reply = session.post("Page.addScriptToEvaluateOnNewDocument", source=source)
        ignore_reply(reply)
        self._placed.setdefault(key, []).append((session, reply))


def check_script(source: str) -> str:
    """A valid script; BadRequest if it is empty or too long."""
    if not source.strip() or len(source) > LONGEST_SCRIPT:
        raise BadRequest(f"a script must have 1 to {LONGEST_SCRIPT} characters, not {len(source)}")
    return source


async def add_everywhere(tab: Tab, source: str) -> int:
    """Add a script to all tabs of the tab's context; returns its number."""
    kin = _kin(tab)
    known = {number for relative in kin for number in relative.init_scripts.numbers}
    if len(known) >= MOST_SCRIPTS:
        raise BadRequest(
            f"there are already {len(known)} init scripts", hint="`removeinitscript NUMBER` removes one"
        )
    number = max(known, default=0) + 1
    await tab.init_scripts.add(number, check_script(source))
    others = (relative.init_scripts.add(number, source) for relative in kin if relative is not tab)
    await asyncio.gather(*others, return_exceptions=True)  # they may be closed meanwhile
    return number


async def remove_everywhere(tab: Tab, number: int) -> None:
    """Remove a script from all tabs of the tab's context."""
    having = [relative for relative in _kin(tab) if number in relative.init_scripts.numbers]
    if not having:
        known = sorted({number for relative in _kin(tab) for number in relative.init_scripts.numbers})
        raise BadRequest(f"no such init script: {number}; existing: {known or 'none'}")
    await asyncio.gather(*(relative.init_scripts.remove(number) for relative in having))


def _kin(tab: Tab) -> list[Tab]:
    context = tab.browser.context_of(tab)
    return [relative for relative in tab.browser.tabs if tab.browser.context_of(relative) == context]
