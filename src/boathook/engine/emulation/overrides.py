"""Emulation of screen, location, language, media features and network; None restores the real value."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from boathook.cdp.errors_map import IGNORED
from boathook.cdp.replies import ignore_reply
from boathook.engine.emulation.devices import find_device
from boathook.engine.network.conditions import Conditions, check_conditions
from boathook.engine.network.routing.headers import check_headers, usable_value
from boathook.errors import BadSetting, ProtocolError, UsersTab
from boathook.redaction.safe_repr import safe_repr
from boathook.values import Viewport

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.emulation.devices import Device

ColorScheme = Literal["light", "dark"]
Motion = Literal["reduce", "no-preference"]
Contrast = Literal["more", "less", "no-preference"]
ForcedColors = Literal["active", "none"]
Medium = Literal["screen", "print"]
SettingName = Literal[
    "device",
    "viewport",
    "user_agent",
    "geolocation",
    "locale",
    "timezone",
    "color_scheme",
    "reduced_motion",
    "contrast",
    "forced_colors",
    "medium",
    "touch",
    "cpu",
    "offline",
    "network",
    "headers",
]

_FEATURES = {
    "color_scheme": "prefers-color-scheme",
    "reduced_motion": "prefers-reduced-motion",
    "contrast": "prefers-contrast",
    "forced_colors": "forced-colors",
}
"""Settings of media features, and their CSS names."""
SLOWEST_CPU = 50
LARGEST_EDGE = 10_000_000
_LOCALE = re.compile(r"[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*\Z")
Command = tuple[str, dict[str, Any]]
_CHROME = re.compile(r"Chrom(?:e|ium)/(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Geolocation:
    """A geographic location and its accuracy."""

    latitude: float
    longitude: float
    accuracy: float = 10.0


Place = Geolocation  # the former name


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is emulated in a tab; None is the real value."""

    viewport: Viewport | None = None
    device: str | None = None
    user_agent: str | None = None
    geolocation: Geolocation | None = None
    locale: str | None = None
    timezone: str | None = None
    color_scheme: ColorScheme | None = None
    reduced_motion: Motion | None = None
    contrast: Contrast | None = None
    forced_colors: ForcedColors | None = None
    medium: Medium | None = None
    touch: bool | None = None
    """Whether there is a touch screen; None is the device's default."""
    cpu: float | None = None
    """The CPU throttling rate."""
    offline: bool | None = None
    network: Conditions | None = None
    """The network conditions."""
    headers: Mapping[str, str] | None = None


