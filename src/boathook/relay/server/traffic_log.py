"""The latest messages, without secrets: names and sizes are kept, values of fields that may contain one are not."""

from __future__ import annotations

import itertools
from collections import deque
from typing import Any

MOST_ENTRIES = 2_000
_KEPT = frozenset({"frameId", "loaderId", "type", "targetId", "name", "requestId", "timestamp", "contextId"})
_SHORT = 80


class TrafficLog:
    """A ring buffer of entries with sequence numbers, so that a reader sees what it has missed."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._entries: deque[dict[str, Any]] = deque(maxlen=MOST_ENTRIES)

    @property
    def range(self) -> tuple[int, int]:
        """The numbers of the oldest and of the latest entry; zeros if there is none."""
        return (self._entries[0]["number"], self._entries[-1]["number"]) if self._entries else (0, 0)

    def note(self, direction: str, client: str, message: Any) -> None:
        """Keep what is needed to see the order of events."""
        if not isinstance(message, dict):
            return
        entry: dict[str, Any] = {"number": next(self._numbers), "direction": direction, "client": client}
        for field in ("id", "method", "sessionId"):
            if isinstance(message.get(field), int | str):
                entry[field] = message[field] if isinstance(message[field], int) else message[field][:_SHORT]
        if isinstance(message.get("params"), dict):
            entry["params"] = _bare(message["params"])
        if isinstance(message.get("error"), dict):
            entry["error"] = str(message["error"].get("code"))
        self._entries.append(entry)

    def after(self, number: int, *, most: int = 300) -> list[dict[str, Any]]:
        """The newest of the later entries, oldest first."""
        return [entry for entry in self._entries if entry["number"] > number][-most:]


def _bare(params: dict[str, Any]) -> dict[str, Any]:
    """Field names, with the values of those that contain no page content."""
    return {
        str(name)[:_SHORT]: value
        if name in _KEPT and isinstance(value, int | float | bool)
        else _kind(name, value)
        for name, value in list(params.items())[:20]
    }


def _kind(name: str, value: Any) -> str:
    if name in _KEPT and isinstance(value, str) and value.isalnum():
        return value[:_SHORT]
    return type(value).__name__ if not isinstance(value, str) else f"{len(value)} characters"
