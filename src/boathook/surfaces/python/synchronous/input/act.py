"""Actions on elements: mouse, fields, choices, scrolling; each returns what it did and what changed.

Generated from commands/input/act.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.actions.drag_drop import Where
    from boathook.engine.actions.input.pointer import Button
    from boathook.engine.actions.scroll_page import Scrolled
    from boathook.surfaces.python.result_views import Acted


class ActTab(TabBase):
    """Methods of a tab from commands/input/act.py."""

    def click(
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
        return self._portal.call(
            self._inner.click(
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

    def hover(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Move the mouse over an element."""
        return self._portal.call(self._inner.hover(target, nth=nth, timeout=timeout))

    def focus(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Focus an element without clicking it."""
        return self._portal.call(self._inner.focus(target, nth=nth, timeout=timeout))

    def tap(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Tap an element (touch)."""
        return self._portal.call(self._inner.tap(target, nth=nth, timeout=timeout))

    def drag(
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
        return self._portal.call(
            self._inner.drag(source, target, where=where, offset=offset, human=human, timeout=timeout)
        )

    def fill(
        self, target: str, value: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Replace the value of a field. The new value is verified.

        Dates, times and ranges are given as ISO text, for native fields, pickers and calendars: `2026-03-14`, `09:30`,
        `2026-03-14T09:30`, `2026-03-14/2026-03-20`. Sliders take a number; a cell of a grid is edited.
        """
        return self._portal.call(self._inner.fill(target, value, nth=nth, timeout=timeout))

    def clear(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Clear a field."""
        return self._portal.call(self._inner.clear(target, nth=nth, timeout=timeout))

    def type(
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
        return self._portal.call(
            self._inner.type(target, text, clear=clear, delay=delay, nth=nth, timeout=timeout)
        )

    def press(
        self,
        key: str,
        target: str | None = None,
        *,
        repeat: int = 1,
        nth: int | None = None,
        timeout: float = ACTION_SECONDS,
    ) -> Acted:
        """Press a key or chord such as `Control+A`, on an element or the focused one."""
        return self._portal.call(self._inner.press(key, target, repeat=repeat, nth=nth, timeout=timeout))

    def select(
        self, target: str, *wanted: str, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Select options by value, label or index (`#0`), in native selects and custom listboxes."""
        return self._portal.call(self._inner.select(target, *wanted, nth=nth, timeout=timeout))

    def check(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Check a checkbox, radio button or switch."""
        return self._portal.call(self._inner.check(target, nth=nth, timeout=timeout))

    def uncheck(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Uncheck a checkbox or switch."""
        return self._portal.call(self._inner.uncheck(target, nth=nth, timeout=timeout))

    def scroll(
        self, *, down: float = 0, right: float = 0, target: str | None = None, timeout: float = ACTION_SECONDS
    ) -> Scrolled:
        """Scroll the page, or the container of `target`, by pixels or by a fraction between -1 and 1."""
        return self._portal.call(self._inner.scroll(down=down, right=right, target=target, timeout=timeout))

    def scroll_to(self, target: str, *, timeout: float = ACTION_SECONDS) -> None:
        """Scroll an element into view."""
        self._portal.call(self._inner.scroll_to(target, timeout=timeout))
