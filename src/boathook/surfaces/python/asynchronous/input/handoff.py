"""Hand-off: a tab in a person's hands for a while, for what only a person can do.

Generated from commands/input/handoff.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.commands.input import handoff
from boathook.engine.handoff import HANDOFF_SECONDS, HandedBack, Waiting
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from pathlib import Path


class HandoffTab(TabBase):
    """Methods of a tab from commands/input/handoff.py."""

    async def handoff(
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
        return await handoff.handoff(
            self._engine, reason, url=url, text=text, target=target, path=path, timeout=timeout
        )

    async def handoff_status(self) -> list[Waiting]:
        """Which tabs of this browser are in a person's hands, why and since when."""
        return await handoff.handoff_status(self._engine)

    async def resume(self, *, note: str = "") -> Waiting:
        """Give the tab back: the hand-off that goes on, on this tab or else the only one, ends now."""
        return await handoff.resume(self._engine, note=note)
