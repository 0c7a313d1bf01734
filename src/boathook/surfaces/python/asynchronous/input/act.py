"""Actions on elements: mouse, fields, choices, scrolling; each returns what it did and what changed.

Generated from commands/input/act.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.commands.input import act
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.registry.invoke import invoke
from boathook.surfaces.python.result_views import Acted
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.actions.drag_drop import Where
    from boathook.engine.actions.input.pointer import Button
    from boathook.engine.actions.scroll_page import Scrolled


class ActTab(TabBase):
    """Methods of a tab from commands/input/act.py."""

    async def click(
        self,
        target: str,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        offset: tuple[float, float] | None = None,
        new_tab: bool = False,
        human: bool = False,
        nth: int | None = None,
        timeout: float = ACTION_SECONDS,
    ) -> Acted:
        """Click an element and wait for the page to settle."""
        return Acted.of(
            await invoke(
                act.click,
                self._engine,
                target,
                button=button,
                count=count,
                modifiers=modifiers,
                offset=offset,
                new_tab=new_tab,
                human=human,
                nth=nth,
                timeout=timeout,
            )
        )

    async def hover(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Move the mouse over an element."""
        return Acted.of(await invoke(act.hover, self._engine, target, nth=nth, timeout=timeout))

    async def focus(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Focus an element without clicking it."""
        return Acted.of(await invoke(act.focus, self._engine, target, nth=nth, timeout=timeout))

    async def tap(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Tap an element (touch)."""
        return Acted.of(await invoke(act.tap, self._engine, target, nth=nth, timeout=timeout))

    async def drag(
        self,
        source: str,
        target: str | None = None,
        *,
        where: Where = "onto",
        offset: tuple[float, float] | None = None,
        human: bool = False,
        timeout: float = ACTION_SECONDS,
    ) -> Acted:
        """Drag an element onto, before or after another element, or by a pixel offset."""
        return Acted.of(
            await invoke(
                act.drag,
                self._engine,
                source,
                target,
                where=where,
                offset=offset,
                human=human,
                timeout=timeout,
            )
        )

    async def fill(
        self, target: str, value: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Replace the value of a field. The new value is verified.

        Dates, times and ranges are given as ISO text, for native fields, pickers and calendars: `2026-03-14`, `09:30`,
        `2026-03-14T09:30`, `2026-03-14/2026-03-20`. Sliders take a number; a cell of a grid is edited.
        """
        return Acted.of(await invoke(act.fill, self._engine, target, value, nth=nth, timeout=timeout))

    async def clear(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Clear a field."""
        return Acted.of(await invoke(act.clear, self._engine, target, nth=nth, timeout=timeout))

    async def type(
        self,
        target: str,
        text: str,
        *,
        clear: bool = False,
        delay: float = 0,
        nth: int | None = None,
        timeout: float = ACTION_SECONDS,
    ) -> Acted:
        """Type text key by key at the end of a field. A newline presses Enter."""
        return Acted.of(
            await invoke(
                act.type, self._engine, target, text, clear=clear, delay=delay, nth=nth, timeout=timeout
            )
        )

    async def press(
        self,
        key: str,
        target: str | None = None,
        *,
        repeat: int = 1,
        nth: int | None = None,
        timeout: float = ACTION_SECONDS,
    ) -> Acted:
        """Press a key or chord such as `Control+A`, on an element or the focused one."""
        return Acted.of(
            await invoke(act.press, self._engine, key, target, repeat=repeat, nth=nth, timeout=timeout)
        )

    async def select(
        self, target: str, *wanted: str, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Select options by value, label or index (`#0`), in native selects and custom listboxes."""
        return Acted.of(await invoke(act.select, self._engine, target, *wanted, nth=nth, timeout=timeout))

    async def check(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Check a checkbox, radio button or switch."""
        return Acted.of(await invoke(act.check, self._engine, target, nth=nth, timeout=timeout))

    async def uncheck(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Uncheck a checkbox or switch."""
        return Acted.of(await invoke(act.uncheck, self._engine, target, nth=nth, timeout=timeout))

    async def scroll(
        self, *, down: float = 0, right: float = 0, target: str | None = None, timeout: float = ACTION_SECONDS
    ) -> Scrolled:
        """Scroll the page, or the container of `target`, by pixels or by a fraction between -1 and 1."""
        return await invoke(act.scroll, self._engine, down=down, right=right, target=target, timeout=timeout)

    async def scroll_to(self, target: str, *, timeout: float = ACTION_SECONDS) -> None:
        """Scroll an element into view."""
        await invoke(act.scroll_to, self._engine, target, timeout=timeout)
