"""Durations as people write them: `500ms`, `2s`, `1m`, `1h`; a bare number has the unit of its parameter."""

from __future__ import annotations

import re
from typing import Literal

Unit = Literal["s", "ms"]
SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?)(ms|s|m|h)")


def parse_duration(text: str, unit: Unit) -> float | None:
    """A duration with a unit, in the unit of its parameter; None for any other text."""
    match = _DURATION.fullmatch(text.strip())
    return None if match is None else round(float(match[1]) * SECONDS[match[2]] / SECONDS[unit], 6)


_TIME = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)", re.IGNORECASE)
_OTHER_UNITS = {
    **dict.fromkeys(("ms", "msec", "msecs", "millis", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), "m"),
    **dict.fromkeys(("h", "hr", "hour", "hours"), "h"),
}


def meant_time(text: str) -> str:
    """A time as it is written here: `5 seconds` is `5s`; empty for other text."""
    match = _TIME.fullmatch(text.strip())
    unit = _OTHER_UNITS.get(match[2].lower()) if match else None
    return f"{match[1]}{unit}" if match and unit else ""
