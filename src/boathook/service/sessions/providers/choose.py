"""Which provider a session uses, from its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.engine.hosts.urls import DEFAULT_SCHEMES
from boathook.errors import BadSetting
from boathook.service.sessions.providers.attach import AttachProvider, SettingProvider
from boathook.service.sessions.providers.desktop_app import AppProvider
from boathook.service.sessions.providers.managed import ManagedProvider
from boathook.service.sessions.providers.provider import BrowserRequest
from boathook.service.sessions.providers.relay_browser import RelayProvider

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.browser import Browser
    from boathook.service.sessions.providers.provider import BrowserProvider

MANAGED = ManagedProvider.name
PROVIDERS: dict[str, BrowserProvider] = {
    provider.name: provider
    for provider in (ManagedProvider(), AttachProvider(), AppProvider(), RelayProvider())
}
"""By the first part of the setting `browser`."""
_OF_CDP_SETTING = SettingProvider()


def choose_provider(settings: Mapping[str, Any]) -> tuple[BrowserProvider, str]:
    """The provider that these settings select, and what follows it in the setting."""
    kind, _, address = str(settings.get("browser", MANAGED)).partition(":")
    if "cdp" in settings and kind != AppProvider.name:
        return _OF_CDP_SETTING, str(settings["cdp"])
    if kind.startswith("/"):
        return PROVIDERS[MANAGED], kind  # as the variable for it has always been understood
    if kind not in PROVIDERS:
        raise BadSetting(f"unknown browser: {kind!r:.40}", hint="use managed, cdp:URL, app:PROGRAM or relay")
    return PROVIDERS[kind], "" if kind == MANAGED else address


async def acquire_browser(settings: Mapping[str, Any], *, seconds: float | None = None) -> Browser:
    """Start a browser, or attach to one within some seconds, according to the settings."""
    provider, address = choose_provider(settings)
    if not provider.starts_browser and settings.get("stealth", "off") != "off":
        raise BadSetting(
            "stealth is supported only in browsers that boathook starts",
            hint="omit it|, or pass `--stealth off` if a file or a variable sets it",
        )
    request = BrowserRequest(
        address=address,
        settings=settings,
        schemes=DEFAULT_SCHEMES | ({"file"} if settings.get("allow_file_access") else set()),
        host_policy=settings.get("reach", UNLIMITED),
        seconds=seconds,
    )
    return await provider.acquire(request)
