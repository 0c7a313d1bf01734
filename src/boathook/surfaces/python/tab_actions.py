"""The part of the public Tab that acts: mouse, keyboard, choices, scrolling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.actions import choosing, dragging, pointer, scrolling, typing
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.surfaces.python.results import Acted
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.actions.dragging import Where
    from boathook.engine.actions.pointer import Button
    from boathook.engine.actions.scrolling import Scrolled


class TabActions(TabBase):
    """Everything that changes the page; each action returns what it did and what changed."""

    async def click(
        self,
        target: str,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        offset: tuple[float, float] | None = None,
        nth: int | None = None,
        timeout: float = ACTION_SECONDS,
    ) -> Acted:
        """Click an element and wait until the page settles."""
        async with self._engine.call(f"clicking {target}", seconds=timeout) as deadline:
            return Acted(
                await pointer.click(
                    self._engine,
                    target,
                    button=button,
                    count=count,
                    modifiers=modifiers,
                    offset=offset,
                    nth=nth,
                    deadline=deadline,
                )
            )

    async def hover(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Move the mouse over an element."""
        async with self._engine.call(f"hovering over {target}", seconds=timeout) as deadline:
            return Acted(await pointer.hover(self._engine, target, nth=nth, deadline=deadline))

    async def focus(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Give an element the focus, without pressing it."""
        async with self._engine.call(f"focusing {target}", seconds=timeout) as deadline:
            return Acted(await typing.focus(self._engine, target, nth=nth, deadline=deadline))

    async def bring_to_front(self, *, timeout: float = ACTION_SECONDS) -> None:
        """Show this tab before the others of its window; no other call does that by itself."""
        async with self._engine.call("bringing the tab to the front", seconds=timeout, needs_page=False):
            await self._engine.session.send("Page.bringToFront")

    async def tap(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Tap an element with a finger."""
        async with self._engine.call(f"tapping {target}", seconds=timeout) as deadline:
            return Acted(await pointer.tap(self._engine, target, nth=nth, deadline=deadline))

    async def drag(
        self,
        source: str,
        target: str | None = None,
        *,
        where: Where = "onto",
        offset: tuple[float, float] | None = None,
        timeout: float = ACTION_SECONDS,
    ) -> Acted:
        """Drag an element onto, before or after another one, or by an offset in pixels."""
        async with self._engine.call(f"dragging {source}", seconds=timeout) as deadline:
            return Acted(
                await dragging.drag(
                    self._engine, source, target, where=where, offset=offset, deadline=deadline
                )
            )

    async def fill(
        self, target: str, value: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Replace what a field holds; the value is read back."""
        async with self._engine.call(f"filling {target}", seconds=timeout) as deadline:
            return Acted(await typing.fill(self._engine, target, value, nth=nth, deadline=deadline))

    async def clear(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Empty a field."""
        return await self.fill(target, "", nth=nth, timeout=timeout)

    async def type(
        self, target: str, text: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Type key by key at the end of a field; a newline presses Enter."""
        async with self._engine.call(f"typing into {target}", seconds=timeout) as deadline:
            return Acted(await typing.type_text(self._engine, target, text, nth=nth, deadline=deadline))

    async def press(
        self, key: str, target: str | None = None, *, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Press a key or a chord such as `Control+A`, on an element or wherever the focus is."""
        async with self._engine.call(f"pressing {key}", seconds=timeout) as deadline:
            return Acted(await typing.press(self._engine, key, target, nth=nth, deadline=deadline))

    async def select(
        self, target: str, *wanted: str, nth: int | None = None, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Choose options by value, label or index (`#0`), also in listboxes made of other elements."""
        async with self._engine.call(f"selecting in {target}", seconds=timeout) as deadline:
            return Acted(await choosing.select(self._engine, target, wanted, nth=nth, deadline=deadline))

    async def check(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Make sure that a checkbox, radio button or switch is on."""
        async with self._engine.call(f"checking {target}", seconds=timeout) as deadline:
            return Acted(
                await choosing.set_checked(self._engine, target, checked=True, nth=nth, deadline=deadline)
            )

    async def uncheck(self, target: str, *, nth: int | None = None, timeout: float = ACTION_SECONDS) -> Acted:
        """Make sure that a checkbox or switch is off."""
        async with self._engine.call(f"unchecking {target}", seconds=timeout) as deadline:
            return Acted(
                await choosing.set_checked(self._engine, target, checked=False, nth=nth, deadline=deadline)
            )

    async def scroll(
        self, *, down: float = 0, right: float = 0, target: str | None = None, timeout: float = ACTION_SECONDS
    ) -> Scrolled:
        """Scroll the page, or the scroller around `target`, by pixels or by a share between -1 and 1."""
        async with self._engine.call("scrolling", seconds=timeout) as deadline:
            return await scrolling.scroll(
                self._engine, down=down, right=right, target=target, deadline=deadline
            )

    async def scroll_to(self, target: str, *, timeout: float = ACTION_SECONDS) -> None:
        """Bring an element into view."""
        async with self._engine.call(f"scrolling to {target}", seconds=timeout) as deadline:
            await scrolling.scroll_to(self._engine, target, deadline=deadline)
