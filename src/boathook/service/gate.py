"""The gate: every byte that leaves passes here, once: secrets out, control characters written out, length bounded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from boathook.commands.results import Look, ReadText
from boathook.engine.actions.collecting import Collected
from boathook.presentation.values import as_data, as_text
from boathook.service.boundary import enclosed, for_terminal, fresh_nonce
from boathook.service.redaction import Redactor

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from boathook.errors import BoathookError
    from boathook.service.outcome import Outcome
    from boathook.service.spill import Spills

PROGRAM = "boathook"
DEFAULT_CHARACTERS = 8_000
MANY_LINES = 10**9
_PAGE_TEXT = (Look, ReadText, Collected)
"""Values that are what a page said, many lines of it."""


class Gate:
    """The way out for one call."""

    def __init__(
        self,
        *,
        secrets: Collection[str] = (),
        spills: Spills | None = None,
        boundaries: bool = False,
        characters: int | None = None,
    ) -> None:
        self.redactor = Redactor(secrets)
        self._spills = spills
        self._boundaries = boundaries
        self._characters = characters
        self.spilled: Path | None = None

    def in_text(self, outcome: Outcome) -> tuple[str, str]:
        """What goes to the output and what to the error stream."""
        notes = "".join(f"note: {self._clean(note)}\n" for note in outcome.notes)
        if outcome.error is not None:
            return "", notes + self.error_in_text(outcome.error) + self._advice(outcome)
        text = self._fitted(as_text(outcome.value), bounded=isinstance(outcome.value, _PAGE_TEXT))
        if self._boundaries and _is_page_text(outcome.value, text) and outcome.page is not None:
            origin = self._clean(outcome.page.url)
            return f"{notes}{enclosed(text, origin=origin, nonce=fresh_nonce())}\n", ""
        return f"{notes}{text}\n", ""

    def in_json(self, outcome: Outcome) -> str:
        """The whole outcome as one JSON object."""
        told: dict[str, Any] = {"ok": outcome.ok, "command": outcome.command, "category": outcome.category}
        if outcome.session:
            told["session"] = outcome.session
        if outcome.page is not None:
            told["page"] = {"tab": outcome.page.tab, "url": outcome.page.url}
        if outcome.error is None:
            told["data"] = as_data(outcome.value)
            text = as_text(outcome.value)
            told["text"] = self._fitted(text, bounded=isinstance(outcome.value, _PAGE_TEXT))
        else:
            told["error"] = error_data(outcome.error)
        if outcome.notes:
            told["notes"] = list(outcome.notes)
        if outcome.next_actions:
            told["next"] = [
                {"reason": one.reason, "argv": list(one.argv), "safe": one.safe}
                for one in outcome.next_actions
            ]
        if outcome.artifacts:
            told["artifacts"] = [as_data(artifact) for artifact in outcome.artifacts]
        return self.data(told)

    def data(self, told: dict[str, Any]) -> str:
        """Plain data as a line of JSON, without secrets."""
        return json.dumps(self.redactor.value(told), ensure_ascii=False) + "\n"

    def error_in_text(self, error: BoathookError) -> str:
        """One line: what is wrong, what to do, and the code to look up."""
        return f"error: {self._clean(str(error))} [{error.code}]\n"

    def _advice(self, outcome: Outcome) -> str:
        lines = (f"next: {PROGRAM} {' '.join(one.argv)}   ({one.reason})\n" for one in outcome.next_actions)
        return self._clean_lines("".join(lines))

    def _clean(self, text: str) -> str:
        return self._clean_lines(" ".join(text.split("\n")))

    def _clean_lines(self, text: str) -> str:
        return for_terminal(self.redactor.text(text))

    def _fitted(self, text: str, *, bounded: bool) -> str:
        """Within the budget; what has a budget of its own is cut only when somebody asks for less."""
        most = self._characters if self._characters is not None else None if bounded else DEFAULT_CHARACTERS
        if self._spills is None or most is None or len(text) <= most:
            return self._clean_lines(text)
        fitted = self._spills.fit(text, redactor=self.redactor, characters=most, lines=MANY_LINES)
        self.spilled = fitted.path
        return for_terminal(fitted.text)


def _is_page_text(value: Any, text: str) -> bool:
    return isinstance(value, _PAGE_TEXT) or (isinstance(value, str) and "\n" in text)


def error_data(error: BoathookError) -> dict[str, Any]:
    """An error as data."""
    return {
        "code": error.code,
        "category": error.category,
        "message": error.message,
        "hint": error.hint,
        "retry_safe": error.retry_safe,
        "evidence": as_data(error.evidence),
    }
