"""Client hints of Chromium with a window: the structured form of its user agent, which a page or a server may request."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from typing import Any

_GREASE = (" ", "(", ":", "-", ".", "/", ")", ";", "=", "?", "_")
_GREASE_VERSIONS = ("8", "99", "24")
_ORDERS = {
    2: ((0, 1), (1, 0)),
    3: ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)),
}
"""Chromium adds a made-up brand to the real ones, and derives its name, version and position from its own version."""
_PROCESSORS = {
    "x86_64": ("x86", "64"),
    "amd64": ("x86", "64"),
    "i686": ("x86", "32"),
    "aarch64": ("arm", "64"),
    "armv7l": ("arm", "32"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientHints:
    """The values of `navigator.userAgentData` and the headers `Sec-CH-UA…`."""

    brands: tuple[tuple[str, str], ...]
    """Each with its full version; the short list has the major version."""
    architecture: str
    bitness: str

    def as_wire(self) -> dict[str, Any]:
        """As `userAgentMetadata` of the protocol."""
        return {
            "brands": [
                {"brand": brand, "version": version.partition(".")[0]} for brand, version in self.brands
            ],
            "fullVersionList": [{"brand": brand, "version": version} for brand, version in self.brands],
            "fullVersion": next(version for brand, version in self.brands if brand == "Chromium"),
            "platform": "Linux",
            "platformVersion": "",  # empty on Linux
            "architecture": self.architecture,
            "bitness": self.bitness,
            "model": "",
            "mobile": False,
            "wow64": False,
            "formFactors": ["Desktop"],
        }


def client_hints(version: str, *, own_brand: str = "") -> ClientHints | None:
    """The hints of this Chromium version with a window, on Linux; None if they are unknown.

    `own_brand` is the brand of a build that is not plain Chromium.
    """
    major = version.partition(".")[0]
    processor = _PROCESSORS.get(platform.machine().lower())
    if sys.platform != "linux" or processor is None or not major.isdecimal():
        return None
    return ClientHints(
        brands=_brands(int(major), version, own_brand), architecture=processor[0], bitness=processor[1]
    )


def _brands(major: int, version: str, own_brand: str) -> tuple[tuple[str, str], ...]:
    left, right = _GREASE[major % len(_GREASE)], _GREASE[(major + 1) % len(_GREASE)]
    made_up = (f"Not{left}A{right}Brand", f"{_GREASE_VERSIONS[major % len(_GREASE_VERSIONS)]}.0.0.0")
    named = [made_up, ("Chromium", version)]
    if own_brand:
        named.append((own_brand, version))
    orders = _ORDERS[len(named)]
    places = orders[major % len(orders)]
    return tuple(brand for _place, brand in sorted(zip(places, named, strict=True)))
