"""The provider `app`: a desktop app with CDP, found running or started."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boathook.engine.launch.app_browser import launch_app
from boathook.runtime_folder import state_folder
from boathook.service.sessions.providers.provider import BrowserProvider

if TYPE_CHECKING:
    from boathook.engine.browser import Browser
    from boathook.service.sessions.providers.provider import BrowserRequest


class AppProvider(BrowserProvider):
    """Starts an app by the path of its program, or attaches to it if it is running."""

    name = "app"

    async def acquire(self, request: BrowserRequest) -> Browser:
        """Start the app, or attach to it."""
        return await launch_app(
            Path(request.address),
            request.settings.get("app_args", ()),
            profiles=Path(state_folder()) / "apps",
            schemes=request.schemes,
            host_policy=request.host_policy,
        )

    async def release(self, browser: Browser, *, kill: bool = False) -> None:
        """Disconnect; with `kill`, terminate an app that was started for the session."""
        await browser.close()
        if kill and browser.app is not None:
            await browser.app.end()
