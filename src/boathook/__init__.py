"""Boathook: the browser for AI agents.

    async with await boathook.launch() as browser:
        tab = await browser.open("https://example.org")
        print(await tab.snapshot())

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from boathook._version import __version__

if TYPE_CHECKING:
    from boathook import errors
    from boathook.engine.launch.find_chrome import find_browser
    from boathook.engine.launch.install import install_browser
    from boathook.engine.launch.options import Proxy
    from boathook.errors import BoathookError
    from boathook.surfaces.python import sync_api as sync
    from boathook.surfaces.python.async_api import Browser, Tab, attach, launch
    from boathook.values import Box, Ref, Viewport

_HOME_OF = {
    "BoathookError": "boathook.errors",
    "Box": "boathook.values",
    "Browser": "boathook.surfaces.python.async_api",
    "Proxy": "boathook.engine.launch.options",
    "Ref": "boathook.values",
    "Tab": "boathook.surfaces.python.async_api",
    "Viewport": "boathook.values",
    "attach": "boathook.surfaces.python.async_api",
    "find_browser": "boathook.engine.launch.find_chrome",
    "install_browser": "boathook.engine.launch.install",
    "launch": "boathook.surfaces.python.async_api",
}
_MODULES = {"errors": "boathook.errors", "sync": "boathook.surfaces.python.sync_api"}

__all__ = [
    "BoathookError",
    "Box",
    "Browser",
    "Proxy",
    "Ref",
    "Tab",
    "Viewport",
    "__version__",
    "attach",
    "errors",
    "find_browser",
    "install_browser",
    "launch",
    "sync",
]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'boathook' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
