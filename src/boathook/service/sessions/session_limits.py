"""Limits: how many sessions and browsers may run, and how much memory must be left for another one."""

from __future__ import annotations

import math
import re
from pathlib import Path

from boathook.errors import BadSetting, LimitReached

MOST_SESSIONS = 32
MOST_BROWSERS = 8
LEAST_FREE_MIB = 256
"""A browser with one page takes about this much; with less left the machine starts to swap or to kill."""
_CLOSE = "close what is not needed|: `session list`|, `close --all`"

_TIME = re.compile(r"(\d{1,9})(ms|s|m|h)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0}


def idle_seconds(text: str) -> float:
    """How long a session may be idle, from text such as 10s, 3m, 1h or 600000; 0 means no limit."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise BadSetting(f"invalid idle timeout: {text[:40]!r}", hint="use 10s, 3m or 1h; 0 means no limit")
    return int(match[1]) * _UNITS[match[2] or "ms"] or math.inf


def check_sessions(running: int) -> None:
    """Refuse a session above the limit."""
    if running >= MOST_SESSIONS:
        raise LimitReached(f"limit reached: {running} sessions are running", hint=_CLOSE)


def check_browsers(running: int, *, free_mib: int | None, most: int | None = None) -> None:
    """Refuse a browser above the limit, or one for which there is no memory; None: unknown, or not set by the user."""
    allowed = MOST_BROWSERS if most is None else most
    if running >= allowed:
        raise LimitReached(
            f"limit reached: {running} browsers are running",
            hint=f"{_CLOSE}|; or allow more: `=max_browsers`",
        )
    if free_mib is not None and free_mib < LEAST_FREE_MIB:
        raise LimitReached(
            f"not enough memory: {free_mib} MiB are free, a browser needs {LEAST_FREE_MIB}", hint=_CLOSE
        )


def free_memory_mib(facts: Path = Path("/proc/meminfo")) -> int | None:
    """Available memory; None if the system does not report it."""
    try:
        lines = facts.read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    for line in lines:
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            return int(rest.split()[0]) // 1024
    return None
