"""Hand-off: pause a tab for a person to act, for example to sign in.

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
        """Hand the tab to a person (login, CAPTCHA, 2FA) until `resume` or a condition. Prints what changed.

        Meanwhile the tab is locked: other calls can read it but not act on it. A headed browser is brought to the front.
        """
        return self._portal.call(
            self._inner.handoff(reason, url=url, text=text, target=target, path=path, timeout=timeout)
        )

    def handoff_status(self) -> list[Waiting]:
        """List the tabs of this browser that are handed off, with reason and start time."""
        return self._portal.call(self._inner.handoff_status())

    def resume(self, *, note: str = "") -> Waiting:
        """End the hand-off of this tab, or the only one that is active."""
        return self._portal.call(self._inner.resume(note=note))
