"""Numbering: the ids of tabs and elements, counted from one in every session."""

from __future__ import annotations

from boathook.engine.elements.refs import RefTable
from boathook.values import TabId


class Numbering:
    """Ids assigned so far. With a separate numbering, ids reveal nothing about other sessions."""

    def __init__(self) -> None:
        self.refs = RefTable()
        self._last_tab = 0

    def next_tab_id(self) -> TabId:
        """An id that no tab of this numbering had before."""
        self._last_tab += 1
        return TabId(f"t{self._last_tab}")

    def continue_from(self, other: Numbering) -> None:
        """Continue after another numbering, so that its ids stay invalid instead of naming something else."""
        self.refs.next = max(self.refs.next, other.refs.next)
        self._last_tab = max(self._last_tab, other._last_tab)
