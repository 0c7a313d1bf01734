"""Low-level mouse and keyboard events, and the clipboard.

Generated from commands/input/keyboard_mouse.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from boathook.engine.actions.input.pointer import Button
    from boathook.surfaces.python.result_views import Acted


class KeyboardMouseTab(TabBase):
    """Methods of a tab from commands/input/keyboard_mouse.py."""

    def mouse_move(
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
        return self._portal.call(
            self._inner.mouse_move(
                x, y, steps=steps, duration=duration, human=human, seed=seed, timeout=timeout
            )
        )

    def mouse_down(
        self, button: Button = "left", *, clicks: int = 1, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Press a mouse button at the current position; `clicks=2` makes it the second click of a double click."""
        return self._portal.call(self._inner.mouse_down(button, clicks=clicks, timeout=timeout))

    def mouse_up(self, button: Button = "left", *, timeout: float = ACTION_SECONDS) -> Acted:
        """Release a mouse button."""
        return self._portal.call(self._inner.mouse_up(button, timeout=timeout))

    def mouse_wheel(self, down: float, right: float = 0, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Scroll the mouse wheel at the current position, in pixels."""
        return self._portal.call(self._inner.mouse_wheel(down, right, timeout=timeout))

    def key_down(self, key: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Press a key and hold it down."""
        return self._portal.call(self._inner.key_down(key, timeout=timeout))

    def key_up(self, key: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Release a key."""
        return self._portal.call(self._inner.key_up(key, timeout=timeout))

    def insert_text(self, text: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Insert text at the focus without key events."""
        return self._portal.call(self._inner.insert_text(text, timeout=timeout))

    def clipboard_read(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> str:
        """Read the clipboard. Requires `allow` unless Boathook started the browser headless."""
        return self._portal.call(self._inner.clipboard_read(allow=allow, timeout=timeout))

    def clipboard_write(self, text: str, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> None:
        """Write text to the clipboard, which all tabs of the browser share."""
        self._portal.call(self._inner.clipboard_write(text, allow=allow, timeout=timeout))

    def copy(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> Acted:
        """Copy the selection with the keyboard shortcut."""
        return self._portal.call(self._inner.copy(allow=allow, timeout=timeout))

    def paste(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> Acted:
        """Paste at the focus with the keyboard shortcut."""
        return self._portal.call(self._inner.paste(allow=allow, timeout=timeout))
