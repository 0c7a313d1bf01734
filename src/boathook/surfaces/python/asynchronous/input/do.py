"""`do`: act on the one visible element with a role, label or text.

Generated from commands/input/do.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.commands.input import do
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.registry.invoke import invoke
from boathook.surfaces.python.result_views import Acted
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.commands.input.semantic_action import Action, Locator


class DoTab(TabBase):
    """Methods of a tab from commands/input/do.py."""

    async def do(
        self,
        action: Action,
        locator: Locator | None = None,
        value: str | None = None,
        *,
        values: Sequence[str] = (),
        selector: str | None = None,
        text: str | None = None,
        role: str | None = None,
        name: str | None = None,
        timeout: float = ACTION_SECONDS,
    ) -> Acted:
        """Act on the one visible element with a role, label or text. Whole texts match, whatever their case and spaces."""
        return Acted.of(
            await invoke(
                do.do,
                self._engine,
                action,
                locator,
                value,
                values=values,
                selector=selector,
                text=text,
                role=role,
                name=name,
                timeout=timeout,
            )
        )
