"""A secret value: it can be passed on and used, but not printed."""

from __future__ import annotations

from typing import Any, NoReturn

REDACTED = "[REDACTED]"


class Secret:
    """A value that shows as `[REDACTED]` in text, JSON and logs; `reveal()` returns it."""

    __slots__ = ("_value", "reason")

    def __init__(self, value: str, *, reason: str = "") -> None:
        self._value = value
        self.reason = reason
        """Why it is secret: `field`, `cookie`, `email`, …"""

    def reveal(self) -> str:
        """The value itself."""
        return self._value

    def __str__(self) -> str:
        return REDACTED if self._value else ""

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return self._value == (other._value if isinstance(other, Secret) else other)

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret cannot be pickled; use reveal()")


def reveal_value(value: Any) -> Any:
    """The value itself, revealed if it is a Secret."""
    return value.reveal() if isinstance(value, Secret) else value
