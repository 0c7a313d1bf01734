"""The part of the public Tab for single events of mouse and keyboard, for long lists, and for the clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine import clipboard
from boathook.engine.actions import collecting, primitives, typing
from boathook.engine.actions.collecting import COLLECT_SECONDS
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.surfaces.python.results import Acted
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from boathook.engine.actions.collecting import Collected
    from boathook.engine.actions.held import Button


class TabPrimitives(TabBase):
    """What is pressed stays so until it is let go of; the next ready-made action, such as click, lets go first."""

    async def mouse_move(
        self, x: float, y: float, *, steps: int = 1, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Move the mouse to a point of the viewport, in CSS pixels."""
        async with self._engine.call("moving the mouse", seconds=timeout) as deadline:
            return Acted(await primitives.mouse_move(self._engine, x, y, steps=steps, deadline=deadline))

    async def mouse_down(
        self, button: Button = "left", *, clicks: int = 1, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Press a button where `mouse_move` left the mouse; `clicks=2` makes it the second of a double click."""
        async with self._engine.call(f"pressing the {button} button", seconds=timeout) as deadline:
            return Acted(
                await primitives.mouse_down(self._engine, button=button, clicks=clicks, deadline=deadline)
            )

    async def mouse_up(self, button: Button = "left", *, timeout: float = ACTION_SECONDS) -> Acted:
        """Let go of a button."""
        async with self._engine.call(f"letting go of the {button} button", seconds=timeout) as deadline:
            return Acted(await primitives.mouse_up(self._engine, button=button, deadline=deadline))

    async def mouse_wheel(self, right: float, down: float, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Turn the wheel over whatever lies under the mouse, by pixels."""
        async with self._engine.call("turning the wheel", seconds=timeout) as deadline:
            return Acted(await primitives.mouse_wheel(self._engine, right, down, deadline=deadline))

    async def key_down(self, key: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Press a key and keep it down."""
        async with self._engine.call(f"pressing {key}", seconds=timeout) as deadline:
            return Acted(await primitives.key_down(self._engine, key, deadline=deadline))

    async def key_up(self, key: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Let go of a key."""
        async with self._engine.call(f"letting go of {key}", seconds=timeout) as deadline:
            return Acted(await primitives.key_up(self._engine, key, deadline=deadline))

    async def insert_text(self, text: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Put text where the focus is, without keys."""
        async with self._engine.call("inserting text", seconds=timeout) as deadline:
            return Acted(await primitives.insert_text(self._engine, text, deadline=deadline))

    async def collect(
        self,
        items: str,
        *,
        within: str | None = None,
        until: str | int | None = None,
        most: int = 500,
        timeout: float = COLLECT_SECONDS,
    ) -> Collected:
        """Scroll through a list from its top and collect its items: to the end, or until a text or so many were seen."""
        async with self._engine.call(f"collecting {items}", seconds=timeout) as deadline:
            return await collecting.collect(
                self._engine, items, within=within, until=until, most=most, deadline=deadline
            )

    async def clipboard_read(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> str:
        """The text on the clipboard. Unless the browser is headless and ours, it is its user's: `allow` is needed."""
        clipboard.require_allowed(own=self._browser.own_clipboard, allow=allow)
        async with self._engine.call("reading the clipboard", seconds=timeout, looks=True) as deadline:
            return await clipboard.read_clipboard(self._engine, deadline=deadline)

    async def clipboard_write(
        self, text: str, *, allow: bool = False, timeout: float = ACTION_SECONDS
    ) -> None:
        """Put text on the clipboard; all tabs of the browser share it."""
        clipboard.require_allowed(own=self._browser.own_clipboard, allow=allow)
        async with self._engine.call("writing the clipboard", seconds=timeout, looks=True) as deadline:
            await clipboard.write_clipboard(self._engine, text, deadline=deadline)

    async def copy(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> Acted:
        """Copy what is selected, by the keys that do so."""
        clipboard.require_allowed(own=self._browser.own_clipboard, allow=allow)
        async with self._engine.call("copying", seconds=timeout) as deadline:
            return Acted(await typing.press(self._engine, "ControlOrMeta+C", deadline=deadline))

    async def paste(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> Acted:
        """Paste where the focus is, by the keys that do so."""
        clipboard.require_allowed(own=self._browser.own_clipboard, allow=allow)
        async with self._engine.call("pasting", seconds=timeout) as deadline:
            return Acted(await typing.press(self._engine, "ControlOrMeta+V", deadline=deadline))
