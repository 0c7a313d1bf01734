"""Facts about elements and the page: one at a time, for scripts and checks.

Generated from commands/pages/get.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.commands.pages import get
from boathook.engine.tab import READ_SECONDS
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.redaction.secret import Secret
    from boathook.values import Box


class GetTab(TabBase):
    """Methods of a tab from commands/pages/get.py."""

    async def get_text(self, target: str, *, nth: int | None = None, timeout: float = READ_SECONDS) -> str:
        """The text of an element, as it is shown."""
        return await get.get_text(self._engine, target, nth=nth, timeout=timeout)

    async def get_html(self, target: str, *, nth: int | None = None, timeout: float = READ_SECONDS) -> str:
        """The markup of an element, itself included."""
        return await get.get_html(self._engine, target, nth=nth, timeout=timeout)

    async def get_value(
        self, target: str, *, nth: int | None = None, timeout: float = READ_SECONDS
    ) -> str | bool | Secret | None:
        """Get what a field holds, also an editable region, a list or a checkbox; secret fields are hidden."""
        return await get.get_value(self._engine, target, nth=nth, timeout=timeout)

    async def get_attribute(
        self, target: str, name: str, *, nth: int | None = None, timeout: float = READ_SECONDS
    ) -> str | Secret | None:
        """An attribute of an element; nothing when it has none of that name."""
        return await get.get_attribute(self._engine, target, name, nth=nth, timeout=timeout)

    async def get_box(self, target: str, *, nth: int | None = None, timeout: float = READ_SECONDS) -> Box:
        """Where an element is, in pixels of the viewport."""
        return await get.get_box(self._engine, target, nth=nth, timeout=timeout)

    async def get_styles(
        self, target: str, *, names: Sequence[str] = (), nth: int | None = None, timeout: float = READ_SECONDS
    ) -> dict[str, Any]:
        """How an element is styled in the end."""
        return await get.get_styles(self._engine, target, names=names, nth=nth, timeout=timeout)

    async def get_count(self, target: str, *, timeout: float = READ_SECONDS) -> int:
        """How many elements match, over all frames."""
        return await get.get_count(self._engine, target, timeout=timeout)

    async def is_visible(self, target: str, *, nth: int | None = None, timeout: float = READ_SECONDS) -> bool:
        """Whether an element is shown; one that is not there is not."""
        return await get.is_visible(self._engine, target, nth=nth, timeout=timeout)

    async def is_enabled(self, target: str, *, nth: int | None = None, timeout: float = READ_SECONDS) -> bool:
        """Whether an element can be used."""
        return await get.is_enabled(self._engine, target, nth=nth, timeout=timeout)

    async def is_checked(self, target: str, *, nth: int | None = None, timeout: float = READ_SECONDS) -> bool:
        """Whether a checkbox, radio button, switch or option is on."""
        return await get.is_checked(self._engine, target, nth=nth, timeout=timeout)
