"""Hand-off: a tab in a person's hands for a while, for what only a person can do.

Generated from commands/input/handoff.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.handoff import HANDOFF_SECONDS, HandedBack, Waiting
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from pathlib import Path


class HandoffTab(TabBase):
    """Methods of a tab from commands/input/handoff.py."""

    def handoff(
        self,
        reason: str,
        *,
        url: str | None = None,
        text: str | None = None,
        target: str | None = None,
        path: Path | None = None,
        timeout: float = HANDOFF_SECONDS,
    ) -> HandedBack:
        """Leave the tab to a person (login, puzzle, second factor) until `resume` or a condition, and tell what changed.

        Meanwhile the tab is held: others may look, and nobody else can act on it. A window is put in front.
        """
        return self._portal.call(
            self._inner.handoff(reason, url=url, text=text, target=target, path=path, timeout=timeout)
        )

    def handoff_status(self) -> list[Waiting]:
        """Which tabs of this browser are in a person's hands, why and since when."""
        return self._portal.call(self._inner.handoff_status())

    def resume(self, *, note: str = "") -> Waiting:
        """Give the tab back: the hand-off that goes on, on this tab or else the only one, ends now."""
        return self._portal.call(self._inner.resume(note=note))
