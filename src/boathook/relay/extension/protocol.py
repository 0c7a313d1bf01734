"""The protocol between relay and extension: one table, generated into `extension/protocol.js` by `make gen`.

To add a method, add a row here, run `make gen`, and handle it in `extension/background.js` (requests) or
`relay/sessions/profile.py` (events). Rows are only added; a change of meaning needs a new version.
"""

from __future__ import annotations

from enum import StrEnum

EXTENSION_ID = "dhfbdpcamblofpolepaaeclfdkpcdmdk"
"""Derived from the key in extension/manifest.json; a test compares them."""
EXTENSION_ORIGIN = f"chrome-extension://{EXTENSION_ID}"

VERSION = 1
SUPPORTED = frozenset({1})
"""Versions of extensions that this relay works with; an extension without a version has the first."""


class ExtensionRequest(StrEnum):
    """What the relay asks the extension to do; each is answered."""

    TABS_LIST = "tabs.list"
    """All tabs, the user's settings, and whether the user has stopped the relay."""
    SETTINGS_GET = "settings.get"
    TAB_ATTACH = "tab.attach"
    TAB_DETACH = "tab.detach"
    TAB_CREATE = "tab.create"
    TAB_CLOSE = "tab.close"
    TAB_ACTIVATE = "tab.activate"
    """Bring a tab that a program opened to the front of its window."""
    DEBUGGER_SEND = "debugger.send"
    """A CDP command for an attached tab."""
    TABS_DRIVERS = "tabs.drivers"
    """Which programs control which tabs, for the popup."""
    PROGRAMS = "programs"
    """The names of the connected programs, for the popup."""
    EXTENSION_RELOAD = "extension.reload"
    COOKIES_LIST = "cookies.list"
    """All cookies of the profile, as the DevTools protocol describes them."""
    COOKIES_CHANGE = "cookies.change"
    PERMISSIONS_APPLY = "permissions.apply"
    """All permissions that programs have for sites from now on."""
    DOWNLOAD_CANCEL = "download.cancel"
    TABS_SETTLED = "tabs.settled"
    """Answered when all earlier events of tabs have been reported."""


class Event(StrEnum):
    """What the extension reports."""

    READY = "ready"
    """The first report after the handshake: the answer to `tabs.list`."""
    TAB_CHANGED = "tab.changed"
    TAB_GONE = "tab.gone"
    TAB_DETACHED = "tab.detached"
    DEBUGGER_EVENT = "debugger.event"
    """A CDP event of an attached tab."""
    SETTINGS = "settings"
    STOPPED = "stopped"
    DOWNLOAD = "download"
    PONG = "pong"


class Handshake(StrEnum):
    """Before either side trusts the other."""

    CHALLENGE = "challenge"
    HELLO = "hello"
    WELCOME = "welcome"
    PING = "ping"
    """Later: answered with `pong`, without a number."""
