"""Values against the part of JSON Schema that our tools use; an error names the field by its path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest
from boathook.similar_words import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN = 60
_TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "string": (str, "a string"),
    "boolean": (bool, "true or false"),
    "integer": (int, "an integer"),
    "array": (list, "a list"),
    "object": (dict, "an object"),
}


def check_value(value: Any, schema: Mapping[str, Any], path: str) -> None:
    """BadRequest if a value does not fit; `path` is how its field is named, such as `job.steps[2].url`."""
    if "anyOf" in schema:
        _check_any(value, schema["anyOf"], path)
        return
    kind, words = _TYPES[schema["type"]]
    if not isinstance(value, kind) or (isinstance(value, bool) and schema["type"] != "boolean"):
        raise _wrong(path, words, value)
    if "enum" in schema and value not in schema["enum"]:
        hint = did_you_mean(str(value), schema["enum"])
        raise _wrong(path, f"one of {', '.join(schema['enum'])}", value, hint=hint)
    if "minimum" in schema and not schema["minimum"] <= value <= schema.get("maximum", value):
        most = f" to {schema['maximum']}" if "maximum" in schema else " or more"
        raise _wrong(path, f"{schema['minimum']}{most}", value)
    if isinstance(value, list):
        _check_items(value, schema, path)
    if isinstance(value, dict):
        _check_fields(value, schema, path)


def _check_any(value: Any, schemas: list[Mapping[str, Any]], path: str) -> None:
    for schema in schemas:
        if isinstance(value, _TYPES[schema["type"]][0]):
            check_value(value, schema, path)
            return
    raise _wrong(path, " or ".join(_TYPES[schema["type"]][1] for schema in schemas), value)


def _check_items(value: list[Any], schema: Mapping[str, Any], path: str) -> None:
    if len(value) < schema.get("minItems", 0):
        raise BadRequest(f"{path} is empty")
    for number, item in enumerate(value):
        check_value(item, schema["items"], f"{path}[{number}]")


def _check_fields(value: dict[str, Any], schema: Mapping[str, Any], path: str) -> None:
    known = schema["properties"]
    for name, part in value.items():
        if name not in known:
            hint = did_you_mean(str(name), known, otherwise=f"use {', '.join(known)}")
            raise BadRequest(f"{path}: unknown field {str(name)[:SHOWN]!r}", hint=hint)
        check_value(part, known[name], f"{path}.{name}")
    for name in schema.get("required", ()):
        if name not in value:
            raise BadRequest(f"{path}.{name} is missing")


def _wrong(path: str, wanted: str, value: Any, *, hint: str = "") -> BadRequest:
    return BadRequest(f"{path} must be {wanted}: {repr(value)[:SHOWN]}", hint=hint)