class Emulation:
    """Keeps the emulation, so that frames of other processes and replaced targets receive it as well."""

    def __init__(self) -> None:
        self.settings = Settings()
        self.usual_viewport: Viewport | None = None
        """The settings that the tab was opened with, for a reset."""
        self.product = ""
        self._sessions: list[tuple[CdpSession, bool]] = []

    @property
    def has_screen(self) -> bool:
        """Whether the screen differs from the one that the tab was opened with."""
        return self.settings.viewport is not None or self.settings.device is not None

    def watch(self, session: CdpSession, *, main: bool) -> None:
        """Apply the current emulation to a new session."""
        if main:
            self._sessions.clear()
        self._sessions.append((session, main))
        for reply in self._post(session, main=main, names=_changed_fields(Settings(), self.settings)):
            ignore_reply(reply)

    def begin_with(self, settings: Settings) -> None:
        """Copy the emulation of another tab, before anything is loaded; the browser's replies are not awaited."""
        self.settings = settings
        for session, main in self._sessions:
            for reply in self._post(session, main=main, names=_changed_fields(Settings(), settings)):
                ignore_reply(reply)

    async def change(self, **given: Any) -> Settings:
        """Emulate these in addition to the current emulation; None restores the real value."""
        wanted = replace(self.settings, **given)
        check_settings(wanted)
        before, self.settings = self.settings, wanted
        replies = [
            reply
            for session, main in self._sessions
            for reply in self._post(session, main=main, names={*given, *_changed_fields(before, wanted)})
        ]
        results = await asyncio.gather(*replies, return_exceptions=True)
        problem = next((result for result in results if isinstance(result, ProtocolError)), None)
        if problem is not None:
            self.settings = before
            raise BadSetting(f"the browser refused: {problem.text}") from problem
        if any(isinstance(result, dict) and result.get(IGNORED) for result in results):
            self.settings = before
            raise UsersTab("this tab is the user's: nothing is emulated in it")
        return wanted

    def _post(
        self, session: CdpSession, *, main: bool, names: Iterable[str]
    ) -> list[asyncio.Future[dict[str, Any]]]:
        wanted = set(names)
        commands: list[Command] = []
        if main and wanted & {"viewport", "device", "touch"}:
            commands += self._screen()
        if wanted & {"user_agent", "locale", "device"}:
            commands += self._agent()
        for name, make in (
            ("geolocation", self._geolocation),
            ("locale", self._locale),
            ("timezone", self._timezone),
            ("headers", self._headers),
            ("cpu", self._cpu),
        ):
            commands += make() if name in wanted else []
        if wanted & {"offline", "network"}:
            commands += self._network()
        if wanted & {*_FEATURES, "medium"}:
            commands += self._media()
        return [session.post(method, **params) for method, params in commands]

    def _device(self) -> Device | None:
        return find_device(self.settings.device) if self.settings.device is not None else None

    def _screen(self) -> list[Command]:
        device = self._device()
        view = self.settings.viewport
        if view is None and device is not None:
            view = Viewport(width=device.width, height=device.height, scale=device.scale)
        view = view or self.usual_viewport
        touch = (
            self.settings.touch if self.settings.touch is not None else device is not None and device.touch
        )
        touching = (
            "Emulation.setTouchEmulationEnabled",
            {"enabled": touch, "maxTouchPoints": 5 if touch else 1},
        )
        if view is None:
            return [("Emulation.clearDeviceMetricsOverride", {}), touching]
        metrics = {
            "width": view.width,
            "height": view.height,
            "deviceScaleFactor": view.scale,
            # A size that was given is the page's size: a telephone would lay out many pages wider and shrink them.
            "mobile": device is not None and device.mobile and self.settings.viewport is None,
        }
        return [("Emulation.setDeviceMetricsOverride", metrics), touching]

    def _agent(self) -> list[Command]:
        device = self._device()
        version = _version(self.product)
        agent = self.settings.user_agent or (device.user_agent if device is not None else None) or ""
        from_table = device is not None and agent == device.user_agent  # others may contain braces
        params: dict[str, Any] = {"userAgent": agent.format(version=version) if from_table else agent}
        if self.settings.locale:
            params["acceptLanguage"] = self.settings.locale.replace("_", "-")
        if device is not None and device.platform and agent == device.user_agent:
            params["platform"] = "Linux armv81" if device.platform == "Android" else device.platform
        hints = _client_hints(params["userAgent"], device) if agent else None
        if hints is not None:
            params["userAgentMetadata"] = hints
        return [("Emulation.setUserAgentOverride", params)]

    def _geolocation(self) -> list[Command]:
        place = self.settings.geolocation
        if place is None:
            return [("Emulation.clearGeolocationOverride", {})]
        where = {"latitude": place.latitude, "longitude": place.longitude, "accuracy": place.accuracy}
        return [("Emulation.setGeolocationOverride", where)]

    def _locale(self) -> list[Command]:
        locale = self.settings.locale
        return [("Emulation.setLocaleOverride", {"locale": locale.replace("-", "_")} if locale else {})]

    def _timezone(self) -> list[Command]:
        return [("Emulation.setTimezoneOverride", {"timezoneId": self.settings.timezone or ""})]

    def _network(self) -> list[Command]:
        conditions = self.settings.network or Conditions()
        return [
            (
                "Network.emulateNetworkConditions",
                conditions.request(offline=bool(self.settings.offline)),
            )
        ]

    def _headers(self) -> list[Command]:
        return [("Network.setExtraHTTPHeaders", {"headers": dict(self.settings.headers or {})})]

    def _cpu(self) -> list[Command]:
        return [("Emulation.setCPUThrottlingRate", {"rate": self.settings.cpu or 1})]

    def _media(self) -> list[Command]:
        features = [
            {"name": feature, "value": getattr(self.settings, name) or ""}
            for name, feature in _FEATURES.items()
        ]
        return [("Emulation.setEmulatedMedia", {"media": self.settings.medium or "", "features": features})]


