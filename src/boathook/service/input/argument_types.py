"""Argument types: from command-line words or JSON to values of the right type, within their bounds; or one clear line."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.durations import meant_time, parse_duration
from boathook.errors import BadRequest
from boathook.hints import plain
from boathook.registry.registry import OBJECT
from boathook.similar_words import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boathook.registry.registry import Command, Parameter

_YES, _NO = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}
_TWO_NUMBERS = re.compile(r"(\d+)[x×,](\d+)")
SHOWN = 60
LONGEST_INTEGER = 20
LONGEST_NAME = 255
"""Bytes of one part of a path, on any file system."""


def bind_arguments(command: Command, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by name, each of its parameter's type; unknown and missing ones are named."""
    known = {parameter.name: parameter for parameter in command.parameters}
    for name in given:
        if name not in known:
            raise BadRequest(f"{command.cli_name} has no parameter {name!r}", hint=_nearest(name, known))
    values = {
        name: _bind_value(command, known[name], value)
        for name, value in given.items()
        # Null means that it was not given, where there is a default.
        if value is not None or known[name].default is None or known[name].required
    }
    for name, value in values.items():
        if known[name].kind in {"path", "paths"} and not _may_be_paths(value):
            raise _wrong(command, known[name], value, "a valid path (no NUL, no name that is too long)")
    for parameter in command.parameters:
        if parameter.required and values.get(parameter.name) is None:
            raise BadRequest(
                f"{command.cli_name} needs {parameter.name}: {parameter.doc}", hint=usage_hint(command)
            )
    return values


def from_text(command: Command, parameter: Parameter, text: str) -> Any:
    """The value of a command-line word for a parameter."""
    if parameter.kind == "flag":
        word = text.lower()
        if word not in _YES | _NO:
            raise _wrong(command, parameter, text, "true or false")
        return word in _YES
    if parameter.kind in {"integer", "number"}:
        return _bind_value(command, parameter, _number(command, parameter, text))
    if parameter.kind == "point":
        return _point(command, parameter, text)
    if parameter.kind == "json":
        try:
            return json.loads(text)
        except ValueError as error:
            why = f"{plain(str(error))}; for example `{_telling_example(command)}`"
            raise _wrong(command, parameter, text, "JSON", hint=why) from None
    if parameter.kind in {"texts", "paths"}:
        return [text]
    return _bind_value(command, parameter, text)


def _telling_example(command: Command) -> str:
    """Its first example with arguments."""
    length = len(command.cli_name.split())
    return next((line for line in command.examples if len(line.split()) > length), command.examples[0])


def _number(command: Command, one: Parameter, text: str) -> float:
    duration = None if one.duration is None else parse_duration(text, one.duration.unit)
    if duration is not None:
        return duration
    try:
        return int(text) if one.kind == "integer" else float(text)
    except ValueError:
        wanted = "a number" if one.duration is None else "a number or a time such as 500ms"
        raise _wrong(command, one, text, wanted, hint=_number_hint(one, text)) from None


def _number_hint(one: Parameter, text: str) -> str:
    """What was meant by text that is not a number: a time in another notation, or two numbers in one word."""
    if one.duration is not None:
        meant = meant_time(text)
        return f"did you mean {meant}?" if meant else ""
    both = _TWO_NUMBERS.fullmatch(text)
    return f"did you mean {both[1]} {both[2]}?" if both else ""


def _in_own_unit(one: Parameter, value: Any) -> Any:
    """A duration such as `500ms` as a number in the parameter's unit; any other value as it is."""
    if one.duration is None or not isinstance(value, str):
        return value
    number = parse_duration(value, one.duration.unit)
    return value if number is None else number


def _as_integer(one: Parameter, value: Any) -> Any:
    """A number that a model wrote as text; any other value as it is."""
    written = one.kind == "integer" and isinstance(value, str) and value.strip().isdecimal()
    return int(value) if written and len(value) <= LONGEST_INTEGER else value


def usage(command: Command, *, called: str = "", needs: Parameter | None = None) -> str:
    """The usage of the command, without the program's name; `needs` is shown as required."""
    words = [called or command.cli_name]
    for parameter in command.parameters:
        if parameter.positional:
            name = f"<{parameter.name.replace('_', ' ')}{' …' if parameter.variadic else ''}>"
            words.append(name if parameter.required or parameter is needs else f"[{name}]")
    if any(not parameter.positional for parameter in command.parameters):
        words.append("[options]")
    return " ".join(words)


