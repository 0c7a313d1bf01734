"""The earlier snapshots of a tab, so that a later one can be a diff."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boathook.engine.snapshot.take import Snapshot

REMEMBERED_SNAPSHOTS = 4


class SnapshotMemory:
    """The last few snapshots of a tab, by revision; the revision grows only when something changed."""

    def __init__(self) -> None:
        self.revision = 0
        self._kept: OrderedDict[int, Snapshot] = OrderedDict()

    def get(self, revision: int) -> Snapshot | None:
        """The snapshot of that revision, if it is still kept."""
        return self._kept.get(revision)

    def all(self) -> list[Snapshot]:
        """The kept ones, newest first."""
        return list(reversed(self._kept.values()))

    @property
    def latest(self) -> Snapshot | None:
        """The last one taken."""
        return next(reversed(self._kept.values()), None)

    def number(self, body: str, url: str, question: str, *, graphics: tuple[str, ...] = ()) -> int:
        """The revision for this content: the last one's if nothing changed since, otherwise the next."""
        last = self.latest
        if last is None or (last.body, last.url, last.question) != (body, url, question):
            return self.revision + 1
        return last.revision if graphics in {(), last.graphics} else self.revision + 1

    def keep(self, snapshot: Snapshot) -> None:
        """Keep it."""
        self.revision = max(self.revision, snapshot.revision)
        self._kept[snapshot.revision] = snapshot
        while len(self._kept) > REMEMBERED_SNAPSHOTS:
            self._kept.popitem(last=False)
