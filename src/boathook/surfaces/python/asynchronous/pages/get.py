"""Single facts about elements and the page, for scripts and checks.

Generated from commands/pages/get.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.clock import READ_SECONDS
from boathook.commands.pages import get
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.redaction.secret import Secret
    from boathook.values import Box


class GetTab(TabBase):
    """Methods of a tab from commands/pages/get.py."""

    async def get_text(self, target: str, *, nth: int | None = None, timeout: float = READ_SECONDS) -> str:
        """Get the visible text of an element."""
        return await invoke(get.get_text, self._engine, target, nth=nth, timeout=timeout)

    async def get_html(
        self, target: str, *, inner: bool = False, nth: int | None = None, timeout: float = READ_SECONDS
    ) -> str:
        """Get the outer HTML of an element, or with `inner` its content."""
        return await invoke(get.get_html, self._engine, target, inner=inner, nth=nth, timeout=timeout)

    async def get_value(
        self, target: str, *, raw: bool = False, nth: int | None = None, timeout: float = READ_SECONDS
    ) -> str | bool | Secret | None:
        """Get the value of a field, editable region, select or checkbox. Secret values are hidden."""
        return await invoke(get.get_value, self._engine, target, raw=raw, nth=nth, timeout=timeout)

    async def get_attribute(
        self, target: str, name: str, *, nth: int | None = None, timeout: float = READ_SECONDS
    ) -> str | Secret | None:
        """Get an attribute of an element, or null if it does not have it."""
        return await invoke(get.get_attribute, self._engine, target, name, nth=nth, timeout=timeout)

    async def get_box(self, target: str, *, nth: int | None = None, timeout: float = READ_SECONDS) -> Box:
        """Get the bounding box of an element in viewport pixels."""
        return await invoke(get.get_box, self._engine, target, nth=nth, timeout=timeout)

    async def get_styles(
        self, target: str, *, names: Sequence[str] = (), nth: int | None = None, timeout: float = READ_SECONDS
    ) -> dict[str, Any]:
        """Get the computed styles of an element."""
        return await invoke(get.get_styles, self._engine, target, names=names, nth=nth, timeout=timeout)

    async def get_count(self, target: str, *, timeout: float = READ_SECONDS) -> int:
        """Count matching elements in all frames."""
        return await invoke(get.get_count, self._engine, target, timeout=timeout)

    async def is_visible(
        self, target: str, *, must_exist: bool = False, nth: int | None = None, timeout: float = READ_SECONDS
    ) -> bool:
        """Check whether an element is visible (false if it does not exist)."""
        return await invoke(
            get.is_visible, self._engine, target, must_exist=must_exist, nth=nth, timeout=timeout
        )

    async def is_enabled(self, target: str, *, nth: int | None = None, timeout: float = READ_SECONDS) -> bool:
        """Check whether an element is enabled."""
        return await invoke(get.is_enabled, self._engine, target, nth=nth, timeout=timeout)

    async def is_checked(self, target: str, *, nth: int | None = None, timeout: float = READ_SECONDS) -> bool:
        """Check whether a checkbox, radio button, switch or option is on."""
        return await invoke(get.is_checked, self._engine, target, nth=nth, timeout=timeout)
