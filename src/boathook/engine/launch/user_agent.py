"""What a browser without a window calls itself: what the same one with a window does."""

from __future__ import annotations

import sys

_SYSTEMS = {
    "linux": "X11; Linux x86_64",
    "darwin": "Macintosh; Intel Mac OS X 10_15_7",
    "win32": "Windows NT 10.0; Win64; x64",
}
"""Chromium names these on every machine of the kind, whatever its processor and version."""


def user_agent(version: str) -> str | None:
    """The user agent of Chromium of this version in a window; None where we do not know what that is."""
    system = _SYSTEMS.get(sys.platform)
    major = version.partition(".")[0]
    if system is None or not major.isdecimal():
        return None
    return f"Mozilla/5.0 ({system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{major}.0.0.0 Safari/537.36"
