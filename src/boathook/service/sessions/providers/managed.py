"""The provider `managed`: a Chromium that Boathook starts and closes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.launch import open as opening
from boathook.engine.launch.options import LaunchOptions, Proxy
from boathook.engine.launch.profiles.user_profiles import COPY_OF
from boathook.errors import BadSetting
from boathook.service.sessions.providers.provider import BrowserProvider
from boathook.values import Viewport

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.browser import Browser
    from boathook.service.sessions.providers.provider import BrowserRequest

NOT_LOOPBACK = "<-loopback>"
"""In Chromium's notation, a bypass rule that sends loopback through the proxy too."""
MOST_PIXELS = 10_000
LONGEST_NUMBER = 6


class ManagedProvider(BrowserProvider):
    """Starts a Chromium with the launch settings; `browser` may name the path of a program."""

    name = "managed"
    starts_browser = True

    async def acquire(self, request: BrowserRequest) -> Browser:
        """Start it."""
        settings = request.settings
        profile = str(settings.get("profile", ""))
        copied = profile.startswith(COPY_OF)
        options = LaunchOptions(
            headless=not settings.get("headed"),
            executable=settings.get("executable", request.address or None),
            profile=Path(profile) if profile and not copied else None,
            profile_copy=Path(profile.removeprefix(COPY_OF)) if copied else None,
            viewport=_viewport(settings.get("viewport")),
            scrollbars=bool(settings.get("scrollbars")),
            sandbox=settings.get("sandbox", "auto"),
            stealth=settings.get("stealth", "basic"),
            proxy=_proxy(settings),
            host_policy=request.host_policy,
            ignore_certificate_errors=bool(settings.get("ignore_certificate_errors")),
            ca_bundle=Path(settings["ca_bundle"]) if "ca_bundle" in settings else None,
            environment=settings.get("variables", ()),
        )
        return await opening.launch(options, schemes=request.schemes)


def _proxy(settings: Mapping[str, Any]) -> Proxy | None:
    if "proxy" in settings:
        hosts = tuple(settings.get("proxy_bypass", ()))
        return Proxy(
            server=settings["proxy"],
            bypass=tuple(host for host in hosts if host != NOT_LOOPBACK),
            bypass_loopback=NOT_LOOPBACK not in hosts,
        )
    if "proxy_bypass" in settings:
        raise BadSetting("proxy_bypass requires a proxy", hint="set `=proxy`")
    return None


def _viewport(given: str | None) -> Viewport:
    """A size such as 1280x720; without one the default."""
    if given is None:
        return Viewport()
    width, _, height = str(given).partition("x")
    sides = [int(side) if side.isdecimal() and len(side) <= LONGEST_NUMBER else 0 for side in (width, height)]
    if not all(1 <= side <= MOST_PIXELS for side in sides):
        raise BadSetting(
            f"invalid viewport size: {given!r:.40}",
            hint=f"use WIDTHxHEIGHT, for example 1280x720, each up to {MOST_PIXELS}",
        )
    return Viewport(width=sides[0], height=sides[1])
