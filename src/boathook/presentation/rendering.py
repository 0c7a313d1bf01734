"""Values of commands as text for a reader and as plain data for a program; families register their types here.

All families are loaded when a type is met that has no renderer yet.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import singledispatch
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

from boathook.presentation.quoting import on_one_line, quote
from boathook.redaction.secret import Secret
from boathook.values import Ref

if TYPE_CHECKING:
    from collections.abc import Callable

ALL_RENDERERS = "boathook.presentation.all_renderers"
Render = TypeVar("Render", bound="Callable[..., str]")
_SHOWN_REASONS = ("email", "token", "credential", "word", "size")
"""Why a stored value is hidden, if its name does not show it."""
_OWN_LINES: set[type] = {type(None), bool, int, float, Secret}


def _load_families() -> bool:
    """Load all renderers; whether some were missing."""
    if ALL_RENDERERS in sys.modules:
        return False
    import_module(ALL_RENDERERS)
    return True


@singledispatch
def as_text(value: Any) -> str:
    """A value as text; one without a renderer is listed field by field."""
    if value is None:
        return "done"
    if _load_families():
        return as_text(value)
    if is_dataclass(value) and not isinstance(value, type):
        given = [(field.name, getattr(value, field.name)) for field in fields(value)]
        parts = [f"{name}={shorten(part)}" for name, part in given if part is not None]
        return " ".join(part for part in parts if not part.endswith(("=", "=()"))) or "done"
    return str(value)


def own_lines(render: Render, *, kind: type | None = None) -> Render:
    """Register a renderer whose lines all begin with a fixed label: its text is printed without a boundary.

    All other types are page content. The renderer gets the value without line ends, so that no string of a page
    becomes a line, whatever it does with it.
    """
    rendered = kind or next(iter(get_type_hints(render).values()))
    as_text.register(rendered, lambda value: render(on_one_line(value)))
    _OWN_LINES.add(rendered)
    return render


def has_own_lines(value: Any) -> bool:
    """Whether no line of a value's text was written by a page; a type without a renderer has one line of names and values."""
    if isinstance(value, tuple(_OWN_LINES)):
        return True
    if isinstance(value, list | tuple):
        return all(map(has_own_lines, value))
    if not isinstance(value, str | Mapping) and _load_families():
        return has_own_lines(value)
    return is_dataclass(value) and as_text.dispatch(type(value)) is as_text.dispatch(object)


def shorten(value: Any) -> str:
    """A field of a value on one line, quoted if it is empty or has spaces."""
    if isinstance(value, str):
        return quote(value) if not value or value != "".join(value.split()) else value
    return ", ".join(map(shorten, value)) if isinstance(value, list | tuple) else _one_line(value)


def _one_line(value: Any) -> str:
    """A value in a list or an object."""
    if isinstance(value, Mapping | list | tuple):
        return json.dumps(plain_data(value), ensure_ascii=False)
    return as_text(on_one_line(value))


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
    return "\n".join(f"{on_one_line(str(name))}: {_one_line(part)}" for name, part in value.items())


@as_text.register(list)
@as_text.register(tuple)
def _render_sequence(value: Sequence[Any]) -> str:
    parts = (on_one_line(part) if isinstance(part, str) else part for part in value)
    return "\n".join(map(as_text, parts)) if value else "none"


@singledispatch
def as_data(value: Any) -> Any:
    """A value as JSON data."""
    if is_dataclass(value) and _load_families():
        return as_data(value)
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
