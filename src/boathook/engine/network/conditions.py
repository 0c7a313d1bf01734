"""Network conditions: named presets, and custom ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from boathook.errors import BadSetting

NetworkProfile = Literal["slow-3g", "fast-3g", "slow-4g", "fast-4g", "none"]
LONGEST_LATENCY_MS = 60_000
_KBIT = 1_000 / 8
"""Bytes per second in a kilobit per second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """How slow a network is; 0 means unlimited."""

    latency_ms: float = 0.0
    down_kbps: float = 0.0
    up_kbps: float = 0.0
    name: str = ""

    def request(self, *, offline: bool) -> dict[str, object]:
        """The parameters of the protocol."""
        return {
            "offline": offline,
            "latency": self.latency_ms,
            "downloadThroughput": self.down_kbps * _KBIT if self.down_kbps else -1,
            "uploadThroughput": self.up_kbps * _KBIT if self.up_kbps else -1,
        }


PROFILES: dict[str, Conditions] = {
    "slow-3g": Conditions(name="slow-3g", latency_ms=400, down_kbps=400, up_kbps=400),
    "fast-3g": Conditions(name="fast-3g", latency_ms=150, down_kbps=1_600, up_kbps=750),
    "slow-4g": Conditions(name="slow-4g", latency_ms=100, down_kbps=3_000, up_kbps=1_500),
    "fast-4g": Conditions(name="fast-4g", latency_ms=40, down_kbps=10_000, up_kbps=5_000),
}
"""Latency and throughput of mobile networks, as performance tools commonly assume them."""


def check_conditions(wanted: Conditions | None) -> None:
    """BadSetting for invalid network conditions."""
    if wanted is None:
        return
    if not 0 <= wanted.latency_ms <= LONGEST_LATENCY_MS:
        raise BadSetting(
            f"latency is out of range: {wanted.latency_ms:g} ms", hint=f"use 0 to {LONGEST_LATENCY_MS}"
        )
    if wanted.down_kbps < 0 or wanted.up_kbps < 0:
        raise BadSetting("throughput must not be negative", hint="omit it for no limit")
