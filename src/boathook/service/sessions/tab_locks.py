"""Tab locks: one action at a time per tab; a second caller gets an error that names the first."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.clock import now
from boathook.errors import Busy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.engine.tab import Tab


@dataclass(frozen=True, slots=True, kw_only=True)
class TabLock:
    """Who uses a tab, for what, since when."""

    who: str
    doing: str
    since: float


class TabLocks:
    """The current locks."""

    def __init__(self) -> None:
        self._holds: dict[Tab, TabLock] = {}

    def of(self, tab: Tab) -> TabLock | None:
        """Who holds a tab now."""
        return self._holds.get(tab)

    @contextmanager
    def on(self, tab: Tab, *, who: str, doing: str) -> Iterator[None]:
        """Lock a tab; Busy names the holder if another caller has it. Nothing waits: the caller knows best what to do."""
        holder = self._holds.get(tab)
        if holder is not None:
            raise Busy(
                f"tab {tab.id} is busy: {holder.who} has been running {holder.doing!r} for {now() - holder.since:.1f} s",
                tab=tab.id,
            )
        self._holds[tab] = TabLock(who=who, doing=doing, since=now())
        try:
            yield
        finally:
            self._holds.pop(tab, None)
