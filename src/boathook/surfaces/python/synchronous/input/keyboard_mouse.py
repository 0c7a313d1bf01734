"""Single events of mouse and keyboard, and the clipboard.

Generated from commands/input/keyboard_mouse.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from boathook.engine.actions.input.pointer import Button
    from boathook.surfaces.python.results import Acted


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
        """Move the mouse to a point of the viewport, in CSS pixels."""
        return self._portal.call(
            self._inner.mouse_move(
                x, y, steps=steps, duration=duration, human=human, seed=seed, timeout=timeout
            )
        )

    def mouse_down(
        self, button: Button = "left", *, clicks: int = 1, timeout: float = ACTION_SECONDS
    ) -> Acted:
        """Press a button where `mouse_move` left the mouse; `clicks=2` makes it the second of a double click."""
        return self._portal.call(self._inner.mouse_down(button, clicks=clicks, timeout=timeout))

    def mouse_up(self, button: Button = "left", *, timeout: float = ACTION_SECONDS) -> Acted:
        """Let go of a button."""
        return self._portal.call(self._inner.mouse_up(button, timeout=timeout))

    def mouse_wheel(self, down: float, right: float = 0, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Turn the wheel over whatever lies under the mouse, by pixels."""
        return self._portal.call(self._inner.mouse_wheel(down, right, timeout=timeout))

    def key_down(self, key: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Press a key and keep it down."""
        return self._portal.call(self._inner.key_down(key, timeout=timeout))

    def key_up(self, key: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Let go of a key."""
        return self._portal.call(self._inner.key_up(key, timeout=timeout))

    def insert_text(self, text: str, *, timeout: float = ACTION_SECONDS) -> Acted:
        """Put text where the focus is, without keys."""
        return self._portal.call(self._inner.insert_text(text, timeout=timeout))

    def clipboard_read(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> str:
        """The text on the clipboard. Unless the browser is headless and ours, it is its user's: `allow` is needed."""
        return self._portal.call(self._inner.clipboard_read(allow=allow, timeout=timeout))

    def clipboard_write(self, text: str, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> None:
        """Put text on the clipboard; all tabs of the browser share it."""
        self._portal.call(self._inner.clipboard_write(text, allow=allow, timeout=timeout))

    def copy(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> Acted:
        """Copy what is selected, by the keys that do so."""
        return self._portal.call(self._inner.copy(allow=allow, timeout=timeout))

    def paste(self, *, allow: bool = False, timeout: float = ACTION_SECONDS) -> Acted:
        """Paste where the focus is, by the keys that do so."""
        return self._portal.call(self._inner.paste(allow=allow, timeout=timeout))
