"""Every result type with huge fields, on every surface: no answer is longer than its limit, and no text in it."""

import ast
import collections.abc
import dataclasses
import importlib
import inspect
import io
import json
import pathlib
import sys
import types
import typing
from functools import cache

import pytest
from PIL import Image

from boathook.commands import catalogue
from boathook.engine.tab import Tab
from boathook.redaction.secret import Secret
from boathook.service.output.data_budget import within_each
from boathook.service.output.outcome import Outcome
from boathook.service.output.output_guard import (
    _BOUNDED,
    DATA_CHARACTERS,
    DEFAULT_CHARACTERS,
    FACT_CHARACTERS,
    JSON_CHARACTERS,
    OutputGuard,
)
from boathook.service.records.spill import Spills
from tests.surfaces.test_bounded_answers import longest_text

HUGE = 9_000
MANY = 12
AROUND = 1_000
"""Notes about what was left out, and names of fields."""
_png = io.BytesIO()
Image.new("RGB", (2, 2)).save(_png, "PNG")
DOT = _png.getvalue()
GIVEN = {
    "Vital.name": "lcp",
    "Step.code": "timeout",
    "Step.ok": False,
    "Step.artifacts": ({"path": "x" * HUGE, "state": "saved"},) * MANY,
    "JobStep.artifacts": ({"path": "x" * HUGE, "state": "saved"},) * MANY,
}
"""Fields that are not any text."""
PLAIN = {
    str: "x" * HUGE,
    int: 7,
    float: 1.5,
    bool: True,
    type(None): None,
    object: "x" * HUGE,
    typing.Any: {"a": ["x" * HUGE] * 3},
    bytes: DOT,
    pathlib.Path: pathlib.Path("/tmp") / ("x" * 200),
    Secret: Secret("x" * HUGE, reason="given"),
}


@cache
def names(module):
    """What the annotations of a module name, also what it imports for the type checker only."""
    found = {}
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if isinstance(node, ast.ImportFrom) and node.module:
            place = importlib.import_module(node.module)
            # A part of a package may be a module that nobody has imported: no annotation names it.
            found |= {alias.asname or alias.name: getattr(place, alias.name, None) for alias in node.names}
    return found


def hints_of(kind):
    """The types of a dataclass's fields, those that it inherits included."""
    places = [base.__module__ for base in reversed(kind.__mro__) if base.__module__.startswith("boathook.")]
    return typing.get_type_hints(
        kind, localns={name: of for place in places for name, of in names(place).items()}
    )


def huge(annotation, depth=0):
    """A value of this type in which every text is huge and every list is long."""
    if annotation in PLAIN:
        return PLAIN[annotation]
    arguments = typing.get_args(annotation)
    origin = typing.get_origin(annotation)
    count = MANY if depth < 2 else 2
    if origin is typing.Literal:
        return arguments[0]
    if origin in {types.UnionType, typing.Union}:
        return huge(next(part for part in arguments if part not in {type(None), *_BOUNDED}), depth)
    if origin in {list, tuple, frozenset, collections.abc.Sequence, collections.abc.Collection}:
        parts = [part for part in arguments if part is not Ellipsis]
        if origin is tuple and Ellipsis not in arguments:
            return tuple(huge(part, depth + 1) for part in parts)
        return (origin if origin in {list, tuple} else tuple)([huge(parts[0], depth + 1)] * count)
    if origin in {dict, collections.abc.Mapping}:
        return {f"{'k' * HUGE}{number}": huge(arguments[1], depth + 1) for number in range(count)}
    if inspect.isclass(annotation) and dataclasses.is_dataclass(annotation):
        hints = hints_of(annotation)
        fields = [field.name for field in dataclasses.fields(annotation) if field.init]
        own = {name: GIVEN[key] for name in fields if (key := f"{annotation.__name__}.{name}") in GIVEN}
        given = {name: huge(hints[name], depth + 1) for name in fields if name not in own} | own
        return annotation(**given)
    raise NotImplementedError(annotation)


RESULTS = {
    str(command.returns): (name, command.returns)
    for name, command in catalogue().items()
    if Tab not in {command.returns, *typing.get_args(command.returns)} and command.returns not in _BOUNDED
}


@pytest.mark.parametrize("kind", sorted(RESULTS))
def test_no_answer_is_longer_than_its_limit(kind, tmp_path):
    name, annotation = RESULTS[kind]
    outcome = Outcome(command=name, category="completed", value=huge(annotation), session="s")

    def guard():
        return OutputGuard(spills=Spills(tmp_path))

    out, err = guard().in_text(outcome)
    assert len(out) + len(err) <= DEFAULT_CHARACTERS + AROUND
    answer = json.loads(guard().in_json(outcome))
    assert len(json.dumps(answer.get("data"), ensure_ascii=False)) <= JSON_CHARACTERS
    assert (
        longest_text({key: part for key, part in answer.items() if key not in {"data", "text", "error"}})[0]
        <= FACT_CHARACTERS
    )
    told = guard().for_model(outcome)
    told.pop("images", None)
    assert len(json.dumps(told.get("data"))) <= DATA_CHARACTERS
    lists = DATA_CHARACTERS * sum(isinstance(part, list | dict) for part in told.values())
    assert len(told["text"]) <= DEFAULT_CHARACTERS + DATA_CHARACTERS + AROUND
    assert len(json.dumps(told)) - len(json.dumps(told["text"])) <= lists + 2 * AROUND


def test_many_notes_and_files_are_counted():
    notes = tuple(f"note {number} {'n' * HUGE}" for number in range(200))
    outcome = Outcome(command="click", category="completed", session="s", notes=notes)
    _, err = OutputGuard().in_text(outcome)
    assert err.endswith("note: 180 more notes\n")
    answer = json.loads(OutputGuard().in_json(outcome))
    assert answer["shortened"] == ["notes"]
    assert 1 < len(answer["notes"]) < 200
    few = json.loads(OutputGuard().in_json(dataclasses.replace(outcome, notes=("one",))))
    assert "shortened" not in few, "the control"


def test_facts_that_are_too_long_keep_their_first_items_whole():
    files = [{"path": f"/tmp/{number}"} for number in range(100)]
    made = within_each({"artifacts": files, "ok": True, "page": {"url": "u" * 900}}, 300)
    assert made["artifacts"] == files[: len(made["artifacts"])]
    assert 5 < len(made["artifacts"]) < 20
    assert len(made["page"]["url"]) < 300
    assert made["shortened"] == ["artifacts", "page"]
