"""The elements of a snapshot as data, for code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boathook.engine.snapshot.take import Snapshot

LINE = re.compile(
    r'^(?P<indent> *)(?P<role>[\w-]+)(?: ~?(?P<name>"(?:[^"\\]|\\.)*"))? @e(?P<number>\d+)(?P<rest>.*)$'
)
"""A line that names an element: role, name, ref, and what follows."""
_STATES = re.compile(r"^ \[([^\]]*)\]")
_VALUE = re.compile(r' = "((?:[^"\\]|\\.)*)"')


def elements(snapshot: Snapshot) -> dict[str, Any]:
    """The page and its elements, each with the number that `tab.id()` takes."""
    found = (LINE.match(line) for line in snapshot.lines)
    return {
        "url": snapshot.url,
        "title": snapshot.title,
        "revision": snapshot.revision,
        "scroll": list(snapshot.scroll),
        "elements": [_element(match) for match in found if match is not None],
    }


def _element(line: re.Match[str]) -> dict[str, Any]:
    states, value = _STATES.match(line["rest"]), _VALUE.search(line["rest"])
    return {
        "id": int(line["number"]),
        "ref": f"e{line['number']}",
        "role": line["role"],
        "name": _unquote(line["name"] or '""'),
        "states": states[1].split() if states else [],
        "value": _unquote(f'"{value[1]}"') if value else None,
    }


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1])
