"""Whether a cookie or a stored value is a credential, judged by name, shape and flags."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from boathook.redaction.known_secrets import SHORTEST_SECRET
from boathook.redaction.rules import is_token_shaped
from boathook.redaction.sensitive_names import sensitive_name
from boathook.redaction.stored_values import names_private

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MACHINE_MADE = 16
"""A value of that many mixed letters and digits is generated, most likely a credential."""


def is_credential(name: str, value: str, *, hidden: bool = False) -> bool:
    """Whether this value under this name is one; `hidden` is a cookie's HttpOnly."""
    if len(value) < SHORTEST_SECRET:
        return False
    if hidden or sensitive_name(name):
        return True
    machine_made = len(value) >= MACHINE_MADE and " " not in value
    return is_token_shaped(value) and (machine_made or names_private(name))


def credentials_in(name: str, value: str) -> Iterator[str]:
    """Credentials in a stored value: the value itself, or parts with sensitive names if it is JSON."""
    try:
        parsed = json.loads(value) if value[:1] in "{[" else None
    except ValueError:
        parsed = None
    if isinstance(parsed, dict):
        yield from _find_nested(parsed)
    elif is_credential(name, value):
        yield value


def _find_nested(fields: Mapping[str, Any]) -> Iterator[str]:
    for name, part in fields.items():
        if isinstance(part, dict):
            yield from _find_nested(part)
        elif isinstance(part, str) and is_credential(name, part):
            yield part
