"""Values of commands as text for a reader and as plain data for a program; families register their types here."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import singledispatch
from typing import Any

from boathook.presentation.quoting import quote
from boathook.redaction.secret import Secret
from boathook.values import Ref

_SHOWN_REASONS = ("email", "token", "credential", "word", "size")


"""Why a stored value is hidden, if its name does not show it."""


@singledispatch
def as_text(value: Any) -> str:
    """A value as text; one without a renderer is listed field by field."""
    if value is None:
        return "done"
    if is_dataclass(value) and not isinstance(value, type):
        given = [(field.name, getattr(value, field.name)) for field in fields(value)]
        parts = [f"{name}={shorten(part)}" for name, part in given if part is not None]
        return " ".join(part for part in parts if not part.endswith(("=", "=()"))) or "done"
    return str(value)


def shorten(value: Any) -> str:
    """A field of a value, quoted if it is empty or has spaces."""
    return quote(value) if isinstance(value, str) and (not value or " " in value) else as_text(value)


@as_text.register
def _render_bool(value: bool) -> str:  # noqa: FBT001 - it is what is dispatched on
    return "true" if value else "false"


@as_text.register
def _render_str(value: str) -> str:
    return value


@as_text.register
def _render_secret(value: Secret) -> str:
    return f"{value} ({value.reason})" if value.reason in _SHOWN_REASONS else str(value)


@as_text.register(Mapping)
def _render_mapping(value: Mapping[str, Any]) -> str:
    return "\n".join(f"{name}: {as_text(part)}" for name, part in value.items())


@as_text.register(list)
@as_text.register(tuple)
def _render_sequence(value: Sequence[Any]) -> str:
    return "\n".join(as_text(part) for part in value) if value else "none"


@singledispatch
def as_data(value: Any) -> Any:
    """A value as JSON data."""
    return plain_data(value)


def plain_data(value: Any) -> Any:
    """A value as JSON data, field by field."""
    if value is None or isinstance(value, bool | int | float | str):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, Mapping):
        return {str(name): as_data(part) for name, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_data(part) for part in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if is_dataclass(value) and not isinstance(value, type | Ref):
        return {field.name: as_data(getattr(value, field.name)) for field in fields(value)}
    return str(value)
