"""A browser inside an app: opened by the path of its program, attached to, released or closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.engine.hosts.urls import DEFAULT_SCHEMES
from boathook.engine.launch import open as opening
from boathook.engine.launch.app_process import open_app

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from boathook.engine.browser import Browser
    from boathook.engine.hosts.host_policy import HostPolicy

STARTED = "this app was started by boathook; it keeps running when the session is closed without --kill"
REUSED = "this app was already running; boathook never closes it"


async def launch_app(
    path: Path,
    arguments: Sequence[str] = (),
    *,
    profiles: Path,
    schemes: Collection[str] = DEFAULT_SCHEMES,
    host_policy: HostPolicy = UNLIMITED,
) -> Browser:
    """The browser inside an app, which is started unless it already runs with a port."""
    app = await open_app(path, arguments, profiles=profiles)
    try:
        browser = await opening.attach(app.address, schemes=schemes, host_policy=host_policy)
    except BaseException:
        await app.end()
        raise
    browser.kind = "app"
    browser.app = app
    browser.notes = (*browser.notes, STARTED if app.ours else REUSED)
    return browser
