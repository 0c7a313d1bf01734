"""What pages find: screen, place, language, taste and network.

Generated from commands/environment/emulate.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from boathook.engine.tab import READ_SECONDS
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
        """Change what pages find: screen, place, language, taste, network. `reset` puts the real thing back."""
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
        """Give the page area a size."""
        return self._portal.call(self._inner.set_viewport(width, height, scale))

    def set_device(self, name: str) -> Settings:
        """Pretend to be a device, with its screen, touch and name."""
        return self._portal.call(self._inner.set_device(name))

    def set_geo(self, latitude: float, longitude: float, accuracy: float = 10.0) -> Settings:
        """Be at a place; pages learn it when they may ask for it."""
        return self._portal.call(self._inner.set_geo(latitude, longitude, accuracy))

    def set_offline(self, state: Literal["on", "off"] = "on") -> Settings:
        """Take the network away from pages, or give it back."""
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
        """Make the network slow, by a name or by numbers; `none` gives the real one back."""
        return self._portal.call(
            self._inner.set_network(profile, latency=latency, down=down, up=up, timeout=timeout)
        )

    def set_headers(self, headers: Mapping[str, str]) -> Settings:
        """Send headers with every request, instead of those that were set before."""
        return self._portal.call(self._inner.set_headers(headers))

    def set_media(self, *wishes: str) -> Settings:
        """What style sheets are asked for: colours, motion, contrast, screen or print."""
        return self._portal.call(self._inner.set_media(*wishes))

    def set_user_agent(self, text: str) -> Settings:
        """Call the browser something else; hints of Chromium's kind are made to agree with it."""
        return self._portal.call(self._inner.set_user_agent(text))

    def set_locale(self, locale: str) -> Settings:
        """Speak another language: headers, numbers and dates."""
        return self._portal.call(self._inner.set_locale(locale))

    def set_timezone(self, timezone: str) -> Settings:
        """Be in another time zone."""
        return self._portal.call(self._inner.set_timezone(timezone))

    def set_cpu(self, times: float) -> Settings:
        """Have a slower processor."""
        return self._portal.call(self._inner.set_cpu(times))

    def set_touch(self, state: Literal["on", "off"] = "on") -> Settings:
        """Have a touch screen."""
        return self._portal.call(self._inner.set_touch(state))
