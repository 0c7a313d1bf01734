"""Boathook: the browser for AI agents.

    async with await boathook.launch() as browser:
        tab = await browser.open("https://example.org")
        print(await tab.snapshot())

Names are loaded when they are first used, so that importing the package is fast.
"""

from __future__ import annotations

from boathook._version import __version__

TYPE_CHECKING = False  # as type checkers read it; importing typing for it would cost every command line a tenth of its time
if TYPE_CHECKING:
    from boathook import errors
    from boathook.commands.results import FrameInfo, PageInfo
    from boathook.engine.actions.changes import Changes
    from boathook.engine.actions.collect_items import Collected, CollectedItem
    from boathook.engine.actions.scroll_page import Scrolled
    from boathook.engine.actions.uploads import Uploaded
    from boathook.engine.capture.pdf import Pdf
    from boathook.engine.emulation.overrides import Geolocation, Place, Settings
    from boathook.engine.events.console import ConsoleMessage
    from boathook.engine.files.downloads import Download
    from boathook.engine.launch.find_chrome import find_browser
    from boathook.engine.launch.install import install_browser
    from boathook.engine.launch.options import Proxy
    from boathook.engine.network.log.network_log import Body, Request
    from boathook.engine.page.dialogs import Dialog
    from boathook.engine.state.state_file import SavedState
    from boathook.engine.waits.wait_for_element import Sightings, WaitResult
    from boathook.errors import BoathookError
    from boathook.presentation.families.reading import Reading
    from boathook.redaction.secret import Secret
    from boathook.surfaces.python import sync_api as sync
    from boathook.surfaces.python.async_api import Browser, Tab, attach, launch
    from boathook.surfaces.python.remote import Remote, Reply, connect
    from boathook.surfaces.python.result_views import Acted, Screenshot, SnapshotView
    from boathook.values import Box, Ref, Viewport

_HOME_OF = {
    "Acted": "boathook.surfaces.python.result_views",
    "BoathookError": "boathook.errors",
    "Body": "boathook.engine.network.log.network_log",
    "Box": "boathook.values",
    "Browser": "boathook.surfaces.python.async_api",
    "Changes": "boathook.engine.actions.changes",
    "Collected": "boathook.engine.actions.collect_items",
    "CollectedItem": "boathook.engine.actions.collect_items",
    "ConsoleMessage": "boathook.engine.events.console",
    "Dialog": "boathook.engine.page.dialogs",
    "Download": "boathook.engine.files.downloads",
    "FrameInfo": "boathook.commands.results",
    "PageInfo": "boathook.commands.results",
    "Pdf": "boathook.engine.capture.pdf",
    "Place": "boathook.engine.emulation.overrides",
    "Geolocation": "boathook.engine.emulation.overrides",
    "Proxy": "boathook.engine.launch.options",
    "Reading": "boathook.presentation.families.reading",
    "Ref": "boathook.values",
    "Remote": "boathook.surfaces.python.remote",
    "Reply": "boathook.surfaces.python.remote",
    "Request": "boathook.engine.network.log.network_log",
    "SavedState": "boathook.engine.state.state_file",
    "Screenshot": "boathook.surfaces.python.result_views",
    "Secret": "boathook.redaction.secret",
    "Scrolled": "boathook.engine.actions.scroll_page",
    "Settings": "boathook.engine.emulation.overrides",
    "Sightings": "boathook.engine.waits.wait_for_element",
    "WaitResult": "boathook.engine.waits.wait_for_element",
    "SnapshotView": "boathook.surfaces.python.result_views",
    "Tab": "boathook.surfaces.python.async_api",
    "Uploaded": "boathook.engine.actions.uploads",
    "Viewport": "boathook.values",
    "attach": "boathook.surfaces.python.async_api",
    "connect": "boathook.surfaces.python.remote",
    "find_browser": "boathook.engine.launch.find_chrome",
    "install_browser": "boathook.engine.launch.install",
    "launch": "boathook.surfaces.python.async_api",
}
_MODULES = {"errors": "boathook.errors", "sync": "boathook.surfaces.python.sync_api"}

__all__ = [
    "Acted",
    "BoathookError",
    "Body",
    "Box",
    "Browser",
    "Changes",
    "Collected",
    "CollectedItem",
    "ConsoleMessage",
    "Dialog",
    "Download",
    "FrameInfo",
    "Geolocation",
    "PageInfo",
    "Pdf",
    "Place",
    "Proxy",
    "Reading",
    "Ref",
    "Remote",
    "Reply",
    "Request",
    "SavedState",
    "Screenshot",
    "Scrolled",
    "Secret",
    "Settings",
    "Sightings",
    "SnapshotView",
    "Tab",
    "Uploaded",
    "Viewport",
    "WaitResult",
    "__version__",
    "attach",
    "connect",
    "errors",
    "find_browser",
    "install_browser",
    "launch",
    "sync",
]


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415 - as above

    if name in _MODULES:
        return import_module(_MODULES[name])
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module 'boathook' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
