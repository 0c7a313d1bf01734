"""Emulation: viewport, device, location, locale, media features and network.

Generated from commands/environment/emulate.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from boathook.clock import READ_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boathook.engine.emulation.overrides import (
        ColorScheme,
        Contrast,
        ForcedColors,
        Medium,
        Motion,
        SettingName,
        Settings,
    )
    from boathook.engine.network.conditions import NetworkProfile


class EmulateTab(TabBase):
    """Methods of a tab from commands/environment/emulate.py."""

    def emulate(
        self,
        *,
        device: str | None = None,
        width: int | None = None,
        height: int | None = None,
        scale: float | None = None,
        user_agent: str | None = None,
        latitude: float | None = None,
        longitude: float | None = None,
        accuracy: float | None = None,
        locale: str | None = None,
        timezone: str | None = None,
        color_scheme: ColorScheme | None = None,
        reduced_motion: Motion | None = None,
        contrast: Contrast | None = None,
        forced_colors: ForcedColors | None = None,
        medium: Medium | None = None,
        touch: bool | None = None,
        cpu: float | None = None,
        offline: bool | None = None,
        network: NetworkProfile | None = None,
        headers: Mapping[str, str] | None = None,
        reset: Sequence[SettingName] = (),
        timeout: float = READ_SECONDS,
    ) -> Settings:
        """Change emulation settings: viewport, location, locale, media features, network. Use `reset` to undo."""
        return self._portal.call(
            self._inner.emulate(
                device=device,
                width=width,
                height=height,
                scale=scale,
                user_agent=user_agent,
                latitude=latitude,
                longitude=longitude,
                accuracy=accuracy,
                locale=locale,
                timezone=timezone,
                color_scheme=color_scheme,
                reduced_motion=reduced_motion,
                contrast=contrast,
                forced_colors=forced_colors,
                medium=medium,
                touch=touch,
                cpu=cpu,
                offline=offline,
                network=network,
                headers=headers,
                reset=reset,
                timeout=timeout,
            )
        )

    def set_viewport(self, width: int, height: int, scale: float = 1.0) -> Settings:
        """Set the viewport size."""
        return self._portal.call(self._inner.set_viewport(width, height, scale))

    def set_device(self, name: str) -> Settings:
        """Emulate a device: viewport, touch and User-Agent."""
        return self._portal.call(self._inner.set_device(name))

    def set_geo(self, latitude: float, longitude: float, accuracy: float = 10.0) -> Settings:
        """Set the geolocation. Pages need the geolocation permission to read it."""
        return self._portal.call(self._inner.set_geo(latitude, longitude, accuracy))

    def set_offline(self, state: Literal["on", "off"] = "on") -> Settings:
        """Turn offline mode on or off."""
        return self._portal.call(self._inner.set_offline(state))

    def set_network(
        self,
        profile: NetworkProfile | None = None,
        *,
        latency: float | None = None,
        down: float | None = None,
        up: float | None = None,
        timeout: float = READ_SECONDS,
    ) -> Settings:
        """Throttle the network with a profile or with numbers; `none` removes the limits."""
        return self._portal.call(
            self._inner.set_network(profile, latency=latency, down=down, up=up, timeout=timeout)
        )

    def set_headers(self, headers: Mapping[str, str]) -> Settings:
        """Set extra headers for every request, replacing those set before."""
        return self._portal.call(self._inner.set_headers(headers))

    def set_media(self, *wishes: str) -> Settings:
        """Emulate CSS media features: color scheme, motion, contrast, screen or print."""
        return self._portal.call(self._inner.set_media(*wishes))

    def set_user_agent(self, text: str) -> Settings:
        """Set the User-Agent. Client hints are set to match."""
        return self._portal.call(self._inner.set_user_agent(text))

    def set_locale(self, locale: str) -> Settings:
        """Emulate a locale: Accept-Language, numbers and dates."""
        return self._portal.call(self._inner.set_locale(locale))

    def set_timezone(self, timezone: str) -> Settings:
        """Emulate a time zone."""
        return self._portal.call(self._inner.set_timezone(timezone))

    def set_cpu(self, times: float) -> Settings:
        """Throttle the CPU."""
        return self._portal.call(self._inner.set_cpu(times))

    def set_touch(self, state: Literal["on", "off"] = "on") -> Settings:
        """Turn touch screen emulation on or off."""
        return self._portal.call(self._inner.set_touch(state))
