"""The engine behind the objects of the Python API: the one place where tests reach below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from boathook.engine import browser, tab
    from boathook.surfaces.python.browser_base import BrowserBase
    from boathook.surfaces.python.tab_base import TabBase


@overload
def engine_of(owner: TabBase) -> tab.Tab: ...
@overload
def engine_of(owner: BrowserBase) -> browser.Browser: ...
def engine_of(owner: TabBase | BrowserBase) -> tab.Tab | browser.Browser:
    """The engine's tab or browser, for what no public method observes."""
    return owner._engine
