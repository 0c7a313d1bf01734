"""Which URLs a tab can be navigated to: Chrome detaches debuggers from its own pages and from files, and the tab would be lost."""

from __future__ import annotations

import re

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_IGNORED = re.compile(r"[\x00-\x20]")
_CONTROLLED = frozenset({"http", "https", "data", "blob", "javascript", "ws", "wss"})
_BLANK = ("about:blank", "about:srcdoc")


def why_not_controllable(url: str) -> str:
    """Why a tab would be lost at this URL; empty if it would not."""
    plain = _IGNORED.sub("", url)  # as Chrome reads it
    found = _SCHEME.match(plain)
    if found is None or found[1].lower() in _CONTROLLED or plain.lower().startswith(_BLANK):
        return ""
    return f"Chrome allows no debugger at {found[1].lower()}: URLs; the tab stays at its page"