def usage_hint(command: Command, *, called: str = "", needs: Parameter | None = None) -> str:
    """The same as a hint: each surface has another notation for calls."""
    return f"`? {usage(command, called=called, needs=needs)}`"


def _may_be_paths(value: Any) -> bool:
    """Whether the system accepts them at all; its errors about others would look like internal errors."""
    paths = [os.fsencode(str(part)) for part in (value if isinstance(value, list) else [value])]
    return not any(
        b"\0" in path or any(len(name) > LONGEST_NAME for name in path.split(b"/")) for path in paths
    )


def _bind_value(command: Command, parameter: Parameter, value: Any) -> Any:
    if value is None:
        return None
    value = _as_integer(parameter, _in_own_unit(parameter, value))
    if parameter.kind in {"texts", "paths"}:
        if isinstance(value, str | Path):
            value = [value]
        if not isinstance(value, list | tuple) or not all(isinstance(part, str | Path) for part in value):
            raise _wrong(command, parameter, value, "a list of strings")
        return list(value)
    if parameter.kind == "json" and parameter.choices == OBJECT:
        parts = value if parameter.variadic and isinstance(value, list | tuple) else [value]
        if not all(isinstance(part, dict) for part in parts):
            raise _wrong(command, parameter, value, 'a JSON object such as {"name": "value"}')
    if parameter.kind == "choice" and value not in parameter.choices:
        other = (
            f"for example `{_telling_example(command)}`"
            if parameter.positional
            else f"`{command.cli_name} --help`"
        )
        hint = did_you_mean(str(value), parameter.choices, otherwise=other)
        raise _wrong(command, parameter, value, f"one of {', '.join(parameter.choices)}", hint=hint)
    if parameter.kind == "point":
        return _check_point(command, parameter, value)
    kinds: dict[str, tuple[type, ...]] = {
        "text": (str,),
        "path": (str, Path),
        "flag": (bool,),
        "integer": (int,),
        "number": (int, float),
    }
    wanted = kinds.get(parameter.kind)
    if wanted and (not isinstance(value, wanted) or (isinstance(value, bool) and parameter.kind != "flag")):
        raise _wrong(command, parameter, value, _KIND_NAMES.get(parameter.kind, f"a {parameter.kind}"))
    return _within_limits(command, parameter, value)


def _check_point(command: Command, parameter: Parameter, value: Any) -> tuple[float, float]:
    if isinstance(value, str):
        return _point(command, parameter, value)
    numbers = value if isinstance(value, list | tuple) else ()
    real = [part for part in numbers if isinstance(part, int | float) and not isinstance(part, bool)]
    if len(numbers) != 2 or len(real) != 2 or not all(map(math.isfinite, real)):  # noqa: PLR2004 - x and y
        raise _wrong(command, parameter, value, "two numbers such as 10,20")
    return float(real[0]), float(real[1])


def _is_valid_text(value: str) -> bool:
    """Whether it can be sent to a page: bytes of another encoding on a command line become lone surrogates."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


_KIND_NAMES = {"text": "a string", "flag": "true or false", "integer": "an integer"}


def _within_limits(command: Command, parameter: Parameter, value: Any) -> Any:
    if parameter.kind == "text" and not _is_valid_text(value):
        raise _wrong(command, parameter, value, "valid UTF-8 text")
    if parameter.bounds is not None and isinstance(value, int | float):
        low, high = parameter.bounds.least, parameter.bounds.most
        if not low <= value <= high:
            raise _wrong(command, parameter, value, f"between {low:g} and {high:g}")
    return value


def _point(command: Command, parameter: Parameter, text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise _wrong(command, parameter, text, "two numbers such as 10,20") from None
    if not math.isfinite(x) or not math.isfinite(y):
        raise _wrong(command, parameter, text, "two numbers such as 10,20")
    return x, y


def _wrong(
    command: Command, parameter: Parameter, value: object, wanted: str, *, hint: str = ""
) -> BadRequest:
    shown = repr(value)[:SHOWN]
    return BadRequest(
        f"{command.cli_name}: {parameter.name} must be {wanted}, not {shown}",
        hint=hint or usage_hint(command),
        parameter=parameter.name,
    )


def _nearest(word: str, known: Iterable[str]) -> str:
    return did_you_mean(word, known, otherwise=f"available: {', '.join(known)}", cutoff=0.5)