_CHOICES: dict[str, tuple[str, ...]] = {
    "color_scheme": get_args(ColorScheme),
    "reduced_motion": get_args(Motion),
    "contrast": get_args(Contrast),
    "forced_colors": get_args(ForcedColors),
    "medium": get_args(Medium),
}


def _changed_fields(before: Settings, after: Settings) -> set[str]:
    return {name for name in Settings.__dataclass_fields__ if getattr(before, name) != getattr(after, name)}


def _version(product: str) -> str:
    match = re.search(r"/(\d+)", product)
    return match.group(1) if match else "140"


def _client_hints(agent: str, device: Device | None) -> dict[str, Any] | None:
    """Client hints that match a user agent of the Chromium family; others send none."""
    match = _CHROME.search(agent)
    if match is None:
        return None
    version = match.group(1)
    android = "Android" in agent
    system = next(
        (
            name
            for mark, name in (
                ("Android", "Android"),
                ("Windows", "Windows"),
                ("Mac OS X", "macOS"),
                ("CrOS", "Chrome OS"),
            )
            if mark in agent
        ),
        "Linux",
    )
    brand = "Chromium" if "Chromium/" in agent else "Google Chrome"
    names = ["Chromium", "Not.A/Brand"] if brand == "Chromium" else ["Chromium", brand, "Not.A/Brand"]
    versions = {name: "24" if name == "Not.A/Brand" else version for name in names}
    return {
        "brands": [{"brand": name, "version": number} for name, number in versions.items()],
        "fullVersionList": [
            {"brand": name, "version": f"{number}.0.0.0"} for name, number in versions.items()
        ],
        "platform": system,
        "platformVersion": "15.0.0" if android else "",
        "architecture": "" if android else "x86",
        "bitness": "" if android else "64",
        "model": device.model if device is not None else "",
        "mobile": "Mobile" in agent,
    }


def check_settings(wanted: Settings) -> None:
    """BadSetting for invalid values."""
    if wanted.device is not None:
        find_device(wanted.device)
    _check_screen(wanted.viewport)
    _check_place(wanted.geolocation)
    check_headers(wanted.headers)
    check_conditions(wanted.network)
    if wanted.locale is not None and not _LOCALE.match(str(wanted.locale)):
        raise BadSetting(f"invalid locale: {wanted.locale!r}", hint="use a format such as en-GB or de")
    for name, choices in _CHOICES.items():
        value = getattr(wanted, name)
        if value is not None and value not in choices:
            raise BadSetting(f"invalid {name}: {value!r}", hint=f"use {', '.join(choices)}", setting=name)
    if wanted.cpu is not None and not 1 <= wanted.cpu <= SLOWEST_CPU:
        raise BadSetting(f"CPU throttling rate is out of range: {wanted.cpu}", hint=f"use 1 to {SLOWEST_CPU}")
    if wanted.user_agent is not None and not usable_value(str(wanted.user_agent)):
        raise BadSetting("the user agent is too long or contains control characters")


def _check_screen(view: Viewport | None) -> None:
    if view is None:
        return
    if not isinstance(view, Viewport):
        raise BadSetting("invalid viewport", hint="pass a width and a height")
    if not (0 < view.width <= LARGEST_EDGE and 0 < view.height <= LARGEST_EDGE and 0 < view.scale <= 10):  # noqa: PLR2004
        raise BadSetting(f"viewport is out of range: {view.width}×{view.height} at scale {view.scale}")


def _check_place(place: Geolocation | None) -> None:
    if place is None:
        return
    if not isinstance(place, Geolocation):
        raise BadSetting("invalid geolocation", hint="pass a latitude and a longitude")
    if not (-90 <= place.latitude <= 90 and -180 <= place.longitude <= 180 and place.accuracy >= 0):  # noqa: PLR2004
        raise BadSetting(f"geolocation is out of range: {place.latitude}, {place.longitude}")
