"""Emulation: viewport, device, location, locale, media features and network.

Generated from commands/environment/emulate.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from boathook.clock import READ_SECONDS
from boathook.commands.environment import emulate
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase

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

    async def emulate(
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
        return await invoke(
            emulate.emulate,
            self._engine,
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

    async def set_viewport(self, width: int, height: int, scale: float = 1.0) -> Settings:
        """Set the viewport size."""
        return await invoke(emulate.set_viewport, self._engine, width, height, scale)

    async def set_device(self, name: str) -> Settings:
        """Emulate a device: viewport, touch and User-Agent."""
        return await invoke(emulate.set_device, self._engine, name)

    async def set_geo(self, latitude: float, longitude: float, accuracy: float = 10.0) -> Settings:
        """Set the geolocation. Pages need the geolocation permission to read it."""
        return await invoke(emulate.set_geo, self._engine, latitude, longitude, accuracy)

    async def set_offline(self, state: Literal["on", "off"] = "on") -> Settings:
        """Turn offline mode on or off."""
        return await invoke(emulate.set_offline, self._engine, state)

    async def set_network(
        self,
        profile: NetworkProfile | None = None,
        *,
        latency: float | None = None,
        down: float | None = None,
        up: float | None = None,
        timeout: float = READ_SECONDS,
    ) -> Settings:
        """Throttle the network with a profile or with numbers; `none` removes the limits."""
        return await invoke(
            emulate.set_network, self._engine, profile, latency=latency, down=down, up=up, timeout=timeout
        )

    async def set_headers(self, headers: Mapping[str, str]) -> Settings:
        """Set extra headers for every request, replacing those set before."""
        return await invoke(emulate.set_headers, self._engine, headers)

    async def set_media(self, *wishes: str) -> Settings:
        """Emulate CSS media features: color scheme, motion, contrast, screen or print."""
        return await invoke(emulate.set_media, self._engine, *wishes)

    async def set_user_agent(self, text: str) -> Settings:
        """Set the User-Agent. Client hints are set to match."""
        return await invoke(emulate.set_user_agent, self._engine, text)

    async def set_locale(self, locale: str) -> Settings:
        """Emulate a locale: Accept-Language, numbers and dates."""
        return await invoke(emulate.set_locale, self._engine, locale)

    async def set_timezone(self, timezone: str) -> Settings:
        """Emulate a time zone."""
        return await invoke(emulate.set_timezone, self._engine, timezone)

    async def set_cpu(self, times: float) -> Settings:
        """Throttle the CPU."""
        return await invoke(emulate.set_cpu, self._engine, times)

    async def set_touch(self, state: Literal["on", "off"] = "on") -> Settings:
        """Turn touch screen emulation on or off."""
        return await invoke(emulate.set_touch, self._engine, state)
