"""Reprs of results: what the library returns can be logged."""

import dataclasses
import inspect
import typing

from boathook.commands import catalogue
from boathook.redaction import safe_repr

WITHOUT_PAGE_TEXT = {
    "CookiesTaken", "CheckResult", "Highlighted", "KeptFile", "KeptLogin", "KeptState", "McpToolInfo", "PolicyRule", "UserProfile", "RecordingStarted",
    "HistoryEntry", "Rotated", "SavedState", "Scrolled", "StateFacts", "Styling", "Uploaded", "Boundary",
}  # fmt: skip
"""They hold names of ours, of files and of the user's own things, and nothing that pages say."""


def results_of(annotation):
    for part in typing.get_args(annotation):
        yield from results_of(part)
    if inspect.isclass(annotation) and dataclasses.is_dataclass(annotation):
        yield annotation


def test_every_result_that_holds_text_of_pages_has_a_repr_without_secrets():
    results = {
        cls
        for command in catalogue().values()
        for cls in results_of(typing.get_type_hints(command.run).get("return"))
        if any("str" in str(field.type) for field in dataclasses.fields(cls))
    }
    unsafe = {cls.__name__ for cls in results if cls.__repr__.__module__ != safe_repr.__name__}
    assert unsafe - WITHOUT_PAGE_TEXT == set()
    assert len(results) > 30, "the control: results were found"
