"""Devices to pretend to be: screen, touch and what the browser calls itself."""

from __future__ import annotations

from dataclasses import dataclass

from boathook.errors import BadSetting


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """One device; `{version}` in its user agent becomes the real browser's major version."""

    width: int
    height: int
    scale: float
    mobile: bool = False
    touch: bool = False
    user_agent: str | None = None
    platform: str = ""
    model: str = ""


_IPHONE_AGENT = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)
_IPAD_AGENT = (
    "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)
_ANDROID_AGENT = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{version}.0.0.0 Mobile Safari/537.36"
)

DEVICES: dict[str, Device] = {
    "iphone": Device(
        width=393, height=852, scale=3, mobile=True, touch=True, user_agent=_IPHONE_AGENT, platform="iPhone"
    ),
    "iphone se": Device(
        width=375, height=667, scale=2, mobile=True, touch=True, user_agent=_IPHONE_AGENT, platform="iPhone"
    ),
    "pixel": Device(
        width=412,
        height=915,
        scale=2.625,
        mobile=True,
        touch=True,
        user_agent=_ANDROID_AGENT,
        platform="Android",
        model="Pixel 9",
    ),
    "galaxy": Device(
        width=360,
        height=780,
        scale=3,
        mobile=True,
        touch=True,
        user_agent=_ANDROID_AGENT,
        platform="Android",
        model="SM-S931B",
    ),
    "ipad": Device(
        width=820, height=1180, scale=2, mobile=True, touch=True, user_agent=_IPAD_AGENT, platform="iPad"
    ),
    "desktop": Device(width=1365, height=768, scale=1),
    "desktop hd": Device(width=1920, height=1080, scale=1),
    "laptop retina": Device(width=1440, height=900, scale=2),
}


def find_device(name: str) -> Device:
    """The device of this name."""
    device = DEVICES.get(name.lower()) if isinstance(name, str) else None
    if device is None:
        raise BadSetting(f"there is no device {name!r}", hint=f"use one of {', '.join(DEVICES)}")
    return device
