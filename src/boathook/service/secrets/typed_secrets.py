"""What a call typed into a secret field: it must not be repeated with the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.actions.perform import Performed
from boathook.redaction.secret import Secret

if TYPE_CHECKING:
    from boathook.service.input.command_line import ParsedCommandLine
    from boathook.service.output.outcome import Outcome


def find_typed_secrets(read: ParsedCommandLine, outcome: Outcome) -> set[str]:
    """What a step typed into a secret field, or may have: for a failed one, the kind of field is not known."""
    done = outcome.value if isinstance(outcome.value, Performed) else None
    on_secret = done is not None and (done.on_secret or isinstance(done.value, Secret))
    if outcome.ok and not on_secret:
        return set()
    return {
        form
        for name in read.command.secrets
        for word in _words(read.arguments.get(name))
        for form in (word, f"--{name.replace('_', '-')}={word}")
    }


def _words(value: object) -> list[str]:
    parts = value if isinstance(value, list | tuple) else [value]
    return [str(part) for part in parts if part]
