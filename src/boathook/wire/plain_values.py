"""Values of scripts as plain data: bounded, without cycles, never raising."""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = 20
MOST_ITEMS = 10_000
MOST_CHARACTERS = 1_000_000
_CUT = "…"


class Plain:
    """Converts one value to plain data, within a budget of characters."""

    def __init__(self, characters: int = MOST_CHARACTERS, *, deepest: int = DEEPEST) -> None:
        self._left = characters
        self._deepest = deepest
        self._around: list[int] = []
        self.cut = False
        """Whether something was omitted."""

    def of(self, value: Any) -> Any:
        """The value as JSON data."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return self._number(value)
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, bytes | bytearray):
            return self._text(f"<{len(value)} bytes>")
        if id(value) in self._around or len(self._around) >= self._deepest:
            self.cut = True
            return _CUT
        self._around.append(id(value))
        try:
            return self._inside(value)
        finally:
            self._around.pop()

    def _inside(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {self._text(str(name)): self.of(part) for name, part in self._first(value.items())}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.of(part) for part in self._first(value)]
        try:
            if isinstance(value, Mapping):
                return self._inside(dict(value))
            return self._text(str(value))
        except Exception:  # noqa: BLE001 (a script's own class may do anything there)
            return f"<{type(value).__name__}>"

    def _first(self, parts: Any) -> Any:
        for number, part in enumerate(list(parts)):
            if number >= MOST_ITEMS or self._left <= 0:
                self.cut = True
                return
            self._left -= 1
            yield part

    def _number(self, value: float) -> Any:
        try:
            self._left -= len(str(value))
        except ValueError:  # an integer of thousands of digits
            self.cut = True
            return _CUT
        # JSON has no word for these.
        return value if isinstance(value, int) or value - value == 0 else str(value)

    def _text(self, value: str) -> str:
        if len(value) > self._left:
            self.cut = True
            value = value[: max(0, self._left)] + _CUT
        self._left -= len(value)
        return value.encode("utf-8", "replace").decode()
