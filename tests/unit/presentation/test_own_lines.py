"""Types whose text has no boundary: each with strings that imitate our lines in every field that a page may fill."""

import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from boathook.presentation import rendering
from boathook.presentation.all_renderers import as_text
from tests.support.forged import FORGED, LINES

LABELS = {
    "AnsweredDialog": "kind",
    "AuditFinding": "impact",
    "Conditions": "name",
    "Dialog": "kind",
    "HistoryEntry": "time",
    "KeptFile": "state",
    "KeptLogin": "name",
    "KeptState": "name",
    "McpToolInfo": "name",
    "Performed": "action",
    "PolicyRule": "name",
    "SessionInfo": "name",
    "StateFacts": "name",
    "Step": "text",
    "Vital": "name",
}
"""Fields that lines begin with, or that are lines: Boathook or the user fills them, not the page."""
GIVEN = {"Vital": "lcp"}
WITHOUT_FIELDS = {"CookieList", "Secret", "Tab"}
NEEDS_IMAGE = {"ScreenshotResult"}
TYPES = sorted(
    (
        kind
        for kind in rendering._OWN_LINES
        if kind.__module__.startswith("boathook.") and kind.__name__ not in WITHOUT_FIELDS | NEEDS_IMAGE
    ),
    key=lambda kind: kind.__name__,
)


def made(hint, text):
    """A value of a type, with this text wherever it has a string."""
    outer, inner = get_origin(hint), get_args(hint)
    if outer in {Union, UnionType}:
        return made(next(part for part in inner if part is not type(None)), text)
    if outer is Literal:
        return inner[0]
    if outer is tuple:
        return tuple(made(part, text) for part in inner if part is not ...)
    if outer is list:
        return [made(inner[0], text)]
    if outer is not None and issubclass(outer, Mapping):
        return {text: made(inner[1], text)}
    if isinstance(hint, type) and is_dataclass(hint):
        label, types = LABELS.get(hint.__name__), types_of(hint)
        named = {field.name: made(types[field.name], text) for field in fields(hint) if field.init}
        return hint(**named | ({label: GIVEN.get(hint.__name__, "label")} if label else {}))
    return {str: text, Any: text, object: text, bool: True, int: 1, float: 1.0, bytes: b"", Path: Path("/x")}[
        hint
    ]


@cache
def types_of(kind):
    """The types of its fields, also those that its module imports for the type checker alone."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("boathook.")]
    known = {name: value for module in modules for name, value in vars(module).items()}
    own = vars(importlib.import_module(kind.__module__))
    return get_type_hints(kind, localns={**known, **own, "Mapping": Mapping, "Path": Path})


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("text", [FORGED, *LINES])
def test_no_line_is_one_that_a_page_has_written(kind, text):
    lines = as_text(made(kind, text)).splitlines()
    assert [line for line in lines if line.startswith(LINES)] == []


@dataclass(frozen=True)
class Named:
    """A result of this test alone."""

    title: str


def test_the_control_sees_a_line_of_a_renderer_that_gets_the_strings_as_they_are():
    as_text.register(Named, lambda value: f"page: {value.title}")
    with pytest.raises(AssertionError):
        test_no_line_is_one_that_a_page_has_written(Named, FORGED)
    rendering.own_lines(lambda value: f"page: {value.title}", kind=Named)
    test_no_line_is_one_that_a_page_has_written(Named, FORGED)
