"""Emulation: viewport, device, location, locale, media features and network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from boathook.clock import READ_SECONDS
from boathook.effects import Effect, SideEffect
from boathook.engine.emulation.overrides import (
    SLOWEST_CPU,
    ColorScheme,
    Contrast,
    ForcedColors,
    Geolocation,
    Medium,
    Motion,
    SettingName,
    Settings,
)
from boathook.engine.network.conditions import PROFILES, Conditions, NetworkProfile
from boathook.engine.tab import Tab
from boathook.errors import BadSetting
from boathook.registry.invoke import invoke
from boathook.registry.parameters import sets_headers
from boathook.registry.registry import Between, Doc, Duration, command
from boathook.values import Viewport


def _traffic_of(given: Mapping[str, Any]) -> tuple[SideEffect, ...]:
    """What it changes besides the emulated device: headers and the network."""
    network = (SideEffect.CHANGES_TRAFFIC,) if given.get("offline") or given.get("network") else ()
    return (*network, *sets_headers(given))


@command(
    group="emulate",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    secrets=("headers",),
    side_effects_when=_traffic_of,
    doing="changing emulation",
    timeout=READ_SECONDS,
    examples=(
        "emulate --device pixel",
        "emulate --width 800 --height 600 --color-scheme dark",
        "emulate --reset device",
    ),
)
async def emulate(
    tab: Tab,
    *,
    device: Annotated[str | None, Doc("a device: iphone, pixel, ipad, desktop, …")] = None,
    width: Annotated[int | None, Doc("viewport width in CSS pixels; requires height")] = None,
    height: Annotated[int | None, Doc("viewport height in CSS pixels; requires width")] = None,
    scale: Annotated[float | None, Doc("device pixels per CSS pixel; requires width and height")] = None,
    user_agent: Annotated[str | None, Doc("the User-Agent string")] = None,
    latitude: Annotated[float | None, Doc("latitude; requires longitude"), Between(-90, 90)] = None,
    longitude: Annotated[float | None, Doc("longitude; requires latitude"), Between(-180, 180)] = None,
    accuracy: Annotated[float | None, Doc("accuracy of the location in meters")] = None,
    locale: Annotated[str | None, Doc("locale, such as de-DE")] = None,
    timezone: Annotated[str | None, Doc("such as Asia/Tokyo")] = None,
    color_scheme: Annotated[ColorScheme | None, Doc("prefers-color-scheme")] = None,
    reduced_motion: Annotated[Motion | None, Doc("prefers-reduced-motion")] = None,
    contrast: Annotated[Contrast | None, Doc("prefers-contrast")] = None,
    forced_colors: Annotated[ForcedColors | None, Doc("forced-colors")] = None,
    medium: Annotated[Medium | None, Doc("CSS media type")] = None,
    touch: Annotated[bool | None, Doc("emulate a touch screen")] = None,
    cpu: Annotated[float | None, Doc("CPU slowdown factor"), Between(1, SLOWEST_CPU)] = None,
    offline: Annotated[bool | None, Doc("emulate being offline")] = None,
    network: Annotated[NetworkProfile | None, Doc("network profile")] = None,
    headers: Annotated[Mapping[str, str] | None, Doc("extra headers for every request, as JSON")] = None,
    reset: Annotated[Sequence[SettingName], Doc("settings to reset")] = (),
) -> Settings:
    """Change emulation settings: viewport, location, locale, media features, network. Use `reset` to undo."""
    given: dict[str, Any] = {
        "device": device,
        "viewport": _viewport(width, height, scale),
        "user_agent": user_agent,
        "geolocation": _place(latitude, longitude, accuracy),
        "locale": locale,
        "timezone": timezone,
        "color_scheme": color_scheme,
        "reduced_motion": reduced_motion,
        "contrast": contrast,
        "forced_colors": forced_colors,
        "medium": medium,
        "touch": touch,
        "cpu": cpu,
        "offline": offline,
        "network": PROFILES.get(network) if network is not None else None,
        "headers": headers,
    }
    wanted = {name: value for name, value in given.items() if value is not None}
    for name in [reset] if isinstance(reset, str) else reset:
        if name not in get_args(SettingName) or name in wanted:
            raise BadSetting(
                f"cannot reset {name!r}: no such setting", hint=f"use {', '.join(get_args(SettingName))}"
            )
        wanted[name] = None
    if network == "none":
        wanted["network"] = None
    if "device" in wanted:
        wanted.setdefault("viewport", None)  # a device has its own screen
    return await tab.emulation.change(**wanted)


def _viewport(width: int | None, height: int | None, scale: float | None) -> Viewport | None:
    if width is None and height is None and scale is None:
        return None
    if width is None or height is None:
        raise BadSetting("a viewport requires both width and height", hint="pass both")
    return Viewport(width=width, height=height, scale=1.0 if scale is None else scale)


def _place(latitude: float | None, longitude: float | None, accuracy: float | None) -> Geolocation | None:
    if latitude is None and longitude is None and accuracy is None:
        return None
    if latitude is None or longitude is None:
        raise BadSetting("a location requires both latitude and longitude", hint="pass both")
    return Geolocation(
        latitude=latitude, longitude=longitude, **({} if accuracy is None else {"accuracy": accuracy})
    )


@command(
    group="emulate",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    examples=("set viewport 800 600", "set viewport 390 844 3"),
)
async def set_viewport(
    tab: Tab,
    width: Annotated[int, Doc("CSS pixels")],
    height: Annotated[int, Doc("CSS pixels")],
    scale: Annotated[float, Doc("device pixels per CSS pixel")] = 1.0,
) -> Settings:
    """Set the viewport size."""
    return await invoke(emulate, tab, width=width, height=height, scale=scale)


@command(group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set device pixel",))
async def set_device(
    tab: Tab, name: Annotated[str, Doc("a device: iphone, pixel, ipad, desktop, …")]
) -> Settings:
    """Emulate a device: viewport, touch and User-Agent."""
    return await invoke(emulate, tab, device=name)


@command(group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set geo 52.5 13.4",))
async def set_geo(
    tab: Tab,
    latitude: Annotated[float, Doc("latitude in degrees"), Between(-90, 90)],
    longitude: Annotated[float, Doc("longitude in degrees"), Between(-180, 180)],
    accuracy: Annotated[float, Doc("metres")] = 10.0,
) -> Settings:
    """Set the geolocation. Pages need the geolocation permission to read it."""
    return await invoke(emulate, tab, latitude=latitude, longitude=longitude, accuracy=accuracy)


@command(
    group="emulate",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    category="network",
    examples=("set offline on", "set offline off"),
)
async def set_offline(tab: Tab, state: Annotated[Literal["on", "off"], Doc("on or off")] = "on") -> Settings:
    """Turn offline mode on or off."""
    return await invoke(emulate, tab, offline=state == "on")


@command(
    group="network",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    doing="throttling the network",
    timeout=READ_SECONDS,
    examples=("set network slow-3g", "set network none", "set network --latency 200 --down 1000 --up 500"),
)
async def set_network(
    tab: Tab,
    profile: Annotated[NetworkProfile | None, Doc("network profile; none removes the limits")] = None,
    *,
    latency: Annotated[
        float | None, Doc("added latency in milliseconds"), Duration("ms"), Between(0, 60_000)
    ] = None,
    down: Annotated[float | None, Doc("download speed in kbit/s"), Between(1, 10_000_000)] = None,
    up: Annotated[float | None, Doc("upload speed in kbit/s"), Between(1, 10_000_000)] = None,
) -> Settings:
    """Throttle the network with a profile or with numbers; `none` removes the limits."""
    own = latency is not None or down is not None or up is not None
    if own == (profile is not None):
        raise BadSetting(
            "set network takes either a profile or numbers",
            hint=f"use {', '.join(get_args(NetworkProfile))}|, or `--latency N`|, `--down N`|, `--up N`",
        )
    made = Conditions(latency_ms=latency or 0.0, down_kbps=down or 0.0, up_kbps=up or 0.0, name="own")
    wanted = made if own else PROFILES.get(str(profile))
    return await tab.emulation.change(network=wanted)


@command(
    group="emulate",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    secrets=("headers",),
    category="network",
    examples=('set headers \'{"X-Test": "one"}\'',),
)
async def set_headers(
    tab: Tab, headers: Annotated[Mapping[str, str], Doc("headers as JSON; {} removes them")]
) -> Settings:
    """Set extra headers for every request, replacing those set before."""
    return await invoke(emulate, tab, headers=headers)


_MEDIA: dict[str, dict[str, str]] = {
    "dark": {"color_scheme": "dark"},
    "light": {"color_scheme": "light"},
    "reduced-motion": {"reduced_motion": "reduce"},
    "full-motion": {"reduced_motion": "no-preference"},
    "more-contrast": {"contrast": "more"},
    "less-contrast": {"contrast": "less"},
    "forced-colors": {"forced_colors": "active"},
    "print": {"medium": "print"},
    "screen": {"medium": "screen"},
}


@command(
    group="emulate",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    examples=("set media dark", "set media dark reduced-motion", "set media print"),
)
async def set_media(
    tab: Tab,
    *wishes: Annotated[
        str,
        Doc(
            "dark, light, reduced-motion, full-motion, more-contrast, less-contrast, forced-colors, print, screen"
        ),
    ],
) -> Settings:
    """Emulate CSS media features: color scheme, motion, contrast, screen or print."""
    unknown = next((wanted for wanted in wishes if wanted not in _MEDIA), None)
    if unknown is not None or not wishes:
        raise BadSetting(f"invalid media feature: {unknown!r}", hint=f"use {', '.join(_MEDIA)}")
    given: dict[str, Any] = {}
    for wanted in wishes:
        given |= _MEDIA[wanted]
    return await invoke(emulate, tab, **given)


@command(
    group="emulate",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    aliases=("set user-agent", "set useragent"),
    examples=("set user-agent 'Mozilla/5.0 (X11; Linux x86_64) Example/1.0'",),
)
async def set_user_agent(tab: Tab, text: Annotated[str, Doc("the User-Agent string")]) -> Settings:
    """Set the User-Agent. Client hints are set to match."""
    return await invoke(emulate, tab, user_agent=text)


@command(group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set locale de-DE",))
async def set_locale(tab: Tab, locale: Annotated[str, Doc("locale, such as de-DE")]) -> Settings:
    """Emulate a locale: Accept-Language, numbers and dates."""
    return await invoke(emulate, tab, locale=locale)


@command(
    group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set timezone Asia/Tokyo",)
)
async def set_timezone(tab: Tab, timezone: Annotated[str, Doc("such as Europe/Paris")]) -> Settings:
    """Emulate a time zone."""
    return await invoke(emulate, tab, timezone=timezone)


@command(
    group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set cpu 4", "set cpu 1")
)
async def set_cpu(
    tab: Tab, times: Annotated[float, Doc("slowdown factor"), Between(1, SLOWEST_CPU)]
) -> Settings:
    """Throttle the CPU."""
    return await invoke(emulate, tab, cpu=times)


@command(group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set touch on",))
async def set_touch(tab: Tab, state: Annotated[Literal["on", "off"], Doc("on or off")] = "on") -> Settings:
    """Turn touch screen emulation on or off."""
    return await invoke(emulate, tab, touch=state == "on")
