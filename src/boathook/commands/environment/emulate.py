"""What pages find: screen, place, language, taste and network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from boathook.engine.emulation.overrides import (
    SLOWEST_CPU,
    ColorScheme,
    Contrast,
    ForcedColors,
    Medium,
    Motion,
    Place,
    SettingName,
    Settings,
)
from boathook.engine.network.conditions import PROFILES, Conditions, NetworkProfile
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.errors import BadSetting
from boathook.registry.parameters import Timeout
from boathook.registry.registry import Between, Doc, Effect, command
from boathook.values import Viewport


@command(
    group="emulate",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    secrets=("headers",),
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
    width: Annotated[int | None, Doc("of the viewport, in CSS pixels; goes with height")] = None,
    height: Annotated[int | None, Doc("of the viewport, in CSS pixels; goes with width")] = None,
    scale: Annotated[float | None, Doc("device pixels per CSS pixel; goes with width and height")] = None,
    user_agent: Annotated[str | None, Doc("what the browser calls itself")] = None,
    latitude: Annotated[float | None, Doc("of the place; goes with longitude"), Between(-90, 90)] = None,
    longitude: Annotated[float | None, Doc("of the place; goes with latitude"), Between(-180, 180)] = None,
    accuracy: Annotated[float | None, Doc("of the place, in metres")] = None,
    locale: Annotated[str | None, Doc("language and country, such as de-DE")] = None,
    timezone: Annotated[str | None, Doc("such as Asia/Tokyo")] = None,
    color_scheme: Annotated[ColorScheme | None, Doc("the colours that pages are asked for")] = None,
    reduced_motion: Annotated[Motion | None, Doc("whether pages are asked to move less")] = None,
    contrast: Annotated[Contrast | None, Doc("how much contrast pages are asked for")] = None,
    forced_colors: Annotated[ForcedColors | None, Doc("whether the system's own colours are forced")] = None,
    medium: Annotated[Medium | None, Doc("what pages are styled for")] = None,
    touch: Annotated[bool | None, Doc("with a touch screen")] = None,
    cpu: Annotated[
        float | None, Doc("how many times slower the processor is"), Between(1, SLOWEST_CPU)
    ] = None,
    offline: Annotated[bool | None, Doc("without network")] = None,
    network: Annotated[NetworkProfile | None, Doc("a slow network by its name")] = None,
    headers: Annotated[Mapping[str, str] | None, Doc("headers for every request, as JSON")] = None,
    reset: Annotated[Sequence[SettingName], Doc("what becomes the real thing again")] = (),
    timeout: Timeout = READ_SECONDS,
) -> Settings:
    """Change what pages find: screen, place, language, taste, network. `reset` puts the real thing back."""
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
            raise BadSetting(f"{name!r} cannot be reset here", hint=f"use {', '.join(get_args(SettingName))}")
        wanted[name] = None
    if network == "none":
        wanted["network"] = None
    if "device" in wanted:
        wanted.setdefault("viewport", None)  # a device has a screen of its own
    async with tab.call("changing emulation", seconds=timeout, looks=True, needs_page=False):
        return await tab.emulation.change(**wanted)


def _viewport(width: int | None, height: int | None, scale: float | None) -> Viewport | None:
    if width is None and height is None and scale is None:
        return None
    if width is None or height is None:
        raise BadSetting("a viewport has a width and a height", hint="give both")
    return Viewport(width=width, height=height, scale=1.0 if scale is None else scale)


def _place(latitude: float | None, longitude: float | None, accuracy: float | None) -> Place | None:
    if latitude is None and longitude is None and accuracy is None:
        return None
    if latitude is None or longitude is None:
        raise BadSetting("a place has a latitude and a longitude", hint="give both")
    return Place(
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
    """Give the page area a size."""
    return await emulate(tab, width=width, height=height, scale=scale)


@command(group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set device pixel",))
async def set_device(
    tab: Tab, name: Annotated[str, Doc("a device: iphone, pixel, ipad, desktop, …")]
) -> Settings:
    """Pretend to be a device, with its screen, touch and name."""
    return await emulate(tab, device=name)


@command(group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set geo 52.5 13.4",))
async def set_geo(
    tab: Tab,
    latitude: Annotated[float, Doc("degrees to the north"), Between(-90, 90)],
    longitude: Annotated[float, Doc("degrees to the east"), Between(-180, 180)],
    accuracy: Annotated[float, Doc("metres")] = 10.0,
) -> Settings:
    """Be at a place; pages learn it when they may ask for it."""
    return await emulate(tab, latitude=latitude, longitude=longitude, accuracy=accuracy)


@command(
    group="emulate",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    examples=("set offline on", "set offline off"),
)
async def set_offline(
    tab: Tab, state: Annotated[Literal["on", "off"], Doc("without network, or with it again")] = "on"
) -> Settings:
    """Take the network away from pages, or give it back."""
    return await emulate(tab, offline=state == "on")


@command(
    group="network",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    examples=("set network slow-3g", "set network none", "set network --latency 200 --down 1000 --up 500"),
)
async def set_network(
    tab: Tab,
    profile: Annotated[NetworkProfile | None, Doc("a slow network by its name; none is the real one")] = None,
    *,
    latency: Annotated[float | None, Doc("milliseconds until an answer begins"), Between(0, 60_000)] = None,
    down: Annotated[float | None, Doc("kilobits per second to the browser"), Between(1, 10_000_000)] = None,
    up: Annotated[float | None, Doc("kilobits per second from the browser"), Between(1, 10_000_000)] = None,
    timeout: Timeout = READ_SECONDS,
) -> Settings:
    """Make the network slow, by a name or by numbers; `none` gives the real one back."""
    own = latency is not None or down is not None or up is not None
    if own == (profile is not None):
        raise BadSetting(
            "set network takes a name or numbers, one of them",
            hint=f"use {', '.join(get_args(NetworkProfile))}|, or `--latency N`|, `--down N`|, `--up N`",
        )
    made = Conditions(latency_ms=latency or 0.0, down_kbps=down or 0.0, up_kbps=up or 0.0, name="own")
    wanted = made if own else PROFILES.get(str(profile))
    async with tab.call("slowing the network", seconds=timeout, looks=True, needs_page=False):
        return await tab.emulation.change(network=wanted)


@command(
    group="emulate",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    secrets=("headers",),
    examples=('set headers \'{"X-Test": "one"}\'',),
)
async def set_headers(
    tab: Tab, headers: Annotated[Mapping[str, str], Doc("names and values, as JSON; {} for none")]
) -> Settings:
    """Send headers with every request, instead of those that were set before."""
    return await emulate(tab, headers=headers)


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
    """What style sheets are asked for: colours, motion, contrast, screen or print."""
    unknown = next((one for one in wishes if one not in _MEDIA), None)
    if unknown is not None or not wishes:
        raise BadSetting(f"{unknown!r} is no wish for style sheets", hint=f"use {', '.join(_MEDIA)}")
    given: dict[str, Any] = {}
    for one in wishes:
        given |= _MEDIA[one]
    return await emulate(tab, **given)


@command(
    group="emulate",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    words=("set user-agent", "set useragent"),
    examples=("set user-agent 'Mozilla/5.0 (X11; Linux x86_64) Example/1.0'",),
)
async def set_user_agent(tab: Tab, text: Annotated[str, Doc("what the browser calls itself")]) -> Settings:
    """Call the browser something else; hints of Chromium's kind are made to agree with it."""
    return await emulate(tab, user_agent=text)


@command(group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set locale de-DE",))
async def set_locale(tab: Tab, locale: Annotated[str, Doc("language and country")]) -> Settings:
    """Speak another language: headers, numbers and dates."""
    return await emulate(tab, locale=locale)


@command(
    group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set timezone Asia/Tokyo",)
)
async def set_timezone(tab: Tab, timezone: Annotated[str, Doc("such as Europe/Paris")]) -> Settings:
    """Be in another time zone."""
    return await emulate(tab, timezone=timezone)


@command(
    group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set cpu 4", "set cpu 1")
)
async def set_cpu(
    tab: Tab, times: Annotated[float, Doc("how many times slower"), Between(1, SLOWEST_CPU)]
) -> Settings:
    """Have a slower processor."""
    return await emulate(tab, cpu=times)


@command(group="emulate", effect=Effect.CHANGES_BROWSER, handles_dialog=True, examples=("set touch on",))
async def set_touch(
    tab: Tab, state: Annotated[Literal["on", "off"], Doc("with a touch screen, or without")] = "on"
) -> Settings:
    """Have a touch screen."""
    return await emulate(tab, touch=state == "on")
