"""The user agent of a headless browser: that of the same browser with a window."""

from __future__ import annotations

import sys

_SYSTEMS = {
    "linux": "X11; Linux x86_64",
    "darwin": "Macintosh; Intel Mac OS X 10_15_7",
    "win32": "Windows NT 10.0; Win64; x64",
}
"""Chromium uses these on every machine of the kind, regardless of its processor and version."""


def user_agent(version: str) -> str | None:
    """The user agent of this Chromium version with a window; None if it is unknown."""
    system = _SYSTEMS.get(sys.platform)
    major = version.partition(".")[0]
    if system is None or not major.isdecimal():
        return None
    return f"Mozilla/5.0 ({system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{major}.0.0.0 Safari/537.36"
