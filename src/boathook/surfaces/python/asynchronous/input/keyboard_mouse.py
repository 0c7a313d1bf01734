"""Low-level mouse and keyboard events, and the clipboard.

Generated from commands/input/keyboard_mouse.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.commands.input import keyboard_mouse
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.registry.invoke import invoke
from boathook.surfaces.python.result_views import Acted
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from boathook.engine.actions.input.pointer import Button


class KeyboardMouseTab(TabBase):
    """Methods of a tab from commands/input/keyboard_mouse.py."""

    async def mouse_move(
        self,
        x: float,
        y: float,
        *,
        steps: int | None = None,
        duration: float = 0.0,
        human: bool = False,
        seed: int | None = None,
        timeout: float = ACTION_SECONDS,
    ) -> Acted:
        """Move the mouse to a point in the viewport."""
        return Acted.of(
            await invoke(
                keyboard_mouse.mouse_move,
                self._engine,
                x,
                y,
                steps=steps,
                duration=duration,
                human=human,
                seed=seed,
                timeout=timeout,
            )
        )

    async def mouse_down(
        self, button: Button = "left", *, clicks: int = 1, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Press a mouse button at the current position; `clicks=2` makes it the second click of a double click."""
        return Acted.of(
            await invoke(keyboard_mouse.mouse_down, self._engine, button, clicks=clicks, timeout=timeout)
        )

    async def mouse_up(self, button: Button = "left", *, timeout: float = ACTION_SECONDS) -> Acted:
        """Release a mouse button."""
        return Acted.of(await invoke(keyboard_mouse.mouse_up, self._engine, button, timeout=timeout))

    async def mouse_wheel(self, down: float, right: float = 0, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Scroll the mouse wheel at the current position, in pixels."""
        return Acted.of(await invoke(keyboard_mouse.mouse_wheel, self._engine, down, right, timeout=timeout))

    async def key_down(self, key: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Press a key and hold it down."""
        return Acted.of(await invoke(keyboard_mouse.key_down, self._engine, key, timeout=timeout))

    async def key_up(self, key: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Release a key."""
        return Acted.of(await invoke(keyboard_mouse.key_up, self._engine, key, timeout=timeout))

    async def insert_text(self, text: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Insert text at the focus without key events."""
        return Acted.of(await invoke(keyboard_mouse.insert_text, self._engine, text, timeout=timeout))

    async def clipboard_read(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> str:
        """Read the clipboard. Requires `allow` unless Boathook started the browser headless."""
        return await invoke(keyboard_mouse.clipboard_read, self._engine, allow=allow, timeout=timeout)

    async def clipboard_write(
        self, text: str, *, allow: bool = False, timeout: float = ACTION_SECONDS
    ) -> None:
        """Write text to the clipboard, which all tabs of the browser share."""
        await invoke(keyboard_mouse.clipboard_write, self._engine, text, allow=allow, timeout=timeout)

    async def copy(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> Acted:
        """Copy the selection with the keyboard shortcut."""
        return Acted.of(await invoke(keyboard_mouse.copy, self._engine, allow=allow, timeout=timeout))

    async def paste(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> Acted:
        """Paste at the focus with the keyboard shortcut."""
        return Acted.of(await invoke(keyboard_mouse.paste, self._engine, allow=allow, timeout=timeout))
