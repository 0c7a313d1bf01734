"""Devices to emulate: screen, touch and user agent."""

from __future__ import annotations

from dataclasses import dataclass

from boathook.errors import BadSetting
from boathook.similar_words import did_you_mean


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


def _apple(width: int, height: int, scale: float = 3, *, tablet: bool = False) -> Device:
    agent, platform = (_IPAD_AGENT, "iPad") if tablet else (_IPHONE_AGENT, "iPhone")
    return Device(
        width=width, height=height, scale=scale, mobile=True, touch=True, user_agent=agent, platform=platform
    )


def _android(width: int, height: int, scale: float, model: str) -> Device:
    return Device(
        width=width,
        height=height,
        scale=scale,
        mobile=True,
        touch=True,
        user_agent=_ANDROID_AGENT,
        platform="Android",
        model=model,
    )


DEVICES: dict[str, Device] = {
    "iphone": _apple(393, 852),
    "iphone se": _apple(375, 667, 2),
    "iphone 12": _apple(390, 844),
    "iphone 14": _apple(390, 844),
    "iphone 15": _apple(393, 852),
    "iphone 16": _apple(393, 852),
    "iphone 16 pro": _apple(402, 874),
    "iphone 17": _apple(402, 874),
    "pixel": _android(412, 915, 2.625, "Pixel 9"),
    "pixel 5": _android(393, 851, 2.75, "Pixel 5"),
    "pixel 7": _android(412, 915, 2.625, "Pixel 7"),
    "pixel 9": _android(412, 923, 2.625, "Pixel 9"),
    "galaxy": _android(360, 780, 3, "SM-S931B"),
    "galaxy s21": _android(360, 800, 3, "SM-G991B"),
    "galaxy s25": _android(360, 780, 3, "SM-S931B"),
    "ipad": _apple(820, 1180, 2, tablet=True),
    "ipad air": _apple(820, 1180, 2, tablet=True),
    "ipad pro": _apple(1024, 1366, 2, tablet=True),
    "desktop": Device(width=1365, height=768, scale=1),
    "desktop hd": Device(width=1920, height=1080, scale=1),
    "laptop retina": Device(width=1440, height=900, scale=2),
}


def find_device(name: str) -> Device:
    """The device of this name."""
    device = DEVICES.get(name.lower()) if isinstance(name, str) else None
    if device is None:
        listed = f"use one of {', '.join(DEVICES)}"
        raise BadSetting(
            f"unknown device: {name!r}",
            hint=did_you_mean(str(name).lower(), DEVICES, otherwise=listed, cutoff=0.75),
        )
    return device
