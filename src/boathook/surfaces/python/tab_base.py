"""What every part of the public Tab stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boathook.engine.browser import Browser
    from boathook.engine.tab import Tab


class TabBase:
    """Holds the engine's tab; features are mixed in from files of their own."""

    def __init__(self, browser: Browser, engine: Tab) -> None:
        self._browser = browser
        self._engine = engine
